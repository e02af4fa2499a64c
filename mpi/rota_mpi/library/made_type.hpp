// Datatypes that Rota makes and frees.
#pragma once

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// A datatype of Rota's own making, freed with this object.
class MadeType {
 public:
  explicit MadeType(MPI_Datatype type) : type_(type) {}
  MadeType(MadeType&& other) noexcept : type_(other.type_) { other.type_ = MPI_DATATYPE_NULL; }
  MadeType& operator=(MadeType&&) = delete;
  MadeType(const MadeType&) = delete;
  MadeType& operator=(const MadeType&) = delete;
  ~MadeType() {
    if (type_ != MPI_DATATYPE_NULL) pmpi.Type_free(&type_);
  }

  MPI_Datatype handle() const { return type_; }

 private:
  MPI_Datatype type_;
};

}  // namespace rota::mpi
