#include "rota_mpi/communicators/channel.hpp"

#include <numeric>
#include <random>
#include <utility>

namespace rota::mpi {

namespace {

bool are_in_place(const std::vector<Rank>& ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != static_cast<Rank>(i)) return false;
  }
  return true;
}

/// A number that no two processes come to but by a chance of 1 to 2^63.
Ticket random_number() {
  std::random_device device;
  const auto high = static_cast<std::uint64_t>(device());
  return static_cast<Ticket>((high << 32U | device()) >> 1U);
}

}  // namespace

Channel::Channel(World& world, std::vector<Rank> world_ranks, int tag, bool is_leader)
    : comm_(world.comm),
      own_(world.rank),
      tag_(tag),
      self_{world.self, 0, tag},
      given_back_to_(is_leader ? &world : nullptr) {
  if (!are_in_place(world_ranks)) peers_ = std::move(world_ranks);
}

Channel::Channel(const Channel& beside, World& world, int tag, bool is_leader)
    : comm_(world.comm),
      own_(world.rank),
      tag_(tag),
      self_{world.self, 0, tag},
      peers_(beside.peers_),
      given_back_to_(is_leader ? &world : nullptr) {}

Channel::Channel(MPI_Comm own) : comm_(own), self_{own, 0, 0}, is_own_(true) {
  check_own(pmpi.Comm_rank(own, &own_));
  self_.rank = own_;
}

Channel::~Channel() {
  if (given_back_to_ != nullptr) given_back_to_->tags.give_back(tag_);
  if (is_own_) pmpi.Comm_free(&comm_);
}

/// By asking for a message of this rank's own, which nobody sends. Not on self(): of a communicator of one
/// rank MPICH knows that nothing can come from elsewhere, and does nothing else either.
void Channel::make_progress() const {
  int is_there = 0;
  check_own(pmpi.Iprobe(own_, tag_, comm_, &is_there, MPI_STATUS_IGNORE));
}

Ticket new_ticket() {
  World* const here = world();
  return here != nullptr ? here->tags.take() : random_number();
}

MPI_Comm communicator_of([[maybe_unused]] const MpiGroup& group, [[maybe_unused]] Ticket ticket) {
  MPI_Comm result = MPI_COMM_NULL;
#ifdef ROTA_HAS_SESSIONS
  if (pmpi.Comm_create_from_group == nullptr) return result;
  const std::string name = "rota:" + std::to_string(ticket);
  if (pmpi.Comm_create_from_group(group.get(), name.c_str(), MPI_INFO_NULL, MPI_ERRORS_RETURN, &result) !=
      MPI_SUCCESS)
    return MPI_COMM_NULL;
  check_own(pmpi.Comm_set_errhandler(result, MPI_ERRORS_RETURN));
#endif
  return result;
}

MPI_Comm communicator_of_one(const MpiGroup& group) { return communicator_of(group, random_number()); }

}  // namespace rota::mpi
