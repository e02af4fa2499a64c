// How long ranks that wait may sleep: a share of a round, and not at all where the system's own sleep is longer than that.
#include <exception>
#include <iostream>

#include "require.hpp"
#include "rota_mpi/play/nap.hpp"

namespace {

using namespace rota;
using namespace rota::mpi;
using namespace std::chrono_literals;

void are_a_share_of_a_round() {
  require(nap_after(1, 2400us, 50us) == 400us, "a sixth of a round");
  require(nap_after(100, 240ms, 50us) == 400us, "of the mean of all rounds so far");
  require(nap_after(100, 24ms, 0us) == 40us, "whatever rounds take");
}

void are_none_where_they_would_be_late() {
  require(nap_after(0, 100ms, 50us) == 0us, "nobody knows what a round takes");
  require(nap_after(100, 29ms, 50us) == 0us, "the system would sleep longer than that");
  require(nap_after(100, 30ms, 50us) == 50us, "as long as the system's slack is just short enough");
}

}  // namespace

int main() try {
  are_a_share_of_a_round();
  are_none_where_they_would_be_late();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
