#include "rota_mpi/report/trace_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "rota/generators/names.hpp"
#include "rota_mpi/report/written.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/names.hpp"
#include "rota_mpi/settings/plain_numbers.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

namespace {

/// What a rank's threads are of. Slices that overlap take one more of the same.
struct Track {
  int first_thread;
  const char* name;
};
constexpr Track of_calls{0, "calls"};
constexpr Track of_model{1000, "model"};
constexpr Track of_sends{2000, "rounds: sends"};
constexpr Track of_receives{3000, "rounds: receives"};

/// In nanoseconds from the trace's 0: whole ones, so that what does not overlap is not written so.
struct Slice {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

double us(std::int64_t ns) { return static_cast<double>(ns) / 1e3; }

/// The threads of one track of a rank.
class Lanes {
 public:
  explicit Lanes(const Track& track) : track_(track) {}

  /// The first thread on which nothing is left when the slice begins. Slices come by their beginnings.
  int thread_for(const Slice& slice) {
    const auto free = std::ranges::find_if(ends_, [&](std::int64_t end) { return end <= slice.begin; });
    const auto lane = free - ends_.begin();
    if (free == ends_.end()) ends_.push_back(0);
    ends_[static_cast<std::size_t>(lane)] = slice.end;
    return track_.first_thread + static_cast<int>(lane);
  }

  const Track& track() const { return track_; }
  std::string name(int lane) const {
    std::string name = track_.name;
    if (lane > 0) name.append(" ").append(std::to_string(lane + 1));
    return name;
  }
  int count() const { return static_cast<int>(ends_.size()); }

 private:
  const Track& track_;
  std::vector<std::int64_t> ends_;
};

/// The latest moment that a rank knows of: until then goes what is never over.
double latest(const Records& records) {
  double latest_s = 0;
  for (const CallRecord& each : records.calls) latest_s = std::max({latest_s, each.begin_s, each.end_s});
  for (const MessageRecord& each : records.messages)
    latest_s = std::max({latest_s, each.begin_s, each.end_s});
  return latest_s;
}

template <class Record>
std::vector<const Record*> by_beginning(const std::vector<Record>& records) {
  std::vector<const Record*> sorted;
  sorted.reserve(records.size());
  for (const Record& each : records) sorted.push_back(&each);
  std::ranges::sort(sorted, {}, [](const Record* each) { return each->begin_s; });
  return sorted;
}

/// Host names have no others, as a rule.
std::string harmless(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c < ' ' || c == '"' || c == '\\'; }, '_');
  return text;
}

std::string schedule_of(const Kind& kind) {
  return kind.algorithm < 0 ? "native" : algorithm_name(kind.collective, kind.algorithm);
}

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

/// The same at both ends of a message, and hardly ever that of another: a number that JavaScript can hold.
std::uint64_t flow_of(Rank own, const MessageRecord& message, const CallRecord& call) {
  const bool is_sent = message.way == Way::sent;
  std::uint64_t number = 0;
  for (const std::int32_t each :
       {call.tag, call.play, message.round, is_sent ? own : message.peer, is_sent ? message.peer : own})
    number = mixed(number + 0x9e3779b97f4a7c15 + static_cast<std::uint32_t>(each));
  return number >> 11;
}

/// Writes the events of one rank's.
class RankWriter {
 public:
  RankWriter(std::FILE* file, const RankTrace& trace, double zero_s)
      : file_(file), trace_(trace), zero_s_(zero_s), until_s_(latest(trace.records)) {}

  void write() {
    for (const CallRecord* const each : by_beginning(trace_.records.calls)) write_call(*each);
    for (const MessageRecord* const each : by_beginning(trace_.records.messages)) write_message(*each);
    for (const Lanes* const each : {&calls_, &model_, &sends_, &receives_}) write_names(*each);
    std::fprintf(
        file_,
        ",\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"args\": {\"name\": \"rank %d (%s)\"}}"
        ",\n{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": %d, \"args\": {\"sort_index\": %d}}",
        trace_.rank, trace_.rank, harmless(trace_.host).c_str(), trace_.rank, trace_.rank);
  }

  bool has_model() const { return model_.count() > 0; }

 private:
  std::int64_t ns(double own_s) const {
    return std::llround((trace_.clock.of_rank_0(own_s) - zero_s_) * 1e9);
  }

  Slice slice_of(double begin_s, double end_s) const {
    return {ns(begin_s), ns(end_s == never ? until_s_ : end_s)};
  }

  void begin_slice(const std::string& name, const char* category, const Slice& slice, int thread) {
    std::fprintf(
        file_,
        ",\n{\"ph\": \"X\", \"name\": \"%s\", \"cat\": \"%s\", \"ts\": %.3f, \"dur\": %.3f, \"pid\": %d, "
        "\"tid\": %d, \"args\": {",
        name.c_str(), category, us(slice.begin), us(slice.end - slice.begin), trace_.rank, thread);
  }

  void write_call(const CallRecord& call) {
    const Kind& kind = call.kind;
    const Slice slice = slice_of(call.begin_s, call.end_s);
    const std::string schedule = schedule_of(kind);
    begin_slice(std::string(kind.name) + " " + size_text(static_cast<double>(call.bytes)) + ": " + schedule,
                "call", slice, calls_.thread_for(slice));
    std::fprintf(
        file_,
        "\"call\": \"%s\", \"collective\": \"%s\", \"bytes\": %lld, \"ranks\": %d, \"schedule\": \"%s\", "
        "\"reason\": \"%s\", \"blocks\": %lld, \"rounds\": %lld, \"is_over\": %s, \"lost_messages\": %lld, "
        "\"channel\": %d, \"play\": %d}}",
        kind.name, call_name(kind.collective), static_cast<long long>(call.bytes), kind.ranks,
        schedule.c_str(), kind.reason, static_cast<long long>(kind.blocks),
        static_cast<long long>(kind.rounds), call.end_s == never ? "false" : "true",
        static_cast<long long>(call.lost), call.tag, call.play);
    if (call.expected_s > 0) write_model(call, slice);
  }

