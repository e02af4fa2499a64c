#include "rota_mpi/report/table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "rota/generators/names.hpp"
#include "rota_mpi/report/written.hpp"

namespace rota::mpi {

namespace {

// --- what is shown

// Of all the time: lines with less are not worth a look, where there are more than a few of them; nor are small calls, in which
// nothing can be gained, with much more.
constexpr double least_part = 0.01;
constexpr double least_part_of_small = 0.1;
constexpr std::size_t few = 4;

/// Of several things, those that are shown one by one, in their order, and the rest.
template <class Thing>
struct Split {
  std::vector<Thing> shown;
  std::vector<Thing> rest;
};

template <class Thing, class Seconds>
double sum_s(const std::vector<Thing>& all, const Seconds& seconds_of) {
  double sum = 0;
  for (const Thing& each : all) sum += seconds_of(each);
  return sum;
}

/// By the time that each has taken.
template <class Thing, class Seconds>
Split<Thing> split(const std::vector<Thing>& all, const Seconds& seconds_of, double least_s) {
  Split<Thing> result;
  for (const Thing& each : all) (seconds_of(each) < least_s ? result.rest : result.shown).push_back(each);
  return result.rest.size() > few ? result : Split<Thing>{all, {}};
}

// --- the calls

/// Of the column of calls' names.
int width_for(const std::vector<Line>& lines) {
  std::size_t width = 20;
  for (const Line& line : lines) width = std::max(width, line.call.size());
  return static_cast<int>(width);
}

void print_heading(std::FILE* file, int width) {
  std::fprintf(file, "rota: %-*s %6s %12s %8s %-18s %7s %14s %6s %11s %12s %9s\n", width, "call", "ranks",
               "size", "calls", "schedule", "blocks", "rounds (least)", "made", "time", "in all", "x bound");
}

/// Why it is native; or how much of it was overlapped.
std::string remark(const Line& line) {
  if (line.is_start_only) return line.reason + "; only its start is timed";
  if (!line.overlapped) return line.reason;
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %% overlapped", 100 * *line.overlapped);
  return text;
}

void print_line(std::FILE* file, const Line& line, int width) {
  char rounds[40] = "";
  if (line.rounds > 0) {
    std::snprintf(rounds, sizeof rounds, "%lld (%lld)", static_cast<long long>(line.rounds),
                  static_cast<long long>(line.least_rounds));
  }
  char times[24] = "";
  if (line.is_bound_telling) std::snprintf(times, sizeof times, "%.3f", line.seconds / line.bound_s);
  std::fprintf(file, "rota: %-*s %6lld %12s %8lld %-18s %7s %14s %6s %8.3f ms %12s %9s  %s\n", width,
               line.call.c_str(), static_cast<long long>(line.ranks), size_text(line.bytes).c_str(),
               static_cast<long long>(line.calls), line.schedule.c_str(),
               line.blocks > 0 ? std::to_string(line.blocks).c_str() : "", rounds,
               line.schedules_made > 0 ? std::to_string(line.schedules_made).c_str() : "", line.seconds * 1e3,
               time_text(line.total_s()).c_str(), times, remark(line).c_str());
}

double seconds_of(const Line& line) { return line.total_s(); }

std::vector<Line> those(const std::vector<Line>& lines, bool are_small) {
  std::vector<Line> found;
  std::ranges::copy_if(lines, std::back_inserter(found),
                       [&](const Line& line) { return line.is_small == are_small; });
  return found;
}

void print_rest(std::FILE* file, const std::vector<Line>& rest, const char* what, double all_s) {
  if (rest.empty()) return;
  std::int64_t calls = 0;
  for (const Line& line : rest) calls += line.calls;
  const double rest_s = sum_s(rest, seconds_of);
  std::fprintf(file, "rota: %zu more lines of %lld %s, together %s, %.1f %% of the time\n", rest.size(),
               static_cast<long long>(calls), what, time_text(rest_s).c_str(), 100 * rest_s / all_s);
}

void print_calls(std::FILE* file, const std::vector<Line>& lines) {
  const double all_s = sum_s(lines, seconds_of);
  const auto large = split(those(lines, false), seconds_of, least_part * all_s);
  const auto small = split(those(lines, true), seconds_of, least_part_of_small * all_s);
  const int width = std::max(width_for(large.shown), width_for(small.shown));
  print_heading(file, width);
  for (const Line& line : large.shown) print_line(file, line, width);
  for (const Line& line : small.shown) print_line(file, line, width);
  print_rest(file, large.rest, "calls", all_s);
  print_rest(file, small.rest, "small calls", all_s);
}

// --- what competes

/// A time of a call by one of both ways, and how many there were.
std::string tried_text(const Outcome::OfArm& arm) {
  if (arm.calls == 0) return "0";
  return std::to_string(arm.calls) + " of " + time_text(arm.mean_s());
}

void print_cell(std::FILE* file, const CellNote& note) {
  const CellTotal& total = note.total;
  std::fprintf(file,
               "rota: %-14s %6d ranks, from %s: by schedule %s, natively %s; trials cost %s of %s; now "
               "by schedule on %lld of %lld communicators\n",
               call_name(note.kind.collective), note.kind.ranks,
               size_text(std::ldexp(1, note.kind.size_class)).c_str(), tried_text(total.schedule).c_str(),
               tried_text(total.native).c_str(), time_text(total.trials_cost_s).c_str(),
               time_text(total_s(note)).c_str(), static_cast<long long>(total.on_schedule),
               static_cast<long long>(total.communicators));
}

void print_cells(std::FILE* file, const std::vector<CellNote>& cells) {
  const auto taken_s = [](const CellNote& cell) { return total_s(cell); };
  const auto [shown, rest] = split(cells, taken_s, least_part * sum_s(cells, taken_s));
  for (const CellNote& note : shown) print_cell(file, note);
  if (rest.empty()) return;
  double cost_s = 0;
  for (const CellNote& note : rest) cost_s += note.total.trials_cost_s;
  std::fprintf(file, "rota: %zu more sizes tried, trials cost %s\n", rest.size(), time_text(cost_s).c_str());
}

// --- the network

void print_round_times(std::FILE* file, std::size_t hosts, const RoundTimes& times) {
  if (hosts == 1) {
    std::fprintf(file, "rota: memory of one host, as rounds through it take:");
  } else {
    std::fprintf(file, "rota: network of %zu hosts, as rounds between them take:", hosts);
  }
  std::fprintf(file, " %lld in flight,", static_cast<long long>(times.in_flight));
  const char* separator = "";
  for (const RoundTime& each : times.measured) {
    std::fprintf(file, "%s %s %s", separator, size_text(static_cast<double>(each.bytes)).c_str(),
                 time_text(each.seconds).c_str());
    separator = ",";
  }
  std::fprintf(file, "\n");
}

void print_network(std::FILE* file, std::size_t hosts, const FoundNetwork& found) {
  if (found.pace != Pace::unknown) {
    std::fprintf(file, "rota: network of %zu hosts, for sums whose order shows: its links are %s\n", hosts,
                 name_of(found.pace));
  }
  if (found.round_times) print_round_times(file, hosts, *found.round_times);
}

}  // namespace

void print_table(std::FILE* file, const Report& report) {
  if (report.noted_by) {
    std::fprintf(file, "rota: ended by %s; what rank %d had noted by then:\n", name_of(report.ending),
                 *report.noted_by);
  }
  print_calls(file, report.lines);
  print_cells(file, report.cells);
  for (const auto& [hosts, found] : report.networks) print_network(file, hosts.size(), found);
}

}  // namespace rota::mpi
