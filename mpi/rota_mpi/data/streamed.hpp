// The store of a series: messages of operations on their way through one rank.
//
// Of a message that begins or ends here, the program has the memory: `source` and `target` of its operation.
// What passes through has a ring of Rota's own, for as many operations as are on their way at once. Memory:
// depth x operations of a period x the bytes of what passes through.
//
//     source of operation k  -->  [ ring: operations k - 3 .. k ]  -->  target of operation k
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "rota.h"
#include "rota/generators/steady/timetable.hpp"
#include "rota_mpi/data/combined.hpp"
#include "rota_mpi/data/items.hpp"
#include "rota_mpi/data/store.hpp"

namespace rota::mpi {

/// What a unit message is, and how two partial results are combined.
struct UnitMessage {
  MPI_Count items = 0;
  Operator operation;
};

/// The items of each message; all messages of the timetable have whole ones.
std::vector<MPI_Count> items_of_messages(const Timetable& timetable, const UnitMessage& unit);

/// Which of a message's items a block is.
Range items_of(const OperationPart& part, std::int64_t operation_width, MPI_Count message_items);

/// The messages of one rank in a program's buffers, one after the other in the order of the timetable:
/// where each begins, in items, and where the last one ends.
class Placement {
 public:
  Placement(const std::vector<Rank>& messages, const std::vector<MPI_Count>& items);

  bool has(Rank message) const { return firsts_.contains(message); }
  MPI_Count first(Rank message) const { return firsts_.at(message); }
  MPI_Count items() const { return items_; }

 private:
  std::map<Rank, MPI_Count> firsts_;
  MPI_Count items_ = 0;
};

/// What begins at a rank, and what is delivered to it.
Placement sources_of(const Timetable& timetable, Rank rank, const std::vector<MPI_Count>& items);
Placement targets_of(const Timetable& timetable, Rank rank, const std::vector<MPI_Count>& items);

class StreamedData final : public Store {
 public:
  /// Throws MpiError, std::bad_alloc.
  StreamedData(const Timetable& timetable, const UnitMessage& unit, Rank rank, MPI_Count operations,
               const rota_stream& stream);

  /// Operations of this period begin: the program is asked for their memory.
  void begin(Round period);
  /// They have come to their end: all that they deliver here is in its place.
  void end(Round period);

  std::int64_t bytes(const Blocks& blocks) const override;
  const std::byte* in_place(const Blocks& blocks) override;
  void copy_out(const Blocks& blocks, std::byte* packed) override;
  std::byte* room(const Blocks& blocks) override;
  void filled(const Blocks& blocks) override;
  void take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) override;
  void combine(const Combination& combination) override;

 private:
  /// An operation's memory that the program has.
  struct Operation {
    const std::byte* source = nullptr;
    std::byte* target = nullptr;
  };

  const OperationPart& part(Block block) const;
  std::int64_t operation(Block block) const;
  Range items(Block block) const;
  std::int64_t bytes(Block block) const;
  /// Of memory that is kept for as long as operations take.
  std::size_t in_ring(std::int64_t operation) const;
  std::size_t mark(Block block) const;
  bool is_still_at_source(Block block) const;
  const std::byte* value(Block block);
  std::byte* place(Block block);
  std::byte* value_in_place(Block block);
  Data items_at(const void* address, Block block) const;

  const Timetable& timetable_;
  UnitMessage unit_;
  MPI_Count operations_;
  rota_stream stream_;
  std::int64_t depth_;
  MPI_Count item_bytes_;
  std::vector<MPI_Count> message_items_;
  Placement sources_;
  Placement targets_;
  std::vector<Operation> under_way_;                    // a ring
  std::map<Rank, std::unique_ptr<std::byte[]>> rings_;  // of messages that pass through
  std::map<Rank, std::vector<bool>> has_moved_;  // of messages that begin here: is a block's value elsewhere?
};

}  // namespace rota::mpi
