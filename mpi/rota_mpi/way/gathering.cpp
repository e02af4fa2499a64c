#include "rota_mpi/way/gathering.hpp"

#include "rota/generators/index.hpp"
#include "rota_mpi/data/moved.hpp"

namespace rota::mpi {

Prepared gathering(void* memory, const std::vector<std::int64_t>& bytes, Rank rank, const Self& self) {
  const auto ranks = static_cast<Rank>(bytes.size());
  const Schedule schedule = find_algorithm(Collective::allgather, "circulant")
                                ->schedule({.collective = Collective::allgather, .ranks = ranks});
  auto store = std::make_unique<MovedData>(ranks);
  auto* place = static_cast<std::byte*>(memory);
  for (Rank owner = 0; owner < ranks; ++owner) {
    const std::int64_t share = bytes[static_cast<std::size_t>(owner)];
    const Data data{place, share, MPI_BYTE};
    store->add(owner,
               {owner == rank ? layout_to_send(data, self) : layout_to_receive(data, self), Cut{share, 1}});
    place += share;
  }
  Prepared prepared;
  prepared.steps = schedule.of_rank(rank);
  prepared.rounds = schedule.rounds;
  prepared.store = std::move(store);
  return prepared;
}

}  // namespace rota::mpi
