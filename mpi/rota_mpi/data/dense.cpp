#include "rota_mpi/data/dense.hpp"

namespace rota::mpi {

namespace {

bool has_no_gaps(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(pmpi.Type_get_extent(type, &lower_bound, &extent));
  return lower_bound == 0 && extent == static_cast<MPI_Aint>(size_of(type));
}

/// How a type was made, and of how many arguments of each kind.
struct Origin {
  int combiner = 0;
  MPI_Count integers = 0;
  MPI_Count large_counts = 0;
};

#if MPI_VERSION >= 4
Origin origin(MPI_Datatype type) {
  Origin result;
  MPI_Count addresses = 0;
  MPI_Count types = 0;
  check(pmpi.Type_get_envelope_c(type, &result.integers, &addresses, &result.large_counts, &types,
                                 &result.combiner));
  return result;
}

/// The one type that a contiguous type or a duplicate is made of.
MPI_Datatype inner_type(MPI_Datatype outer, const Origin& made) {
  int integer = 0;
  MPI_Count large_count = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(pmpi.Type_get_contents_c(outer, made.integers, 0, made.large_counts, 1, &integer, nullptr,
                                 &large_count, &inner));
  return inner;
}
#else
Origin origin(MPI_Datatype type) {
  Origin result;
  int integers = 0;
  int addresses = 0;
  int types = 0;
  check(pmpi.Type_get_envelope(type, &integers, &addresses, &types, &result.combiner));
  result.integers = integers;
  return result;
}

/// The one type that a contiguous type or a duplicate is made of.
MPI_Datatype inner_type(MPI_Datatype outer, const Origin& made) {
  int integer = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(pmpi.Type_get_contents(outer, static_cast<int>(made.integers), 0, 1, &integer, nullptr, &inner));
  return inner;
}
#endif

/// Of derived types MPI hands out new handles, to be freed; of predefined ones not.
bool is_inner_dense(MPI_Datatype outer, const Origin& made) {
  MPI_Datatype inner = inner_type(outer, made);
  const bool dense = is_dense(inner);
  if (is_derived(inner)) check(pmpi.Type_free(&inner));
  return dense;
}

}  // namespace

bool is_derived(MPI_Datatype type) {
  const int combiner = origin(type).combiner;
  return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
         combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER;
}

bool is_dense(MPI_Datatype type) {
  if (!has_no_gaps(type)) return false;
  const Origin made = origin(type);
  switch (made.combiner) {
    case MPI_COMBINER_NAMED:
      return true;
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_DUP:
      return is_inner_dense(type, made);
    default:
      return false;
  }
}

}  // namespace rota::mpi
