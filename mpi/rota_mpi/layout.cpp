#include "rota_mpi/layout.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "rota_mpi/dense.hpp"

namespace rota::mpi {

namespace {

/// Blocks in the user's own buffer.
class InPlace final : public Layout {
 public:
  explicit InPlace(void* buffer) : bytes_(static_cast<std::byte*>(buffer)) {}

  const std::byte* held(ByteRange range) override { return bytes_ + range.first; }
  std::byte* room(ByteRange range) override { return bytes_ + range.first; }
  void filled(ByteRange) override {}

 private:
  std::byte* bytes_;
};

/// `bytes` as one item, also where an int cannot count them.
class PackedItem {
 public:
  explicit PackedItem(MPI_Count bytes) {
    const MPI_Count chunk = std::numeric_limits<int>::max();
    const int lengths[] = {static_cast<int>(bytes / chunk), static_cast<int>(bytes % chunk)};
    MPI_Datatype whole_chunk = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(static_cast<int>(chunk), MPI_PACKED, &whole_chunk));
    const MPI_Datatype types[] = {whole_chunk, MPI_PACKED};
    const MPI_Aint offsets[] = {0, static_cast<MPI_Aint>(lengths[0] * chunk)};
    check(PMPI_Type_create_struct(2, lengths, offsets, types, &type_));
    check(PMPI_Type_commit(&type_));
    check(PMPI_Type_free(&whole_chunk));
  }
  PackedItem(const PackedItem&) = delete;
  PackedItem& operator=(const PackedItem&) = delete;
  ~PackedItem() { PMPI_Type_free(&type_); }

  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The items of a buffer that does not lie packed: item i has the packed bytes i * item_bytes and on.
class Items {
 public:
  Items(const Data& data, const Self& self) : data_(data), self_(self), item_bytes_(size_of(data.type)) {
    MPI_Aint lower_bound = 0;
    check(PMPI_Type_get_extent(data.type, &lower_bound, &extent_));
    if (data.buffer == MPI_BOTTOM) rebase();
  }
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;
  ~Items() {
    if (rebased_ != MPI_DATATYPE_NULL) PMPI_Type_free(&rebased_);
  }

  MPI_Count bytes() const { return data_.count * item_bytes_; }
  MPI_Count items_within(std::int64_t bytes) const { return bytes / item_bytes_; }
  MPI_Count items_covering(std::int64_t bytes) const { return (bytes + item_bytes_ - 1) / item_bytes_; }

  /// Items first..last - 1 from the user's buffer into the packed bytes at `packed`.
  void pack(MPI_Count first, MPI_Count last, std::byte* packed) const {
    in_parts(first, last, [&](MPI_Count item, int items, MPI_Count bytes) {
      if (is_huge()) {
        return copy(address(item), data_.type, packed + item * item_bytes_, PackedItem(bytes).type());
      }
      int position = 0;
      check(PMPI_Pack(address(item), items, data_.type, packed + item * item_bytes_, static_cast<int>(bytes),
                      &position, self_.comm));
    });
  }

  /// And back.
  void unpack(MPI_Count first, MPI_Count last, const std::byte* packed) const {
    in_parts(first, last, [&](MPI_Count item, int items, MPI_Count bytes) {
      if (is_huge()) {
        return copy(packed + item * item_bytes_, PackedItem(bytes).type(), address(item), data_.type);
      }
      int position = 0;
      check(PMPI_Unpack(packed + item * item_bytes_, static_cast<int>(bytes), &position, address(item), items,
                        data_.type, self_.comm));
    });
  }

 private:
  static constexpr MPI_Count most_bytes = std::numeric_limits<int>::max();

  void* address(MPI_Count item) const { return static_cast<std::byte*>(data_.buffer) + item * extent_; }

  /// MPICH's MPI_Unpack refuses MPI_BOTTOM, a null address: the same data, counted from another address.
  void rebase() {
    static char base = 0;
    MPI_Aint address = 0;
    check(PMPI_Get_address(&base, &address));
    const int one = 1;
    const MPI_Aint back = -address;
    check(PMPI_Type_create_hindexed(1, &one, &back, data_.type, &rebased_));
    check(PMPI_Type_commit(&rebased_));
    data_ = {&base, data_.count, rebased_};
  }

  /// Is one item too large for MPI_Pack, which counts bytes in ints?
  bool is_huge() const { return item_bytes_ > most_bytes; }

  /// One item from one type to another, as a message to this rank itself, which has no such limit.
  void copy(const void* from, MPI_Datatype from_type, void* to, MPI_Datatype to_type) const {
    check(PMPI_Sendrecv(from, 1, from_type, self_.rank, 0, to, 1, to_type, self_.rank, 0, self_.comm,
                        MPI_STATUS_IGNORE));
  }

  /// Calls part(first item, items, bytes) with sizes that MPI_Pack's ints can count, or with one huge item.
  template <class Part>
  void in_parts(MPI_Count first, MPI_Count last, const Part& part) const {
    const MPI_Count most = std::max<MPI_Count>(1, most_bytes / item_bytes_);
    for (MPI_Count item = first; item < last;) {
      const MPI_Count items = std::min(most, last - item);
      part(item, static_cast<int>(items), items * item_bytes_);
      item += items;
    }
  }

  Data data_;
  Self self_;
  MPI_Count item_bytes_;
  MPI_Aint extent_ = 0;
  MPI_Datatype rebased_ = MPI_DATATYPE_NULL;
};

/// Room for the packed form of all items.
std::unique_ptr<std::byte[]> staging(const Items& items) {
  return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(items.bytes()));
}

/// Blocks of a buffer that this rank has: items are packed when the first block that needs them is asked for.
class Packing final : public Layout {
 public:
  Packing(const Data& data, const Self& self) : items_(data, self), staging_(staging(items_)) {}

  const std::byte* held(ByteRange range) override {
    const MPI_Count needed = items_.items_covering(range.last);
    if (needed > packed_) {
      items_.pack(packed_, needed, staging_.get());
      packed_ = needed;
    }
    return staging_.get() + range.first;
  }
  std::byte* room(ByteRange range) override { return staging_.get() + range.first; }
  void filled(ByteRange) override {}

 private:
  Items items_;
  std::unique_ptr<std::byte[]> staging_;
  MPI_Count packed_ = 0;
};

/// Blocks of a buffer that this rank gets: items are unpacked as soon as all bytes up to theirs are there.
class Unpacking final : public Layout {
 public:
  Unpacking(const Data& data, const Self& self) : items_(data, self), staging_(staging(items_)) {}

  const std::byte* held(ByteRange range) override { return staging_.get() + range.first; }
  std::byte* room(ByteRange range) override { return staging_.get() + range.first; }
  void filled(ByteRange range) override {
    ahead_.emplace(range.first, range.last);
    while (!ahead_.empty() && ahead_.begin()->first == complete_) {
      complete_ = ahead_.begin()->second;
      ahead_.erase(ahead_.begin());
    }
    const MPI_Count whole = items_.items_within(complete_);
    items_.unpack(unpacked_, whole, staging_.get());
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
