#include "named_values.hpp"

#include "callbacks.hpp"

namespace rota::programs {

namespace {

/// Fortran's types are missing in some builds of MPI libraries.
MPI_Datatype available(MPI_Datatype type, MPI_Datatype otherwise) {
  int size = 0;
  if (type == MPI_DATATYPE_NULL) return otherwise;
  return MPI_Type_size(type, &size) == MPI_SUCCESS && size > 0 ? type : otherwise;
}

}  // namespace

#define ROTA_NAMED(value) {#value, value}

const Names<MPI_Datatype>& named_types() {
  static const Names<MPI_Datatype> all{ROTA_NAMED(MPI_INT),
                                       ROTA_NAMED(MPI_INT32_T),
                                       ROTA_NAMED(MPI_DOUBLE),
                                       ROTA_NAMED(MPI_BYTE),
                                       ROTA_NAMED(MPI_SHORT),
                                       ROTA_NAMED(MPI_INT16_T),
                                       ROTA_NAMED(MPI_LONG),
                                       ROTA_NAMED(MPI_INT64_T),
                                       ROTA_NAMED(MPI_FLOAT),
                                       ROTA_NAMED(MPI_2INT),
                                       ROTA_NAMED(MPI_UINT32_T),
                                       ROTA_NAMED(MPI_CHAR),
                                       ROTA_NAMED(MPI_DATATYPE_NULL),
                                       {"MPI_INTEGER2", available(MPI_INTEGER2, MPI_SHORT)},
                                       {"MPI_INTEGER4", available(MPI_INTEGER4, MPI_INT)},
                                       {"MPI_INTEGER8", available(MPI_INTEGER8, MPI_LONG)},
                                       {"MPI_REAL", available(MPI_REAL, MPI_FLOAT)},
                                       {"MPI_REAL4", available(MPI_REAL4, MPI_FLOAT)},
                                       {"MPI_REAL8", available(MPI_REAL8, MPI_DOUBLE)},
                                       {"MPI_DOUBLE_PRECISION", available(MPI_DOUBLE_PRECISION, MPI_DOUBLE)},
                                       {"MPI_2INTEGER", available(MPI_2INTEGER, MPI_2INT)}};
  return all;
}

const Names<MPI_Op>& named_ops() {
  static const Names<MPI_Op> all{ROTA_NAMED(MPI_SUM),    ROTA_NAMED(MPI_MAX),    ROTA_NAMED(MPI_MIN),
                                 ROTA_NAMED(MPI_BXOR),   ROTA_NAMED(MPI_BAND),   ROTA_NAMED(MPI_BOR),
                                 ROTA_NAMED(MPI_LAND),   ROTA_NAMED(MPI_LOR),    ROTA_NAMED(MPI_LXOR),
                                 ROTA_NAMED(MPI_MAXLOC), ROTA_NAMED(MPI_MINLOC), ROTA_NAMED(MPI_OP_NULL)};
  return all;
}

const Names<int>& named_numbers() {
  static const Names<int> all{ROTA_NAMED(MPI_ROOT), ROTA_NAMED(MPI_PROC_NULL), ROTA_NAMED(MPI_ANY_SOURCE),
                              ROTA_NAMED(MPI_ANY_TAG), ROTA_NAMED(MPI_UNDEFINED)};
  return all;
}

const Names<void*>& named_pointers() {
  static const Names<void*> all{{"NULL", nullptr}, ROTA_NAMED(MPI_IN_PLACE), ROTA_NAMED(MPI_BOTTOM)};
  return all;
}

const Names<MPI_Comm_copy_attr_function*>& copying_functions() {
  static const Names<MPI_Comm_copy_attr_function*> all{ROTA_NAMED(copy_next), ROTA_NAMED(MPI_COMM_DUP_FN),
                                                       ROTA_NAMED(MPI_COMM_NULL_COPY_FN)};
  return all;
}

const Names<MPI_Comm_delete_attr_function*>& deleting_functions() {
  static const Names<MPI_Comm_delete_attr_function*> all{ROTA_NAMED(delete_counted),
                                                         ROTA_NAMED(delete_reducing)};
  return all;
}

const Names<MPI_Comm_errhandler_function*>& handling_functions() {
  static const Names<MPI_Comm_errhandler_function*> all{ROTA_NAMED(count_errors),
                                                        ROTA_NAMED(count_more_errors)};
  return all;
}

const Names<MPI_User_function*>& combining_functions() {
  static const Names<MPI_User_function*> all{ROTA_NAMED(add_pairs), ROTA_NAMED(compose_maps)};
  return all;
}

}  // namespace rota::programs
