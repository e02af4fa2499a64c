#include "rota_mpi/report.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "rota/bound.hpp"
#include "rota_mpi/mpi.hpp"

namespace rota::mpi {

namespace {

/// What calls must share to be one line of the report.
struct Kind {
  Collective collective;
  Rank ranks;
  int size_class;  // calls of 2^size_class bytes or more, and less than twice that
  int algorithm;   // position in algorithms(); -1: native
  std::int64_t blocks;
  std::int64_t rounds;
  char reason[40];

  auto key() const {
    return std::tuple(collective, ranks, size_class, algorithm, blocks, rounds, std::string_view(reason));
  }
  bool operator<(const Kind& other) const { return key() < other.key(); }
};

struct Total {
  std::int64_t calls = 0;  // times the ranks that took part
  double bytes = 0;
  double seconds = 0;
  double slowest_mean_s = 0;  // the mean over the calls of the slowest rank
};

/// One kind with its total, as it travels to rank 0.
struct Note {
  Kind kind;
  Total total;
};

class Notebook {
 public:
  void add(const Kind& kind, double bytes, double seconds) {
    const std::lock_guard lock(mutex_);
    Total& total = totals_[kind];
    total.calls += 1;
    total.bytes += bytes;
    total.seconds += seconds;
    total.slowest_mean_s = total.seconds / static_cast<double>(total.calls);
  }

  std::vector<Note> notes() const {
    const std::lock_guard lock(mutex_);
    std::vector<Note> notes;
    for (const auto& [kind, total] : totals_) notes.push_back({kind, total});
    return notes;
  }

 private:
  mutable std::mutex mutex_;
  std::map<Kind, Total> totals_;
};

Notebook& notebook() {
  static Notebook the_notebook;
  return the_notebook;
}

Kind kind_of(const Served& served) {
  Kind kind{};
  kind.collective = served.call.collective;
  kind.ranks = served.call.ranks;
  kind.size_class = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(served.call.bytes))) - 1;
  kind.algorithm = served.choice.algorithm == nullptr
                       ? -1
                       : static_cast<int>(served.choice.algorithm - algorithms().data());
  kind.blocks = served.blocks;
  kind.rounds = served.rounds;
  std::strncpy(kind.reason, served.choice.reason, sizeof kind.reason - 1);
  return kind;
}

/// The notes of all ranks on rank 0, nothing elsewhere.
std::vector<Note> gathered(const std::vector<Note>& mine, int rank, int ranks) {
  const int bytes = static_cast<int>(mine.size() * sizeof(Note));
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  check(PMPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD));
  std::vector<int> offsets(counts.size());
  int sum = 0;
  for (std::size_t i = 0; rank == 0 && i < counts.size(); ++i) {
    offsets[i] = sum;
    sum += counts[i];
  }
  std::vector<Note> all(static_cast<std::size_t>(sum) / sizeof(Note));
  check(PMPI_Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, 0,
                     MPI_COMM_WORLD));
  return all;
}

/// One line of the report. Seconds and bytes are means over its calls; a time is that of the slowest rank.
struct Line {
  std::string collective, schedule, reason;
  std::int64_t ranks, size_class_bytes, calls, blocks, rounds, least_rounds;
  double bytes, seconds, bound_s;  // bound_s 0: the links' rate is not known
};

Line line_of(const Kind& kind, const Total& total, double link_bits_per_s) {
  Line line;
  line.collective = call_name(kind.collective);
  line.schedule = kind.algorithm < 0
                      ? "native"
                      : std::string(algorithms()[static_cast<std::size_t>(kind.algorithm)].name);
  line.reason = kind.reason;
  line.ranks = kind.ranks;
  line.size_class_bytes = kind.size_class < 0 ? 0 : std::int64_t{1} << kind.size_class;
  line.calls = (total.calls + kind.ranks - 1) / kind.ranks;
  line.blocks = kind.blocks;
  line.rounds = kind.rounds;
  const Problem problem{kind.collective, kind.ranks, 0, std::max<std::int64_t>(1, kind.blocks)};
  line.least_rounds = lower_bound(problem).rounds;
  line.bytes = total.bytes / static_cast<double>(total.calls);
  line.seconds = total.slowest_mean_s;
  line.bound_s = link_bits_per_s > 0 && kind.ranks > 1 ? line.bytes * 8 / link_bits_per_s : 0;
  return line;
}

