#include "rota_mpi/report/records.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>

namespace rota::mpi {

namespace {

constexpr std::int64_t parts_for_messages = 3;  // of four

/// In chunks: what there is stays where it is. Never more than so many.
template <class Record>
class Kept {
 public:
  explicit Kept(std::int64_t most) : most_(most) {}

  /// Its place; `no_room` where there is no room or memory for it.
  std::int64_t add(const Record& record) {
    if (std::ssize(records_) >= most_) return lose();
    try {
      records_.push_back(record);
    } catch (const std::bad_alloc&) {
      return lose();
    }
    return std::ssize(records_) - 1;
  }

  Record& at(std::int64_t place) { return records_[static_cast<std::size_t>(place)]; }
  std::int64_t lost() const { return lost_; }
  std::vector<Record> all() const { return {records_.begin(), records_.end()}; }

 private:
  std::int64_t lose() {
    ++lost_;
    return no_room;
  }

  std::int64_t most_;
  std::int64_t lost_ = 0;
  std::deque<Record> records_;
};

CallRecord record_of(const char* name, const Served& served) {
  return {.kind = kind_of(name, served),
          .bytes = served.call.bytes,
          .begin_s = served.start_s,
          .end_s = served.start_s + served.seconds,
          .expected_s = served.expected_s};
}

class Recorder {
 public:
  explicit Recorder(std::int64_t bytes)
      : calls_(bytes / (1 + parts_for_messages) / std::int64_t{sizeof(CallRecord)}),
        messages_(bytes / (1 + parts_for_messages) * parts_for_messages /
                  std::int64_t{sizeof(MessageRecord)}) {}

  std::int64_t open(const char* name, const Served& served, int tag) {
    CallRecord opened = record_of(name, served);
    opened.begin_s = pmpi.Wtime();
    opened.end_s = never;
    opened.tag = tag;
    const std::scoped_lock lock(mutex_);
    opened.play = next_play(tag);
    return calls_.add(opened);
  }

  /// As it turned out to be, also if it was opened before.
  void keep(const char* name, const Served& served) {
    if (served.record == no_room) return;
    CallRecord over = record_of(name, served);
    const std::scoped_lock lock(mutex_);
    if (served.record == unrecorded) {
      calls_.add(over);
      return;
    }
    CallRecord& opened = calls_.at(served.record);
    over.lost = opened.lost;
    over.tag = opened.tag;
    over.play = opened.play;
    opened = over;
  }

  std::int64_t open(std::int64_t call, const Passing& passing) {
    const MessageRecord opened{.begin_s = pmpi.Wtime(),
                               .call = static_cast<std::int32_t>(call),
                               .round = static_cast<std::int32_t>(passing.round),
                               .peer = passing.peer,
                               .bytes = static_cast<std::int32_t>(passing.bytes),
                               .way = passing.way};
    const std::scoped_lock lock(mutex_);
    const std::int64_t place = messages_.add(opened);
    if (place == no_room) ++calls_.at(call).lost;
    return place;
  }

  void close(std::int64_t message) {
    const double end_s = pmpi.Wtime();
    const std::scoped_lock lock(mutex_);
    messages_.at(message).end_s = end_s;
  }

  Records all() const {
    const std::scoped_lock lock(mutex_);
    return {calls_.all(), messages_.all(), {calls_.lost(), messages_.lost()}};
  }

 private:
  /// Alike on all ranks of a channel. Without memory to count in, ends of messages find each other no more.
  std::int32_t next_play(int tag) {
    try {
      return plays_[tag]++;
    } catch (const std::bad_alloc&) {
      return 0;
    }
  }

  mutable std::mutex mutex_;
  Kept<CallRecord> calls_;
  Kept<MessageRecord> messages_;
  std::map<int, std::int32_t> plays_;  // by the channel's tag
};

constinit std::atomic<Recorder*> recorder{nullptr};

}  // namespace

void begin_records(std::int64_t bytes) { recorder = new Recorder(bytes); }

Records own_records() {
  const Recorder* const here = recorder;
  return here == nullptr ? Records{} : here->all();
}

void end_records() { const std::unique_ptr<Recorder> ended(recorder.exchange(nullptr)); }

void record(const char* name, const Served& served) {
  if (Recorder* const here = recorder) here->keep(name, served);
}

PlayedCall::PlayedCall(const char* name, Served& served, const Channel& channel) {
  served.record = unrecorded;
  Recorder* const here = recorder;
  if (here == nullptr) return;
  call_ = here->open(name, served, channel.tag());
  served.record = call_;
}

std::int64_t PlayedCall::begins(const Passing& passing) {
  Recorder* const here = recorder;
  return here == nullptr ? unrecorded : here->open(call_, passing);
}

void PlayedCall::ends(std::int64_t number) {
  if (Recorder* const here = recorder) here->close(number);
}

}  // namespace rota::mpi
