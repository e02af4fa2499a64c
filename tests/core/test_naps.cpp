// How long ranks that wait may sleep: a share of what a round takes on links, and none where nobody knows how slow these are.
#include <cmath>
#include <exception>
#include <iostream>

#include "require.hpp"
#include "rota_mpi/decide/nap.hpp"

namespace {

using namespace rota;
using namespace rota::mpi;
using namespace std::chrono_literals;

constexpr Nanoseconds slack = 50us;
constexpr double kibibyte = 1024;

void are_a_third_of_a_round() {
  const double bytes = 60 * kibibyte;
  // The fastest of slow links carry 316 Mbit/s, 39.5 MB/s.
  const double least_s = bytes / 39.5e6;
  const Nanoseconds one = nap_of(bytes, 1, Pace::slow, slack);
  require(std::abs(std::chrono::duration<double>(one).count() - least_s / 3) < 1e-6, "of one round");
  require(nap_of(100 * bytes, 100, Pace::slow, slack) == one, "of each of many");
}

void all_together_take_no_longer_than_the_links() {
  for (const Pace pace : {Pace::slow, Pace::medium}) {
    for (const Round rounds : {1, 7, 1000}) {
      for (double bytes = 1; bytes < 1e10; bytes *= 3) {
        const std::chrono::duration<double> nap = nap_of(bytes, rounds, pace, slack);
        require(3 * static_cast<double>(rounds) * nap.count() <= bytes * least_seconds_per_byte(pace),
                "three a round");
      }
    }
  }
}

void are_none_where_they_would_be_late() {
  for (const Pace pace : {Pace::unknown, Pace::fast})
    require(nap_of(1e9, 1, pace, slack) == 0ns, "nobody knows how slow links are");
  require(nap_of(60 * kibibyte, 1, Pace::medium, slack) == 0ns, "the system sleeps about as long");
  require(nap_of(60 * kibibyte, 1, Pace::medium, 1us) > 0ns, "where it does not, they are");
  require(nap_of(0, 10, Pace::slow, slack) == 0ns && nap_of(100, 0, Pace::slow, slack) == 0ns,
          "nothing passes the links");
}

void are_short_enough_for_sockets() {
  const Nanoseconds longest = nap_of(1e9, 1, Pace::slow, slack);
  require(longest < 2ms, "what passes meanwhile must lie somewhere");
  require(longest == nap_of(1e8, 1, Pace::slow, slack), "however long messages are");
}

}  // namespace

int main() try {
  are_a_third_of_a_round();
  all_together_take_no_longer_than_the_links();
  are_none_where_they_would_be_late();
  are_short_enough_for_sockets();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
