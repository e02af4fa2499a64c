#include "rota_mpi/data/streamed.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "rota_mpi/data/adjoining.hpp"

namespace rota::mpi {

namespace {

MPI_Count scaled(MPI_Count items, std::int64_t part, std::int64_t whole) {
  __extension__ using Wide = __int128;
  return static_cast<MPI_Count>(Wide{items} * part / whole);
}

/// Messages that a rank gets from others or makes of others.
std::set<Rank> written_at(const Timetable& timetable, Rank rank) {
  std::set<Rank> written;
  for (const PeriodicTransfer& each : timetable.period.transfers) {
    if (each.to == rank) written.insert(each.message);
  }
  for (const PeriodicTask& each : timetable.period.tasks) {
    if (each.rank == rank) written.insert(each.right);
  }
  return written;
}

}  // namespace

std::vector<MPI_Count> items_of_messages(const Timetable& timetable, const UnitMessage& unit) {
  std::vector<MPI_Count> items;
  items.reserve(timetable.sizes.size());
  for (const MessageSize& size : timetable.sizes)
    items.push_back(scaled(unit.items, size.numerator, size.denominator));
  return items;
}

Range items_of(const OperationPart& part, std::int64_t operation_width, MPI_Count message_items) {
  return {scaled(message_items, part.begin, operation_width),
          scaled(message_items, part.end, operation_width)};
}

Placement::Placement(const std::vector<Rank>& messages, const std::vector<MPI_Count>& items) {
  for (const Rank message : messages) {
    firsts_[message] = items_;
    items_ += items[static_cast<std::size_t>(message)];
  }
}

Placement sources_of(const Timetable& timetable, Rank rank, const std::vector<MPI_Count>& items) {
  std::vector<Rank> messages;
  for (const Origin& each : timetable.period.series->origins) {
    if (each.rank == rank) messages.push_back(each.message);
  }
  return {messages, items};
}

Placement targets_of(const Timetable& timetable, Rank rank, const std::vector<MPI_Count>& items) {
  std::vector<Rank> messages;
  for (const Delivery& each : timetable.period.series->deliveries) {
    if (each.rank == rank) messages.push_back(each.message);
  }
  return {messages, items};
}

StreamedData::StreamedData(const Timetable& timetable, const UnitMessage& unit, Rank rank,
                           MPI_Count operations, const rota_stream& stream)
    : timetable_(timetable),
      unit_(unit),
      operations_(operations),
      stream_(stream),
      depth_(timetable.period.depth()),
      item_bytes_(size_of(unit.operation.type)),
      message_items_(items_of_messages(timetable, unit)),
      sources_(sources_of(timetable, rank, message_items_)),
      targets_(targets_of(timetable, rank, message_items_)),
      under_way_(static_cast<std::size_t>(depth_ * timetable.operations)) {
  for (const Rank message : written_at(timetable, rank)) {
    if (targets_.has(message)) continue;
    const auto bytes =
        static_cast<std::size_t>(message_items_[static_cast<std::size_t>(message)] * item_bytes_);
    rings_[message] = std::make_unique_for_overwrite<std::byte[]>(bytes * under_way_.size());
  }
  for (const Origin& each : timetable.period.series->origins) {
    if (each.rank == rank)
      has_moved_[each.message].resize(static_cast<std::size_t>(depth_ * timetable.period.blocks));
  }
}

void StreamedData::begin(Round period) {
  const MPI_Count first = period * timetable_.operations;
  for (MPI_Count k = first; k < std::min(first + timetable_.operations, operations_); ++k) {
    Operation& begun = under_way_[in_ring(k)];
    if (sources_.items() > 0) begun.source = static_cast<const std::byte*>(stream_.source(stream_.state, k));
    if (targets_.items() > 0) begun.target = static_cast<std::byte*>(stream_.target(stream_.state, k));
  }
  for (auto& [message, marks] : has_moved_) {
    const std::size_t blocks = marks.size() / static_cast<std::size_t>(depth_);
    const auto begins = marks.begin() + period % depth_ * static_cast<std::ptrdiff_t>(blocks);
    std::fill_n(begins, blocks, false);
  }
}

void StreamedData::end(Round period) {
  for (const auto& [message, marks] : has_moved_) {
    if (!targets_.has(message)) continue;  // else its items may never have left
    for (BlockIndex b = 0; b < timetable_.period.blocks; ++b)
      value_in_place({message, period * timetable_.period.blocks + b});
  }
  const MPI_Count first = period * timetable_.operations;
  if (stream_.over == nullptr) return;
  for (MPI_Count k = first; k < std::min(first + timetable_.operations, operations_); ++k)
    stream_.over(stream_.state, k);
}

const OperationPart& StreamedData::part(Block block) const {
  return timetable_.parts[static_cast<std::size_t>(block.index % timetable_.period.blocks)];
}

std::int64_t StreamedData::operation(Block block) const {
  return block.index / timetable_.period.blocks * timetable_.operations + part(block).operation;
}

/// None of operations beyond the last one, which a last period may have.
Range StreamedData::items(Block block) const {
  if (operation(block) >= operations_) return {};
  return items_of(part(block), timetable_.unit, message_items_[static_cast<std::size_t>(block.owner)]);
}

std::int64_t StreamedData::bytes(Block block) const { return items(block).size() * item_bytes_; }

std::size_t StreamedData::in_ring(std::int64_t operation) const {
  return static_cast<std::size_t>(operation) % under_way_.size();
}

std::size_t StreamedData::mark(Block block) const {
  return static_cast<std::size_t>(block.index % (depth_ * timetable_.period.blocks));
}

bool StreamedData::is_still_at_source(Block block) const {
  const auto marks = has_moved_.find(block.owner);
  return marks != has_moved_.end() && !marks->second[mark(block)];
}

const std::byte* StreamedData::value(Block block) {
  if (!is_still_at_source(block)) return place(block);
  const Operation& its = under_way_[in_ring(operation(block))];
  return its.source + (sources_.first(block.owner) + items(block).first) * item_bytes_;
}

/// Where the block's value is once it is not at its source.
std::byte* StreamedData::place(Block block) {
  const std::size_t slot = in_ring(operation(block));
  const MPI_Count first = items(block).first;
  if (targets_.has(block.owner))
    return under_way_[slot].target + (targets_.first(block.owner) + first) * item_bytes_;
  const MPI_Count all = message_items_[static_cast<std::size_t>(block.owner)];
  return rings_.at(block.owner).get() + (static_cast<MPI_Count>(slot) * all + first) * item_bytes_;
}

/// Sees to it that the block's value is there.
std::byte* StreamedData::value_in_place(Block block) {
  if (bytes(block) == 0) return nullptr;
  if (is_still_at_source(block)) {
    std::memcpy(place(block), value(block), static_cast<std::size_t>(bytes(block)));
    filled(block);
  }
  return place(block);
}

Data StreamedData::items_at(const void* address, Block block) const {
  return {const_cast<void*>(address), items(block).size(), unit_.operation.type};
}

std::int64_t StreamedData::bytes(const Blocks& blocks) const {
  std::int64_t sum = 0;
  for (const Block block : blocks) sum += bytes(block);
  return sum;
}

const std::byte* StreamedData::in_place(const Blocks& blocks) {
  Adjoining<const std::byte> pieces;
  for (const Block block : blocks) {
    if (bytes(block) > 0 && !pieces.add(value(block), bytes(block))) return nullptr;
  }
  return pieces.first();
}

void StreamedData::copy_out(const Blocks& blocks, std::byte* packed) {
  for (const Block block : blocks) {
    if (bytes(block) == 0) continue;
    std::memcpy(packed, value(block), static_cast<std::size_t>(bytes(block)));
    packed += bytes(block);
  }
}

std::byte* StreamedData::room(const Blocks& blocks) {
  Adjoining<std::byte> pieces;
  for (const Block block : blocks) {
    if (bytes(block) > 0 && !pieces.add(place(block), bytes(block))) return nullptr;
  }
  return pieces.first();
}

void StreamedData::filled(const Blocks& blocks) {
  for (const Block block : blocks) {
    const auto marks = has_moved_.find(block.owner);
    if (marks != has_moved_.end()) marks->second[mark(block)] = true;
  }
}

/// Only ever stored: partial results are combined by tasks.
void StreamedData::take(const Blocks& blocks, OnReceive, std::byte* packed) {
  for (const Block block : blocks) {
    if (bytes(block) == 0) continue;
    std::memcpy(place(block), packed, static_cast<std::size_t>(bytes(block)));
    packed += bytes(block);
  }
  filled(blocks);
}

void StreamedData::combine(const Combination& combination) {
  if (bytes(combination.into) == 0) return;
  reduce_local(unit_.operation, items_at(value(combination.from), combination.from),
               items_at(value_in_place(combination.into), combination.into));
}

}  // namespace rota::mpi
