#include "print_c.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace rota::programs {

namespace {

/// A helper of the printed program, needed where its name occurs.
struct Helper {
  std::string_view name;
  std::string_view text;
};

constexpr std::array helpers{Helper{"KEPT", R"(
/* An array that stays. */
#define KEPT(type, ...) \
  memcpy(malloc(sizeof((type[]){__VA_ARGS__})), (type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}))
)"},
                             Helper{"fill", R"(
/* Bytes, or numbers from -8 to 8; others on each rank. */
static void fill(unsigned char* to, size_t bytes, int with, unsigned key) {
  static const size_t sizes[] = {1, 2, 4, 8, 4, 8};
  unsigned state = key * 2654435761u + (unsigned)rank * 40503u + 1;
  for (size_t i = 0; i + sizes[with] <= bytes; i += sizes[with]) {
    state = state * 1664525u + 1013904223u;
    const int value = (int)(state >> 16) % 17 - 8;
    const short as_short = (short)value;
    const long long as_long = value;
    const float as_float = (float)value;
    const double as_double = value;
    const unsigned char as_byte = (unsigned char)(state >> 16);
    const void* const forms[] = {&as_byte, &as_short, &value, &as_long, &as_float, &as_double};
    memcpy(to + i, forms[with], sizes[with]);
  }
}
)"},
                             Helper{"look", R"(
static void look(const unsigned char* at, size_t bytes) {
  unsigned sum = 1;
  for (size_t i = 0; i < bytes; ++i) sum = sum * 31 + at[i];
  printf("rank %d: line %d: %zu bytes: %08x\n", rank, line, bytes, sum);
}
)"},
                             Helper{"see_status", R"(
static void see_status(MPI_Status status) {
  int count;
  MPI_Get_count(&status, MPI_INT, &count);
  printf("rank %d: line %d: %d numbers from %d, tag %d\n", rank, line, count, status.MPI_SOURCE, status.MPI_TAG);
}
)"},
                             Helper{"wait_each", R"(
static int wait_each(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i) code = MPI_Wait(&requests[i], &statuses[i]);
  return code;
}
)"},
                             Helper{"wait_all", R"(
static int wait_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  return MPI_Waitall(count, requests, statuses);
}
)"},
                             Helper{"wait_any", R"(
static int wait_any(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int which = 0; code == MPI_SUCCESS && which != MPI_UNDEFINED;) {
    MPI_Status status;
    code = MPI_Waitany(count, requests, &which, &status);
    if (which != MPI_UNDEFINED) statuses[which] = status;
  }
  return code;
}
)"},
                             Helper{"wait_some", R"(
static int wait_some(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS, which[32];
  MPI_Status some[32];
  for (int done = 0; code == MPI_SUCCESS && done != MPI_UNDEFINED;) {
    code = MPI_Waitsome(count, requests, &done, which, some);
    for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) statuses[which[i]] = some[i];
  }
  return code;
}
)"},
                             Helper{"test_each", R"(
static int test_each(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    int is_over = 0;
    while (!is_over && code == MPI_SUCCESS) code = MPI_Request_get_status(requests[i], &is_over, MPI_STATUS_IGNORE);
    for (is_over = 0; !is_over && code == MPI_SUCCESS;) code = MPI_Test(&requests[i], &is_over, &statuses[i]);
  }
  return code;
}
)"},
                             Helper{"test_all", R"(
static int test_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int is_over = 0; !is_over && code == MPI_SUCCESS;) code = MPI_Testall(count, requests, &is_over, statuses);
  return code;
}
)"},
                             Helper{"test_any", R"(
static int test_any(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int which = 0, is_over = 0; code == MPI_SUCCESS && (!is_over || which != MPI_UNDEFINED);) {
    MPI_Status status;
    code = MPI_Testany(count, requests, &which, &is_over, &status);
    if (is_over && which != MPI_UNDEFINED) statuses[which] = status;
  }
  return code;
}
)"},
                             Helper{"test_some", R"(
static int test_some(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS, which[32];
  MPI_Status some[32];
  for (int done = 0; code == MPI_SUCCESS && done != MPI_UNDEFINED;) {
    code = MPI_Testsome(count, requests, &done, which, some);
    for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) statuses[which[i]] = some[i];
  }
  return code;
}
)"},
                             Helper{"poke_first", R"(
static int poke_first(int count, MPI_Request* requests, MPI_Status* statuses) {
  int is_over;
  (void)count;
  return MPI_Test(requests, &is_over, statuses);
}
)"},
                             Helper{"poke_status", R"(
static int poke_status(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS, is_over;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i)
    code = MPI_Request_get_status(requests[i], &is_over, &statuses[i]);
  return code;
}
)"},
                             Helper{"poke_any", R"(
static int poke_any(int count, MPI_Request* requests, MPI_Status* statuses) {
  int which, is_over;
  return MPI_Testany(count, requests, &which, &is_over, statuses);
}
)"},
                             Helper{"poke_some", R"(
static int poke_some(int count, MPI_Request* requests, MPI_Status* statuses) {
  int done, which[32];
  return MPI_Testsome(count, requests, &done, which, statuses);
}
)"},
                             Helper{"poke_all", R"(
static int poke_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  int is_over;
  return MPI_Testall(count, requests, &is_over, statuses);
}
)"},
                             Helper{"start_all", R"(
static int start_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  (void)statuses;
  return MPI_Startall(count, requests);
}
)"},
                             Helper{"complete", R"(
/* Those requests of the table that are in these places; says of each whether it is gone, and of messages what arrived. */
static void complete(int form(int, MPI_Request*, MPI_Status*), MPI_Request* table, int count, const int* places,
                     const int* have_status) {
  MPI_Request requests[32];
  MPI_Status statuses[32];
  for (int i = 0; i < count; ++i) requests[i] = table[places[i]];
  check(form(count, requests, statuses));
  for (int i = 0; i < count; ++i) {
    table[places[i]] = requests[i];
    if (requests[i] == MPI_REQUEST_NULL) printf("rank %d: line %d: request %d is gone\n", rank, line, places[i]);
    if (have_status[i]) see_status(statuses[i]);
  }
}
)"},
                             Helper{"act", R"(
/* The same without seeing anything. */
static void act(int form(int, MPI_Request*, MPI_Status*), MPI_Request* table, int count, const int* places) {
  MPI_Request requests[32];
  MPI_Status statuses[32];
  for (int i = 0; i < count; ++i) requests[i] = table[places[i]];
  check(form(count, requests, statuses));
  for (int i = 0; i < count; ++i) table[places[i]] = requests[i];
}
)"},
                             Helper{"see_flag", R"(
static void see_flag(int flag) { printf("rank %d: line %d: flag %d\n", rank, line, flag != 0); }
)"},
                             Helper{"see_attribute", R"(
static void see_attribute(int flag, void* value) {
  printf("rank %d: line %d: attribute %ld\n", rank, line, flag ? (long)(intptr_t)value : -1);
}
)"},
                             Helper{"copy_next", R"(
static int copy_next(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)comm, (void)keyval, (void)extra;
  *(void**)copied = (char*)value + 1;
  *flag = 1;
  printf("rank %d: line %d: copies %ld\n", rank, line, (long)(intptr_t)value);
  return MPI_SUCCESS;
}
)"},
                             Helper{"delete_counted", R"(
static int delete_counted(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)extra;
  printf("rank %d: line %d: deletes %ld\n", rank, line, (long)(intptr_t)value);
  return MPI_SUCCESS;
}
)"},
                             Helper{"delete_reducing", R"(
static int delete_reducing(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)keyval, (void)extra;
  int own[100], all[100] = {0};
  for (int i = 0; i < 100; ++i) own[i] = (int)(intptr_t)value;
  const int code = MPI_Allreduce(own, all, 100, MPI_INT, MPI_SUM, comm);
  printf("rank %d: line %d: deletes and reduces: %d, %d %d\n", rank, line, code, all[0], all[99]);
  return MPI_SUCCESS;
}
)"},
                             Helper{"count_errors", R"(
static void count_errors(MPI_Comm* comm, int* code, ...) {
  int class;
  (void)comm;
  MPI_Error_class(*code, &class);
  printf("rank %d: line %d: handler, class %d\n", rank, line, class);
}
)"},
                             Helper{"count_more_errors", R"(
static void count_more_errors(MPI_Comm* comm, int* code, ...) {
  int class;
  (void)comm;
  MPI_Error_class(*code, &class);
  printf("rank %d: line %d: other handler, class %d\n", rank, line, class);
}
)"},
                             Helper{"add_pairs", R"(
static void add_pairs(void* left, void* right, int* count, MPI_Datatype* type) {
  const unsigned* x = left;
  unsigned* y = right;
  (void)type;
  for (int i = 0; i < *count; ++i, x += 2, y += 2) y[0] += x[0], y[1] ^= x[1];
}
)"},
                             Helper{"compose_maps", R"(
static void compose_maps(void* left, void* right, int* count, MPI_Datatype* type) {
  const unsigned* x = left;
  unsigned* y = right;
  (void)type;
  for (int i = 0; i < *count; ++i, x += 2, y += 2) y[1] += x[1] * y[0], y[0] *= x[0];
}
)"}};

