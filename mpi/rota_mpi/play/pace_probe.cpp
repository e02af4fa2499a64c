#include "rota_mpi/play/pace_probe.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace rota::mpi {

namespace {

// Links may let some 100 kB pass at once, at whatever rate.
constexpr int message_bytes = 512 * 1024;

constexpr std::size_t most_messages = 16;
constexpr std::size_t least_messages = 4;
constexpr double long_s = 0.06;

/// The first byte of a message says whether another one may follow.
constexpr std::byte goes_on{1};
constexpr std::byte is_over{0};

using Memory = std::unique_ptr<std::byte[]>;

/// Of the host that is half of them away from the first one.
Rank partner_of(const Companion& companion) {
  if (companion.hosts == nullptr) return companion.ranks / 2;
  const auto& ranks = companion.hosts->ranks;
  return ranks[ranks.size() / 2].front();
}

/// One of both, with the other.
class PingPong {
 public:
  PingPong(const Channel& channel, Rank peer, std::byte* memory)
      : channel_(channel), peer_(channel.peer(peer)), memory_(memory) {}

  /// A message's seconds, and those of the answer, which is short.
  double ping() const {
    memory_[0] = goes_on;
    const double start_s = pmpi.Wtime();
    send(message_bytes);
    receive(1);
    return pmpi.Wtime() - start_s;
  }

  void end() const {
    memory_[0] = is_over;
    send(1);
  }

  /// Answers until the other has ended.
  void pong() const {
    for (receive(message_bytes); memory_[0] != is_over; receive(message_bytes)) send(1);
  }

 private:
  void send(int bytes) const {
    check_own(pmpi.Send(memory_, bytes, MPI_BYTE, peer_, channel_.tag(), channel_.comm()));
  }
  void receive(int most_bytes) const {
    check_own(
        pmpi.Recv(memory_, most_bytes, MPI_BYTE, peer_, channel_.tag(), channel_.comm(), MPI_STATUS_IGNORE));
  }

  const Channel& channel_;
  Rank peer_;
  std::byte* memory_;
};

Pace pace_by(const PingPong& game) {
  std::vector<double> times_s;
  double all_s = 0;
  while (times_s.size() < most_messages && (times_s.size() < least_messages || all_s < long_s)) {
    times_s.push_back(game.ping());
    all_s += times_s.back();
    if (is_fast(message_bytes, times_s.back())) break;
  }
  game.end();
  return pace_of(message_bytes, times_s);
}

/// Of a rank that takes part.
Memory memory_of(bool takes_part) {
  if (!takes_part) return nullptr;
  Memory memory(new (std::nothrow) std::byte[message_bytes]);
  if (memory != nullptr) std::fill_n(memory.get(), message_bytes, goes_on);
  return memory;
}

}  // namespace

PaceFinding pace_finding() { return {std::int64_t{least_messages} * message_bytes, long_s}; }

Pace found_pace(const Companion& companion) {
  const Rank partner = partner_of(companion);
  const bool takes_part = companion.rank == 0 || companion.rank == partner;
  const Memory memory = memory_of(takes_part);
  if (companion.most(takes_part && memory == nullptr ? 1 : 0) > 0) return Pace::fast;
  Pace pace = Pace::fast;
  if (companion.rank == partner) PingPong(companion.channel(), 0, memory.get()).pong();
  if (companion.rank == 0) pace = pace_by(PingPong(companion.channel(), partner, memory.get()));
  return static_cast<Pace>(companion.told_by_first(static_cast<std::int64_t>(pace)));
}

}  // namespace rota::mpi
