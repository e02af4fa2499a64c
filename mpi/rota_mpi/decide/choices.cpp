#include "rota_mpi/decide/choices.hpp"

namespace rota::mpi {

namespace {

ChoiceKey key_of(const Call& call) {
  const Problem& problem = call.problem;
  return {
      problem.collective,        problem.in_order,         problem.root,  call.bytes,       call.most_blocks,
      call.smallest_share_bytes, call.largest_share_bytes, call.is_exact, settings_number()};
}

std::size_t place_of(const ChoiceKey& key, std::size_t places) {
  const auto mixed = static_cast<std::uint64_t>(key.bytes) * 0x9E3779B97F4A7C15U +
                     static_cast<std::uint64_t>(key.collective);
  return static_cast<std::size_t>(mixed >> 32U) % places;
}

}  // namespace

Choice Choices::of(const Call& call, const FoundNetwork& found) {
  const ChoiceKey key = key_of(call);
  Made& made = (*made_)[place_of(key, places)];
  if (!(made.key == key)) made = {key, choose(call, settings(), found)};
  return made.choice;
}

}  // namespace rota::mpi