std::vector<Line> merged(const std::vector<Note>& notes) {
  std::map<Kind, Total> totals;
  for (const Note& note : notes) {
    Total& total = totals[note.kind];
    total.calls += note.total.calls;
    total.bytes += note.total.bytes;
    total.slowest_mean_s = std::max(total.slowest_mean_s, note.total.slowest_mean_s);
  }
  std::vector<Line> lines;
  for (const auto& [kind, total] : totals) lines.push_back(line_of(kind, total, settings().link_bits_per_s));
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

void print_table(const std::vector<Line>& lines) {
  std::fprintf(stderr, "rota: %-10s %6s %12s %8s %-10s %7s %14s %11s %9s\n", "call", "ranks", "size", "calls",
               "schedule", "blocks", "rounds (least)", "time", "x bound");
  for (const Line& line : lines) {
    char rounds[40] = "";
    if (line.rounds > 0) {
      std::snprintf(rounds, sizeof rounds, "%lld (%lld)", static_cast<long long>(line.rounds),
                    static_cast<long long>(line.least_rounds));
    }
    char times[24] = "";
    if (line.bound_s > 0) std::snprintf(times, sizeof times, "%.3f", line.seconds / line.bound_s);
    std::fprintf(stderr, "rota: %-10s %6lld %12s %8lld %-10s %7s %14s %8.3f ms %9s  %s\n",
                 line.collective.c_str(), static_cast<long long>(line.ranks), size_text(line.bytes).c_str(),
                 static_cast<long long>(line.calls), line.schedule.c_str(),
                 line.blocks > 0 ? std::to_string(line.blocks).c_str() : "", rounds, line.seconds * 1e3,
                 times, line.reason.c_str());
  }
}

void write_json(const std::vector<Line>& lines, const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
  if (file == nullptr) {
    std::fprintf(stderr, "rota: ROTA_REPORT: cannot write %s: %s; the report follows here\n", path.c_str(),
                 std::strerror(errno));
    return print_table(lines);
  }
  std::fprintf(file.get(), "{\"link_bits_per_second\": %.17g, \"calls\": [", settings().link_bits_per_s);
  const char* separator = "\n";
  for (const Line& line : lines) {
    std::fprintf(
        file.get(),
        "%s  {\"collective\": \"%s\", \"ranks\": %lld, \"size_class_bytes\": %lld, \"bytes\": %.17g, "
        "\"calls\": %lld, \"schedule\": \"%s\", \"reason\": \"%s\", \"blocks\": %lld, \"rounds\": %lld, "
        "\"least_rounds\": %lld, \"seconds\": %.9g, \"bound_seconds\": %.9g}",
        separator, line.collective.c_str(), static_cast<long long>(line.ranks),
        static_cast<long long>(line.size_class_bytes), line.bytes, static_cast<long long>(line.calls),
        line.schedule.c_str(), line.reason.c_str(), static_cast<long long>(line.blocks),
        static_cast<long long>(line.rounds), static_cast<long long>(line.least_rounds), line.seconds,
        line.bound_s);
    separator = ",\n";
  }
  std::fprintf(file.get(), "\n]}\n");
}

}  // namespace

void take_note(const Served& served) {
  notebook().add(kind_of(served), static_cast<double>(served.call.bytes), served.seconds);
}

void print_report() {
  int rank = 0;
  int ranks = 1;
  check(PMPI_Comm_rank(MPI_COMM_WORLD, &rank));
  check(PMPI_Comm_size(MPI_COMM_WORLD, &ranks));
  const std::vector<Line> lines = merged(gathered(notebook().notes(), rank, ranks));
  if (rank != 0) return;
  const std::string path = report_file();
  path.empty() ? print_table(lines) : write_json(lines, path);
}

}  // namespace rota::mpi
