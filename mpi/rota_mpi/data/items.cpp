#include "rota_mpi/data/items.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "rota_mpi/data/dense.hpp"

namespace rota::mpi {

namespace {

constexpr MPI_Count most_bytes = std::numeric_limits<int>::max();

/// `bytes` as one item, also where an int cannot count them.
class PackedItem {
 public:
  explicit PackedItem(MPI_Count bytes) {
    const MPI_Count chunk = std::numeric_limits<int>::max();
    const int lengths[] = {static_cast<int>(bytes / chunk), static_cast<int>(bytes % chunk)};
    MPI_Datatype whole_chunk = MPI_DATATYPE_NULL;
    check(pmpi.Type_contiguous(static_cast<int>(chunk), MPI_PACKED, &whole_chunk));
    const MPI_Datatype types[] = {whole_chunk, MPI_PACKED};
    const MPI_Aint offsets[] = {0, static_cast<MPI_Aint>(lengths[0] * chunk)};
    check(pmpi.Type_create_struct(2, lengths, offsets, types, &type_));
    check(pmpi.Type_commit(&type_));
    check(pmpi.Type_free(&whole_chunk));
  }
  PackedItem(const PackedItem&) = delete;
  PackedItem& operator=(const PackedItem&) = delete;
  ~PackedItem() { pmpi.Type_free(&type_); }

  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

Items::Items(const Data& data, const Self& self)
    : data_(data), self_(self), item_bytes_(size_of(data.type)), extent_(extent_of(data.type)) {
  if (data.buffer == MPI_BOTTOM) rebase();
}

Items::~Items() {
  if (rebased_ != MPI_DATATYPE_NULL) pmpi.Type_free(&rebased_);
}

/// MPICH's MPI_Unpack refuses MPI_BOTTOM, a null address: the same data, counted from another address.
void Items::rebase() {
  static char base = 0;
  MPI_Aint address = 0;
  check(pmpi.Get_address(&base, &address));
  const int one = 1;
  const MPI_Aint back = -address;
  check(pmpi.Type_create_hindexed(1, &one, &back, data_.type, &rebased_));
  check(pmpi.Type_commit(&rebased_));
  data_ = {&base, data_.count, rebased_};
}

/// Is one item too large for MPI_Pack, which counts bytes in ints?
bool Items::is_huge() const { return item_bytes_ > most_bytes; }

/// One item from one type to another, as a message to this rank itself, which has no such limit.
void Items::copy(const void* from, MPI_Datatype from_type, void* to, MPI_Datatype to_type) const {
  check_own(pmpi.Sendrecv(from, 1, from_type, self_.rank, self_.tag, to, 1, to_type, self_.rank, self_.tag,
                          self_.comm, MPI_STATUS_IGNORE));
}

/// Calls part(first item, items, bytes, packed bytes before it) with sizes that MPI_Pack's ints can count, or
/// with one huge item.
template <class Part>
void Items::in_parts(MPI_Count first, MPI_Count last, const Part& part) const {
  const MPI_Count most = std::max<MPI_Count>(1, most_bytes / std::max<MPI_Count>(1, item_bytes_));
  for (MPI_Count item = first; item < last;) {
    const MPI_Count items = std::min(most, last - item);
    part(item, static_cast<int>(items), items * item_bytes_, (item - first) * item_bytes_);
    item += items;
  }
}

void Items::pack(MPI_Count first, MPI_Count last, std::byte* packed) const {
  in_parts(first, last, [&](MPI_Count item, int items, MPI_Count bytes, MPI_Count before) {
    if (is_huge()) return copy(address(item), data_.type, packed + before, PackedItem(bytes).type());
    int position = 0;
    check_own(pmpi.Pack(address(item), items, data_.type, packed + before, static_cast<int>(bytes), &position,
                        self_.comm));
  });
}

void Items::unpack(MPI_Count first, MPI_Count last, const std::byte* packed) const {
  in_parts(first, last, [&](MPI_Count item, int items, MPI_Count bytes, MPI_Count before) {
    if (is_huge()) return copy(packed + before, PackedItem(bytes).type(), address(item), data_.type);
    int position = 0;
    check_own(pmpi.Unpack(packed + before, static_cast<int>(bytes), &position, address(item), items,
                          data_.type, self_.comm));
  });
}

ItemMemory::ItemMemory(MPI_Count count, MPI_Datatype type) {
  MPI_Aint true_lower_bound = 0;
  MPI_Aint true_extent = 0;
  check(pmpi.Type_get_true_extent(type, &true_lower_bound, &true_extent));
  const MPI_Aint between = static_cast<MPI_Aint>(std::max<MPI_Count>(0, count - 1)) * extent_of(type);
  bytes_ =
      std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(true_extent + std::abs(between)));
  data_ = {bytes_.get() - true_lower_bound - std::min<MPI_Aint>(0, between), count, type};
}

void copy_items(const Data& from, const Data& to, const Self& self) {
  const MPI_Count bytes = packed_bytes(from);
  if (bytes == 0) return;
  const bool from_dense = is_dense(from.type);
  const bool to_dense = is_dense(to.type);
  if (from_dense && to_dense) {
    std::memmove(to.buffer, from.buffer, static_cast<std::size_t>(bytes));
  } else if (from_dense) {
    Items(to, self).unpack(0, to.count, static_cast<const std::byte*>(from.buffer));
  } else if (to_dense) {
    Items(from, self).pack(0, from.count, static_cast<std::byte*>(to.buffer));
  } else {
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    Items(from, self).pack(0, from.count, packed.get());
    Items(to, self).unpack(0, to.count, packed.get());
  }
}

}  // namespace rota::mpi
