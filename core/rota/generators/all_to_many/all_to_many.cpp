#include "rota/generators/all_to_many/all_to_many.hpp"

#include <algorithm>
#include <array>

#include "rota/generators/all_to_many/asynchronous_sends.hpp"
#include "rota/generators/all_to_many/compact_global_masking.hpp"
#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/global_masking.hpp"
#include "rota/generators/all_to_many/linear_permutation.hpp"
#include "rota/generators/all_to_many/unsplit_messages.hpp"
#include "rota/generators/all_to_many/weighted_permutations.hpp"
#include "rota/generators/joined.hpp"

namespace rota {

namespace {

constexpr std::array all{
    AllToManyAlgorithm{"ac", "everybody sends at once, in the order of receivers", asynchronous_sends},
    AllToManyAlgorithm{"lp", "pairwise exchange of everybody with everybody else", linear_permutation},
    AllToManyAlgorithm{"gm", "greedy permutations", global_masking},
    AllToManyAlgorithm{"cgm", "greedy permutations over compact rows in random order",
                       compact_global_masking},
    AllToManyAlgorithm{"exact", "the fewest permutations", exact_permutations},
    AllToManyAlgorithm{"weighted", "the shortest, messages in pieces", weighted_permutations},
    AllToManyAlgorithm{"unsplit", "less than twice the shortest, messages whole", unsplit_messages},
};

}  // namespace

std::span<const AllToManyAlgorithm> all_to_many_algorithms() { return all; }

const AllToManyAlgorithm* find_all_to_many(std::string_view name) {
  const auto* const found = std::ranges::find(all, joined(name), &AllToManyAlgorithm::name);
  return found == all.end() ? nullptr : found;
}

}  // namespace rota
