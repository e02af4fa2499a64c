// The operators of reductions: MPI's own, and a user's, which commute or do not.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <string_view>

#include "case.hpp"
#include "elements.hpp"

#if MPI_VERSION >= 4
// Null in libraries of MPI 3, which have the same ABI; not called then (reason_to_skip).
#pragma weak MPI_Op_create_c
#endif

namespace rota::check {

/// By name. The user's are for `matrix` and `uint64` (as a pair of 32-bit numbers), in every shape: user_add
/// adds without carries; user_product multiplies matrices, composes affine maps x -> a x + b, and does not
/// commute.
constexpr std::array<std::string_view, 14> operator_names{
    "sum",  "prod", "max",  "min",    "land",   "lor",      "lxor",
    "band", "bor",  "bxor", "minloc", "maxloc", "user_add", "user_product"};

bool is_user_operator(std::string_view op);

/// Does MPI define the operator for the element; is it one that the user's work on? False if there is no such
/// operator.
bool is_defined(std::string_view op, const Element& element);

/// The operator of a reduction, freed with this object if it was made for it.
class Operator {
 public:
  explicit Operator(const Case& c);
  ~Operator();
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  MPI_Op handle() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
  bool is_made_ = false;
};

}  // namespace rota::check
