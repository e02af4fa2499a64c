#include "interpret.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "../check/random.hpp"
#include "completing.hpp"
#include "invoke.hpp"
#include "machine.hpp"
#include "types.hpp"

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ROTA_IS_MPI_4
#endif

namespace rota::programs {

namespace {

/// Numbers that sums are exact with, by what an element is.
template <class Number>
void write_small(unsigned char* to, std::size_t bytes, check::Random random) {
  for (std::size_t i = 0; i + sizeof(Number) <= bytes; i += sizeof(Number)) {
    const auto value = static_cast<Number>(random.between(-8, 8));
    std::memcpy(to + i, &value, sizeof value);
  }
}

void write_bytes(unsigned char* to, std::size_t bytes, check::Random random) {
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(to + i, &word, std::min(sizeof word, bytes - i));
  }
}

int fill(Machine& machine, const Arguments& arguments) {
  unsigned char* to = machine.memory.data() + arguments[0].number;
  const auto bytes = static_cast<std::size_t>(arguments[1].number);
  const check::Random random = check::random_of(static_cast<std::uint64_t>(arguments[3].number),
                                                static_cast<std::uint64_t>(machine.rank));
  switch (static_cast<Fill>(arguments[2].number)) {
    case Fill::bytes:
      write_bytes(to, bytes, random);
      break;
    case Fill::int16:
      write_small<std::int16_t>(to, bytes, random);
      break;
    case Fill::int32:
      write_small<std::int32_t>(to, bytes, random);
      break;
    case Fill::int64:
      write_small<std::int64_t>(to, bytes, random);
      break;
    case Fill::float32:
      write_small<float>(to, bytes, random);
      break;
    case Fill::float64:
      write_small<double>(to, bytes, random);
      break;
  }
  return MPI_SUCCESS;
}

int blank(Machine& machine, const Arguments& arguments) {
  std::memset(machine.memory.data() + arguments[0].number, 0, static_cast<std::size_t>(arguments[1].number));
  return MPI_SUCCESS;
}

int look(Machine& machine, const Arguments& arguments) {
  machine.seen.add(machine.memory.data() + arguments[0].number,
                   static_cast<std::size_t>(arguments[1].number));
  return MPI_SUCCESS;
}

void see(Machine& machine, const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  for (const int number : {status.MPI_SOURCE, status.MPI_TAG, count})
    machine.seen.add(static_cast<std::uint64_t>(number));
}

int see_status(Machine& machine, const Arguments& /*arguments*/) {
  see(machine, machine.statuses[0]);
  return MPI_SUCCESS;
}

int see_flag(Machine& machine, const Arguments& /*arguments*/) {
  machine.seen.add(machine.flags[0] != 0 ? 1 : 0);
  return MPI_SUCCESS;
}

int see_attribute(Machine& machine, const Arguments& /*arguments*/) {
  const auto value = reinterpret_cast<std::uintptr_t>(machine.values[0]);
  machine.seen.add(machine.flags[0] != 0 ? value : 0);
  return MPI_SUCCESS;
}

/// Does something with requests of the table, and puts them back.
Requests acted_on(Machine& machine, const Arguments& arguments, int& code) {
  const std::vector<std::int64_t>& places = arguments[3].numbers;
  Requests requests{.all = {}, .statuses = std::vector<MPI_Status>(places.size())};
  for (const std::int64_t place : places) requests.all.push_back(at(machine.requests, place));
  code = acted(arguments[0].name, requests);
  for (std::size_t i = 0; i < places.size(); ++i) at(machine.requests, places[i]) = requests.all[i];
  return requests;
}

int act(Machine& machine, const Arguments& arguments) {
  int code = MPI_SUCCESS;
  acted_on(machine, arguments, code);
  return code;
}

int complete(Machine& machine, const Arguments& arguments) {
  int code = MPI_SUCCESS;
  const Requests requests = acted_on(machine, arguments, code);
  for (std::size_t i = 0; i < requests.all.size(); ++i) {
    machine.seen.add(requests.all[i] == MPI_REQUEST_NULL ? 1 : 0);
    if (arguments[4].numbers[i] != 0) see(machine, requests.statuses[i]);
  }
  return code;
}

using Function = int (*)(Machine&, const Arguments&);

struct Forms {
  Function plain;
  Function large = nullptr;
};

#define ROTA_CALL(function) \
  [](Machine& machine, const Arguments& arguments) { return invoked(function, machine, arguments); }
#define ROTA_PLAIN(function)           \
  {                                    \
    #function, { ROTA_CALL(function) } \
  }
#if MPI_VERSION >= 4
#define ROTA_BOTH(function)                                     \
  {                                                             \
    #function, { ROTA_CALL(function), ROTA_CALL(function##_c) } \
  }
#else
#define ROTA_BOTH(function) ROTA_PLAIN(function)
#endif

#ifdef ROTA_IS_MPI_4
#define ROTA_COLLECTIVE(name, started) \
  ROTA_BOTH(MPI_##name), ROTA_BOTH(MPI_I##started), ROTA_BOTH(MPI_##name##_init)
#else
#define ROTA_COLLECTIVE(name, started) ROTA_BOTH(MPI_##name), ROTA_BOTH(MPI_I##started)
#endif

const Names<Forms>& functions() {
  static const Names<Forms> all{
      {"fill", {fill}},
      {"blank", {blank}},
      {"look", {look}},
      {"act", {act}},
      {"complete", {complete}},
      {"see_status", {see_status}},
      {"see_flag", {see_flag}},
      {"see_attribute", {see_attribute}},
      ROTA_PLAIN(MPI_Type_contiguous),
      ROTA_PLAIN(MPI_Type_vector),
      ROTA_PLAIN(MPI_Type_indexed),
      ROTA_PLAIN(MPI_Type_create_hindexed),
      ROTA_PLAIN(MPI_Type_create_resized),
      ROTA_PLAIN(MPI_Type_create_struct),
      ROTA_PLAIN(MPI_Type_dup),
      ROTA_PLAIN(MPI_Type_commit),
      ROTA_PLAIN(MPI_Type_free),
      ROTA_PLAIN(MPI_Op_create),
      ROTA_PLAIN(MPI_Op_free),
      ROTA_PLAIN(MPI_Comm_dup),
      ROTA_PLAIN(MPI_Comm_idup),
      ROTA_PLAIN(MPI_Comm_split),
      ROTA_PLAIN(MPI_Comm_group),
      ROTA_PLAIN(MPI_Group_incl),
      ROTA_PLAIN(MPI_Group_free),
      ROTA_PLAIN(MPI_Comm_create),
      ROTA_PLAIN(MPI_Comm_create_group),
      ROTA_PLAIN(MPI_Cart_create),
      ROTA_PLAIN(MPI_Graph_create),
      ROTA_PLAIN(MPI_Dist_graph_create_adjacent),
      ROTA_PLAIN(MPI_Intercomm_create),
      ROTA_PLAIN(MPI_Intercomm_merge),
      ROTA_PLAIN(MPI_Comm_free),
      ROTA_PLAIN(MPI_Comm_disconnect),
#ifdef ROTA_IS_MPI_4
      ROTA_PLAIN(MPI_Session_init),
      ROTA_PLAIN(MPI_Session_finalize),
      ROTA_PLAIN(MPI_Group_from_session_pset),
      ROTA_PLAIN(MPI_Comm_create_from_group),
#endif
      ROTA_COLLECTIVE(Bcast, bcast),
      ROTA_COLLECTIVE(Reduce, reduce),
      ROTA_COLLECTIVE(Allreduce, allreduce),
      ROTA_COLLECTIVE(Allgather, allgather),
      ROTA_COLLECTIVE(Allgatherv, allgatherv),
      ROTA_COLLECTIVE(Reduce_scatter, reduce_scatter),
      ROTA_COLLECTIVE(Reduce_scatter_block, reduce_scatter_block),
      ROTA_COLLECTIVE(Scan, scan),
      ROTA_COLLECTIVE(Exscan, exscan),
      ROTA_COLLECTIVE(Alltoall, alltoall),
      ROTA_COLLECTIVE(Alltoallv, alltoallv),
      ROTA_COLLECTIVE(Alltoallw, alltoallw),
      ROTA_COLLECTIVE(Neighbor_alltoall, neighbor_alltoall),
      ROTA_COLLECTIVE(Neighbor_alltoallv, neighbor_alltoallv),
      ROTA_COLLECTIVE(Neighbor_alltoallw, neighbor_alltoallw),
      ROTA_PLAIN(MPI_Barrier),
      ROTA_PLAIN(MPI_Gather),
      ROTA_PLAIN(MPI_Ibarrier),
      ROTA_PLAIN(MPI_Isend),
      ROTA_PLAIN(MPI_Irecv),
      ROTA_PLAIN(MPI_Send),
      ROTA_PLAIN(MPI_Recv),
      ROTA_PLAIN(MPI_Wait),
      ROTA_PLAIN(MPI_Send_init),
      ROTA_PLAIN(MPI_Recv_init),
      ROTA_PLAIN(MPI_Start),
      ROTA_PLAIN(MPI_Request_free),
      ROTA_PLAIN(MPI_Probe),
      ROTA_PLAIN(MPI_Iprobe),
      ROTA_PLAIN(MPI_Comm_create_keyval),
      ROTA_PLAIN(MPI_Comm_free_keyval),
      ROTA_PLAIN(MPI_Comm_set_attr),
      ROTA_PLAIN(MPI_Comm_get_attr),
      ROTA_PLAIN(MPI_Comm_delete_attr),
      ROTA_PLAIN(MPI_Comm_create_errhandler),
      ROTA_PLAIN(MPI_Comm_set_errhandler),
      ROTA_PLAIN(MPI_Errhandler_free),
  };
  return all;
}

std::uint64_t class_of(int code) {
  int result = code;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &result);
  return static_cast<std::uint64_t>(result);
}

void carry_out(Machine& machine, const Call& call) {
  const Forms& forms = functions().at(call.function);
  machine.seen.add(class_of((call.is_large ? forms.large : forms.plain)(machine, call.arguments)));
  if (call.is_incomplete) std::ranges::move(machine.arrays, std::back_inserter(machine.kept_arrays));
  machine.arrays.clear();
}

void carry_out(Machine& machine, const Lowered& calls) {
  current_machine() = &machine;
  for (const auto& step : calls.steps) {
    for (const Call& call : step) carry_out(machine, call);
  }
  machine.seen.add(machine.memory.data(), machine.memory.size());
}

std::unique_ptr<Machine> new_machine(MPI_Comm comm, int rank, std::int64_t bytes) {
  auto machine = std::make_unique<Machine>();
  machine->rank = rank;
  machine->comms.fill(MPI_COMM_NULL);
  machine->comms[0] = comm;
  machine->memory.assign(static_cast<std::size_t>(bytes), 0x5a);
  return machine;
}

/// Threads of a program have communicators of their own.
class Worlds {
 public:
  explicit Worlds(std::size_t threads) : comms_(threads, MPI_COMM_WORLD) {
    if (threads == 1) return;
    for (MPI_Comm& comm : comms_) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  }
  ~Worlds() {
    if (comms_.size() == 1) return;
    for (MPI_Comm& comm : comms_) MPI_Comm_free(&comm);
  }
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  MPI_Comm operator[](std::size_t thread) const { return comms_[thread]; }

