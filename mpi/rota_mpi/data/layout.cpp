#include "rota_mpi/data/layout.hpp"

#include <algorithm>
#include <map>

#include "rota_mpi/data/dense.hpp"
#include "rota_mpi/data/items.hpp"

namespace rota::mpi {

namespace {

/// Blocks in the user's own buffer.
class InPlace final : public Layout {
 public:
  explicit InPlace(void* buffer) : bytes_(static_cast<std::byte*>(buffer)) {}

  const std::byte* held(Range range) override { return bytes_ + range.first; }
  std::byte* room(Range range) override { return bytes_ + range.first; }
  void filled(Range) override {}

 private:
  std::byte* bytes_;
};

/// Room for the packed form of all items.
std::unique_ptr<std::byte[]> staging(const Items& items) {
  return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(items.bytes()));
}

/// Blocks of a buffer that this rank has: items are packed when the first block that needs them is asked for.
class Packing final : public Layout {
 public:
  Packing(const Data& data, const Self& self) : items_(data, self), staging_(staging(items_)) {}

  void start() override { packed_ = 0; }
  const std::byte* held(Range range) override {
    const MPI_Count needed = items_.items_covering(range.last);
    if (needed > packed_) {
      items_.pack(packed_, needed, staging_.get() + packed_ * items_.item_bytes());
      packed_ = needed;
    }
    return staging_.get() + range.first;
  }
  std::byte* room(Range range) override { return staging_.get() + range.first; }
  void filled(Range) override {}

 private:
  Items items_;
  std::unique_ptr<std::byte[]> staging_;
  MPI_Count packed_ = 0;
};

/// Blocks of a buffer that this rank gets: items are unpacked as soon as all bytes up to theirs are there.
class Unpacking final : public Layout {
 public:
  Unpacking(const Data& data, const Self& self) : items_(data, self), staging_(staging(items_)) {}

  void start() override {
    complete_ = 0;
    ahead_.clear();
    unpacked_ = 0;
  }
  const std::byte* held(Range range) override { return staging_.get() + range.first; }
  std::byte* room(Range range) override { return staging_.get() + range.first; }
  void filled(Range range) override {
    ahead_.emplace(range.first, range.last);
    // What is there already may come again: not all schedules send each block but once to a rank.
    while (!ahead_.empty() && ahead_.begin()->first <= complete_) {
      complete_ = std::max(complete_, ahead_.begin()->second);
      ahead_.erase(ahead_.begin());
    }
    const MPI_Count whole = items_.items_within(complete_);
    items_.unpack(unpacked_, whole, staging_.get() + unpacked_ * items_.item_bytes());
    unpacked_ = whole;
  }

 private:
  Items items_;
  std::unique_ptr<std::byte[]> staging_;
  std::int64_t complete_ = 0;                   // all bytes before this one are there,
  std::map<std::int64_t, std::int64_t> ahead_;  // and these ranges, first -> last, after it
  MPI_Count unpacked_ = 0;
};

}  // namespace

std::unique_ptr<Layout> layout_to_send(const Data& data, const Self& self) {
  if (is_dense(data.type)) return std::make_unique<InPlace>(data.buffer);
  return std::make_unique<Packing>(data, self);
}

std::unique_ptr<Layout> layout_to_receive(const Data& data, const Self& self) {
  if (is_dense(data.type)) return std::make_unique<InPlace>(data.buffer);
  return std::make_unique<Unpacking>(data, self);
}

}  // namespace rota::mpi
