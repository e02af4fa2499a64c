#include "rota_mpi/report/trace.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "rota_mpi/report/clock.hpp"
#include "rota_mpi/report/records.hpp"
#include "rota_mpi/report/trace_json.hpp"
#include "rota_mpi/report/written.hpp"
#include "rota_mpi/settings/files.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/settings.hpp"
#include "rota_mpi/settings/whole_file.hpp"

namespace rota::mpi {

namespace {

/// A trace that was begun, on this rank.
struct Begun {
  int tag;
  Sighting first;
  std::string path;  // on rank 0
};

/// Never destroyed: programs may end MPI in their last destructor.
std::unique_ptr<Begun>& begun() {
  static auto* const the_begun = new std::unique_ptr<Begun>;
  return *the_begun;
}

/// What goes before a rank's records on their way.
struct Heading {
  std::array<char, 64> host{};
  Clock clock;
  Lost lost;
  std::int64_t calls = 0;
  std::int64_t messages = 0;
};
static_assert(std::is_trivially_copyable_v<Heading> && std::is_trivially_copyable_v<CallRecord> &&
              std::is_trivially_copyable_v<MessageRecord>);

Heading heading_of(const Records& records, const Clock& clock) {
  Heading heading{.clock = clock,
                  .lost = records.lost,
                  .calls = std::ssize(records.calls),
                  .messages = std::ssize(records.messages)};
  gethostname(heading.host.data(), heading.host.size() - 1);
  return heading;
}

void say(const std::string& path, int error) {
  std::fprintf(stderr, "rota: ROTA_TRACE: cannot write %s: %s; there will be no trace\n", path.c_str(),
               std::strerror(error));
}

/// Can the file be written? As far as one can tell before.
bool is_writable(const std::string& path) {
  const WholeFile file(path);
  if (file.get() == nullptr) say(path, errno);
  return file.get() != nullptr;
}

template <class Item>
void send(const std::vector<Item>& items, const World& here, int tag) {
  check_own(
      pmpi.Send(items.data(), static_cast<int>(items.size() * sizeof(Item)), MPI_BYTE, 0, tag, here.comm));
}

template <class Item>
std::vector<Item> received(std::int64_t count, Rank rank, const World& here, int tag) {
  std::vector<Item> items(static_cast<std::size_t>(count));
  check_own(pmpi.Recv(items.data(), static_cast<int>(items.size() * sizeof(Item)), MPI_BYTE, rank, tag,
                      here.comm, MPI_STATUS_IGNORE));
  return items;
}

void send_records(const Clock& clock, const World& here, int tag) {
  const Records mine = own_records();
  send(std::vector{heading_of(mine, clock)}, here, tag);
  send(mine.calls, here, tag);
  send(mine.messages, here, tag);
}

RankTrace trace_of_rank(Rank rank, const Heading& heading, Records records) {
  records.lost = heading.lost;
  return {rank, heading.host.data(), heading.clock, std::move(records)};
}

RankTrace received_trace(Rank rank, const World& here, int tag) {
  const Heading heading = received<Heading>(1, rank, here, tag).front();
  Records records;
  records.calls = received<CallRecord>(heading.calls, rank, here, tag);
  records.messages = received<MessageRecord>(heading.messages, rank, here, tag);
  return trace_of_rank(rank, heading, std::move(records));
}

RankTrace own_trace(const Clock& clock) {
  Records mine = own_records();
  const Heading heading = heading_of(mine, clock);
  return trace_of_rank(0, heading, std::move(mine));
}

void say_what_is_lost(const Lost& lost) {
  if (lost.calls == 0 && lost.messages == 0) return;
  std::fprintf(
      stderr,
      "rota: ROTA_TRACE: the trace lacks %lld calls and %lld messages of all ranks, for which %s a rank "
      "were not enough: set ROTA_TRACE_MEMORY\n",
      static_cast<long long>(lost.calls), static_cast<long long>(lost.messages),
      size_text(static_cast<double>(trace_bytes(settings()))).c_str());
}

void complete(WholeFile& file, const std::string& path) {
  if (file.get() == nullptr || !file.complete()) say(path, errno);
}

/// Takes what all ranks have kept, also where there is nothing to write them to.
void gather(const Clock& clock, const World& here, const Begun& trace) {
  WholeFile file(trace.path);
  TraceWriter writer(file.get(), trace.first.at_s);
  writer.add(own_trace(clock));
  for (Rank rank = 1; rank < here.ranks; ++rank) writer.add(received_trace(rank, here, trace.tag));
  writer.end(Ending::finalized);
  complete(file, trace.path);
  say_what_is_lost(writer.lost());
}

}  // namespace

void begin_trace(World& here) {
  if (!settings().trace) return;
  const std::string path = here.rank == 0 ? trace_file() : "";
  int tag = here.rank == 0 && is_writable(path) ? here.tags.take() : Tags::none;
  check_own(pmpi.Bcast(&tag, 1, MPI_INT, 0, here.comm));
  if (tag == Tags::none) return;
  begun() = std::make_unique<Begun>(Begun{tag, sight_clock(here, tag), path});
  begin_records(trace_bytes(settings()));
}

bool is_tracing() { return begun() != nullptr; }

void end_trace(const World& here) {
  const std::unique_ptr<Begun> trace = std::move(begun());
  if (trace == nullptr) return;
  const Clock clock{trace->first, sight_clock(here, trace->tag)};
  here.rank == 0 ? gather(clock, here, *trace) : send_records(clock, here, trace->tag);
  end_records();
}

void write_own_trace(Ending ending) {
  const Begun* const trace = begun().get();
  if (trace == nullptr) return;
  WholeFile file(trace->path);
  TraceWriter writer(file.get(), trace->first.at_s);
  writer.add(own_trace({trace->first, trace->first}));
  writer.end(ending);
  complete(file, trace->path);
}

}  // namespace rota::mpi
