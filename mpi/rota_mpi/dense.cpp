#include "rota_mpi/dense.hpp"

namespace rota::mpi {

namespace {

bool has_no_gaps(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(type, &lower_bound, &extent));
  return lower_bound == 0 && extent == static_cast<MPI_Aint>(size_of(type));
}

/// How a type was made.
struct Origin {
  int combiner = 0;
  int integers = 0;        // of the arguments it was made with
  bool has_large = false;  // were any of them large counts, which only the large calls can read back?
};

Origin origin(MPI_Datatype type) {
  Origin result;
#if MPI_VERSION >= 4
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count large = 0;
  MPI_Count types = 0;
  check(PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &result.combiner));
  result.integers = static_cast<int>(integers);
  result.has_large = large > 0;
#else
  int addresses = 0;
  int types = 0;
  check(PMPI_Type_get_envelope(type, &result.integers, &addresses, &types, &result.combiner));
#endif
  return result;
}

/// Of derived types MPI hands out new handles, to be freed; of predefined ones, those of Fortran's precisions
/// among them, not.
bool is_derived(int combiner) {
  return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
         combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER;
}

/// Is the one type dense that a contiguous type or a duplicate is made of?
bool is_inner_dense(MPI_Datatype outer, int integers) {
  int integer = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(PMPI_Type_get_contents(outer, integers, 0, 1, &integer, nullptr, &inner));
  const bool dense = is_dense(inner);
  if (is_derived(origin(inner).combiner)) check(PMPI_Type_free(&inner));
  return dense;
}

}  // namespace

bool is_dense(MPI_Datatype type) {
  if (!has_no_gaps(type)) return false;
  const Origin made = origin(type);
  if (made.has_large) return false;
  switch (made.combiner) {
    case MPI_COMBINER_NAMED:
      return true;
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_DUP:
      return is_inner_dense(type, made.integers);
    default:
      return false;
  }
}

}  // namespace rota::mpi