 private:
  std::vector<MPI_Comm> comms_;
};

}  // namespace

Machine*& current_machine() {
  static thread_local Machine* machine = nullptr;
  return machine;
}

void Digest::add(const unsigned char* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, std::min(sizeof word, count - i));
    add(word);
  }
}

Library library() {
  Library result;
#if MPI_VERSION >= 4
  result.has_large_counts = true;
#endif
#ifdef OMPI_MAJOR_VERSION
  result.is_open_mpi = true;
#endif
#ifndef ROTA_IS_MPI_4
  result.has_sessions = false;
  result.has_persistent = false;
#endif
  return result;
}

std::uint64_t carried_out(const Program& program, int rank, int ranks) {
  const std::size_t count = program.threads.size();
  const Worlds worlds(count);
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<Lowered> calls;
  for (std::size_t i = 0; i < count; ++i) {
    calls.push_back(lowered(program.threads[i], {rank, ranks, static_cast<int>(i)}, library()));
    machines.push_back(new_machine(worlds[i], rank, calls.back().memory));
  }
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < count; ++i) others.emplace_back([&, i] { carry_out(*machines[i], calls[i]); });
  carry_out(*machines[0], calls[0]);
  for (std::thread& other : others) other.join();
  Digest all;
  for (const auto& machine : machines) all.add(machine->seen.value());
  return all.value();
}

}  // namespace rota::programs
