#include "rota_mpi/report/report.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rota/model/bound.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/report/notes.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

namespace {

/// One line of the report. Seconds and bytes are means over its calls; a time is that of the slowest rank.
struct Line {
  std::string collective;
  std::string schedule;
  std::string reason;
  std::int64_t ranks = 0;
  std::int64_t size_class_bytes = 0;
  std::int64_t calls = 0;
  std::int64_t blocks = 0;
  std::int64_t rounds = 0;
  std::int64_t least_rounds = 0;
  std::int64_t schedules_made = 0;
  double bytes = 0;
  double seconds = 0;
  double bound_s = 0;  // 0: the links' rate is not known
};

struct Report {
  std::vector<Line> lines;
  std::vector<CellNote> cells;
};

std::int64_t least_rounds(const Kind& kind) {
  if (kind.collective == Collective::all_to_many || is_inter_group(kind.collective)) return kind.least_rounds;
  Problem problem{kind.collective, kind.ranks};
  problem.blocks = std::max<std::int64_t>(1, kind.blocks);
  return lower_bound(problem).rounds;
}

Line line_of(const Note& note, double link_bits_per_s) {
  const auto& [kind, total] = note;
  Line line;
  line.collective = call_name(kind.collective);
  line.schedule = kind.algorithm < 0 ? "native" : algorithm_name(kind.collective, kind.algorithm);
  line.reason = kind.reason;
  line.ranks = kind.ranks;
  line.size_class_bytes = kind.size_class < 0 ? 0 : std::int64_t{1} << kind.size_class;
  line.calls = (total.calls + kind.ranks - 1) / kind.ranks;
  line.blocks = kind.blocks;
  line.rounds = kind.rounds;
  line.least_rounds = least_rounds(kind);
  line.schedules_made = (total.schedules_made + kind.ranks - 1) / kind.ranks;
  line.bytes = total.bytes / static_cast<double>(total.calls);
  line.seconds = total.slowest_mean_s;
  const double bound_bytes = total.bound_bytes / static_cast<double>(total.calls);
  line.bound_s = link_bits_per_s > 0 ? bound_bytes * 8 / link_bits_per_s : 0;
  return line;
}

std::vector<Line> lines_of(const std::vector<Note>& notes) {
  std::vector<Line> lines;
  lines.reserve(notes.size());
  for (const Note& note : notes) lines.push_back(line_of(note, settings().link_bits_per_s));
  return lines;
}

std::string size_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
  return text;
}

/// What rank 0 knows of the network, by hosts.
std::map<std::vector<int>, FoundNetwork> known_networks() {
  std::map<std::vector<int>, FoundNetwork> known;
  const World* const here = world();
  if (here == nullptr) return known;
  for (const auto& [hosts, pace] : here->paces.all()) known[hosts].pace = pace;
  for (const auto& [hosts, times] : here->round_times.all()) known[hosts].round_times = times;
  return known;
}

void print_round_times(std::size_t hosts, const RoundTimes& times) {
  std::fprintf(stderr, "rota: network of %zu hosts, as rounds between them take: %lld in flight,", hosts,
               static_cast<long long>(times.in_flight));
  const char* separator = "";
  for (const RoundTime& each : times.measured) {
    std::fprintf(stderr, "%s %s %.3g ms", separator, size_text(static_cast<double>(each.bytes)).c_str(),
                 each.seconds * 1e3);
    separator = ",";
  }
  std::fprintf(stderr, "\n");
}

void print_network(std::size_t hosts, const FoundNetwork& found) {
  if (found.pace != Pace::unknown) {
    std::fprintf(stderr, "rota: network of %zu hosts, for sums whose order shows: its links are %s\n", hosts,
                 name_of(found.pace));
  }
  if (found.round_times) print_round_times(hosts, *found.round_times);
}

/// A time of a call by one of both ways, and how many there were.
std::string tried_text(const Outcome::OfArm& arm) {
  char text[64];
  if (arm.calls == 0) return "0";
  std::snprintf(text, sizeof text, "%lld of %.3g ms", static_cast<long long>(arm.calls),
                arm.seconds / static_cast<double>(arm.calls) * 1e3);
  return text;
}

void print_cell(const CellNote& note) {
  const CellTotal& total = note.total;
  std::fprintf(
      stderr,
      "rota: %-14s %6d ranks, from %s: by schedule %s, natively %s; trials cost %.3g of %.3g ms; now "
      "by schedule on %lld of %lld communicators\n",
      call_name(note.kind.collective), note.kind.ranks,
      size_text(std::ldexp(1, note.kind.size_class)).c_str(), tried_text(total.schedule).c_str(),
      tried_text(total.native).c_str(), total.trials_cost_s * 1e3,
      (total.native.seconds + total.schedule.seconds) * 1e3, static_cast<long long>(total.on_schedule),
      static_cast<long long>(total.communicators));
}

