#include "rota_mpi/communicators/boxes_on_hosts.hpp"

#include <atomic>
#include <optional>
#include <utility>

#include "rota_mpi/communicators/pausing.hpp"

namespace rota::mpi {

namespace {

// Each may come to 2 MiB for a rank: not for each of a program's thousand communicators.
constexpr int most_boxes = 16;
std::atomic<int> boxes_here = 0;

void tell(Rank to, const SharedAddress& address, const Channel& channel) {
  check_own(pmpi.Send(&address, sizeof address, MPI_BYTE, channel.peer(to), channel.tag(), channel.comm()));
}

SharedAddress told_by(Rank from, const Channel& channel) {
  SharedAddress address{};
  MPI_Request request = MPI_REQUEST_NULL;
  check_own(pmpi.Irecv(&address, sizeof address, MPI_BYTE, channel.peer(from), channel.tag(), channel.comm(),
                       &request));
  check_own(wait_for(request));
  return address;
}

}  // namespace

void EndBoxes::operator()(Boxes* boxes) const {
  delete boxes;
  --boxes_here;
}

OwnBoxes boxes_on(const Hosts& hosts, Rank rank, const Channel& channel,
                  const std::function<std::int64_t(std::int64_t)>& most) {
  const auto& here = hosts.ranks[static_cast<std::size_t>(hosts.of_rank[static_cast<std::size_t>(rank)])];
  const std::size_t bytes = Boxes::bytes_among(here.size());
  const bool is_alone = here.size() == 1;
  std::optional<OfferedMemory> offered;
  std::optional<SharedMemory> memory;
  if (!is_alone && rank == here.front()) {
    memory = offered.emplace(bytes).take();
    for (std::size_t i = 1; i < here.size(); ++i) tell(here[i], offered->address(), channel);
  } else if (!is_alone) {
    memory = shared_memory_at(told_by(here.front(), channel), bytes);
  }
  const bool has_enough = boxes_here >= most_boxes;
  const bool lacks_memory = !is_alone && (has_enough || !memory);
  if (most(lacks_memory ? 1 : 0) != 0 || !memory) return nullptr;
  OwnBoxes result(new Boxes(std::move(*memory), here, rank));
  ++boxes_here;
  return result;
}

}  // namespace rota::mpi
