#include "interpret.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>

#include "../check/random.hpp"
#include "callbacks.hpp"
#include "completing.hpp"
#include "machine.hpp"
#include "types.hpp"

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ROTA_IS_MPI_4
#endif

namespace rota::programs {

namespace {

[[noreturn]] void fail(std::string_view what) {
  throw std::logic_error("an argument that the call does not take: " + std::string(what));
}

/// A value for a parameter of that type.
template <class Parameter, class Value>
Parameter as(Value value) {
  if constexpr (std::is_convertible_v<Value, Parameter>) {
    return static_cast<Parameter>(value);
  } else {
    fail("of another type");
  }
}

template <class Parameter>
using Pointee = std::remove_const_t<std::remove_pointer_t<Parameter>>;

template <class Table>
auto& at(Table& table, std::int64_t index) {
  return table.at(static_cast<std::size_t>(index));
}

/// Fortran's types are missing in some builds of MPI libraries.
MPI_Datatype available(MPI_Datatype type, MPI_Datatype otherwise) {
  int size = 0;
  if (type == MPI_DATATYPE_NULL) return otherwise;
  return MPI_Type_size(type, &size) == MPI_SUCCESS && size > 0 ? type : otherwise;
}

#define ROTA_NAMED(value) {#value, value}

template <class Value>
using Names = std::unordered_map<std::string_view, Value>;

const Names<MPI_Datatype>& named_types() {
  static const Names<MPI_Datatype> all{ROTA_NAMED(MPI_INT),
                                       ROTA_NAMED(MPI_INT32_T),
                                       ROTA_NAMED(MPI_DOUBLE),
                                       ROTA_NAMED(MPI_BYTE),
                                       ROTA_NAMED(MPI_SHORT),
                                       ROTA_NAMED(MPI_INT16_T),
                                       ROTA_NAMED(MPI_LONG),
                                       ROTA_NAMED(MPI_INT64_T),
                                       ROTA_NAMED(MPI_FLOAT),
                                       ROTA_NAMED(MPI_2INT),
                                       ROTA_NAMED(MPI_UINT32_T),
                                       ROTA_NAMED(MPI_CHAR),
                                       ROTA_NAMED(MPI_DATATYPE_NULL),
                                       {"MPI_INTEGER2", available(MPI_INTEGER2, MPI_SHORT)},
                                       {"MPI_INTEGER4", available(MPI_INTEGER4, MPI_INT)},
                                       {"MPI_INTEGER8", available(MPI_INTEGER8, MPI_LONG)},
                                       {"MPI_REAL", available(MPI_REAL, MPI_FLOAT)},
                                       {"MPI_REAL4", available(MPI_REAL4, MPI_FLOAT)},
                                       {"MPI_REAL8", available(MPI_REAL8, MPI_DOUBLE)},
                                       {"MPI_DOUBLE_PRECISION", available(MPI_DOUBLE_PRECISION, MPI_DOUBLE)},
                                       {"MPI_2INTEGER", available(MPI_2INTEGER, MPI_2INT)}};
  return all;
}

const Names<MPI_Op>& named_ops() {
  static const Names<MPI_Op> all{ROTA_NAMED(MPI_SUM),    ROTA_NAMED(MPI_MAX),    ROTA_NAMED(MPI_MIN),
                                 ROTA_NAMED(MPI_BXOR),   ROTA_NAMED(MPI_BAND),   ROTA_NAMED(MPI_BOR),
                                 ROTA_NAMED(MPI_LAND),   ROTA_NAMED(MPI_LOR),    ROTA_NAMED(MPI_LXOR),
                                 ROTA_NAMED(MPI_MAXLOC), ROTA_NAMED(MPI_MINLOC), ROTA_NAMED(MPI_OP_NULL)};
  return all;
}

const Names<int>& named_numbers() {
  static const Names<int> all{ROTA_NAMED(MPI_ROOT), ROTA_NAMED(MPI_PROC_NULL), ROTA_NAMED(MPI_ANY_SOURCE),
                              ROTA_NAMED(MPI_ANY_TAG), ROTA_NAMED(MPI_UNDEFINED)};
  return all;
}

const Names<void*>& named_pointers() {
  static const Names<void*> all{{"NULL", nullptr}, ROTA_NAMED(MPI_IN_PLACE), ROTA_NAMED(MPI_BOTTOM)};
  return all;
}

const Names<MPI_Comm_copy_attr_function*>& copying_functions() {
  static const Names<MPI_Comm_copy_attr_function*> all{ROTA_NAMED(copy_next), ROTA_NAMED(MPI_COMM_DUP_FN),
                                                       ROTA_NAMED(MPI_COMM_NULL_COPY_FN)};
  return all;
}

const Names<MPI_Comm_delete_attr_function*>& deleting_functions() {
  static const Names<MPI_Comm_delete_attr_function*> all{ROTA_NAMED(delete_counted),
                                                         ROTA_NAMED(delete_reducing)};
  return all;
}

const Names<MPI_Comm_errhandler_function*>& handling_functions() {
  static const Names<MPI_Comm_errhandler_function*> all{ROTA_NAMED(count_errors),
                                                        ROTA_NAMED(count_more_errors)};
  return all;
}

const Names<MPI_User_function*>& combining_functions() {
  static const Names<MPI_User_function*> all{ROTA_NAMED(add_pairs), ROTA_NAMED(compose_maps)};
  return all;
}

/// The value of a name: names are unique, whatever the type.
template <class Parameter>
Parameter named(std::string_view name) {
  const auto in = [&](const auto& all, auto use) {
    const auto found = all.find(name);
    if (found == all.end()) return false;
    use(found->second);
    return true;
  };
  Parameter result{};
  const auto take = [&](auto value) { result = as<Parameter>(value); };
  const bool is_found = in(named_types(), take) || in(named_ops(), take) || in(named_numbers(), take) ||
                        in(named_pointers(), take) || in(copying_functions(), take) ||
                        in(deleting_functions(), take) || in(handling_functions(), take) ||
                        in(combining_functions(), take);
  if (is_found) return result;
  if (name == "MPI_UNWEIGHTED") return as<Parameter>(MPI_UNWEIGHTED);
  if (name == "MPI_STATUS_IGNORE") return as<Parameter>(MPI_STATUS_IGNORE);
  if (name == "MPI_INFO_NULL") return as<Parameter>(MPI_INFO_NULL);
  if (name == "MPI_ERRORS_RETURN") return as<Parameter>(MPI_ERRORS_RETURN);
  if (name == "MPI_COMM_NULL") return as<Parameter>(MPI_COMM_NULL);
  fail(name);
}

/// Memory for the arrays of one call.
template <class Element>
Element* new_array(Machine& machine, std::size_t length) {
  static_assert(sizeof(Element) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<Element>);
  machine.arrays.push_back(std::make_unique<std::uint64_t[]>(length + 1));
  return reinterpret_cast<Element*>(machine.arrays.back().get());
}

template <class Parameter>
Parameter numbers_for(Machine& machine, const Argument& argument) {
  if constexpr (std::is_pointer_v<Parameter> && std::is_integral_v<Pointee<Parameter>>) {
    using Number = Pointee<Parameter>;
    auto* all = new_array<Number>(machine, argument.numbers.size());
    const bool is_absolute = argument.kind == Kind::addresses;
    const std::int64_t origin =
        is_absolute ? static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(machine.memory.data())) : 0;
    std::ranges::transform(argument.numbers, all,
                           [&](std::int64_t value) { return static_cast<Number>(value + origin); });
    return all;
  } else {
    fail("an array of numbers");
  }
}

template <class Parameter>
Parameter resolved(Machine& machine, const Argument& argument);

template <class Parameter>
Parameter parts_for(Machine& machine, const Argument& argument) {
  if constexpr (std::is_pointer_v<Parameter> && std::is_same_v<Pointee<Parameter>, MPI_Datatype>) {
    auto* all = new_array<MPI_Datatype>(machine, argument.parts.size());
    std::ranges::transform(argument.parts, all,
                           [&](const Argument& part) { return resolved<MPI_Datatype>(machine, part); });
    return all;
  } else {
    fail("an array of types");
  }
}

/// Uses the place in the machine's tables that an argument names.
template <class Use>
auto with_slot(Machine& machine, const Argument& argument, Use use) {
  const std::int64_t index = argument.number;
  switch (argument.kind) {
    case Kind::comm:
      return use(at(machine.comms, index));
    case Kind::group:
      return use(at(machine.groups, index));
    case Kind::type:
      return use(at(machine.types, index));
    case Kind::op:
      return use(at(machine.ops, index));
    case Kind::request:
      return use(at(machine.requests, index));
    case Kind::session:
      return use(at(machine.sessions, index));
    case Kind::handler:
      return use(at(machine.handlers, index));
    case Kind::keyval:
      return use(at(machine.keyvals, index));
    case Kind::status:
      return use(at(machine.statuses, index));
    case Kind::value:
      return use(at(machine.values, index));
    default:
      return use(at(machine.flags, index));
  }
}

template <class Parameter>
Parameter resolved(Machine& machine, const Argument& argument) {
  switch (argument.kind) {
    case Kind::number:
      return as<Parameter>(argument.number);
    case Kind::name:
      return named<Parameter>(argument.name);
    case Kind::address:
      return as<Parameter>(static_cast<void*>(machine.memory.data() + argument.number));
    case Kind::numbers:
    case Kind::addresses:
      return numbers_for<Parameter>(machine, argument);
    case Kind::parts:
      return parts_for<Parameter>(machine, argument);
    case Kind::value:
      // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is there; MPI only hands it back
      return as<Parameter>(reinterpret_cast<void*>(static_cast<std::intptr_t>(argument.number)));
    case Kind::text:
      // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): all of a literal
      return as<Parameter>(argument.name.data());
    case Kind::out:
      return with_slot(machine, argument.parts[0], [](auto& place) { return as<Parameter>(&place); });
    default:
      return with_slot(machine, argument, [](auto& place) { return as<Parameter>(place); });
  }
}

using Arguments = std::vector<Argument>;

template <class... Parameters, std::size_t... Positions>
int invoked(int (*function)(Parameters...), Machine& machine, const Arguments& arguments,
            std::index_sequence<Positions...> /*positions*/) {
  if (arguments.size() != sizeof...(Parameters)) fail("their number");
  return function(resolved<Parameters>(machine, arguments[Positions])...);
}

/// Calls any function of MPI's.
template <class... Parameters>
int invoked(int (*function)(Parameters...), Machine& machine, const Arguments& arguments) {
  return invoked(function, machine, arguments, std::index_sequence_for<Parameters...>());
}

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
