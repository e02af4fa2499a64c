#include "script.hpp"

namespace rota::programs {

void Script::begin_step() {
  constexpr std::int64_t page = 4096;
  if (next_ % page > guard_bytes) next_ += page - next_ % page + guard_bytes;
}

Region Script::take(std::int64_t bytes) {
  constexpr std::int64_t alignment = 16;
  const Region region{next_, bytes};
  next_ += (bytes + guard_bytes + alignment - 1) / alignment * alignment;
  return region;
}

void Script::fill(const Filling& filling) {
  const auto& [region, with, key] = filling;
  if (region.bytes == 0) return;
  call("fill",
       {address(region.first), number(region.bytes), number(static_cast<std::int64_t>(with)), number(key)});
}

void Script::blank(Region region) {
  if (region.bytes > 0) call("blank", {address(region.first), number(region.bytes)});
}

void Script::look(Region region) {
  call("look", {address(region.first - guard_bytes / 2), number(region.bytes + guard_bytes)});
}

Argument Script::made_type(std::string_view function, std::vector<Argument> arguments) {
  const std::int64_t made = types_++;
  arguments.push_back(out(Kind::type, made));
  call(function, std::move(arguments));
  call("MPI_Type_commit", {out(Kind::type, made)});
  return slot(Kind::type, made);
}

Argument Script::named_type(const Element& element, std::size_t which) {
  if (element.name.empty()) return repeated(name("MPI_UINT32_T"), 2);
  return name(which == 0 ? element.name : element.same[which - 1]);
}

Argument Script::repeated(const Argument& type, std::int64_t times) {
  return made_type("MPI_Type_contiguous", {number(times), type});
}

Argument Script::at_addresses(const Argument& type, std::vector<std::int64_t> counts,
                              std::vector<std::int64_t> bytes) {
  const auto blocks = static_cast<std::int64_t>(counts.size());
  return made_type("MPI_Type_create_hindexed",
                   {number(blocks), numbers(std::move(counts)), addresses(std::move(bytes)), type});
}

Argument Script::uncommitted() {
  const std::int64_t made = types_++;
  call("MPI_Type_contiguous", {number(2), name("MPI_INT"), out(Kind::type, made)});
  return slot(Kind::type, made);
}

Argument Script::type(const Element& element, Shape shape) {
  Argument base = named_type(element, 0);
  const std::int64_t bytes = element.bytes;
  switch (shape) {
    case Shape::plain:
      return base;
    case Shape::contiguous:
      return repeated(base, 3);
    case Shape::vector:
      return made_type("MPI_Type_vector", {number(2), number(1), number(2), base});
    case Shape::resized:
      return made_type("MPI_Type_create_resized", {base, number(0), number(2 * bytes)});
    case Shape::indexed:
      return made_type("MPI_Type_indexed", {number(2), numbers({1, 2}), numbers({3, 0}), base});
    case Shape::structure:
      return made_type("MPI_Type_create_struct",
                       {number(3), numbers({1, 1, 0}), numbers({0, 2 * bytes, bytes}),
                        array({base, base, name("MPI_CHAR")})});
    case Shape::duplicate:
      return made_type("MPI_Type_dup", {base});
    case Shape::bounded:
      return made_type("MPI_Type_create_resized", {repeated(base, 2), number(-bytes), number(3 * bytes)});
  }
  return base;
}

Argument Script::operation(std::string_view operation_name) {
  if (!is_own_operator(operation_name)) return name(operation_name);
  const bool commutes = operation_name == "add_pairs";
  call("MPI_Op_create", {name(operation_name), number(commutes ? 1 : 0), out(Kind::op, 0)});
  has_operator_ = true;
  return slot(Kind::op, 0);
}

void Script::free_what_was_made() {
  for (; types_ > 0; --types_) call("MPI_Type_free", {out(Kind::type, types_ - 1)});
  if (has_operator_) call("MPI_Op_free", {out(Kind::op, 0)});
  has_operator_ = false;
}

}  // namespace rota::programs
