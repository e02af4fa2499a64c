#include "rota_mpi/play/waiting.hpp"

#include <fstream>
#include <sstream>

namespace rota::mpi {

double waiting_part_of(const std::string& schedstat) {
  double ran = 0;
  double waited = 0;
  std::istringstream numbers(schedstat);
  if (!(numbers >> ran >> waited) || ran + waited <= 0) return 1;
  return waited / (ran + waited);
}

double waiting_part() {
  std::string told;
  std::ifstream file("/proc/thread-self/schedstat");
  std::getline(file, told);
  return waiting_part_of(told);
}

}  // namespace rota::mpi
