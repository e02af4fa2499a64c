#include "exclusions.hpp"

#include <mpi.h>

#include "elements.hpp"
#include "operators.hpp"

namespace rota::check {

namespace {

/// Would the MPI library refuse the operator on this type, which the standard defines?
bool is_missing(const Case& c) {
  if (!is_reduction(c) || is_user_operator(c.op)) return false;
  const Operator op(c);
  alignas(16) unsigned char left[64] = {};
  alignas(16) unsigned char right[64] = {};
  return MPI_Reduce_local(left, right, 1, find_element(c.type).type, op.handle()) != MPI_SUCCESS;
}

}  // namespace

std::string reason_to_skip(const Case& c, int provided_threads) {
  if (!is_available(find_element(c.type))) return "this MPI has no " + c.type;
  if (c.threads && provided_threads < MPI_THREAD_MULTIPLE) return "this MPI has no MPI_THREAD_MULTIPLE";
#if MPI_VERSION < 4
  if (c.large || c.large_op) return "this MPI has no large counts";
#endif
  if (is_missing(c)) return "this MPI has no " + c.op + " of " + c.type;
  return "";
}

}  // namespace rota::check
