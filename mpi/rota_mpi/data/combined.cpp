#include "rota_mpi/data/combined.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "rota_mpi/data/adjoining.hpp"
#include "rota_mpi/data/dense.hpp"

namespace rota::mpi {

bool does_commute(MPI_Op op) {
  int result = 0;
  check(pmpi.Op_commutative(op, &result));
  return result != 0;
}

void reduce_local(const Operator& operation, const Data& left, const Data& right) {
  constexpr MPI_Count most = std::numeric_limits<int>::max();
  const MPI_Aint extent = extent_of(operation.type);
  for (MPI_Count first = 0; first < right.count; first += most) {
    const auto offset = static_cast<MPI_Aint>(first) * extent;
    check(pmpi.Reduce_local(
        static_cast<const std::byte*>(left.buffer) + offset, static_cast<std::byte*>(right.buffer) + offset,
        static_cast<int>(std::min(most, right.count - first)), operation.type, operation.op));
  }
}

Range Parts::items_of(Rank owner) const {
  if (firsts_.empty()) return {0, items_};
  return {firsts_[static_cast<std::size_t>(owner)], firsts_[static_cast<std::size_t>(owner) + 1]};
}

Range Parts::items_of(Block block) const {
  const Range all = items_of(block.owner);
  const Range within = Cut{all.size(), blocks_}.range(block.index);
  return {all.first + within.first, all.first + within.last};
}

std::size_t Parts::number_of(Block block) const {
  const auto index = static_cast<std::size_t>(block.index);
  return firsts_.empty() ? index
                         : static_cast<std::size_t>(block.owner) * static_cast<std::size_t>(blocks_) + index;
}

std::size_t Parts::numbers() const {
  const std::size_t owners = firsts_.empty() ? 1 : firsts_.size() - 1;
  return owners * static_cast<std::size_t>(blocks_);
}

CombinedData::CombinedData(const Operator& operation, Parts parts, const Self& self)
    : operation_(operation),
      parts_(std::move(parts)),
      self_(self),
      item_bytes_(size_of(operation.type)),
      extent_(extent_of(operation.type)),
      dense_(is_dense(operation.type)),
      commutes_(does_commute(operation.op)) {}

void CombinedData::add(Rank owner, const void* source, void* own) {
  Array& added = arrays_[owner];
  added.source = source;
  added.own = {own, parts_.items(), operation_.type};
}

void CombinedData::add(Rank owner, const void* source) {
  auto memory = std::make_unique<ItemMemory>(parts_.items(), operation_.type);
  add(owner, source, memory->data().buffer);
  arrays_[owner].memory = std::move(memory);
}

void CombinedData::start() {
  for (auto& [owner, each] : arrays_) each.is_own.assign(parts_.numbers(), each.source == each.own.buffer);
}

void CombinedData::settle(Rank owner) {
  for (BlockIndex index = 0; index < parts_.blocks(); ++index) own_value({owner, index});
}

CombinedData::Array& CombinedData::array(Rank owner) {
  const Rank key = parts_.array_of(owner);
  const auto found = arrays_.find(key);
  if (found != arrays_.end()) return found->second;
  add(key, nullptr);
  arrays_[key].is_own.assign(parts_.numbers(), false);
  return arrays_[key];
}

/// These items of an array that begins at `buffer`.
Data CombinedData::items_at(const void* buffer, Range items) const {
  const auto* const first = static_cast<const std::byte*>(buffer) + items.first * extent_;
  return {const_cast<std::byte*>(first), items.size(), operation_.type};
}

Data CombinedData::own_items(Rank owner) { return items_at(array(owner).own.buffer, parts_.items_of(owner)); }

/// The block's items, wherever its value is.
Data CombinedData::value(Block block) {
  Array& holder = array(block.owner);
  return items_at(holder.is_own[parts_.number_of(block)] ? holder.own.buffer : holder.source,
                  parts_.items_of(block));
}

/// The block's items in the array's own memory, with whatever is there.
Data CombinedData::own_room(Block block) {
  return items_at(array(block.owner).own.buffer, parts_.items_of(block));
}

/// The block's items in the array's own memory, with its value.
Data CombinedData::own_value(Block block) {
  Array& holder = array(block.owner);
  const std::size_t number = parts_.number_of(block);
  const Data own = own_room(block);
  if (!holder.is_own[number]) copy_items(items_at(holder.source, parts_.items_of(block)), own, self_);
  holder.is_own[number] = true;
  return own;
}

std::int64_t CombinedData::bytes(const Blocks& blocks) const {
  std::int64_t items = 0;
  for (const Block block : blocks) items += parts_.items_of(block).size();
  return items * item_bytes_;
}

const std::byte* CombinedData::in_place(const Blocks& blocks) {
  if (!dense_) return nullptr;
  Adjoining<const std::byte> pieces;
  for (const Block block : blocks) {
    const Data items = value(block);
    if (!pieces.add(static_cast<const std::byte*>(items.buffer), items.count * item_bytes_)) return nullptr;
  }
  return pieces.first();
}

void CombinedData::copy_out(const Blocks& blocks, std::byte* packed) {
  for (const Block block : blocks) {
    const Data items = value(block);
    copy_items(items, {packed, items.count * item_bytes_, MPI_BYTE}, self_);
    packed += items.count * item_bytes_;
  }
}

std::byte* CombinedData::room(const Blocks& blocks) {
  if (!dense_) return nullptr;
  Adjoining<std::byte> pieces;
  for (const Block block : blocks) {
    const Data items = own_room(block);
    if (!pieces.add(static_cast<std::byte*>(items.buffer), items.count * item_bytes_)) return nullptr;
  }
  return pieces.first();
}

void CombinedData::filled(const Blocks& blocks) {
  for (const Block block : blocks) array(block.owner).is_own[parts_.number_of(block)] = true;
}

void CombinedData::take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) {
  for (const Block block : blocks) {
    take_block(block, on_receive, packed);
    packed += parts_.items_of(block).size() * item_bytes_;
  }
}

void CombinedData::take_block(Block block, OnReceive on_receive, std::byte* packed) {
  const MPI_Count items = parts_.items_of(block).size();
  if (items == 0) return;
  const Data bytes{packed, items * item_bytes_, MPI_BYTE};
  if (on_receive == OnReceive::store) {
    copy_items(bytes, own_room(block), self_);
    return filled(block);
  }
  const bool on_the_left = on_receive == OnReceive::combine_left || commutes_;
  if (dense_) return combine_block(block, on_the_left, {packed, items, operation_.type});
  const ItemMemory unpacked(items, operation_.type);
  copy_items(bytes, unpacked.data(), self_);
  combine_block(block, on_the_left, unpacked.data());
}

void CombinedData::combine_block(Block block, bool on_the_left, Data received) {
  if (on_the_left) return reduce_local(operation_, received, own_value(block));
  // MPI combines into the right operand: the result lies where the received value was.
  reduce_local(operation_, value(block), received);
  copy_items(received, own_room(block), self_);
  filled(block);
}

void CombinedData::combine(const Combination& combination) {
  reduce_local(operation_, value(combination.from), own_value(combination.into));
}

}  // namespace rota::mpi
