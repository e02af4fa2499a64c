// The collectives whose overlap is measured: natively and by Rota, blocking and returning at once, on data that can be checked.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

namespace rota::bench {

/// Item i of rank r is r + i in all that is combined: their sum over so many ranks.
inline long sum_of_items(int ranks, int i) { return long{ranks} * i + long{ranks} * (ranks - 1) / 2; }

/// One library's forms of a collective, on the same data.
struct Forms {
  std::function<void()> block;
  std::function<void(MPI_Request*)> start;
};

struct Measured {
  std::string name;
  Forms native;
  Forms rota;
  std::function<void()> reset;    // before a call that is checked
  std::function<bool()> correct;  // is this rank's result right after it?
};

/// Five collectives of so many bytes in all, on MPI_COMM_WORLD; they share memory, which stays as long as
/// what is returned.
std::vector<Measured> measured_calls(std::size_t bytes);

}  // namespace rota::bench
