#include "rota_mpi/way/unserved.hpp"

namespace rota::mpi {

namespace {

/// Links that ranks share carry less for each of them: without hosts a bound would be none.
bool needs_hosts(const Problem& problem) {
  return settings().takes_notes && problem.hosts == nullptr && !is_inter_group(problem.collective);
}

}  // namespace

Served unserved(const Decision& decision, MPI_Comm comm) {
  Served served = served_by(decision.call, decision.choice);
  Problem& problem = served.call.problem;
  if (needs_hosts(problem) && !is_out_of_reach(comm)) problem.hosts = hosts_known_of(comm);
  return served;
}

}  // namespace rota::mpi
