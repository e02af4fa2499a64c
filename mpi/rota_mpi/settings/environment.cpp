#include "rota_mpi/settings/environment.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "rota/generators/names.hpp"
#include "rota/model/paper_blocks.hpp"
#include "rota_mpi/settings/files.hpp"
#include "rota_mpi/settings/names.hpp"
#include "rota_mpi/settings/native_library.hpp"
#include "rota_mpi/settings/profile.hpp"
#include "rota_mpi/settings/quantities.hpp"
#include "rota_mpi/settings/variables.hpp"

namespace rota::mpi {

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

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

Collective parse_collective(const Variable& variable, const std::string& name) {
  try {
    return collective_called(name);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(std::string(variable.name) + ": " + fault.what());
  }
}

std::string valid_algorithms(Collective collective) { return "native, " + algorithm_names(collective); }

Wish parse_algorithm(Collective collective, const std::string& name) {
  if (name == "native") return {.off = true};
  const std::optional<int> found = algorithm_called(collective, name);
  if (!found) {
    refuse(variables::algorithm, "unknown algorithm '" + name + "' for " + call_name(collective),
           valid_algorithms(collective));
  }
  return {.algorithm = *found};
}

void parse_algorithms(Settings& settings) {
  const std::string text = value_of(variables::algorithm);
  if (text.empty()) return;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      refuse(variables::algorithm, "'" + part + "' is not collective=algorithm",
             served_names() + " = " + valid_algorithms(Collective::broadcast));
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

}  // namespace

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

}  // namespace rota::mpi
