// Calls that return at once cannot be tried: nobody sees when one of the MPI library's own is over, and ranks may not wait for each other
// before one. So where no call of the program's that blocks shows what is to be gained, some are made in between, like those of the
// program's but with nobody's data: a *try-out*, in the next call that blocks on the communicator, whichever that is.
//
//   at once   i i i i i ... i   i i i i i i ............ i       i: natively, until a schedule was seen to gain
//   blocking                  b                            b
//                             +-- N S N                    +-- S N   like i
//
// Of so many calls at once of one collective and about one size there is at most one such call for each hundred, and one try-out. All
// ranks of a communicator have started as many when they come to a call that blocks, so they have the same try-outs due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "rota_mpi/decide/call.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// A call that blocks, like one of the program's.
struct TryOut {
  std::int64_t memory_bytes = 0;                  // that it reads and writes
  std::function<int(MPI_Comm, std::byte*)> make;  // returns MPI's code; none: there is no such call

  explicit operator bool() const { return make != nullptr; }
};

/// The calls at once of one collective and about one size.
struct StartedCalls {
  Call latest;
  TryOut like_it;
  std::int64_t calls = 0;
  std::int64_t calls_before = 0;  // the latest try-out
  std::int64_t due_at = 0;        // so many calls
};

/// Of one communicator. Local.
class TryOuts {
 public:
  TryOuts() = default;
  TryOuts(TryOuts&& other) noexcept { *this = std::move(other); }
  TryOuts& operator=(TryOuts&& other) noexcept;
  ~TryOuts();

  /// One more call at once; `like_it()` is its try-out.
  template <class LikeIt>
  void count(const Call& call, const LikeIt& like_it) {
    StartedCalls& started = of(call);
    if (started.calls == 0) started.like_it = like_it();
    count(started, call);
  }

  bool is_any_due() const { return due_ > 0; }
  /// One that is due, and from now on no more; nullptr: none is.
  StartedCalls* take_due();
  /// Its try-out was made, in so many calls: after enough others there will be one again.
  static void made(StartedCalls& started, std::int64_t calls);

 private:
  using Key = std::pair<Collective, int>;  // the class of its size

  StartedCalls& of(const Call& call);
  void count(StartedCalls& started, const Call& call);
  void change_due(std::int64_t by);

  std::map<Key, StartedCalls> started_;
  std::int64_t due_ = 0;
};

/// Is any due, on whatever communicator of this process? May be asked by any thread.
bool is_any_try_out_due();

}  // namespace rota::mpi
