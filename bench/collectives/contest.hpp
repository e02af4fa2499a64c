// A collective on data of one size, natively and by Rota on the same buffers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "shares.hpp"

namespace rota::bench {

/// What a collective is measured on. `bytes` is all its data: m in "m bytes in all, own share m_r"; in an
/// all-to-many, what the busiest rank sends or receives.
struct Problem {
  int bytes = 0;
  Shape shape = Shape::regular;
  int rank = 0;
  int ranks = 1;
  int first_group = 0;  // between two groups: the ranks of the one that sends
};

/// What one rank has for another.
struct Message {
  int from = 0;
  int to = 0;
  std::int64_t bytes = 0;
};

/// The data that a contest really has: items are not cut, and blocks of one size are all there or none.
struct Load {
  std::int64_t bytes = 0;
  std::vector<std::int64_t> share_bytes;  // by rank; empty for collectives whose data belongs to no rank
  std::vector<Message> messages{};        // of an all-to-many; NOLINT(readability-redundant-member-init)
};

/// Both ways of a call. `reset` makes the buffers such that `correct` is false until a call has filled them
/// (true on ranks that get no result).
struct Contest {
  Load load;
  std::function<void()> native;
  std::function<void()> rota;
  std::function<void()> reset;
  std::function<bool()> correct;
};

/// The contest of two functions on buffers that know how to call either.
template <class Buffers, class Call>
Contest contest_on(Buffers buffers, Call* native, Call* rota) {
  const auto shared = std::make_shared<Buffers>(std::move(buffers));
  return {shared->load(), [shared, native] { shared->call(native); }, [shared, rota] { shared->call(rota); },
          [shared] { shared->reset(); }, [shared] { return shared->correct(); }};
}

Contest bcast(const Problem& problem);
Contest reduce(const Problem& problem);
Contest allreduce(const Problem& problem);
Contest scan(const Problem& problem);
Contest exscan(const Problem& problem);
Contest allgather(const Problem& problem);
Contest allgatherv(const Problem& problem);
Contest reduce_scatter(const Problem& problem);
Contest reduce_scatter_block(const Problem& problem);
Contest alltoall(const Problem& problem);
Contest alltoallv(const Problem& problem);
Contest inter_allgather(const Problem& problem);
Contest inter_allgather_both_ways(const Problem& problem);

/// A collective by the name that MPI gives it, in small letters.
struct Named {
  std::string_view name;
  Contest (*contest)(const Problem&);
  std::span<const Shape> shapes;  // more than one, or there is nothing to choose
  bool has_groups = false;
};

/// The collective of that name, or nullptr.
const Named* find_collective(std::string_view name);

}  // namespace rota::bench
