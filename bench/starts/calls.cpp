#include "calls.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "rota.h"

namespace rota::bench {

namespace {

using Longs = std::vector<long>;

/// This rank's memory for all collectives: as much as all ranks' shares together.
struct Memory {
  explicit Memory(std::size_t bytes) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    share = static_cast<int>(bytes / sizeof(long)) / ranks;
    all = share * ranks;
    sent.resize(static_cast<std::size_t>(all));
    std::iota(sent.begin(), sent.end(), rank);
    received.resize(static_cast<std::size_t>(all));
  }

  int rank = 0;
  int ranks = 1;
  int share = 0;  // items of one rank
  int all = 0;
  Longs sent;      // item i of rank r: r + i
  Longs received;  // always at the same place
};

using Shared = std::shared_ptr<Memory>;

/// Are these what item(i) says?
bool are(const Longs& items, int count, const std::function<long(int)>& item) {
  for (int i = 0; i < count; ++i) {
    if (items[static_cast<std::size_t>(i)] != item(i)) return false;
  }
  return true;
}

Measured bcast(const Shared& own) {
  Memory& at = *own;
  return {
      "bcast",
      {[&at] { PMPI_Bcast(at.received.data(), at.all, MPI_LONG, 0, MPI_COMM_WORLD); },
       [&at](MPI_Request* r) { PMPI_Ibcast(at.received.data(), at.all, MPI_LONG, 0, MPI_COMM_WORLD, r); }},
      {[&at] { rota_bcast(at.received.data(), at.all, MPI_LONG, 0, MPI_COMM_WORLD); },
       [&at](MPI_Request* r) { rota_ibcast(at.received.data(), at.all, MPI_LONG, 0, MPI_COMM_WORLD, r); }},
      [own] {
        own->received.assign(own->sent.size(), -1);
        if (own->rank == 0) std::ranges::copy(own->sent, own->received.begin());
      },
      [own] { return are(own->received, own->all, [](int i) { return long{i}; }); }};
}

Measured allreduce(const Shared& own) {
  Memory& at = *own;
  const long* const sent = at.sent.data();
  return {
      "allreduce",
      {[&at, sent] { PMPI_Allreduce(sent, at.received.data(), at.all, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); },
       [&at, sent](MPI_Request* r) {
         PMPI_Iallreduce(sent, at.received.data(), at.all, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, r);
       }},
      {[&at, sent] { rota_allreduce(sent, at.received.data(), at.all, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); },
       [&at, sent](MPI_Request* r) {
         rota_iallreduce(sent, at.received.data(), at.all, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, r);
       }},
      [own] { own->received.assign(own->sent.size(), -1); },
      [own] { return are(own->received, own->all, [&](int i) { return sum_of_items(own->ranks, i); }); }};
}

/// Calls with a send and a receive buffer of one rank's share and of all: the same arguments.
template <class Block, class Start>
Forms forms_of_shares(Memory& at, Block block, Start start) {
  return {[&at, block] {
            block(at.sent.data(), at.share, MPI_LONG, at.received.data(), at.share, MPI_LONG, MPI_COMM_WORLD);
          },
          [&at, start](MPI_Request* r) {
            start(at.sent.data(), at.share, MPI_LONG, at.received.data(), at.share, MPI_LONG, MPI_COMM_WORLD,
                  r);
          }};
}

Measured allgather(const Shared& own) {
  return {"allgather", forms_of_shares(*own, PMPI_Allgather, PMPI_Iallgather),
          forms_of_shares(*own, rota_allgather, rota_iallgather),
          [own] { own->received.assign(own->sent.size(), -1); },
          [own] {
            return are(own->received, own->all, [&](int i) { return long{i / own->share} + i % own->share; });
          }};
}

Measured reduce_scatter_block(const Shared& own) {
  Memory& at = *own;
  const long* const sent = at.sent.data();
  long* const got = at.received.data();
  return {"reduce_scatter_block",
          {[&at, sent, got] {
             PMPI_Reduce_scatter_block(sent, got, at.share, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
           },
           [&at, sent, got](MPI_Request* r) {
             PMPI_Ireduce_scatter_block(sent, got, at.share, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, r);
           }},
          {[&at, sent, got] {
             rota_reduce_scatter_block(sent, got, at.share, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
           },
           [&at, sent, got](MPI_Request* r) {
             rota_ireduce_scatter_block(sent, got, at.share, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, r);
           }},
          [own] { own->received.assign(own->sent.size(), -1); },
          [own] {
            return are(own->received, own->share,
                       [&](int i) { return sum_of_items(own->ranks, own->rank * own->share + i); });
          }};
}

Measured alltoall(const Shared& own) {
  return {"alltoall", forms_of_shares(*own, PMPI_Alltoall, PMPI_Ialltoall),
          forms_of_shares(*own, rota_alltoall, rota_ialltoall),
          [own] { own->received.assign(own->sent.size(), -1); },
          [own] {
            return are(own->received, own->all, [&](int i) {
              return long{i / own->share} + long{own->rank} * own->share + i % own->share;
            });
          }};
}

}  // namespace

std::vector<Measured> measured_calls(std::size_t bytes) {
  const auto own = std::make_shared<Memory>(bytes);
  return {bcast(own), allreduce(own), allgather(own), reduce_scatter_block(own), alltoall(own)};
}

}  // namespace rota::bench
