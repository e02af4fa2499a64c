#include "rota_mpi/settings/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/joined.hpp"
#include "rota_mpi/settings/quantities.hpp"
#include "rota_mpi/settings/variables.hpp"

namespace rota::mpi {

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

/// The collectives that Rota serves, by the names of MPI's calls.
struct CallName {
  Collective collective;
  const char* name;
};
constexpr std::array served{CallName{Collective::broadcast, "bcast"},
                            CallName{Collective::reduce, "reduce"},
                            CallName{Collective::allgather, "allgather"},
                            CallName{Collective::reduce_scatter, "reduce_scatter"},
                            CallName{Collective::allreduce, "allreduce"},
                            CallName{Collective::scan, "scan"},
                            CallName{Collective::exscan, "exscan"},
                            CallName{Collective::all_to_many, "alltoall"},
                            CallName{Collective::inter_allgather, "inter_allgather"},
                            CallName{Collective::inter_broadcast, "inter_bcast"},
                            CallName{Collective::inter_reduce, "inter_reduce"},
                            CallName{Collective::inter_allreduce, "inter_allreduce"}};

/// Calls that are served as another collective, and share its settings.
constexpr std::array served_as{CallName{Collective::allgather, "allgatherv"},
                               CallName{Collective::reduce_scatter, "reduce_scatter_block"},
                               CallName{Collective::all_to_many, "alltoallv"},
                               CallName{Collective::all_to_many, "alltoallw"}};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(separator, first), text.size());
    parts.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return parts;
}

[[noreturn]] void refuse(const Variable& variable, const std::string& fault, const std::string& valid) {
  throw std::invalid_argument(std::string(variable.name) + ": " + fault + "; valid: " + valid);
}

[[noreturn]] void refuse(const Variable& variable, const std::string& fault) {
  refuse(variable, fault, valid_values(variable));
}

std::string served_names() {
  std::string names;
  for (const CallName& each : served) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

Collective parse_collective(const Variable& variable, const std::string& name) {
  try {
    return collective_called(name);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(std::string(variable.name) + ": " + fault.what());
  }
}

/// The names of a collective's schedules, each at its position; empty at those of other collectives.
std::vector<std::string_view> algorithms_of(Collective collective) {
  std::vector<std::string_view> names;
  if (collective == Collective::all_to_many) {
    for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) names.push_back(algorithm.name);
    return names;
  }
  for (const Algorithm& algorithm : algorithms())
    names.push_back(algorithm.collective == collective ? algorithm.name : "");
  return names;
}

std::string algorithm_names(Collective collective) {
  std::string names = "native";
  for (const std::string_view name : algorithms_of(collective)) {
    if (!name.empty()) names += ", " + std::string(name);
  }
  return names;
}

Wish parse_algorithm(Collective collective, const std::string& name) {
  if (name == "native") return {.off = true};
  const std::vector<std::string_view> names = algorithms_of(collective);
  const auto found = std::ranges::find(names, joined(name));
  if (name.empty() || found == names.end()) {
    refuse(variables::algorithm, "unknown algorithm '" + name + "' for " + call_name(collective),
           algorithm_names(collective));
  }
  return {.algorithm = static_cast<int>(found - names.begin())};
}

void parse_algorithms(Settings& settings) {
  const std::string text = value_of(variables::algorithm);
  if (text.empty()) return;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      refuse(variables::algorithm, "'" + part + "' is not collective=algorithm",
             served_names() + " = " + algorithm_names(Collective::broadcast));
    }
    const Collective collective = parse_collective(variables::algorithm, part.substr(0, equals));
    settings.wishes[static_cast<std::size_t>(collective)] =
        parse_algorithm(collective, part.substr(equals + 1));
  }
}

void parse_off(Settings& settings) {
  const std::string text = value_of(variables::off);
  if (text.empty()) return;
  for (const std::string& name : split(text, ',')) {
    if (name == "all") {
      for (Wish& wish : settings.wishes) wish.off = true;
    } else {
      settings.wishes[static_cast<std::size_t>(parse_collective(variables::off, name))].off = true;
    }
  }
}

void require_at_most(const Variable& variable, const std::string& text, bool is_so) {
  if (!is_so) refuse(variable, text + " is too large");
}

/// A whole number above 0, not above the variable's largest; 0 where it is not set.
std::int64_t parse_positive(const Variable& variable) {
  const std::string text = value_of(variable);
  if (text.empty()) return 0;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number <= 0) {
    refuse(variable, "'" + text + "' is no such number");
  }
  require_at_most(variable, text, variable.most == 0 || number <= variable.most);
  return number;
}

