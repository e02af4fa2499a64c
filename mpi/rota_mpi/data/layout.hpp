// Where the packed bytes of a user's buffer are.
//
// If the items lie in memory as they would lie packed, blocks are sent from and received into the user's
// buffer. If not, they pass through a staging buffer, packed or unpacked as the blocks go by, so that this
// overlaps with communication.
#pragma once

#include <cstddef>
#include <memory>

#include "rota_mpi/data/cut.hpp"
#include "rota_mpi/data/items.hpp"

namespace rota::mpi {

/// The packed form of one rank's buffer, range by range.
class Layout {
 public:
  Layout() = default;
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  virtual ~Layout() = default;

  /// From now on it is about what the user's buffer holds, or gets, anew.
  virtual void start() {}

  /// The bytes of the range, which this rank holds; they stay where they are as long as the layout lives.
  virtual const std::byte* held(Range range) = 0;

  /// Room for the bytes of the range.
  virtual std::byte* room(Range range) = 0;

  /// The room for the range has been filled.
  virtual void filled(Range range) = 0;
};

/// The layout of data that this rank has. Throws MpiError, std::bad_alloc.
std::unique_ptr<Layout> layout_to_send(const Data& data, const Self& self);

/// The layout of data that this rank gets; the user's buffer is complete when every range was filled.
/// Throws MpiError, std::bad_alloc.
std::unique_ptr<Layout> layout_to_receive(const Data& data, const Self& self);

}  // namespace rota::mpi
