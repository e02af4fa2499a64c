// A series of operations by a plan's timetable, over the ranks of a communicator.
#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rota.h"
#include "rota/proof/verify.hpp"
#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/data/dense.hpp"
#include "rota_mpi/data/streamed.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/way/operation.hpp"

namespace rota::mpi {

/// What a rank's program must have memory for.
// NOLINTNEXTLINE(misc-use-internal-linkage): rota_series, a name of the user's header, returns it
struct SeriesNeeds {
  MPI_Count sent_items = 0;
  MPI_Count received_items = 0;
  MPI_Count operations_under_way = 0;
};

}  // namespace rota::mpi

/// What a program holds.
struct rota_series {
  rota_series() = default;
  rota_series(const rota_series&) = delete;
  rota_series& operator=(const rota_series&) = delete;
  virtual ~rota_series() = default;

  virtual rota::mpi::SeriesNeeds needs() const = 0;
  virtual int run(MPI_Count operations, const rota_stream& stream) = 0;
};

namespace rota::mpi {

namespace {

/// An error that says more than its class.
MpiError error_saying(int error_class, const std::string& text) {
  int code = MPI_SUCCESS;
  check(pmpi.Add_error_code(error_class, &code));
  std::string said = ("rota: " + text).substr(0, MPI_MAX_ERROR_STRING - 1);
  check(pmpi.Add_error_string(code, said.data()));
  return {code};
}

/// Rank 0's text, or nothing if it has none. Throws MpiError, std::bad_alloc.
std::string broadcast_text(const char* text, const Passage& self) {
  std::string result = self.place.rank == 0 && text != nullptr ? text : "";
  auto length = static_cast<std::int64_t>(result.size());
  check(pmpi.Bcast(&length, 1, MPI_INT64_T, 0, self.comm));
  result.resize(static_cast<std::size_t>(length));
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (std::int64_t begin = 0; begin < length; begin += most) {
    check(pmpi.Bcast(result.data() + begin, static_cast<int>(std::min(most, length - begin)), MPI_CHAR, 0,
                     self.comm));
  }
  return result;
}

/// What is wrong with what a timetable describes; nothing, where it is right.
std::string fault_of(const Timetable& timetable) {
  const auto period = std::make_shared<const Period>(timetable.period);
  const std::vector<Violation> found = verify(periodic(period, period->depth() + 1));
  if (found.empty()) return "";
  return "a timetable that is no schedule: rank " + std::to_string(found[0].rank) + ", round " +
         std::to_string(found[0].round) + ": " + found[0].fault;
}

std::string fault_of_text(const std::string& text) {
  try {
    return fault_of(timetable_in(text));
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
}

/// The timetable that rank 0 has as text, which it alone verifies. Throws MpiError, the same on all ranks.
Timetable agreed_timetable(const char* text, const Passage& self) {
  const std::string agreed = broadcast_text(text, self);
  const std::string fault = self.place.rank == 0 ? fault_of_text(agreed) : "";
  const std::string told = broadcast_text(fault.c_str(), self);
  if (!told.empty()) throw error_saying(MPI_ERR_ARG, told);
  return timetable_in(agreed);
}

/// Throws MpiError unless the numbers are the same on all ranks.
void require_agreed(std::vector<std::int64_t> numbers, const Passage& self, const std::string& fault) {
  const std::size_t size = numbers.size();
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(-numbers[i]);
  check(pmpi.Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, MPI_MAX,
                       self.comm));
  for (std::size_t i = 0; i < size; ++i) {
    if (numbers[i] != -numbers[i + size]) throw error_saying(MPI_ERR_ARG, fault);
  }
}

/// The most bytes that a rank sends another in a matching.
std::int64_t largest_message(const Timetable& timetable, const UnitMessage& unit, MPI_Count item_bytes) {
  const std::vector<MPI_Count> items = items_of_messages(timetable, unit);
  std::map<std::pair<Round, Rank>, std::int64_t> bytes;
  for (const PeriodicTransfer& each : timetable.period.transfers) {
    for (BlockIndex b = each.first; b < each.first + each.count; ++b) {
      const OperationPart& part = timetable.parts[static_cast<std::size_t>(b)];
      const auto message = static_cast<std::size_t>(each.message);
      bytes[{each.matching, each.from}] += items_of(part, timetable.unit, items[message]).size() * item_bytes;
    }
  }
  std::int64_t largest = 0;
  for (const auto& [port, its] : bytes) largest = std::max(largest, its);
  return largest;
}

void require_whole_messages(const Timetable& timetable, const UnitMessage& unit) {
  for (const MessageSize& size : timetable.sizes) {
    if (unit.items % size.denominator != 0) {
      throw error_saying(MPI_ERR_COUNT, "a message of " + std::to_string(size.numerator) + "/" +
                                            std::to_string(size.denominator) +
                                            " units: give a count that is a multiple of " +
                                            std::to_string(size.denominator));
    }
  }
}

/// The operator only if there is anything to combine: streams that only move data need none.
UnitMessage checked_unit(const Timetable& timetable, MPI_Count count, MPI_Datatype type, MPI_Op op,
                         const Passage& self) {
  const bool is_dense_type = type != MPI_DATATYPE_NULL && is_dense(type);
  const MPI_Count item_bytes = is_dense_type ? size_of(type) : 0;
  const bool has_operator = timetable.period.tasks.empty() || op != MPI_OP_NULL;
  require_agreed({count, item_bytes}, self, "ranks differ in the size of a unit message");
  if (item_bytes == 0)
    throw error_saying(MPI_ERR_TYPE, "a series moves items of types without gaps, as MPI_DOUBLE");
  if (count < 1) throw error_saying(MPI_ERR_COUNT, "a unit message of no items: give a count of at least 1");
  require_agreed({has_operator}, self, "no operator on some ranks");
  if (!has_operator) throw error_saying(MPI_ERR_OP, "partial results are combined: give an operator");
  const UnitMessage unit{count, {op, type}};
  require_whole_messages(timetable, unit);
  if (largest_message(timetable, unit, item_bytes) > std::numeric_limits<int>::max()) {
    throw error_saying(MPI_ERR_COUNT,
                       "more than 2 GiB over a link in a matching: plan with a shorter period");
  }
  return unit;
}

Passage passage_of(MPI_Comm comm) {
  if (is_inter(comm)) throw error_saying(MPI_ERR_COMM, "a series is among the ranks of one group");
  return {comm, place_in(comm)};
}

Companion& companion_for(MPI_Comm comm) {
  Companion& companion = companion_of(comm);
  if (companion.open() != nullptr)
    throw error_saying(MPI_ERR_COMM, "no channel for a series' messages: " + std::string(companion.fault));
  return companion;
}

class OpenSeries final : public rota_series {
 public:
  /// Collective. Throws MpiError, std::bad_alloc.
  OpenSeries(const char* text, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
      : self_(passage_of(comm)),
        companion_(companion_for(comm)),
        timetable_(agreed_timetable(text, self_)),
        unit_(checked_unit(timetable_, count, type, op, self_)) {
    if (self_.place.ranks != timetable_.period.ranks) {
      throw error_saying(MPI_ERR_COMM, "a timetable for " + std::to_string(timetable_.period.ranks) +
                                           " ranks, and a communicator of " +
                                           std::to_string(self_.place.ranks));
    }
  }

  SeriesNeeds needs() const override {
    const std::vector<MPI_Count> items = items_of_messages(timetable_, unit_);
    return {sources_of(timetable_, self_.place.rank, items).items(),
            targets_of(timetable_, self_.place.rank, items).items(),
            timetable_.period.depth() * timetable_.operations};
  }

  int run(MPI_Count operations, const rota_stream& stream) override {
    return raising_on(self_.comm, [&] {
      const SeriesNeeds its = needs();
      const bool has_all = (its.sent_items == 0 || stream.source != nullptr) &&
                           (its.received_items == 0 || stream.target != nullptr);
      require_agreed({operations}, self_, "ranks differ in the number of operations");
      require_agreed({has_all}, self_, "a rank that sends has no source, or one that gets no target");
      if (!has_all) throw MpiError{MPI_ERR_ARG};
      companion_.open();
      if (operations > 0) play(operations, stream);
      return MPI_SUCCESS;
    });
  }

 private:
  /// Period by period: operations begin in the first of them, and are over some periods later.
  void play(MPI_Count operations, const rota_stream& stream) const {
    const auto period = std::make_shared<const Period>(timetable_.period);
    const Round periods = (operations + timetable_.operations - 1) / timetable_.operations;
    const auto matchings = static_cast<Round>(period->matching_lengths.size());
    const RankSchedule steps = periodic(period, periods).of_rank(self_.place.rank);
    StreamedData data(timetable_, unit_, self_.place.rank, operations, stream);
    const Round depth = period->depth();
    for (Round now = 0; now < periods + depth - 1; ++now) {
      if (now < periods) data.begin(now);
      execute({[&](Round round) { return steps(now * matchings + round); }, matchings, companion_.channel()},
              data);
      if (now >= depth - 1) data.end(now - depth + 1);
    }
  }

  Passage self_;
  Companion& companion_;  // attached to the communicator, which stays
  Timetable timetable_;
  UnitMessage unit_;
};

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_series_open(const char* timetable, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                     rota_series** series) {
  using namespace rota::mpi;
  return raising_on(comm, [&]() -> int {
    if (comm == MPI_COMM_NULL) throw MpiError{MPI_ERR_COMM};
    if (series == nullptr) throw MpiError{MPI_ERR_ARG};
    *series = std::make_unique<OpenSeries>(timetable, count, type, op, comm).release();
    return MPI_SUCCESS;
  });
}

int rota_series_needs(const rota_series* series, MPI_Count* sent, MPI_Count* received, MPI_Count* under_way) {
  if (series == nullptr) return rota::mpi::raise_alone(MPI_ERR_ARG);
  const rota::mpi::SeriesNeeds needs = series->needs();
  *sent = needs.sent_items;
  *received = needs.received_items;
  *under_way = needs.operations_under_way;
  return MPI_SUCCESS;
}

int rota_series_run(rota_series* series, MPI_Count operations, const rota_stream* stream) {
  return series == nullptr || stream == nullptr ? rota::mpi::raise_alone(MPI_ERR_ARG)
                                                : series->run(operations, *stream);
}

int rota_series_close(rota_series** series) {
  if (series == nullptr || *series == nullptr) return rota::mpi::raise_alone(MPI_ERR_ARG);
  delete *series;
  *series = nullptr;
  return MPI_SUCCESS;
}

}  // extern "C"
