#include "rota_mpi/way/glance.hpp"

#include <array>
#include <atomic>

#include "rota_mpi/decide/choose.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/try_outs.hpp"

namespace rota::mpi {

namespace {

constexpr std::size_t cache_line = 64;

/// Less than so many bytes of each Collective are small; or what is not known yet, or nothing.
alignas(cache_line) constinit std::array<std::atomic<std::int64_t>, collective_count> small_below{};
constexpr std::int64_t unknown = 0;
constexpr std::int64_t nothing = -1;

std::int64_t small_below_now(Collective collective) {
  return small_below[static_cast<std::size_t>(collective)].load(std::memory_order_relaxed);
}

}  // namespace

bool is_little(Collective collective, std::int64_t bytes) {
  if (small_below_now(collective) == unknown) prepare_glances();
  return bytes < small_below_now(collective);
}

bool is_small(Collective collective, const Amount& amount, MPI_Comm comm) {
  if (amount.items <= 0 || amount.type == MPI_DATATYPE_NULL) return false;
  int item_bytes = 0;
  return pmpi.Type_size(amount.type, &item_bytes) == MPI_SUCCESS && item_bytes >= 0 &&
         is_little(collective, amount.items * item_bytes) && !is_try_out_due(comm);
}

void prepare_glances() {
  for (std::size_t each = 0; each < collective_count; ++each) {
    const std::int64_t least =
        settings().takes_notes ? 0 : native_below(static_cast<Collective>(each), settings());
    small_below[each].store(least > 0 ? least : nothing, std::memory_order_relaxed);
  }
}

}  // namespace rota::mpi