void print_table(const Report& report) {
  for (const auto& [hosts, found] : known_networks()) print_network(hosts.size(), found);
  for (const CellNote& note : report.cells) print_cell(note);
  std::fprintf(stderr, "rota: %-14s %6s %12s %8s %-18s %7s %14s %6s %11s %9s\n", "call", "ranks", "size",
               "calls", "schedule", "blocks", "rounds (least)", "made", "time", "x bound");
  for (const Line& line : report.lines) {
    char rounds[40] = "";
    if (line.rounds > 0) {
      std::snprintf(rounds, sizeof rounds, "%lld (%lld)", static_cast<long long>(line.rounds),
                    static_cast<long long>(line.least_rounds));
    }
    char times[24] = "";
    if (line.bound_s > 0) std::snprintf(times, sizeof times, "%.3f", line.seconds / line.bound_s);
    std::fprintf(stderr, "rota: %-14s %6lld %12s %8lld %-18s %7s %14s %6s %8.3f ms %9s  %s\n",
                 line.collective.c_str(), static_cast<long long>(line.ranks), size_text(line.bytes).c_str(),
                 static_cast<long long>(line.calls), line.schedule.c_str(),
                 line.blocks > 0 ? std::to_string(line.blocks).c_str() : "", rounds,
                 line.schedules_made > 0 ? std::to_string(line.schedules_made).c_str() : "",
                 line.seconds * 1e3, times, line.reason.c_str());
  }
}

void write_round_times(std::FILE* file, const RoundTimes& times) {
  std::fprintf(file, ", \"rounds_in_flight\": %lld, \"rounds\": [", static_cast<long long>(times.in_flight));
  const char* separator = "";
  for (const RoundTime& each : times.measured) {
    std::fprintf(file, "%s{\"bytes\": %lld, \"seconds\": %.9g}", separator,
                 static_cast<long long>(each.bytes), each.seconds);
    separator = ", ";
  }
  std::fprintf(file, "]");
}

void write_networks(std::FILE* file) {
  std::fprintf(file, "\"networks\": [");
  const char* separator = "\n";
  for (const auto& [hosts, found] : known_networks()) {
    std::fprintf(file, "%s  {\"hosts\": %zu, \"links\": \"%s\"", separator, hosts.size(),
                 name_of(found.pace));
    if (found.round_times) write_round_times(file, *found.round_times);
    std::fprintf(file, "}");
    separator = ",\n";
  }
  std::fprintf(file, "\n], ");
}

void write_cells(std::FILE* file, const std::vector<CellNote>& cells) {
  std::fprintf(file, "\"cells\": [");
  const char* separator = "\n";
  for (const auto& [kind, total] : cells) {
    std::fprintf(file,
                 "%s  {\"collective\": \"%s\", \"ranks\": %d, \"size_class_bytes\": %lld, "
                 "\"communicators\": %lld, \"on_schedule\": %lld, \"native_calls\": %lld, "
                 "\"native_seconds\": %.9g, \"schedule_calls\": %lld, \"schedule_seconds\": %.9g, "
                 "\"trials_cost_seconds\": %.9g}",
                 separator, call_name(kind.collective), kind.ranks, 1LL << kind.size_class,
                 static_cast<long long>(total.communicators), static_cast<long long>(total.on_schedule),
                 static_cast<long long>(total.native.calls), total.native.seconds,
                 static_cast<long long>(total.schedule.calls), total.schedule.seconds, total.trials_cost_s);
    separator = ",\n";
  }
  std::fprintf(file, "\n], ");
}

void write_json(const Report& report, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
  if (file == nullptr) {
    std::fprintf(stderr, "rota: ROTA_REPORT: cannot write %s: %s; the report follows here\n", path.c_str(),
                 std::strerror(errno));
    return print_table(report);
  }
  std::fprintf(file.get(), "{\"link_bits_per_second\": %.17g, ", settings().link_bits_per_s);
  write_networks(file.get());
  write_cells(file.get(), report.cells);
  std::fprintf(file.get(), "\"calls\": [");
  const char* separator = "\n";
  for (const Line& line : report.lines) {
    std::fprintf(
        file.get(),
        "%s  {\"collective\": \"%s\", \"ranks\": %lld, \"size_class_bytes\": %lld, \"bytes\": %.17g, "
        "\"calls\": %lld, \"schedule\": \"%s\", \"reason\": \"%s\", \"blocks\": %lld, \"rounds\": %lld, "
        "\"least_rounds\": %lld, \"schedules_made\": %lld, \"seconds\": %.9g, \"bound_seconds\": %.9g}",
        separator, line.collective.c_str(), static_cast<long long>(line.ranks),
        static_cast<long long>(line.size_class_bytes), line.bytes, static_cast<long long>(line.calls),
        line.schedule.c_str(), line.reason.c_str(), static_cast<long long>(line.blocks),
        static_cast<long long>(line.rounds), static_cast<long long>(line.least_rounds),
        static_cast<long long>(line.schedules_made), line.seconds, line.bound_s);
    separator = ",\n";
  }
  std::fprintf(file.get(), "\n]}\n");
}

}  // namespace

void print_report(const std::vector<CellNote>& cells) {
  const Report report{lines_of(gathered_notes()), cells};
  int rank = 0;
  check(pmpi.Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank != 0) return;
  const std::string path = report_file();
  path.empty() ? print_table(report) : write_json(report, path);
}

}  // namespace rota::mpi
