#include "operators.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "shapes.hpp"

namespace rota::check {

namespace {

// What the user's operators compute with. All numbers are modulo 2^32, so that every order of combining is exact.
using Matrix = std::array<std::uint32_t, 4>;  // by rows
using Affine = std::array<std::uint32_t, 2>;  // x -> a x + b

struct Add {
  template <class Value>
  static Value combined(const Value& left, const Value& right) {
    Value result{};
    std::transform(left.begin(), left.end(), right.begin(), result.begin(), std::plus<>());
    return result;
  }
};

struct Product {
  static Matrix combined(const Matrix& left, const Matrix& right) {
    return {left[0] * right[0] + left[1] * right[2], left[0] * right[1] + left[1] * right[3],
            left[2] * right[0] + left[3] * right[2], left[2] * right[1] + left[3] * right[3]};
  }
  static Affine combined(const Affine& left, const Affine& right) {
    return {left[0] * right[0], left[0] * right[1] + left[1]};
  }
};

/// right = left op right. Elements may lie at any address.
template <class Value, class Combine>
void combine_element(const unsigned char* left, unsigned char* right) {
  Value left_value{};
  Value right_value{};
  std::memcpy(&left_value, left, sizeof left_value);
  std::memcpy(&right_value, right, sizeof right_value);
  right_value = Combine::combined(left_value, right_value);
  std::memcpy(right, &right_value, sizeof right_value);
}

/// A user's function as MPI calls it, for items of one shape.
template <class Value, class Combine, std::size_t shape, class Count>
void combine_items(void* left, void* right, Count* count, MPI_Datatype*) {
  constexpr const Shape& s = shapes[shape];
  constexpr std::ptrdiff_t extent = s.extent.with(sizeof(Value));
  for (std::ptrdiff_t item = 0; item < static_cast<std::ptrdiff_t>(*count); ++item) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.elements); ++i) {
      const std::ptrdiff_t at = item * extent + s.at[i].with(sizeof(Value));
      combine_element<Value, Combine>(static_cast<const unsigned char*>(left) + at,
                                      static_cast<unsigned char*>(right) + at);
    }
  }
}

template <class Count>
using UserFunction = void(void*, void*, Count*, MPI_Datatype*);

template <class Value, class Combine, class Count, std::size_t... shape>
UserFunction<Count>* function_for_shape(std::size_t wanted, std::index_sequence<shape...>) {
  constexpr std::array<UserFunction<Count>*, sizeof...(shape)> all{
      combine_items<Value, Combine, shape, Count>...};
  return all[wanted];
}

template <class Count>
UserFunction<Count>* function_for(const Case& c) {
  const auto every = std::make_index_sequence<shapes.size()>();
  const std::size_t shape = shape_index(c.layout);
  if (c.type == "matrix") {
    return c.op == "user_add" ? function_for_shape<Matrix, Add, Count>(shape, every)
                              : function_for_shape<Matrix, Product, Count>(shape, every);
  }
  return c.op == "user_add" ? function_for_shape<Affine, Add, Count>(shape, every)
                            : function_for_shape<Affine, Product, Count>(shape, every);
}

MPI_Op made_for(const Case& c) {
  const int commutes = c.op == "user_add" ? 1 : 0;
  MPI_Op op = MPI_OP_NULL;
#if MPI_VERSION >= 4
  if (c.large_op) {
    MPI_Op_create_c(function_for<MPI_Count>(c), commutes, &op);
    return op;
  }
#endif
  MPI_Op_create(function_for<int>(c), commutes, &op);
  return op;
}

MPI_Op predefined(std::string_view name) {
  const std::array<MPI_Op, 12> ops{MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                                   MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  const auto* const found = std::ranges::find(operator_names, name);
  return ops[static_cast<std::size_t>(found - operator_names.begin())];
}

bool is_one_of(Kind kind, std::initializer_list<Kind> kinds) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

}  // namespace

bool is_user_operator(std::string_view op) { return op == "user_add" || op == "user_product"; }

bool is_defined(std::string_view op, const Element& element) {
  using enum Kind;
  if (is_user_operator(op)) return element.kind == matrix || element.name == "uint64";
  if (op == "minloc" || op == "maxloc") return element.kind == pair;
  if (op == "sum" || op == "prod") {
    return is_one_of(element.kind, {c_integer, fortran_integer, address, floating, complex});
  }
  if (op == "max" || op == "min")
    return is_one_of(element.kind, {c_integer, fortran_integer, address, floating});
  if (op == "land" || op == "lor" || op == "lxor") return is_one_of(element.kind, {c_integer, logical});
  if (op == "band" || op == "bor" || op == "bxor") {
    return is_one_of(element.kind, {c_integer, fortran_integer, address, byte});
  }
  return false;
}

Operator::Operator(const Case& c) {
  if (!is_reduction(c)) return;
  is_made_ = is_user_operator(c.op);
  op_ = is_made_ ? made_for(c) : predefined(c.op);
}

Operator::~Operator() {
  if (is_made_) MPI_Op_free(&op_);
}

}  // namespace rota::check
