#include "rota/generators/all_to_many/all_to_many.hpp"

#include <algorithm>
#include <array>

#include "rota/generators/all_to_many/asynchronous_sends.hpp"
#include "rota/generators/all_to_many/compact_global_masking.hpp"
#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/global_masking.hpp"
#include "rota/generators/all_to_many/linear_permutation.hpp"
#include "rota/generators/all_to_many/ports.hpp"
#include "rota/generators/joined.hpp"

namespace rota {

namespace {

template <Schedule (*of_ports)(const std::shared_ptr<const Pattern>&, std::uint64_t seed)>
Schedule by_ports(const std::shared_ptr<const Pattern>& pattern, const std::shared_ptr<const Hosts>& hosts,
                  std::uint64_t seed) {
  return all_to_many_by_ports(pattern, hosts, seed, [seed](const std::shared_ptr<const Pattern>& ports) {
    return of_ports(ports, seed);
  });
}

/// Pieces as small as they need be; messages whole, of which a start takes no time.
template <Schedule (*by_links)(const std::shared_ptr<const Pattern>&, const std::shared_ptr<const Hosts>&,
                               std::uint64_t seed, std::int64_t bytes),
          std::int64_t bytes>
Schedule by_links_with(const std::shared_ptr<const Pattern>& pattern,
                       const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed) {
  return by_links(pattern, hosts, seed, bytes);
}

constexpr std::array all{
    AllToManyAlgorithm{"ac", "everybody sends at once, in the order of receivers",
                       by_ports<asynchronous_sends>},
    AllToManyAlgorithm{"lp", "pairwise exchange of everybody with everybody else",
                       by_ports<linear_permutation>},
    AllToManyAlgorithm{"gm", "greedy permutations", by_ports<global_masking>},
    AllToManyAlgorithm{"cgm", "greedy permutations over compact rows in random order",
                       by_ports<compact_global_masking>},
    AllToManyAlgorithm{"exact", "the fewest permutations", by_ports<exact_permutations>},
    AllToManyAlgorithm{"weighted", "the shortest, messages in pieces", by_links_with<weighted_by_links, 1>},
    AllToManyAlgorithm{"unsplit", "less than twice the shortest, messages whole",
                       by_links_with<unsplit_by_links, 0>},
};

}  // namespace

std::span<const AllToManyAlgorithm> all_to_many_algorithms() { return all; }

const AllToManyAlgorithm* find_all_to_many(std::string_view name) {
  const auto* const found = std::ranges::find(all, joined(name), &AllToManyAlgorithm::name);
  return found == all.end() ? nullptr : found;
}

}  // namespace rota
