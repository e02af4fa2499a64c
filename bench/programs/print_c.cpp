#include "print_c.hpp"

#include <algorithm>
#include <set>

#include "printed.hpp"

namespace rota::programs {

namespace {

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
  text += printed_beginning();
  const bool uses_statuses = threads.find("complete(") != std::string::npos;
  for (const Helper& helper : printed_helpers()) {
    const auto uses = [&](std::string_view before) {
      return threads.find(std::string(before).append(helper.name)) != std::string::npos;
    };
    if (uses("(") || uses(", ") || (helper.name == "see_status" && uses_statuses)) text += helper.text;
  }
  return text + threads + main_text(program);
}

}  // namespace rota::programs
