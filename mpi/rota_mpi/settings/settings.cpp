#include "rota_mpi/settings/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/index.hpp"

namespace rota::mpi {

namespace {

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

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(separator, first), text.size());
    parts.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return parts;
}

[[noreturn]] void refuse(const char* variable_name, const std::string& fault, const std::string& valid) {
  throw std::invalid_argument(std::string(variable_name) + ": " + fault + "; valid: " + valid);
}

std::string served_names() {
  std::string names;
  for (const CallName& each : served) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

Collective parse_collective(const char* variable_name, const std::string& name) {
  try {
    return collective_called(name);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(std::string(variable_name) + ": " + fault.what());
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
  const auto found = std::ranges::find(names, name);
  if (name.empty() || found == names.end()) {
    refuse("ROTA_ALGORITHM", "unknown algorithm '" + name + "' for " + call_name(collective),
           algorithm_names(collective));
  }
  return {.algorithm = static_cast<int>(found - names.begin())};
}

void parse_algorithms(const std::string& text, Settings& settings) {
  if (text.empty()) return;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      refuse("ROTA_ALGORITHM", "'" + part + "' is not collective=algorithm",
             served_names() + " = " + algorithm_names(Collective::broadcast));
    }
    const Collective collective = parse_collective("ROTA_ALGORITHM", part.substr(0, equals));
    settings.wishes[static_cast<std::size_t>(collective)] =
        parse_algorithm(collective, part.substr(equals + 1));
  }
}

void parse_off(const std::string& text, Settings& settings) {
  if (text.empty()) return;
  for (const std::string& name : split(text, ',')) {
    if (name == "all") {
      for (Wish& wish : settings.wishes) wish.off = true;
    } else {
      settings.wishes[static_cast<std::size_t>(parse_collective("ROTA_OFF", name))].off = true;
    }
  }
}

template <class Number>
Number parse_positive(const char* name, const char* valid) {
  const std::string text = variable(name);
  if (text.empty()) return 0;
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !(number > 0)) {
    refuse(name, "'" + text + "' is no such number", valid);
  }
  return number;
}

// Blocks are counted in ints by MPI.
constexpr std::int64_t most_block_bytes = std::int64_t{1} << 30;

// Of more rounds the memory would count, and no network was seen to gain by more than 8.
constexpr std::int64_t most_rounds_in_flight = 64;

std::int64_t parse_up_to(std::int64_t most, const char* name, const std::string& unit) {
  const std::string valid = unit + " from 1 to " + std::to_string(most);
  const auto number = parse_positive<std::int64_t>(name, valid.c_str());
  if (number > most) refuse(name, std::to_string(number) + " is too large", valid);
  return number;
}

Adapt parse_adapt() {
  const std::string text = variable("ROTA_ADAPT");
  if (text.empty() || text == "moved") return Adapt::moved;
  if (text == "off") return Adapt::off;
  if (text != "all") refuse("ROTA_ADAPT", "'" + text + "' is none of its values", "off, moved, all");
  return Adapt::all;
}

Profile parse_profile() {
  const std::string path = variable("ROTA_PROFILE");
  if (path.empty()) return {};
  try {
    return profile_in(path);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(std::string("ROTA_PROFILE: ") + fault.what());
  }
}

/// Is anything to be learnt, as the user wants?
bool learns(const Settings& settings) {
  if (learn_file().empty()) return false;
  const std::string what = "nothing is tried where ";
  if (settings.profile.ranks > 0)
    throw std::invalid_argument("ROTA_LEARN: " + what + "a profile decides: unset ROTA_PROFILE for this job");
  if (settings.adapt == Adapt::off)
    throw std::invalid_argument("ROTA_LEARN: " + what + "ROTA_ADAPT=off: use moved, or all for sums too");
  return true;
}

// Every small call asks, so that nothing is to be initialised first.
constinit std::optional<Settings> given;
constinit std::int64_t replacements = 0;

Settings settings_or_exit() {
  try {
    return settings_of_environment();
  } catch (const std::invalid_argument& fault) {
    std::fprintf(stderr, "rota: %s\n", fault.what());
    std::exit(2);
  }
}

}  // namespace

const char* call_name(Collective collective) {
  for (const CallName& each : served) {
    if (each.collective == collective) return each.name;
  }
  return "unserved";
}

Collective collective_called(const std::string& name) {
  const std::optional<Collective> found = collective_named(name);
  if (found && *found != Collective::series) return *found;
  throw std::invalid_argument("unknown collective '" + name + "'; valid: " + served_names());
}

std::string algorithm_name(Collective collective, int position) {
  return std::string(algorithms_of(collective).at(static_cast<std::size_t>(position)));
}

Settings settings_of_environment() {
  Settings settings;
  settings.native = NativeLibrary::ROTA_NATIVE_LIBRARY;
  parse_algorithms(variable("ROTA_ALGORITHM"), settings);
  parse_off(variable("ROTA_OFF"), settings);
  settings.adapt = parse_adapt();
  settings.block_bytes = parse_up_to(most_block_bytes, "ROTA_BLOCK_BYTES", "bytes");
  settings.rounds_in_flight = parse_up_to(most_rounds_in_flight, "ROTA_ROUNDS_IN_FLIGHT", "rounds");
  settings.hosts = parse_positive<std::int64_t>("ROTA_HOSTS", "hosts from 1 on");
  settings.link_bits_per_s = parse_positive<double>("ROTA_LINK_RATE", "bits per second, such as 1e9");
  settings.profile = parse_profile();
  const std::string report = variable("ROTA_REPORT");
  settings.report = !report.empty() && report != "0";
  settings.learn = learns(settings);
  return settings;
}

bool may_have_strangers() {
  const std::string programs = variable("OMPI_NUM_APP_CTX");
  return !programs.empty() && programs != "1" && variable("ROTA_MPMD") != "1";
}

std::string report_file() {
  const std::string report = variable("ROTA_REPORT");
  return report == "0" || report == "1" ? "" : report;
}

std::string learn_file() { return variable("ROTA_LEARN"); }

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