constexpr std::string_view beginning = R"(#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static _Thread_local int line;

static void check(int code) {
  int class = code;
  if (code == MPI_SUCCESS) return;
  MPI_Error_class(code, &class);
  printf("rank %d: line %d: error class %d\n", rank, line, class);
}

#define CHECK(call) (line = __LINE__, check(call))
#define SEE(call) (line = __LINE__, call)
)";

std::string table_of(Kind kind) {
  switch (kind) {
    case Kind::comm:
      return "comms";
    case Kind::group:
      return "groups";
    case Kind::type:
      return "types";
    case Kind::op:
      return "ops";
    case Kind::request:
      return "requests";
    case Kind::session:
      return "sessions";
    case Kind::handler:
      return "handlers";
    case Kind::keyval:
      return "keyvals";
    case Kind::status:
      return "statuses";
    case Kind::value:
      return "values";
    default:
      return "flags";
  }
}

std::string place_in(const Argument& argument) {
  return table_of(argument.kind) + "[" + std::to_string(argument.number) + "]";
}

/// What an array of numbers is of, by the call that it is given to.
std::string number_type(const Call& call, std::size_t position) {
  // In each form: MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init.
  const auto is = [&](std::string_view end_of_name) {
    return call.function.find(end_of_name) != std::string_view::npos;
  };
  const bool is_displacement = call.function == "MPI_Type_create_hindexed" ||
                               call.function == "MPI_Type_create_struct" || is("eighbor_alltoallw");
  // Of an all-to-many call, the displacements stand third and seventh; elsewhere behind the counts.
  const bool is_second =
      is("lltoall") ? position == 2 || position == 6 : position == (is("llgatherv") ? 5U : 2U);
  if ((is_displacement || call.is_large) && is_second) return "MPI_Aint";
  return call.is_large ? "MPI_Count" : "int";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// What a call needs when it has returned must outlive the block that it stands in.
std::string array_of(const Call& call, const std::string& type, const std::vector<std::string>& parts) {
  const std::string text = parts.empty() ? "0" : joined(parts);
  return call.is_incomplete ? "KEPT(" + type + ", " + text + ")" : "(" + type + "[]){" + text + "}";
}

std::string byte(std::int64_t offset) { return "memory + " + std::to_string(offset); }

std::string numbers_of(const Call& call, const Argument& argument, std::size_t position) {
  std::vector<std::string> parts;
  parts.reserve(argument.numbers.size());
  const bool is_absolute = argument.kind == Kind::addresses;
  for (const std::int64_t value : argument.numbers) {
    parts.push_back(is_absolute ? "(MPI_Aint)(" + byte(value) + ")" : std::to_string(value));
  }
  return array_of(call, is_absolute ? "MPI_Aint" : number_type(call, position), parts);
}

std::string text_of(const Call& call, const Argument& argument, std::size_t position) {
  switch (argument.kind) {
    case Kind::number:
      return std::to_string(argument.number);
    case Kind::name:
      return std::string(argument.name);
    case Kind::address:
      return byte(argument.number);
    case Kind::numbers:
    case Kind::addresses:
      return numbers_of(call, argument, position);
    case Kind::parts: {
      std::vector<std::string> parts;
      parts.reserve(argument.parts.size());
      for (const Argument& part : argument.parts) parts.push_back(text_of(call, part, position));
      return array_of(call, "MPI_Datatype", parts);
    }
    case Kind::text:
      return std::string("\"").append(argument.name).append("\"");
    case Kind::out:
      return std::string("&").append(place_in(argument.parts[0]));
    default:
      return place_in(argument);
  }
}

bool is_ours(std::string_view function) { return !function.starts_with("MPI_"); }

std::string text_of(const Call& call) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    const bool is_attribute = argument.kind == Kind::value && call.function == "MPI_Comm_set_attr";
    arguments.push_back(is_attribute ? "(void*)(intptr_t)" + std::to_string(argument.number)
                                     : text_of(call, argument, i));
  }
  const std::string text =
      std::string(call.function) + (call.is_large ? "_c(" : "(") + joined(arguments) + ")";
  if (call.function == "blank") return "memset(" + arguments[0] + ", 0, " + arguments[1] + ");";
  return (is_ours(call.function) ? "SEE(" : "CHECK(") + text + ");";
}

