#include "rota_mpi/report/lines.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "rota/generators/names.hpp"
#include "rota/model/bound.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/decide/predict.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/names.hpp"

namespace rota::mpi {

namespace {

std::int64_t least_rounds(const Kind& kind) {
  if (kind.collective == Collective::all_to_many || is_inter_group(kind.collective)) return kind.least_rounds;
  Problem problem{kind.collective, kind.ranks};
  problem.blocks = std::max<std::int64_t>(1, kind.blocks);
  return lower_bound(problem).rounds;
}

/// What a link carries while the rounds of a call cost what they do besides their bytes.
double latency_bytes(std::int64_t rounds) {
  const Network& network = network_of(settings());
  return static_cast<double>(std::max<std::int64_t>(1, rounds)) * network.latency_s /
         network.seconds_per_byte;
}

/// Each call is noted by all its ranks, of which an ended job's rank 0 is one. Where ranks see calls of
/// different sizes, each size has its part of the calls, and no size that was seen has none.
std::int64_t calls_of(std::int64_t noted, const Kind& kind, Ending ending) {
  const Rank told = ending == Ending::finalized ? kind.ranks : 1;
  return noted == 0 ? 0 : std::max<std::int64_t>(1, (noted + told / 2) / told);
}

Line line_of(const Note& note, Ending ending) {
  const auto& [kind, total] = note;
  const double link_bits_per_s = settings().link_bits_per_s;
  const double bound_bytes = total.bound_bytes / static_cast<double>(total.calls);
  Line line;
  line.call = (is_inter_group(kind.collective) ? "inter_" : "") + std::string(kind.name);
  line.collective = call_name(kind.collective);
  line.schedule = kind.algorithm < 0 ? "native" : algorithm_name(kind.collective, kind.algorithm);
  line.reason = kind.reason;
  line.ranks = kind.ranks;
  line.size_class_bytes = kind.size_class < 0 ? 0 : std::int64_t{1} << kind.size_class;
  line.calls = calls_of(total.calls, kind, ending);
  line.blocks = kind.blocks;
  line.rounds = kind.rounds;
  line.least_rounds = least_rounds(kind);
  line.schedules_made = calls_of(total.schedules_made, kind, ending);
  line.bytes = total.bytes / static_cast<double>(total.calls);
  line.seconds = total.slowest_mean_s;
  if (total.followed == total.calls && total.seconds > 0) line.overlapped = total.elsewhere_s / total.seconds;
  line.bound_bytes = bound_bytes;
  line.bound_s = link_bits_per_s > 0 ? bound_bytes * 8 / link_bits_per_s : 0;
  line.is_small = bound_bytes < latency_bytes(line.least_rounds);
  line.is_start_only = total.starts > 0;
  line.is_bound_telling = line.bound_s > 0 && !line.is_small && !line.is_start_only;
  return line;
}

double to_gain_s(const Line& line) {
  if (line.is_small || line.is_start_only) return 0;
  return static_cast<double>(line.calls) * (line.seconds - (line.is_bound_telling ? line.bound_s : 0));
}

/// What rank 0 knows of the network, by hosts.
std::map<std::vector<int>, FoundNetwork> known_networks() {
  std::map<std::vector<int>, FoundNetwork> known;
  const World* const here = world();
  if (here == nullptr) return known;
  for (const auto& [hosts, pace] : here->paces.all()) known[hosts].pace = pace;
  for (const auto& [hosts, times] : here->round_times.all()) {
    known[hosts].round_times = std::make_shared<const RoundTimes>(times);
  }
  return known;
}

/// As MPI tells, or as the user wants it.
std::size_t hosts_in(const World& world) {
  if (settings().hosts > 0) return std::min(static_cast<std::size_t>(settings().hosts), world.hosts.size());
  return std::set<int>(world.hosts.begin(), world.hosts.end()).size();
}

}  // namespace

const char* name_of(Ending ending) {
  switch (ending) {
    case Ending::aborted:
      return "MPI_Abort";
    case Ending::terminated:
      return "SIGTERM";
    case Ending::interrupted:
      return "SIGINT";
    default:
      return "MPI_Finalize";
  }
}

double total_s(const CellNote& cell) { return cell.total.native.seconds + cell.total.schedule.seconds; }

Report report_of(const Notes& notes, Ending ending) {
  Report report{
      .ending = ending, .noted_by = {}, .lines = {}, .cells = notes.cells, .networks = known_networks()};
  if (const World* const here = world()) {
    report.ranks = here->hosts.size();
    report.hosts = hosts_in(*here);
    if (ending != Ending::finalized) report.noted_by = here->rank;
  }
  report.lines.reserve(notes.calls.size());
  for (const Note& note : notes.calls) report.lines.push_back(line_of(note, ending));
  std::ranges::sort(report.lines, std::ranges::greater{},
                    [](const Line& line) { return std::pair(to_gain_s(line), line.total_s()); });
  std::ranges::sort(report.cells, std::ranges::greater{}, [](const CellNote& each) { return total_s(each); });
  return report;
}

}  // namespace rota::mpi
