#include "rota_mpi/way/glance.hpp"

#include <array>

#include "rota_mpi/decide/choose.hpp"
#include "rota_mpi/settings/settings.hpp"
#include "rota_mpi/way/try_outs.hpp"

namespace rota::mpi {

namespace {

constexpr std::size_t cache_line = 64;

/// By Collective. Nothing is to be initialised when a call asks.
alignas(cache_line) constinit std::array<std::int64_t, collective_count> least_seen{};

/// Less than so many bytes of it are small.
std::int64_t& least_seen_of(Collective collective) {
  return least_seen[static_cast<std::size_t>(collective)];
}

}  // namespace

bool is_small(Collective collective, const Amount& amount, MPI_Comm comm) {
  if (amount.items <= 0 || amount.type == MPI_DATATYPE_NULL) return false;
  int item_bytes = 0;
  return pmpi.Type_size(amount.type, &item_bytes) == MPI_SUCCESS && item_bytes >= 0 &&
         amount.items * item_bytes < least_seen_of(collective) && !is_try_out_due(comm);
}

bool is_small_between(Collective collective, std::int64_t bytes) { return bytes < least_seen_of(collective); }

void prepare_glances() {
  for (std::size_t each = 0; each < collective_count; ++each) {
    const auto collective = static_cast<Collective>(each);
    least_seen_of(collective) = settings().takes_notes ? 0 : native_below(collective, settings());
  }
}

}  // namespace rota::mpi