std::string text_of(const std::vector<Call>& calls, const std::string& indent) {
  std::string text;
  for (const Call& call : calls) text += indent + text_of(call) + "\n";
  return text;
}

/// The ranks that do the same, and what.
struct Doing {
  std::vector<int> ranks;
  std::string text;
};

std::vector<Doing> by_doing(const std::vector<Lowered>& ranks, std::size_t step, const std::string& indent) {
  std::vector<Doing> all;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::string text = text_of(ranks[rank].steps[step], indent);
    auto found = std::ranges::find(all, text, &Doing::text);
    if (found == all.end()) found = all.insert(all.end(), {{}, text});
    found->ranks.push_back(static_cast<int>(rank));
  }
  return all;
}

std::string condition_of(const std::vector<int>& ranks) {
  std::string text;
  for (const int rank : ranks) text += (text.empty() ? "rank == " : " || rank == ") + std::to_string(rank);
  return text;
}

std::string step_text(const std::vector<Lowered>& ranks, std::size_t step) {
  const std::vector<Doing> same = by_doing(ranks, step, "  ");
  if (same.size() == 1) return same[0].text;
  std::string text;
  for (const Doing& doing : by_doing(ranks, step, "    ")) {
    if (doing.text.empty()) continue;
    text += "  if (" + condition_of(doing.ranks) + ") {\n" + doing.text + "  }\n";
  }
  return text;
}

