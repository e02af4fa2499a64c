#include "exclusions.hpp"

#include <mpi.h>

#include <string>
#include <string_view>

#include "elements.hpp"
#include "operators.hpp"
#include "served.hpp"

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

bool library_is(std::string_view name) {
  static const std::string version = [] {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    return std::string(text);
  }();
  return version.starts_with(name);
}

bool is_power_of_two(int number) { return (number & (number - 1)) == 0; }

bool is_scattering(const Case& c) { return c.call.starts_with("reduce_scatter"); }

/// MPICH 5.0.2 and Open MPI 5.0.11: temporary buffers of reductions have count * extent bytes, so that the
/// heap is overwritten where the extent is negative; crashes, hangs and wrong results.
bool is_backward_reduction(const Case& c) { return is_reduction(c) && c.layout == "backward"; }

/// Open MPI 5.0.11: so it is in Bruck's allgather, which it takes for small data.
bool is_backward_allgather(const Case& c) {
  return library_is("Open MPI") && c.call == "allgather" && c.receive == "backward";
}

/// Open MPI 5.0.11 spoils an element of 32 bytes in a derived type where a part of a message ends within it.
bool is_cut_within_element(const Case& c) {
  const bool is_derived = c.receive != "plain" || c.types == "mixed";
  return library_is("Open MPI") && !is_reduction(c) && is_derived && find_element(c.type).extent == 32;
}

/// Open MPI 5.0.11 forgets the displacements where a rank is alone.
bool is_alltoallw_alone(const Case& c, int ranks) {
  return library_is("Open MPI") && c.call == "alltoallw" && ranks == 1;
}

/// MPICH 5.0.2: the algorithm for operators that do not commute, taken where equal counts meet 2^k ranks,
/// takes an item for its size in bytes: types with gaps overwrite the heap.
bool is_scattering_in_order(const Case& c, int ranks) {
  const bool is_dense = c.layout == "plain" || c.layout == "tight";
  return library_is("MPICH") && is_scattering(c) && c.op == "user_product" && !is_dense &&
         is_power_of_two(ranks);
}

/// MPICH 5.0.2 packs numbers of sixteen bytes in derived types as if they were long doubles, of which ten
/// bytes count; and so do all who let it pack.
bool is_packed_wrongly(const Case& c) {
  const bool is_quadruple =
      c.type == "integer16" || c.type == "logical16" || c.type == "real16" || c.type == "complex32";
  const bool is_derived = c.layout != "plain" || c.receive != "plain" || c.types == "mixed";
  return library_is("MPICH") && is_quadruple && is_derived;
}

/// MPICH 5.0.2 and Open MPI 5.0.11: so it is in their allgathers between two groups, which hang or abort.
bool is_backward_between(const Case& c) {
  return is_between(c.comm) && c.call.starts_with("allgather") &&
         (c.layout == "backward" || c.receive == "backward");
}

/// MPICH 5.0.2: its allgather between two groups refuses pairs with a gap in them, or hangs, once the data
/// are more than some kilobytes.
bool is_gap_between(const Case& c) {
  const Element& element = find_element(c.type);
  const bool has_gap =
      element.kind == Kind::pair && element.parts[0].bytes + element.parts[1].bytes < element.extent;
  return library_is("MPICH") && is_between(c.comm) && c.call == "allgather" && has_gap;
}

/// Would Rota have to call what is at fault, on any rank?
bool is_beyond_native(const Case& c, MPI_Comm comm) {
  const bool mine = comm != MPI_COMM_NULL && is_native_at_fault(c, size_of(comm)) && !is_served(c, comm);
  const int flag = mine ? 1 : 0;
  int any = 0;
  MPI_Allreduce(&flag, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

bool has_large_counts() {
#if MPI_VERSION >= 4
  return &MPI_Op_create_c != nullptr;
#else
  return false;
#endif
}

}  // namespace

bool is_native_at_fault(const Case& c, int ranks) {
  return is_backward_reduction(c) || is_backward_allgather(c) || is_backward_between(c) ||
         is_gap_between(c) || is_alltoallw_alone(c, ranks) || is_cut_within_element(c) ||
         is_scattering_in_order(c, ranks);
}

std::string reason_to_skip(const Case& c, const Communicators& communicators, int provided_threads) {
  if (!is_available(find_element(c.type))) return "this MPI has no " + c.type;
  if (c.threads && provided_threads < MPI_THREAD_MULTIPLE) return "this MPI has no MPI_THREAD_MULTIPLE";
  if ((c.large || c.large_op) && !has_large_counts()) return "this MPI has no large counts";
  if (is_missing(c)) return "this MPI has no " + c.op + " of " + c.type;
  if (is_packed_wrongly(c) || is_beyond_native(c, communicators.get(c.comm)))
    return "known faults of this MPI";
  return "";
}

}  // namespace rota::check
