#include "rota_mpi/report/json.hpp"

#include <string>

#include "rota/generators/names.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/plain_numbers.hpp"

namespace rota::mpi {

namespace {

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

void write_networks(std::FILE* file, const std::map<std::vector<int>, FoundNetwork>& networks) {
  std::fprintf(file, "\"networks\": [");
  const char* separator = "\n";
  for (const auto& [hosts, found] : networks) {
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

std::string overlapped_text(const Line& line) {
  if (!line.overlapped) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", *line.overlapped);
  return text;
}

void write_lines(std::FILE* file, const std::vector<Line>& lines) {
  std::fprintf(file, "\"calls\": [");
  const char* separator = "\n";
  for (const Line& line : lines) {
    std::fprintf(
        file,
        "%s  {\"call\": \"%s\", \"collective\": \"%s\", \"ranks\": %lld, \"size_class_bytes\": %lld, "
        "\"bytes\": %.17g, "
        "\"calls\": %lld, \"schedule\": \"%s\", \"reason\": \"%s\", \"blocks\": %lld, \"rounds\": %lld, "
        "\"least_rounds\": %lld, \"schedules_made\": %lld, \"seconds\": %.9g, \"bound_bytes\": %.17g, "
        "\"bound_seconds\": %.9g, \"overlapped\": %s, \"is_start_only\": %s}",
        separator, line.call.c_str(), line.collective.c_str(), static_cast<long long>(line.ranks),
        static_cast<long long>(line.size_class_bytes), line.bytes, static_cast<long long>(line.calls),
        line.schedule.c_str(), line.reason.c_str(), static_cast<long long>(line.blocks),
        static_cast<long long>(line.rounds), static_cast<long long>(line.least_rounds),
        static_cast<long long>(line.schedules_made), line.seconds, line.bound_bytes, line.bound_s,
        overlapped_text(line).c_str(), line.is_start_only ? "true" : "false");
    separator = ",\n";
  }
  std::fprintf(file, "\n]");
}

}  // namespace

void write_json(std::FILE* file, const Report& report) {
  const PlainNumbers plain;
  const std::string noted_by = report.noted_by ? std::to_string(*report.noted_by) : "null";
  std::fprintf(file,
               "{\"ended_by\": \"%s\", \"noted_by\": %s, \"ranks\": %zu, \"hosts\": %zu, "
               "\"link_bits_per_second\": %.17g, ",
               name_of(report.ending), noted_by.c_str(), report.ranks, report.hosts,
               settings().link_bits_per_s);
  write_networks(file, report.networks);
  write_cells(file, report.cells);
  write_lines(file, report.lines);
  std::fprintf(file, "}\n");
}

}  // namespace rota::mpi
