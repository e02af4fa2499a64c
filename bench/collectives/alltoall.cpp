// MPI_Alltoall and MPI_Alltoallv of bytes.
#include "bytes.hpp"
#include "contest.hpp"
#include "messages.hpp"
#include "rota.h"

namespace rota::bench {

namespace {

using Function = int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
using VectorFunction = int(const void*, const int[], const int[], MPI_Datatype, void*, const int[],
                           const int[], MPI_Datatype, MPI_Comm);

/// Where the bytes from one rank to another begin in a sequence in which they are easily told from others'.
constexpr std::size_t start_of(std::size_t from, std::size_t to) { return 1000003 * from + 7919 * to; }

struct Exchange {
  std::size_t rank;
  std::vector<Message> messages;
  std::int64_t busiest_bytes;
  Shares sent;
  Shares received;
  std::vector<unsigned char> outgoing;
  std::vector<unsigned char> incoming;

  Exchange(const Problem& problem, std::vector<Message> all, Shares to_others, Shares from_others)
      : rank(static_cast<std::size_t>(problem.rank)),
        messages(std::move(all)),
        busiest_bytes(port_bytes(messages, problem.ranks)),
        sent(std::move(to_others)),
        received(std::move(from_others)),
        outgoing(static_cast<std::size_t>(sent.total())),
        incoming(static_cast<std::size_t>(received.total())) {
    for (std::size_t to = 0; to < sent.counts.size(); ++to)
      fill(part(outgoing, sent, to), start_of(rank, to));
  }

  static std::span<unsigned char> part(std::vector<unsigned char>& data, const Shares& shares,
                                       std::size_t peer) {
    return std::span(data).subspan(static_cast<std::size_t>(shares.offsets[peer]),
                                   static_cast<std::size_t>(shares.counts[peer]));
  }

  Load load() const { return {busiest_bytes, {}, messages}; }
  void call(Function* alltoall) {
    alltoall(outgoing.data(), sent.counts.front(), MPI_BYTE, incoming.data(), received.counts.front(),
             MPI_BYTE, MPI_COMM_WORLD);
  }
  void call(VectorFunction* alltoallv) {
    alltoallv(outgoing.data(), sent.counts.data(), sent.offsets.data(), MPI_BYTE, incoming.data(),
              received.counts.data(), received.offsets.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
  void reset() {
    for (std::size_t from = 0; from < received.counts.size(); ++from)
      spoil(part(incoming, received, from), start_of(from, rank));
  }
  bool correct() {
    for (std::size_t from = 0; from < received.counts.size(); ++from) {
      if (!holds(part(incoming, received, from), start_of(from, rank))) return false;
    }
    return true;
  }
};

}  // namespace

/// What a rank has for itself is as much as for any other.
Contest alltoall(const Problem& problem) {
  std::vector<Message> all = messages(problem.bytes, Shape::regular, problem.ranks);
  const int each = all.empty() ? problem.bytes : static_cast<int>(all.front().bytes);
  const Shares shares = equal_shares(each * problem.ranks, problem.ranks);
  return contest_on(Exchange(problem, std::move(all), shares, shares), MPI_Alltoall, rota_alltoall);
}

/// No rank has anything for itself.
Contest alltoallv(const Problem& problem) {
  std::vector<Message> all = messages(problem.bytes, problem.shape, problem.ranks);
  Shares sent = sent_by(problem.rank, all, problem.ranks);
  Shares received = received_by(problem.rank, all, problem.ranks);
  return contest_on(Exchange(problem, std::move(all), std::move(sent), std::move(received)), MPI_Alltoallv,
                    rota_alltoallv);
}

}  // namespace rota::bench
