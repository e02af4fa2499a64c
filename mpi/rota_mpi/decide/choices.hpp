// The choices that were made for one communicator, so that a call that repeats looks its own up.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "rota_mpi/decide/choose.hpp"

namespace rota::mpi {

/// What choose() may depend on in a call, and which settings were in force.
struct ChoiceKey {
  Collective collective = Collective::broadcast;
  bool in_order = false;
  Rank root = 0;
  std::int64_t bytes = 0;  // 0: the place is free; calls without data are never chosen for
  std::int64_t most_blocks = 0;
  std::int64_t smallest_share_bytes = 0;
  std::int64_t largest_share_bytes = 0;
  std::vector<std::int64_t> shares;
  std::vector<Rank> owners;
  bool is_exact = false;
  bool has_one_count = false;
  std::int64_t settings = 0;
  bool has_round_times = false;

  bool operator==(const ChoiceKey&) const = default;
};

/// A few of the latest choices; one that is not among them is made again. The model needs some microseconds
/// for a choice, to look it up takes some nanoseconds.
class Choices {
 public:
  /// What choose(call, settings(), found) says.
  Choice of(const Call& call, const FoundNetwork& found);

  /// From now on `found` is another.
  void forget() { made_->fill({}); }

 private:
  struct Made {
    ChoiceKey key;
    Choice choice;
  };
  static constexpr std::size_t places = 64;

  std::unique_ptr<std::array<Made, places>> made_ = std::make_unique<std::array<Made, places>>();
};

}  // namespace rota::mpi