/// How much of each table calls use; 0 where none.
std::int64_t length_of(Kind kind, const Argument& argument) {
  std::int64_t length = argument.kind == kind ? argument.number + 1 : 0;
  for (const Argument& part : argument.parts) length = std::max(length, length_of(kind, part));
  return length;
}

std::int64_t length_of(Kind kind, const std::vector<Lowered>& ranks) {
  std::int64_t length = 0;
  for (const Lowered& rank : ranks) {
    for (const auto& step : rank.steps) {
      for (const Call& call : step) {
        // The value that an attribute is set to is no place in a table.
        if (kind == Kind::value && call.function == "MPI_Comm_set_attr") continue;
        for (const Argument& argument : call.arguments) length = std::max(length, length_of(kind, argument));
      }
    }
  }
  return length;
}

std::string tables_of(const std::vector<Lowered>& ranks) {
  constexpr std::array<std::pair<Kind, std::string_view>, 11> tables{{{Kind::comm, "MPI_Comm"},
                                                                      {Kind::group, "MPI_Group"},
                                                                      {Kind::type, "MPI_Datatype"},
                                                                      {Kind::op, "MPI_Op"},
                                                                      {Kind::request, "MPI_Request"},
                                                                      {Kind::session, "MPI_Session"},
                                                                      {Kind::handler, "MPI_Errhandler"},
                                                                      {Kind::keyval, "int"},
                                                                      {Kind::value, "void*"},
                                                                      {Kind::status, "MPI_Status"},
                                                                      {Kind::flag, "int"}}};
  std::int64_t memory = 0;
  for (const Lowered& rank : ranks) memory = std::max(memory, rank.memory);
  std::string text = "  unsigned char* const memory = malloc(" + std::to_string(memory) + ");\n";
  for (const auto& [kind, type] : tables) {
    const std::int64_t length =
        kind == Kind::comm ? std::max(length_of(kind, ranks), std::int64_t{1}) : length_of(kind, ranks);
    if (length > 0)
      text += "  " + std::string(type) + " " + table_of(kind) + "[" + std::to_string(length) + "];\n";
  }
  return text + "  memset(memory, 0x5a, " + std::to_string(memory) + ");\n  comms[0] = *(MPI_Comm*)world;\n";
}

