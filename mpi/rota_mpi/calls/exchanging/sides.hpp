// What an all-to-many call's arguments say: what a rank has for each rank, or what it gets from each.
//
// A view of the caller's own arrays, until it is told to keep them: most calls are small and pass through Rota without a closer look
// at them.
#pragma once

#include <memory>
#include <vector>

#include "rota/schedule/types.hpp"
#include "rota_mpi/data/items.hpp"
#include "rota_mpi/data/kept_types.hpp"
#include "rota_mpi/data/numbers.hpp"
#include "rota_mpi/way/refusals.hpp"

namespace rota::mpi {

/// What one direction of a call has for, or from, one rank.
struct PeerLoad {
  Rank peer;
  std::int64_t bytes;
};

/// By what arguments one direction of a call is described, besides displacements.
struct SideArguments {
  const void* buffer = nullptr;
  const void* counts = nullptr;  // an array, or
  MPI_Count count = 0;           // one for all
  const MPI_Datatype* types = nullptr;
  MPI_Datatype type = MPI_DATATYPE_NULL;

  bool operator==(const SideArguments&) const = default;
};

/// One direction of a call. Errors: MpiError, std::bad_alloc.
class Side {
 public:
  virtual ~Side() = default;

  /// The items for, or from, that rank. Only where arguments are plain, or MPI takes them.
  virtual Data of(Rank peer) const = 0;

  /// All of so many ranks for which, or from which, there are bytes, in increasing order. O(ranks), or less
  /// where the call names few. Only where arguments are plain, or MPI takes them.
  virtual std::vector<PeerLoad> loads(Rank ranks) const;

  /// The items of each entry of the call's arrays, of so many ranks, whatever is said of them there but for
  /// counts below 0 and missing arrays.
  virtual std::vector<Data> entries(Rank ranks) const;

  /// Will the MPI library take these arguments, of so many ranks? `asking` as in refusals.hpp.
  virtual Arguments arguments(Rank ranks, MPI_Comm asking) const = 0;

  /// No buffer: they do not matter.
  virtual SideArguments described() const { return {}; }

  /// From now on the program may free the types, and change its arrays, which are of so many entries. Only
  /// where arguments are plain, or MPI takes them.
  virtual void keep(KeptTypes& types, Rank entries) = 0;

  std::int64_t bytes(Rank peer) const { return packed_bytes(of(peer)); }

 protected:
  Side() = default;
  Side(const Side&) = default;
  Side& operator=(const Side&) = default;
};

/// Of items of which a rank has several pieces, most of one type: `before` is the type of the piece before,
/// which MPI was asked about. MPICH looks at no type of no items.
Arguments arguments_of_piece(const Data& data, MPI_Datatype before, MPI_Comm asking);

/// MPI's buffers to send from are not const in C++'s sense for those who only read them.
inline void* writable(const void* buffer) { return const_cast<void*>(buffer); }

/// MPI_Alltoall: equally many items for every rank, one rank's after the other.
class EqualSide final : public Side {
 public:
  EqualSide(const void* buffer, MPI_Count count, MPI_Datatype type) : first_{writable(buffer), count, type} {}

  Data of(Rank peer) const override {
    return {static_cast<std::byte*>(first_.buffer) + peer * first_.count * extent_of(first_.type),
            first_.count, first_.type};
  }
  Arguments arguments(Rank, MPI_Comm asking) const override { return arguments_of(first_, asking); }
  SideArguments described() const override {
    return {.buffer = first_.buffer, .count = first_.count, .type = first_.type};
  }
  void keep(KeptTypes& types, Rank) override { types.keep(first_.type); }

 private:
  Data first_;
};

/// Copies of the program's arrays, for as long as a side refers to them.
struct KeptArrays {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Count> displacements;
  std::vector<MPI_Datatype> types;
};

std::shared_ptr<KeptArrays> kept_arrays(Numbers counts, Numbers displacements, Rank entries);

/// MPI_Alltoallv: counts[r] items for rank r, displacements[r] items from the buffer.
class CountedSide final : public Side {
 public:
  CountedSide(const void* buffer, Numbers counts, Numbers displacements, MPI_Datatype type)
      : buffer_(writable(buffer)), counts_(counts), displacements_(displacements), type_(type) {}

  Data of(Rank peer) const override {
    if (counts_[peer] == 0) return {buffer_, 0, type_};
    return {static_cast<std::byte*>(buffer_) + displacements_[peer] * extent_of(type_), counts_[peer], type_};
  }
  Arguments arguments(Rank ranks, MPI_Comm asking) const override {
    if (counts_.is_null() || displacements_.is_null()) return Arguments::refused;
    Arguments all = mpi::arguments_of(0, type_, asking);
    for (Rank peer = 0; peer < ranks && all == Arguments::plain; ++peer)
      all = counts_[peer] < 0 ? Arguments::refused : arguments_of_piece(of(peer), type_, asking);
    return all;
  }
  SideArguments described() const override {
    return {.buffer = buffer_, .counts = counts_.address(), .type = type_};
  }
  void keep(KeptTypes& types, Rank entries) override {
    kept_ = kept_arrays(counts_, displacements_, entries);
    counts_ = kept_->counts.data();
    displacements_ = kept_->displacements.data();
    types.keep(type_);
  }

 private:
  void* buffer_;
  Numbers counts_;
  Numbers displacements_;
  MPI_Datatype type_;
  std::shared_ptr<const KeptArrays> kept_;
};

/// MPI_Alltoallw: counts[r] items of types[r] for rank r, displacements[r] bytes from the buffer.
class TypedSide final : public Side {
 public:
  TypedSide(const void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types)
      : buffer_(writable(buffer)), counts_(counts), displacements_(displacements), types_(types) {}

  Data of(Rank peer) const override {
    return {static_cast<std::byte*>(buffer_) + displacements_[peer], counts_[peer], types_[peer]};
  }
  Arguments arguments(Rank ranks, MPI_Comm asking) const override {
    if (counts_.is_null() || displacements_.is_null() || types_ == nullptr) return Arguments::refused;
    Arguments all = Arguments::plain;
    for (Rank peer = 0; peer < ranks && all == Arguments::plain; ++peer)
      all = arguments_of_piece(of(peer), peer == 0 ? MPI_DATATYPE_NULL : types_[peer - 1], asking);
    return all;
  }
  SideArguments described() const override {
    return {.buffer = buffer_, .counts = counts_.address(), .types = types_};
  }
  void keep(KeptTypes& types, Rank entries) override;

 private:
  void* buffer_;
  Numbers counts_;
  Numbers displacements_;
  const MPI_Datatype* types_;
  std::shared_ptr<const KeptArrays> kept_;
};

/// A call on one rank.
struct AllToManyCall {
  const Side* send;  // nullptr: in place
  const Side& receive;

  /// Of both sides: each, and that they are not the same, which MPI forbids.
  Arguments arguments(Rank ranks, MPI_Comm asking) const;

  /// Do both sides name the same items by the same arguments?
  bool is_same() const {
    return send != nullptr && send->described().buffer != MPI_BOTTOM &&
           send->described() == receive.described();
  }

  /// What is sent, as it lies before the call.
  const Side& sent() const { return send == nullptr ? receive : *send; }
};

}  // namespace rota::mpi
