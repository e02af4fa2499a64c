#include "rota_mpi/play/execute.hpp"

#include <thread>
#include <utility>

namespace rota::mpi {

void execute(Execution execution, Store& store) {
  UnderWay under_way(std::move(execution), store);
  // Where ranks outnumber cores, whoever has nothing to do makes way for those that it waits for.
  while (!under_way.advance()) std::this_thread::yield();
}

}  // namespace rota::mpi
