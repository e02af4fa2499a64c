#include "rota_mpi/settings/profile.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "rota/generators/index.hpp"
#include "rota_mpi/settings/names.hpp"
#include "rota_mpi/settings/plain_numbers.hpp"

namespace rota::mpi {

const Measurement* Profile::nearest(Collective collective, std::int64_t bytes) const {
  if (bytes < least_bytes(collective)) return nullptr;
  const Measurement* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Measurement& each : measured[static_cast<std::size_t>(collective)]) {
    if (each.bytes == 0) break;
    const double distance = std::abs(std::log(static_cast<double>(each.bytes) / static_cast<double>(bytes)));
    if (distance >= least) break;  // they are in the order of their sizes
    least = distance;
    best = &each;
  }
  return best;
}

std::int64_t Profile::least_bytes(Collective collective) const {
  const std::int64_t smallest = measured[static_cast<std::size_t>(collective)].front().bytes;
  return smallest > 0 ? smallest / 2 : std::numeric_limits<std::int64_t>::max();
}

namespace {

/// The words of one line, in front of any comment.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

double number(const std::string& word, const char* what) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(word, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used != word.size() || !std::isfinite(value) || value < 0) {
    throw std::invalid_argument(std::string(what) + " must be a number of 0 or more, not '" + word + "'");
  }
  return value;
}

std::int64_t whole(const std::string& word, const char* what, std::int64_t most) {
  const double value = number(word, what);
  if (value < 1 || value > static_cast<double>(most) || value != std::floor(value)) {
    throw std::invalid_argument(std::string(what) + " must be a whole number of 1 or more, not '" + word +
                                "'");
  }
  return static_cast<std::int64_t>(value);
}

Rank count(const std::string& word, const char* what) {
  return static_cast<Rank>(whole(word, what, std::numeric_limits<Rank>::max()));
}

/// No call and no message has more.
constexpr std::int64_t most_bytes = std::int64_t{1} << 60;

void add_measurement(const std::vector<std::string>& words, Profile& profile) {
  if (words.size() != 7) {
    throw std::invalid_argument(
        "write: measured COLLECTIVE BYTES NATIVE_S SCHEDULE MESSAGE_BYTES SCHEDULE_S");
  }
  const Collective collective = collective_called(words[1]);
  const Algorithm* const algorithm = find_algorithm(collective, words[4]);
  if (algorithm == nullptr)
    throw std::invalid_argument("unknown schedule '" + words[4] + "' for " + words[1]);
  auto& all = profile.measured[static_cast<std::size_t>(collective)];
  auto* const free = std::ranges::find(all, 0, &Measurement::bytes);
  if (free == all.end()) {
    throw std::invalid_argument("more than " + std::to_string(most_measurements) + " sizes of " + words[1]);
  }
  *free = {whole(words[2], "bytes", most_bytes), number(words[3], "the native seconds"),
           number(words[6], "the schedule's seconds"), static_cast<int>(algorithm - algorithms().data()),
           std::min(number(words[5], "bytes a message"), static_cast<double>(most_bytes))};
  std::ranges::sort(all.begin(), free + 1, {}, &Measurement::bytes);
}

void add_line(const std::vector<std::string>& words, Profile& profile) {
  const std::string& key = words[0];
  if (key == "measured") return add_measurement(words, profile);
  if (words.size() != 2) throw std::invalid_argument("'" + key + "' needs one value");
  const std::string& value = words[1];
  if (key == "ranks") {
    profile.ranks = count(value, "ranks");
  } else if (key == "hosts") {
    profile.hosts = count(value, "hosts");
  } else if (key == "latency_s") {
    profile.network.latency_s = number(value, "latency_s");
  } else if (key == "seconds_per_byte") {
    profile.network.seconds_per_byte = number(value, "seconds_per_byte");
  } else if (key == "seconds_per_combined_byte") {
    profile.network.seconds_per_combined_byte = number(value, "seconds_per_combined_byte");
  } else {
    throw std::invalid_argument("unknown word '" + key + "'");
  }
}

/// A profile that grows line by line.
class Reader {
 public:
  int line() const { return line_; }

  Profile read(std::istream& file) {
    for (std::string line; std::getline(file, line);) {
      ++line_;
      const std::vector<std::string> words = words_of(line);
      if (!words.empty()) take(words);
    }
    require_complete();
    return profile_;
  }

 private:
  void take(const std::vector<std::string>& words) {
    if (has_begun_) return add_line(words, profile_);
    if (words.size() != 2 || words[0] != "rota-profile" || words[1] != "1") {
      throw std::invalid_argument("a profile begins with 'rota-profile 1'");
    }
    has_begun_ = true;
  }

  void require_complete() const {
    const Network& network = profile_.network;
    if (profile_.ranks == 0 || profile_.hosts == 0)
      throw std::invalid_argument("ranks and hosts must both be given");
    if ((network.seconds_per_byte > 0) != (network.latency_s > 0))
      throw std::invalid_argument("latency_s and seconds_per_byte must be given both, above 0, or neither");
  }

  Profile profile_;
  bool has_begun_ = false;
  int line_ = 0;
};

}  // namespace

Profile profile_in(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument("cannot read " + path + "; name a file that `rota tune` wrote");
  const PlainNumbers plain;
  Reader reader;
  try {
    return reader.read(file);
  } catch (const std::invalid_argument& fault) {
    throw std::invalid_argument(path + ":" + std::to_string(reader.line()) + ": " + fault.what());
  }
}

}  // namespace rota::mpi
