#include "rota_mpi/decide/choices.hpp"

#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

ChoiceKey key_of(const Call& call, const FoundNetwork& found) {
  const Problem& problem = call.problem;
  return {.collective = problem.collective,
          .in_order = problem.in_order,
          .root = problem.root,
          .bytes = call.bytes,
          .most_blocks = call.most_blocks,
          .smallest_share_bytes = call.smallest_share_bytes,
          .largest_share_bytes = call.largest_share_bytes,
          .shares = problem.shares,
          .owners = problem.owners,
          .is_exact = call.is_exact,
          .has_one_count = call.has_one_count,
          .settings = settings_number(),
          .has_round_times = found.times() != nullptr};
}

std::size_t place_of(const ChoiceKey& key, std::size_t places) {
  const auto mixed = static_cast<std::uint64_t>(key.bytes) * 0x9E3779B97F4A7C15U +
                     static_cast<std::uint64_t>(key.collective);
  return static_cast<std::size_t>(mixed >> 32U) % places;
}

}  // namespace

Choice Choices::of(const Call& call, const FoundNetwork& found) {
  const ChoiceKey key = key_of(call, found);
  Made& made = (*made_)[place_of(key, places)];
  if (!(made.key == key)) made = {key, choose(call, settings(), found)};
  return made.choice;
}

}  // namespace rota::mpi
