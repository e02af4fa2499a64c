// How all ranks of an exchange that returned at once come to one plan, in its turn, without waiting for anybody.
//
//     records -> remembered? ------------------------------------------------------------> that plan
//             -> small? -----------------------------------> pairwise exchange
//             -> room for the rows? -> rows -> a plan? -----------------------> a new plan
//                        no: pairwise exchange    no: pairwise exchange
//
// Each arrow is an allgather of few bytes, in ceil(log2 p) rounds of the executor's over the companion's channel. By then the call is
// Rota's on all ranks, so it is carried out whatever comes of that: where nobody would have a schedule planned, by the pairwise exchange,
// for which a rank need know no more than its own messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rota_mpi/calls/exchanging/agree.hpp"
#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

class Telling {
 public:
  /// What this rank sees, and what is remembered.
  Telling(Sight sight, const Place& place, Terms terms, std::shared_ptr<Patterns> patterns);
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

  /// The next rounds, when those before are over. Nothing: there is a plan. Throws MpiError, std::bad_alloc.
  std::optional<Prepared> next(const Self& self);

  /// Then.
  const Plan& plan() const { return plan_; }
  bool has_made_plan() const { return made_plan_; }
  std::int64_t port_bytes() const { return port_bytes_; }

 private:
  /// What a rank says first.
  struct Record {
    std::int64_t port_bytes;
    std::int64_t degree;
    std::int64_t row_length;
    std::int64_t known;  // bit i: it remembers its part of this pattern at place i
  };

  enum class Stage : std::uint8_t { begun, records, room, rows, made, over };

  // What follows each.
  std::optional<Prepared> tell_record(const Self& self);
  std::optional<Prepared> after_records(const Self& self);
  std::optional<Prepared> after_room(const Self& self);
  std::optional<Prepared> after_rows(const Self& self);
  std::optional<Prepared> after_made();

  std::optional<Prepared> over_with(Plan plan);
  std::optional<Prepared> over_with_pairwise();
  std::optional<Prepared> tell(Verdict mine, Stage stage, const Self& self);
  Verdict least_verdict() const;
  Verdict make_room();
  Record& own_record() { return records_[static_cast<std::size_t>(place_.rank)]; }

  Sight sight_;
  Place place_;
  Terms terms_;
  std::shared_ptr<Patterns> patterns_;
  Stage stage_ = Stage::begun;
  std::vector<Record> records_;  // of all ranks,
  std::vector<std::int64_t> verdicts_;
  std::vector<Shipment> rows_;
  MadePlan mine_;
  std::int64_t degree_ = 0;
  Plan plan_;
  bool made_plan_ = false;
  std::int64_t port_bytes_ = 0;
};

}  // namespace rota::mpi
