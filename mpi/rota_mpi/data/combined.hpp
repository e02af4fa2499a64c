// The store of reductions and scans: blocks are ranges of items, combined by the call's operator.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "rota_mpi/data/cut.hpp"
#include "rota_mpi/data/items.hpp"
#include "rota_mpi/data/store.hpp"

namespace rota::mpi {

/// An operator on items of a type.
struct Operator {
  MPI_Op op;
  MPI_Datatype type;
};

/// Does the order of operands not matter to the operator? Throws MpiError.
bool does_commute(MPI_Op op);

/// right := left op right, item by item. Throws MpiError.
void reduce_local(const Operator& operation, const Data& left, const Data& right);

/// Which items the blocks of each owner are: all owners' in one array, or for each owner an array of its own
/// (a scan's prefixes).
class Parts {
 public:
  /// One array of `items`, all of the one owner.
  static Parts whole(MPI_Count items, BlockIndex blocks) { return {{}, items, blocks, true}; }
  /// For each owner an array of `items`.
  static Parts prefixes(MPI_Count items, BlockIndex blocks) { return {{}, items, blocks, false}; }
  /// One array in which owner o's items are firsts[o] to firsts[o + 1] - 1.
  static Parts shares(std::vector<MPI_Count> firsts, BlockIndex blocks) {
    const MPI_Count items = firsts.back();
    return {std::move(firsts), items, blocks, true};
  }

  MPI_Count items() const { return items_; }
  BlockIndex blocks() const { return blocks_; }
  Rank array_of(Rank owner) const { return one_array_ ? 0 : owner; }
  Range items_of(Rank owner) const;
  Range items_of(Block block) const;
  /// A number for each block, different for blocks of one array.
  std::size_t number_of(Block block) const;
  std::size_t numbers() const;

 private:
  Parts(std::vector<MPI_Count> firsts, MPI_Count items, BlockIndex blocks, bool one_array)
      : firsts_(std::move(firsts)), items_(items), blocks_(blocks), one_array_(one_array) {}

  std::vector<MPI_Count> firsts_;
  MPI_Count items_;
  BlockIndex blocks_;
  bool one_array_;
};

/// Blocks as ranges of items in arrays. An array's values are first the program's, which stay as they are; a
/// block's value moves to the array's own memory when it is first combined or received, so that a rank that
/// only sends copies nothing.
class CombinedData : public Store {
 public:
  /// Throws MpiError.
  CombinedData(const Operator& operation, Parts parts, const Self& self);

  /// An array whose values are at `source`, to be changed only in `own`; they may be the same memory. Without
  /// a source it has no values yet.
  void add(Rank owner, const void* source, void* own);
  /// The same in memory of Rota's own. Throws MpiError, std::bad_alloc.
  void add(Rank owner, const void* source);

  /// Sees to it that the values of all of this owner's blocks are in their array's own memory. Throws
  /// MpiError.
  void settle(Rank owner);
  /// Where the items of this owner's blocks are in their array's own memory.
  Data own_items(Rank owner);

  void start() override;
  std::int64_t bytes(const Blocks& blocks) const override;
  const std::byte* in_place(const Blocks& blocks) override;
  void copy_out(const Blocks& blocks, std::byte* packed) override;
  std::byte* room(const Blocks& blocks) override;
  void filled(const Blocks& blocks) override;
  void take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) override;
  void combine(const Combination& combination) override;

 private:
  struct Array {
    const void* source = nullptr;
    Data own;
    std::unique_ptr<ItemMemory> memory;
    std::vector<bool> is_own;  // by number of block: has its value moved?
  };

  Array& array(Rank owner);
  Data items_at(const void* buffer, Range items) const;
  Data value(Block block);
  Data own_value(Block block);
  Data own_room(Block block);
  void take_block(Block block, OnReceive on_receive, std::byte* packed);
  void combine_block(Block block, bool on_the_left, Data received);

  Operator operation_;
  Parts parts_;
  Self self_;
  MPI_Count item_bytes_;
  MPI_Aint extent_;
  bool dense_;
  bool commutes_;
  std::map<Rank, Array> arrays_;
};

}  // namespace rota::mpi