std::string thread_text(const Steps& steps, int thread, int ranks, const Library& library) {
  std::vector<Lowered> all;
  all.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) all.push_back(lowered(steps, {rank, ranks, thread}, library));
  std::string text = "\nstatic void* thread_" + std::to_string(thread) + "(void* world) {\n" + tables_of(all);
  for (std::size_t step = 0; step < all[0].steps.size(); ++step) text += step_text(all, step);
  return text + "  free(memory);\n  return NULL;\n}\n";
}

std::string main_text(const Program& program) {
  std::string text = "\nint main(int argc, char** argv) {\n";
  if (program.is_multiple) {
    text += "  int provided;\n  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);\n";
  } else {
    text += "  MPI_Init(&argc, &argv);\n";
  }
  text +=
      "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
      "  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n"
      "  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);\n";
  const std::string threads = std::to_string(program.threads.size());
  if (program.threads.size() == 1) {
    text += "  MPI_Comm world = MPI_COMM_WORLD;\n  thread_0(&world);\n";
  } else {
    text += "  void* (*const functions[])(void*) = {";
    for (std::size_t i = 0; i < program.threads.size(); ++i)
      text += (i > 0 ? ", thread_" : "thread_") + std::to_string(i);
    text += "};\n  MPI_Comm worlds[" + threads + "];\n  pthread_t threads[" + threads + "];\n" +
            "  for (int i = 0; i < " + threads +
            "; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &worlds[i]);\n  for (int i = 0; i < " + threads +
            "; ++i) pthread_create(&threads[i], NULL, functions[i], &worlds[i]);\n  for (int i = 0; i < " +
            threads + "; ++i) pthread_join(threads[i], NULL);\n  for (int i = 0; i < " + threads +
            "; ++i) MPI_Comm_free(&worlds[i]);\n";
  }
  return text + "  MPI_Finalize();\n  return 0;\n}\n";
}

}  // namespace

std::string c_of(const Program& program, int ranks, const Library& library) {
  std::string threads;
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    threads += thread_text(program.threads[i], static_cast<int>(i), ranks, library);
  }
  std::string text =
      "/* For " + std::to_string(ranks) + " ranks: what it prints must not depend on what is preloaded. */\n";
  text += beginning;
  const bool uses_statuses = threads.find("complete(") != std::string::npos;
  for (const Helper& helper : helpers) {
    const auto uses = [&](std::string_view before) {
      return threads.find(std::string(before).append(helper.name)) != std::string::npos;
    };
    if (uses("(") || uses(", ") || (helper.name == "see_status" && uses_statuses)) text += helper.text;
  }
  return text + threads + main_text(program);
}

}  // namespace rota::programs
