// The calls of one rank's thread as they are written down, and what they have in common: memory, types, operators.
#pragma once

#include <cstdint>
#include <vector>

#include "call.hpp"
#include "collective.hpp"
#include "types.hpp"

namespace rota::programs {

constexpr std::int64_t guard_bytes = 32;

class Script {
 public:
  std::vector<Call> calls;

  void call(std::string_view function, std::vector<Argument> arguments) {
    calls.push_back({function, std::move(arguments)});
  }

  /// A step's memory begins at the same byte on all ranks, unless one before it took very different amounts.
  void begin_step();

  /// Memory that nothing else uses.
  Region take(std::int64_t bytes);
  std::int64_t taken() const { return next_; }

  /// Our own calls: the region gets numbers, the same by `key` for each rank; is forgotten where its contents
  /// are undefined; is looked at, with what lies around it.
  void fill(const Filling& filling);
  void blank(Region region);
  void look(Region region);

  /// A type, committed, freed with the others.
  Argument type(const Element& element, Shape shape);
  Argument named_type(const Element& element, std::size_t which);
  Argument repeated(const Argument& type, std::int64_t times);
  Argument at_addresses(const Argument& type, std::vector<std::int64_t> counts,
                        std::vector<std::int64_t> bytes);
  Argument uncommitted();

  Argument operation(std::string_view operation_name);

  void free_what_was_made();

 private:
  Argument made_type(std::string_view function, std::vector<Argument> arguments);

  std::int64_t next_ = guard_bytes;
  std::int64_t types_ = 0;
  bool has_operator_ = false;
};

}  // namespace rota::programs
