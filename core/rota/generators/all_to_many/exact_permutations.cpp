#include "rota/generators/all_to_many/exact_permutations.hpp"

#include "rota/matchings/edge_colouring.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

Schedule exact_permutations(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  std::vector<BipartiteEdge> edges;
  edges.reserve(static_cast<std::size_t>(pattern->messages()));
  for (Rank from = 0; from < pattern->ranks(); ++from) {
    for (const Rank to : pattern->row(from).to) edges.push_back({from, to});
  }
  const EdgeColouring colouring = edge_colouring(static_cast<std::size_t>(pattern->ranks()), edges, seed);
  const std::vector<Round> rounds(colouring.of_edges.begin(), colouring.of_edges.end());
  return whole_schedule(pattern, rounds, colouring.colours);
}

}  // namespace rota
