// Calls as Python asks about them, in the words of the MPI layer, which decides what serves them.
#pragma once

#include <cstdint>
#include <optional>

#include "named.hpp"
#include "rota_mpi/decide/call.hpp"

namespace rota {

/// The call of a collective within a group; without a largest share all shares are alike. Throws
/// std::invalid_argument with one line if there is no such call.
mpi::Call asked_call(const CollectiveOrName& asked, Rank ranks, std::int64_t bytes, bool in_order,
                     std::optional<std::int64_t> largest_share_bytes);

/// The same between two groups. Senders have so many bytes each in an allgather, all in other calls;
/// receivers too where it is duplex.
mpi::Call asked_call_between(const CollectiveOrName& asked, Rank senders, Rank receivers, std::int64_t bytes,
                             bool is_duplex, bool in_order);

}  // namespace rota
