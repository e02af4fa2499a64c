// Native and Rota in one job, pair by pair.
//
//   rota-bench-<abi> links
//   rota-bench-<abi> [unchecked] COLLECTIVE[/SHAPE] SIZE:PAIRS ... [COLLECTIVE[/SHAPE] SIZE:PAIRS ...] ...
//
// `links`: rank 0 prints one JSON line on who shares a host, and what the hosts' links carry.
// SIZE is all the data of the collective in bytes: of allgathers and reduce-scatters, what belongs to all
// ranks together; of all-to-many, what the busiest rank sends or receives; of inter_allgather/FIRST and
// inter_allgather_both_ways/FIRST, between the first FIRST ranks and the others, what one rank has. For each
// size both ways are called first, so that ranks are connected, and what they give is checked, unless the first word
// is `unchecked`; then PAIRS pairs are timed, the order within a pair changing from pair to pair. Rank 0 prints one
// JSON line per size. Only the first calls are in Rota's report: to take note of a call takes time.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "arguments.hpp"
#include "links.hpp"
#include "place.hpp"
#include "rota.h"
#include "timing.hpp"

namespace {

using namespace rota::bench;

template <class Number>
void print_list(const char* name, const char* format, const std::vector<Number>& numbers) {
  std::printf(", \"%s\": [", name);
  const char* separator = "";
  for (const Number number : numbers) {
    std::printf("%s", separator);
    std::printf(format, number);
    separator = ", ";
  }
  std::printf("]");
}

void print_messages(const std::vector<Message>& messages) {
  std::printf(", \"messages\": [");
  const char* separator = "";
  for (const Message& message : messages) {
    std::printf("%s[%d, %d, %lld]", separator, message.from, message.to,
                static_cast<long long>(message.bytes));
    separator = ", ";
  }
  std::printf("]");
}

std::vector<double> each(const std::vector<Spent>& all, double Spent::* part) {
  std::vector<double> parts;
  parts.reserve(all.size());
  for (const Spent& spent : all) parts.push_back(spent.*part);
  return parts;
}

void print_line(const Case& wanted, const Load& load, const Times& times) {
  std::printf(R"({"collective": "%s", "shape": "%s", "bytes": %d, "data_bytes": %lld)",
              std::string(wanted.collective->name).c_str(), std::string(name_of(wanted.shape)).c_str(),
              wanted.bytes, static_cast<long long>(load.bytes));
  print_list("share_bytes", "%ld", load.share_bytes);
  print_messages(load.messages);
  print_list("native_seconds", "%.9f", each(times.native, &Spent::seconds));
  print_list("rota_seconds", "%.9f", each(times.rota, &Spent::seconds));
  print_list("native_met_seconds", "%.9f", each(times.native, &Spent::met_seconds));
  print_list("rota_met_seconds", "%.9f", each(times.rota, &Spent::met_seconds));
  print_list("native_processor_seconds", "%.6f", each(times.native, &Spent::processor_seconds));
  print_list("rota_processor_seconds", "%.6f", each(times.rota, &Spent::processor_seconds));
  std::printf("}\n");
  std::fflush(stdout);
}

/// Rota's twice, for where native calls and schedules compete, the first one is native.
void call_both(const Contest& contest, const Case& wanted, Results results) {
  contest.rota();
  if (results == Results::unchecked) {
    contest.rota();
    contest.native();
  } else if (!both_correct(contest)) {
    throw std::runtime_error("wrong results of " + std::string(wanted.collective->name) + ", " +
                             std::to_string(wanted.bytes) + " bytes");
  }
}

/// While it lives, Rota takes no notes for its report.
class Unreported {
 public:
  Unreported() {
    const char* const asked = std::getenv(variable);
    if (asked != nullptr) report_ = asked;
    rota_configure(variable, nullptr);
  }
  Unreported(const Unreported&) = delete;
  Unreported& operator=(const Unreported&) = delete;
  ~Unreported() { rota_configure(variable, report_ ? report_->c_str() : nullptr); }

 private:
  static constexpr const char* variable = "ROTA_REPORT";
  std::optional<std::string> report_;
};

void print_links(const Place& place) {
  const Links links = measured_links();
  if (place.rank != 0) return;
  std::printf("{\"ranks\": %d", place.ranks);
  print_list("host_of_rank", "%d", links.host_of_rank);
  print_list("bits_per_s", "%.0f", links.bits_per_s);
  std::printf("}\n");
}

void run(const Case& wanted, Results results, const Place& place) {
  if (wanted.collective->has_groups && wanted.first_group >= place.ranks) {
    throw std::runtime_error("a first group of " + std::to_string(wanted.first_group) + " of " +
                             std::to_string(place.ranks) + " ranks: leave some for the second");
  }
  const Contest contest =
      wanted.collective->contest({wanted.bytes, wanted.shape, place.rank, place.ranks, wanted.first_group});
  call_both(contest, wanted, results);
  const Unreported unreported;
  const Times times = timed_pairs(contest, wanted.pairs);
  if (place.rank == 0) print_line(wanted, contest.load, times);
}

}  // namespace

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  const Place place = place_in_world();
  int status = 0;
  // These faults are seen by all ranks, so all of them reach the end. A rank that lacks memory ends the job.
  try {
    if (argc == 2 && std::string_view(argv[1]) == "links") {
      print_links(place);
    } else {
      const Request request = parse_request({argv + 1, argv + argc});
      for (const Case& wanted : request.cases) run(wanted, request.results, place);
    }
  } catch (const std::runtime_error& fault) {
    if (place.rank == 0) std::fprintf(stderr, "rota-bench: %s\n", fault.what());
    status = 2;
  }
  rota_finalize();
  return status;
}
