#include "rota_mpi/data/moved.hpp"

#include <cstring>
#include <stdexcept>

#include "rota_mpi/data/adjoining.hpp"

namespace rota::mpi {

void MovedData::start() {
  for (const Share& share : shares_) {
    if (share.layout != nullptr) share.layout->start();
  }
}

std::int64_t MovedData::bytes(const Blocks& blocks) const {
  std::int64_t sum = 0;
  for (const Block block : blocks) sum += share_of(block).cut.range(block.index).size();
  return sum;
}

const std::byte* MovedData::in_place(const Blocks& blocks) {
  Adjoining<const std::byte> pieces;
  for (const Block block : blocks) {
    const Share& share = share_of(block);
    const Range range = share.cut.range(block.index);
    if (!pieces.add(share.layout->held(range), range.size())) return nullptr;
  }
  return pieces.first();
}

void MovedData::copy_out(const Blocks& blocks, std::byte* packed) {
  for (const Block block : blocks) {
    const Share& share = share_of(block);
    const Range range = share.cut.range(block.index);
    std::memcpy(packed, share.layout->held(range), static_cast<std::size_t>(range.size()));
    packed += range.size();
  }
}

std::byte* MovedData::room(const Blocks& blocks) {
  Adjoining<std::byte> pieces;
  for (const Block block : blocks) {
    const Share& share = share_of(block);
    const Range range = share.cut.range(block.index);
    if (!pieces.add(share.layout->room(range), range.size())) return nullptr;
  }
  return pieces.first();
}

void MovedData::filled(const Blocks& blocks) {
  for (const Block block : blocks) {
    const Share& share = share_of(block);
    share.layout->filled(share.cut.range(block.index));
  }
}

void MovedData::take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) {
  if (on_receive != OnReceive::store) throw std::logic_error("moved data is not combined");
  for (const Block block : blocks) {
    const Share& share = share_of(block);
    const Range range = share.cut.range(block.index);
    std::memcpy(share.layout->room(range), packed, static_cast<std::size_t>(range.size()));
    packed += range.size();
  }
  filled(blocks);
}

void MovedData::combine(const Combination&) { throw std::logic_error("moved data is not combined"); }

}  // namespace rota::mpi