/// A quantity as `called` reads it, of which the variable counts so many as one: one or more, and not above
/// the variable's largest; 0 where it is not set.
std::int64_t parse_quantity(const Variable& variable, const char* what,
                            std::optional<std::int64_t> (*called)(std::string_view), std::int64_t one = 1) {
  const std::string text = value_of(variable);
  if (text.empty()) return 0;
  const std::optional<std::int64_t> found = called(text);
  if (!found) refuse(variable, "'" + text + "' is no " + what);
  if (*found < one) refuse(variable, text + " is too small");
  require_at_most(variable, text, variable.most == 0 ? *found < too_many : *found <= variable.most * one);
  return *found;
}

/// One of the values that a word may have.
template <class Value>
struct Word {
  const char* text;
  Value value;
};

/// The first one's where it is not set.
template <class Value, std::size_t count>
Value parse_word(const Variable& variable, const std::array<Word<Value>, count>& words) {
  const std::string text = value_of(variable);
  if (text.empty()) return words.front().value;
  for (const Word<Value>& each : words) {
    if (text == each.text) return each.value;
  }
  refuse(variable, "'" + text + "' is none of its values");
}

constexpr std::array adapt_words{Word<Adapt>{"moved", Adapt::moved}, Word<Adapt>{"off", Adapt::off},
                                 Word<Adapt>{"all", Adapt::all}};

constexpr std::array log_words{Word<Log>{"off", {}}, Word<Log>{"info", {LogLevel::info, false}},
                               Word<Log>{"debug", {LogLevel::debug, false}},
                               Word<Log>{"info:all", {LogLevel::info, true}},
                               Word<Log>{"debug:all", {LogLevel::debug, true}}};

constexpr std::array progress_words{Word<Progress>{"engine", Progress::engine},
                                    Word<Progress>{"thread", Progress::thread}};

constexpr std::array shared_memory_words{Word<bool>{"on", true}, Word<bool>{"off", false}};

constexpr std::array mpmd_words{Word<bool>{"0", false}, Word<bool>{"1", true}};

/// A size, or the rules of paper 1.
void parse_block_bytes(Settings& settings) {
  const std::string text = value_of(variables::block_bytes);
  if (!text.starts_with("paper")) {
    settings.block_bytes = parse_quantity(variables::block_bytes, "size", size_called);
    return;
  }
  try {
    settings.paper_blocks = paper_constants_of(text);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(std::string(variables::block_bytes.name) + ": " + fault.what());
  }
}

Profile parse_profile() {
  const std::string path = value_of(variables::profile);
  if (path.empty()) return {};
  try {
    return profile_in(path);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(std::string(variables::profile.name) + ": " + fault.what());
  }
}

/// What asks ROTA_REPORT for its table is hardly meant for a name where there is nothing but files.
void require_file_name(const Variable& variable) {
  const std::string name = value_of(variable);
  if (name == "1" || name == "-")
    refuse(variable, "'" + name + "' is no file's name", std::string(variable.valid) + ", as ./" + name);
}

/// Is anything to be learnt, as the user wants?
bool learns(const Settings& settings) {
  require_file_name(variables::learn);
  if (learn_file().empty()) return false;
  const std::string what = "nothing is tried where ";
  if (settings.profile.ranks > 0)
    throw std::invalid_argument("ROTA_LEARN: " + what + "a profile decides: unset ROTA_PROFILE for this job");
  if (settings.adapt == Adapt::off)
    throw std::invalid_argument("ROTA_LEARN: " + what + "ROTA_ADAPT=off: use moved, or all for sums too");
  return true;
}

/// Never destroyed: programs may end MPI in their last destructor.
const std::filesystem::path& start_folder() {
  std::error_code is_gone;  // then it is empty, and files are named as they are
  static const auto* const folder = new std::filesystem::path(std::filesystem::current_path(is_gone));
  return *folder;
}

std::string from_start_folder(const std::string& file) {
  return file.empty() || file == "0" ? "" : (start_folder() / file).string();
}

constinit std::int64_t number_of_files = 0;

/// report.json, or report.17.json; but a pipe or a device has one name.
std::string numbered(std::filesystem::path path) {
  if (number_of_files == 0 || path.empty()) return path.string();
  std::error_code no_file;
  const bool is_file =
      !std::filesystem::exists(path, no_file) || std::filesystem::is_regular_file(path, no_file);
  if (!is_file) return path.string();
  const std::string extension = path.extension().string();
  return path.replace_extension(std::to_string(number_of_files) + extension).string();
}

bool wants_report() {
  const std::string report = value_of(variables::report);
  return !report.empty() && report != "0";
}

