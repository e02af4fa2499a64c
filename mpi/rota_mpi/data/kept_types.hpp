// Datatypes that the program may free while Rota still needs them.
#pragma once

#include <map>
#include <vector>

#include "rota_mpi/library/made_type.hpp"

namespace rota::mpi {

class KeptTypes {
 public:
  /// In place of a type that the program may free comes one of the same items, which stays as long as this
  /// object. No duplicate: for that MPI would call the program's attribute functions. Throws MpiError,
  /// std::bad_alloc.
  void keep(MPI_Datatype& type);

  /// The same of a type for which operators are defined, as they are for its duplicates only.
  void keep_for_operator(MPI_Datatype& type) { keep_as(pmpi.Type_dup, type); }

 private:
  static int single(MPI_Datatype type, MPI_Datatype* made) { return pmpi.Type_contiguous(1, type, made); }
  void keep_as(int (*same)(MPI_Datatype, MPI_Datatype*), MPI_Datatype& type);

  std::vector<MadeType> made_;
  std::map<MPI_Datatype, MPI_Datatype> singles_;  // of the program's types, as they are named in one call
};

}  // namespace rota::mpi
