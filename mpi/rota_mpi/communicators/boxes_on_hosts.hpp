// The boxes of a channel's ranks: those of each host have some in common.
//
//     the first of a host   makes the memory, and tells the others where      then all ranks of all hosts agree:
//     the others            open it there                                    have we all got ours? Else nobody has
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rota/schedule/hosts.hpp"
#include "rota_mpi/communicators/boxes.hpp"
#include "rota_mpi/communicators/channel.hpp"

namespace rota::mpi {

/// Of those that a process has at a time there are few.
struct EndBoxes {
  void operator()(Boxes* boxes) const;
};
using OwnBoxes = std::unique_ptr<Boxes, EndBoxes>;

/// Among the ranks of each host of a channel's; nullptr if some of them have no memory in common, or have
/// enough of it with other channels. `most` says the most of what all ranks say. Collective over the
/// channel's ranks, and alike on all of them, but where a rank is alone on its host: it needs none. Throws
/// MpiError, std::bad_alloc.
OwnBoxes boxes_on(const Hosts& hosts, Rank rank, const Channel& channel,
                  const std::function<std::int64_t(std::int64_t)>& most);

}  // namespace rota::mpi
