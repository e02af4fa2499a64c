// A stream of operations by a plan's timetable beside a loop of the MPI library's own collectives.
//
//   rota-stream-<abi> KIND ROOT TIMETABLE BYTES OPERATIONS LOOP ROUNDS
//
// KIND is scatter, all-to-all, reduce or broadcast, among all ranks, in order; ROOT its source or target;
// TIMETABLE a file that rank 0 can read. A unit message has BYTES bytes. First both ways carry out a few
// operations, and what they give is checked. Then ROUNDS times a stream of OPERATIONS and a loop of LOOP are
// timed. Rank 0 prints one JSON line: of each stream, the seconds after which each operation was over on the
// last rank; of each loop, the seconds of all of it.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "place.hpp"
#include "rota.h"
#include "timing.hpp"

namespace {

using rota::bench::Place;
using rota::bench::place_in_world;
using rota::bench::seconds_of;

enum class Kind : std::uint8_t { scatter, all_to_all, reduce, broadcast };

struct Task {
  Kind kind = Kind::scatter;
  int root = 0;
  int items = 0;
  Place place;
};

using Ints = std::vector<int>;

/// Item i of what rank `from` has for rank `to` in an operation.
int value(MPI_Count operation, int from, int to, int i) {
  return static_cast<int>(operation % 1000) * 7 + from * 5 + to * 3 + i % 1000;
}

/// The ranks that this one has a message for, in order; a reduce's operand and a broadcast's message are for
/// the root.
std::vector<int> peers_of(const Task& task, bool sends) {
  const bool is_root = task.place.rank == task.root;
  const auto others = [&] {
    std::vector<int> ranks;
    for (int rank = 0; rank < task.place.ranks; ++rank) {
      if (rank != task.place.rank) ranks.push_back(rank);
    }
    return ranks;
  };
  const std::vector<int> only_root{task.root};
  switch (task.kind) {
    case Kind::all_to_all:
      return others();
    case Kind::scatter:
      if (sends) return is_root ? others() : std::vector<int>{};
      return is_root ? std::vector<int>{} : only_root;
    case Kind::reduce:
      return sends || is_root ? only_root : std::vector<int>{};
    case Kind::broadcast:
      return sends == is_root ? only_root : std::vector<int>{};
  }
  return {};
}

Ints sent_in(const Task& task, MPI_Count operation) {
  Ints data;
  for (const int peer : peers_of(task, true)) {
    for (int i = 0; i < task.items; ++i) data.push_back(value(operation, task.place.rank, peer, i));
  }
  return data;
}

int received_value(const Task& task, MPI_Count operation, int peer, int i) {
  if (task.kind == Kind::broadcast) return value(operation, task.root, task.root, i);
  if (task.kind != Kind::reduce) return value(operation, peer, task.place.rank, i);
  int sum = 0;
  for (int rank = 0; rank < task.place.ranks; ++rank) sum += value(operation, rank, task.root, i);
  return sum;
}

bool is_right(const Task& task, MPI_Count operation, const Ints& received) {
  auto at = received.begin();
  for (const int peer : peers_of(task, false)) {
    for (int i = 0; i < task.items; ++i, ++at) {
      if (*at != received_value(task, operation, peer, i)) return false;
    }
  }
  return at == received.end();
}

/// Buffers that are handed out again.
class Pool {
 public:
  explicit Pool(std::size_t size) : size_(size) {}

  Ints take() {
    if (free_.empty()) return Ints(size_);
    Ints taken = std::move(free_.back());
    free_.pop_back();
    return taken;
  }
  void give_back(Ints buffer) { free_.push_back(std::move(buffer)); }

 private:
  std::size_t size_;
  std::vector<Ints> free_;
};

enum class Checking : std::uint8_t { none, every_operation };

/// The program's side of a stream. Without checking, every operation sends the same data.
class Program {
 public:
  Program(const Task& task, Checking checking)
      : task_(task),
        checking_(checking),
        sent_(sent_in(task, 0)),
        pool_(peers_of(task, false).size() * static_cast<std::size_t>(task.items)) {}

  rota_stream stream() {
    return {this, [](void* self, MPI_Count k) { return static_cast<Program*>(self)->source(k); },
            [](void* self, MPI_Count k) { return static_cast<Program*>(self)->target(k); },
            [](void* self, MPI_Count k) { static_cast<Program*>(self)->over(k); }};
  }

  bool all_right() const { return all_right_; }
  /// When each operation was over, by MPI's clock.
  const std::vector<double>& times_s() const { return times_s_; }

 private:
  const void* source(MPI_Count k) {
    if (checking_ == Checking::none) return sent_.data();
    return (sources_[k] = sent_in(task_, k)).data();
  }

  void* target(MPI_Count k) { return (targets_[k] = pool_.take()).data(); }

  void over(MPI_Count k) {
    times_s_.push_back(MPI_Wtime());
    const auto target = targets_.find(k);
    if (target != targets_.end()) {
      if (checking_ == Checking::every_operation && !is_right(task_, k, target->second)) all_right_ = false;
      pool_.give_back(std::move(target->second));
      targets_.erase(target);
    }
    sources_.erase(k);
  }

