// Items of any datatype in memory, and their packed bytes.
#pragma once

#include <cstddef>
#include <memory>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// `count` items of `type` at `buffer`.
struct Data {
  void* buffer = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The bytes of data in all items. Of no items nobody asks the type. Throws MpiError.
inline MPI_Count packed_bytes(const Data& data) {
  return data.count == 0 ? 0 : data.count * size_of(data.type);
}

/// This rank, as it sends itself messages: its rank on a communicator of Rota's own, and under which tag
/// nobody else does.
struct Self {
  MPI_Comm comm;
  int rank;
  int tag;
};

/// The items of a buffer that does not lie packed: item i has the packed bytes i * item_bytes and on.
class Items {
 public:
  /// Throws MpiError.
  Items(const Data& data, const Self& self);
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;
  ~Items();

  MPI_Count item_bytes() const { return item_bytes_; }
  MPI_Count bytes() const { return data_.count * item_bytes_; }
  MPI_Count items_within(std::int64_t bytes) const { return bytes / item_bytes_; }
  MPI_Count items_covering(std::int64_t bytes) const { return (bytes + item_bytes_ - 1) / item_bytes_; }

  /// Items first..last - 1 from the user's buffer into packed bytes, those of item `first` at `packed`.
  /// Throws MpiError.
  void pack(MPI_Count first, MPI_Count last, std::byte* packed) const;

  /// And back. Throws MpiError.
  void unpack(MPI_Count first, MPI_Count last, const std::byte* packed) const;

 private:
  void* address(MPI_Count item) const { return static_cast<std::byte*>(data_.buffer) + item * extent_; }
  void rebase();
  bool is_huge() const;
  void copy(const void* from, MPI_Datatype from_type, void* to, MPI_Datatype to_type) const;
  template <class Part>
  void in_parts(MPI_Count first, MPI_Count last, const Part& part) const;

  Data data_;
  Self self_;
  MPI_Count item_bytes_;
  MPI_Aint extent_ = 0;
  MPI_Datatype rebased_ = MPI_DATATYPE_NULL;
};

/// Memory of Rota's own for items of a type, with all its gaps.
class ItemMemory {
 public:
  /// Throws MpiError, std::bad_alloc.
  ItemMemory(MPI_Count count, MPI_Datatype type);

  Data data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  Data data_;
};

/// Copies all items of `from` to those of `to`, of the same packed bytes in perhaps another type. Throws
/// MpiError.
void copy_items(const Data& from, const Data& to, const Self& self);

}  // namespace rota::mpi
