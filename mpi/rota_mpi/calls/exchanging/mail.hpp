// The packed bytes of an all-to-many call's messages, range by range, where the call's arguments have them.
#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "rota_mpi/calls/exchanging/sides.hpp"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/data/layout.hpp"
#include "rota_mpi/decide/part.hpp"

namespace rota::mpi {

/// What one rank sends and receives. A message that does not lie packed has a staging buffer from its first
/// range on. Errors: MpiError, std::bad_alloc.
class Mail {
 public:
  Mail(const AllToManyCall& call, const Self& self, const Place& place);

  /// What is in the call's buffers now is to be sent: copies what the rank has for itself; of a call in
  /// place, copies all, for what arrives takes its place.
  void start();

  /// The bytes of a range to be sent; they stay where they are.
  const std::byte* outgoing(const Transfer& transfer);

  /// Room for a range to be received; `received`: it is there.
  std::byte* incoming(const Transfer& transfer);
  void received(const Transfer& transfer);

 private:
  using Messages = std::unordered_map<Rank, std::unique_ptr<Layout>>;

  void make_staging();
  void stage();

  const AllToManyCall& call_;
  Self self_;
  Place place_;
  std::unique_ptr<std::byte[]> staged_;  // of a call in place: all messages to others, packed,
  std::vector<std::int64_t> begins_;     // and where each begins
  Messages outgoing_;
  Messages incoming_;
};

}  // namespace rota::mpi