  Task task_;
  Checking checking_;
  Ints sent_;
  Pool pool_;
  std::map<MPI_Count, Ints> sources_;
  std::map<MPI_Count, Ints> targets_;
  bool all_right_ = true;
  std::vector<double> times_s_;
};

/// Counts and displacements of messages from or to all ranks: one each, but for some.
struct Shares {
  Ints counts;
  Ints firsts;
};

Shares shares_of(const Task& task, bool sends) {
  Shares shares{Ints(static_cast<std::size_t>(task.place.ranks)),
                Ints(static_cast<std::size_t>(task.place.ranks))};
  int first = 0;
  for (const int peer : peers_of(task, sends)) {
    shares.counts[static_cast<std::size_t>(peer)] = task.items;
    shares.firsts[static_cast<std::size_t>(peer)] = first;
    first += task.items;
  }
  return shares;
}

/// What MPI's call takes: MPI_Scatter's root has items for itself among the others'.
Ints sent_natively_in(const Task& task, MPI_Count operation) {
  Ints data = sent_in(task, operation);
  if (task.kind == Kind::scatter && !data.empty()) {
    const auto items = static_cast<std::size_t>(task.items);
    data.insert(data.begin() + std::ptrdiff_t{task.root} * task.items, items, 0);
  }
  return data;
}

/// One operation by the MPI library itself.
void call_native(const Task& task, Ints& sent, Ints& received) {
  const bool is_root = task.place.rank == task.root;
  switch (task.kind) {
    case Kind::scatter:
      PMPI_Scatter(sent.data(), task.items, MPI_INT, is_root ? MPI_IN_PLACE : received.data(), task.items,
                   MPI_INT, task.root, MPI_COMM_WORLD);
      break;
    case Kind::all_to_all: {
      const Shares out = shares_of(task, true);
      const Shares in = shares_of(task, false);
      PMPI_Alltoallv(sent.data(), out.counts.data(), out.firsts.data(), MPI_INT, received.data(),
                     in.counts.data(), in.firsts.data(), MPI_INT, MPI_COMM_WORLD);
      break;
    }
    case Kind::reduce:
      PMPI_Reduce(sent.data(), received.data(), task.items, MPI_INT, MPI_SUM, task.root, MPI_COMM_WORLD);
      break;
    case Kind::broadcast:
      PMPI_Bcast(is_root ? sent.data() : received.data(), task.items, MPI_INT, task.root, MPI_COMM_WORLD);
      break;
  }
}

Ints room_for(const Task& task) {
  return Ints(peers_of(task, false).size() * static_cast<std::size_t>(task.items));
}

bool loop_is_right(const Task& task, int operations) {
  bool right = true;
  Ints received = room_for(task);
  for (int k = 0; k < operations; ++k) {
    Ints sent = sent_natively_in(task, k);
    call_native(task, sent, received);
    right = is_right(task, k, received) && right;
  }
  return right;
}

/// After how many seconds each operation was over on the last rank.
std::vector<double> timed_stream(const Task& task, rota_series* series, MPI_Count operations) {
  Program program(task, Checking::none);
  const rota_stream stream = program.stream();
  MPI_Barrier(MPI_COMM_WORLD);
  const double start_s = MPI_Wtime();
  rota_series_run(series, operations, &stream);
  std::vector<double> seconds = program.times_s();
  for (double& each : seconds) each -= start_s;
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  return seconds;
}

double timed_loop(const Task& task, int operations) {
  Ints sent = sent_natively_in(task, 0);
  Ints received = room_for(task);
  return seconds_of([&] {
    for (int k = 0; k < operations; ++k) call_native(task, sent, received);
  });
}

std::string text_in(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Kind kind_named(const std::string& name) {
  static const std::map<std::string, Kind> kinds{{"scatter", Kind::scatter},
                                                 {"all-to-all", Kind::all_to_all},
                                                 {"reduce", Kind::reduce},
                                                 {"broadcast", Kind::broadcast}};
  const auto found = kinds.find(name);
  if (found == kinds.end()) throw std::runtime_error("no kind " + name);
  return found->second;
}

void print_list(const std::vector<double>& numbers) {
  const char* separator = "[";
  for (const double number : numbers) {
    std::printf("%s%.6f", separator, number);
    separator = ", ";
  }
  std::printf("]");
}

void print_line(const std::vector<std::vector<double>>& streams, const std::vector<double>& loops_s) {
  std::printf("{\"streams\": ");
  const char* separator = "[";
  for (const std::vector<double>& over_s : streams) {
    std::printf("%s", separator);
    print_list(over_s);
    separator = ", ";
  }
  std::printf("], \"loops\": ");
  print_list(loops_s);
  std::printf("}\n");
}

void measure(const std::vector<std::string>& words, const Place& place) {
  if (words.size() != 7) throw std::runtime_error("KIND ROOT TIMETABLE BYTES OPERATIONS LOOP ROUNDS");
  const Task task{kind_named(words[0]), std::stoi(words[1]),
                  std::stoi(words[3]) / static_cast<int>(sizeof(int)), place};
  const MPI_Count operations = std::stoll(words[4]);
  const int loop = std::stoi(words[5]);
  const std::string text = place.rank == 0 ? text_in(words[2].c_str()) : "";
  rota_series* series = nullptr;
  rota_series_open(text.c_str(), task.items, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &series);

  constexpr int few = 5;
  Program checked(task, Checking::every_operation);
  const rota_stream stream = checked.stream();
  rota_series_run(series, few, &stream);
  rota::bench::require_right(checked.all_right(), "the stream");
  rota::bench::require_right(loop_is_right(task, few), "the loop");

  std::vector<std::vector<double>> streams;
  std::vector<double> loops_s;
  for (int round = 0; round < std::stoi(words[6]); ++round) {
    streams.push_back(timed_stream(task, series, operations));
    loops_s.push_back(timed_loop(task, loop));
  }
  if (place.rank == 0) print_line(streams, loops_s);
  rota_series_close(&series);
}

}  // namespace

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  const Place place = place_in_world();
  int status = 0;
  try {
    measure({argv + 1, argv + argc}, place);
  } catch (const std::exception& fault) {
    if (place.rank == 0) std::fprintf(stderr, "rota-stream: %s\n", fault.what());
    status = 2;
  }
  rota_finalize();
  return status;
}