  void write_model(const CallRecord& call, const Slice& took) {
    const Slice slice{took.begin, took.begin + std::llround(call.expected_s * 1e9)};
    begin_slice("by the model", "model", slice, model_.thread_for(slice));
    std::fprintf(file_, "\"call\": \"%s\", \"expected_us\": %.3f, \"took_us\": %.3f}}", call.kind.name,
                 call.expected_s * 1e6, us(took.end - took.begin));
  }

  void write_message(const MessageRecord& message) {
    const bool is_sent = message.way == Way::sent;
    const Slice slice = slice_of(message.begin_s, message.end_s);
    const int thread = (is_sent ? sends_ : receives_).thread_for(slice);
    const CallRecord& call = trace_.records.calls[static_cast<std::size_t>(message.call)];
    begin_slice(std::string(is_sent ? "to " : "from ") + std::to_string(message.peer), "message", slice,
                thread);
    std::fprintf(
        file_, "\"round\": %d, \"bytes\": %d, \"peer\": %d, \"is_over\": %s, \"channel\": %d, \"play\": %d}}",
        message.round, message.bytes, message.peer, message.end_s == never ? "false" : "true", call.tag,
        call.play);
    // Within the slice, to which the arrow's end is bound.
    const std::int64_t at = is_sent ? slice.begin : std::max(slice.begin, slice.end - 1);
    std::fprintf(
        file_,
        ",\n{\"ph\": \"%s\", \"name\": \"message\", \"cat\": \"message\", \"id\": %llu, \"ts\": %.3f, "
        "\"pid\": %d, \"tid\": %d}",
        is_sent ? "s" : R"(f", "bp": "e)",
        static_cast<unsigned long long>(flow_of(trace_.rank, message, call)), us(at), trace_.rank, thread);
  }

  void write_names(const Lanes& lanes) {
    for (int lane = 0; lane < lanes.count(); ++lane) {
      const int thread = lanes.track().first_thread + lane;
      std::fprintf(
          file_,
          ",\n{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": "
          "\"%s\"}}"
          ",\n{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": %d, \"tid\": %d, \"args\": "
          "{\"sort_index\": %d}}",
          trace_.rank, thread, lanes.name(lane).c_str(), trace_.rank, thread, thread);
    }
  }

  std::FILE* file_;
  const RankTrace& trace_;
  double zero_s_;
  double until_s_;
  Lanes calls_{of_calls};
  Lanes model_{of_model};
  Lanes sends_{of_sends};
  Lanes receives_{of_receives};
};

}  // namespace

TraceWriter::TraceWriter(std::FILE* file, double zero_s) : file_(file), zero_s_(zero_s) {
  if (file_ == nullptr) return;
  std::fprintf(
      file_,
      "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
      "{\"ph\": \"M\", \"name\": \"trace\", \"pid\": 0, \"args\": {\"written_by\": \"ROTA_TRACE\"}}");
}

void TraceWriter::add(const RankTrace& trace) {
  const PlainNumbers plain;
  lost_.calls += trace.records.lost.calls;
  lost_.messages += trace.records.lost.messages;
  told_.push_back({trace.rank, trace.host, trace.clock, trace.records.lost});
  if (file_ == nullptr) return;
  RankWriter writer(file_, trace, zero_s_);
  writer.write();
  has_model_ = has_model_ || writer.has_model();
}

void TraceWriter::write_ranks() const {
  const char* separator = "\n";
  for (const Told& each : told_) {
    std::fprintf(file_,
                 "%s  {\"rank\": %d, \"host\": \"%s\", \"clock_error_us\": %.3f, \"clock_ahead_us\": %.3f, "
                 "\"clock_drift_ppm\": %.3f, \"lost_calls\": %lld, \"lost_messages\": %lld}",
                 separator, each.rank, harmless(each.host).c_str(), each.clock.error_s() * 1e6,
                 -each.clock.first.ahead_s * 1e6, each.clock.drift() * 1e6,
                 static_cast<long long>(each.lost.calls), static_cast<long long>(each.lost.messages));
    separator = ",\n";
  }
}

void TraceWriter::end(Ending ending) {
  if (file_ == nullptr) return;
  const PlainNumbers plain;
  double error_s = 0;
  for (const Told& each : told_) error_s = std::max(error_s, each.clock.error_s());
  std::fprintf(
      file_,
      "\n], \"otherData\": {\"ended_by\": \"%s\", \"model\": \"%s\", \"clock_error_us\": %.3f, "
      "\"memory_bytes_a_rank\": %lld, \"lost_calls\": %lld, \"lost_messages\": %lld, \"ranks\": [",
      name_of(ending),
      has_model_ ? "by the network that was found, or the profile" : "none: nothing is known of the network",
      error_s * 1e6, static_cast<long long>(trace_bytes(settings())), static_cast<long long>(lost_.calls),
      static_cast<long long>(lost_.messages));
  write_ranks();
  std::fprintf(file_, "\n]}}\n");
}

}  // namespace rota::mpi
