#include "rota_mpi/dense.hpp"

namespace rota::mpi {

namespace {

bool has_no_gaps(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(PMPI_Type_get_extent(type, &lower_bound, &extent));
  return lower_bound == 0 && extent == static_cast<MPI_Aint>(size_of(type));
}

struct Envelope {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
};

Envelope envelope(MPI_Datatype type) {
  Envelope result;
  check(PMPI_Type_get_envelope(type, &result.integers, &result.addresses, &result.types, &result.combiner));
  return result;
}

/// The one type that a contiguous type or a duplicate is made of. MPI hands out a new handle of it, to be
/// freed if it is derived itself.
class Inner {
 public:
  explicit Inner(MPI_Datatype outer) {
    int integer = 0;
    check(PMPI_Type_get_contents(outer, envelope(outer).integers, 0, 1, &integer, nullptr, &type_));
  }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;
  ~Inner() {
    if (envelope(type_).combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&type_);
  }

  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

bool is_dense(MPI_Datatype type) {
  if (!has_no_gaps(type)) return false;
  switch (envelope(type).combiner) {
    case MPI_COMBINER_NAMED:
      return true;
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_DUP:
      return is_dense(Inner(type).type());
    default:
      return false;
  }
}

}  // namespace rota::mpi
