#include "rota_mpi/way/unserved.hpp"

#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

Served unserved(const Decision& decision, MPI_Comm comm) {
  Served served = served_by(decision.call, decision.choice);
  // Links that ranks share carry less for each of them: without hosts the bound would be none.
  std::shared_ptr<const Hosts>& hosts = served.call.problem.hosts;
  if (settings().takes_notes && hosts == nullptr) hosts = hosts_known_of(comm);
  return served;
}

}  // namespace rota::mpi
