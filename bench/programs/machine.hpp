// A thread of a rank while its calls are carried out: its memory, its handles, and what has been seen.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "program.hpp"

namespace rota::programs {

/// A number for everything seen: in order, but for what callbacks are told, whose order MPI leaves open.
class Digest {
 public:
  void add(std::uint64_t word) { ordered_ = mixed(ordered_ ^ word); }
  void add(const unsigned char* bytes, std::size_t count);
  void add_unordered(std::uint64_t word) { unordered_ += mixed(word); }

  std::uint64_t value() const { return mixed(ordered_ + unordered_); }

 private:
  static constexpr std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 32U)) * 0x9e3779b97f4a7c15U;
    return word ^ (word >> 29U);
  }

  std::uint64_t ordered_ = 1;
  std::uint64_t unordered_ = 0;
};

struct Machine {
  static constexpr std::size_t most_types = 64;

  int rank = 0;  // in MPI_COMM_WORLD
  std::vector<unsigned char> memory;
  Digest seen;
  std::array<MPI_Comm, comm_slots + 1> comms{};
  std::array<MPI_Group, 2> groups{};
  std::array<MPI_Datatype, most_types> types{};
  std::array<MPI_Op, 1> ops{};
  std::array<MPI_Request, 2 * request_slots + 1> requests{};
  std::array<MPI_Session, comm_slots> sessions{};
  std::array<MPI_Errhandler, 1> handlers{};
  std::array<int, keyval_slots> keyvals{};
  std::array<void*, 1> values{};
  std::array<MPI_Status, 1> statuses{};
  std::array<int, 1> flags{};
  std::vector<std::unique_ptr<std::uint64_t[]>> arrays;       // those that the present call is given
  std::vector<std::unique_ptr<std::uint64_t[]>> kept_arrays;  // and those of calls that may not be over
};

/// The machine of this thread, for what MPI calls back.
Machine*& current_machine();

}  // namespace rota::programs
