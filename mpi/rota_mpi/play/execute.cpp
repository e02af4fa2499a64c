#include "rota_mpi/play/execute.hpp"

#include <utility>

namespace rota::mpi {

void execute(Execution execution, Store& store) {
  Scratch scratch;
  UnderWay under_way(std::move(execution), store, scratch);
  while (!under_way.advance()) under_way.wait();
}

}  // namespace rota::mpi