bool wants_trace() {
  require_file_name(variables::trace);
  return !trace_file().empty();
}

/// Each reads some of the settings, and may go by what those before it have read. The last one only looks:
/// its variable counts before there are settings.
constexpr std::array<void (*)(Settings&), 16> readers{
    parse_algorithms,
    parse_off,
    [](Settings& to) { to.adapt = parse_word(variables::adapt, adapt_words); },
    [](Settings& to) { to.progress = parse_word(variables::progress, progress_words); },
    [](Settings& to) { to.shares_memory = parse_word(variables::shared_memory, shared_memory_words); },
    parse_block_bytes,
    [](Settings& to) { to.rounds_in_flight = parse_positive(variables::rounds_in_flight); },
    [](Settings& to) { to.hosts = parse_positive(variables::hosts); },
    [](Settings& to) { to.lanes = parse_positive(variables::lanes); },
    [](Settings& to) {
      to.link_bits_per_s = static_cast<double>(parse_quantity(variables::link_rate, "rate", rate_called));
    },
    [](Settings& to) { to.profile = parse_profile(); },
    [](Settings& to) { to.log = parse_word(variables::log, log_words); },
    [](Settings& to) { to.trace = wants_trace(); },
    [](Settings& to) {
      to.trace_bytes = parse_quantity(variables::trace_memory, "size", memory_called, mebibyte);
    },
    [](Settings& to) { to.learn = learns(to); },
    [](Settings&) { parse_word(variables::mpmd, mpmd_words); }};

Settings unread_settings() {
  Settings settings;
  settings.native = native_library();
  settings.report = wants_report();
  return settings;
}

// Every small call asks, so that nothing is to be initialised first.
constinit std::optional<Settings> given;
constinit std::int64_t replacements = 0;

Settings settings_or_exit() {
  remember_start_folder();
  try {
    return settings_of_environment();
  } catch (const std::invalid_argument& fault) {
    std::fprintf(stderr, "rota: %s\n", fault.what());
    std::exit(2);
  }
}

}  // namespace

Rank lanes_of(const Settings& settings) {
  return static_cast<Rank>(std::max<std::int64_t>(1, settings.lanes));
}

const char* call_name(Collective collective) {
  for (const CallName& each : served) {
    if (each.collective == collective) return each.name;
  }
  return "unserved";
}

Collective collective_called(const std::string& name) {
  for (const CallName& each : served_as) {
    if (each.name == name) return each.collective;
  }
  const std::optional<Collective> found = collective_named(name);
  if (found && *found != Collective::series) return *found;
  throw std::invalid_argument("unknown collective '" + name + "'; valid: " + served_names());
}

std::string algorithm_name(Collective collective, int position) {
  return std::string(algorithms_of(collective).at(static_cast<std::size_t>(position)));
}

Settings settings_of_environment() {
  Settings settings = unread_settings();
  for (const auto read : readers) read(settings);
  settings.takes_notes = settings.report || settings.trace || settings.log.level != LogLevel::off;
  return settings;
}

std::vector<std::string> faults_of_environment() {
  std::vector<std::string> faults;
  Settings settings = unread_settings();
  for (const auto read : readers) {
    try {
      read(settings);
    } catch (const std::invalid_argument& fault) {
      faults.emplace_back(fault.what());
    }
  }
  return faults;
}

Progress progress_of_environment() {
  return value_of(variables::progress) == "thread" ? Progress::thread : Progress::engine;
}

bool may_have_strangers() {
  const char* const told = std::getenv("OMPI_NUM_APP_CTX");
  const std::string_view programs = told == nullptr ? "" : told;
  return !programs.empty() && programs != "1" && value_of(variables::mpmd) != "1";
}

void remember_start_folder() { start_folder(); }

void number_files(std::int64_t number) { number_of_files = number; }

std::string report_file() {
  const std::string report = value_of(variables::report);
  return report == "1" || report == "-" ? "" : numbered(from_start_folder(report));
}

std::string trace_file() { return numbered(from_start_folder(value_of(variables::trace))); }

std::int64_t trace_bytes(const Settings& settings) {
  constexpr std::int64_t by_default = 16 * mebibyte;
  return settings.trace_bytes > 0 ? settings.trace_bytes : by_default;
}

std::string learn_file() { return from_start_folder(value_of(variables::learn)); }

const Settings& settings() {
  if (given) return *given;
  static const Settings of_environment = settings_or_exit();
  return of_environment;
}

void set_settings(const Settings& settings) {
  given = settings;
  ++replacements;
}

std::int64_t settings_number() { return replacements; }

}  // namespace rota::mpi
