// What Rota remembers of the program's communicators, attached to them as attributes, so that it goes when they go.
//
// Attribute keys belong to one run of MPI: from the first of MPI_Init and MPI_Session_init until MPI_Finalize or the last
// MPI_Session_finalize. In the next run the same number may be the key of something of the program's. So keys are made anew in each.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// Somebody has started MPI in this process, or has ended it.
void mpi_started();
void mpi_ended();

/// The same of a session; is one on? Else no communicator comes from any, for these are gone before it ends.
void session_started();
void session_ended();
bool is_in_session();

/// Which run of MPI is on, by a number.
std::int64_t run_of_mpi();

/// While the program frees a communicator, its attribute-delete functions may still call collectives on it;
/// but what Rota has attached may be gone, earlier on some ranks than on others. Such calls are native.
class Freeing {
 public:
  explicit Freeing(MPI_Comm comm);
  Freeing(const Freeing&) = delete;
  Freeing& operator=(const Freeing&) = delete;
  ~Freeing();

 private:
  friend bool is_being_freed(MPI_Comm comm);
  MPI_Comm comm_;
  const Freeing* outer_;
};

/// Is this thread in the midst of freeing it?
bool is_being_freed(MPI_Comm comm);

enum class AttachedKind : std::uint8_t { companion, tie, watch };
constexpr std::size_t attached_kinds = 3;

/// What a thread has found of one kind, and when: in one run of MPI, while no thing of this kind comes to its
/// end, a communicator's handle names that one. Not the template's own, which in programs that are loaded
/// several times, as under SMPI, were one for all.
struct LatestAttached {
  struct Age {
    std::int64_t run;
    std::int64_t ends;

    bool operator==(const Age&) const = default;
  };

  MPI_Comm comm;
  Age age;
  void* thing;
};

/// This thread's.
LatestAttached& latest_attached(AttachedKind kind);

/// Things of one kind, at most one for each communicator. Local: no messages. May be used by several threads.
template <class Thing>
class Attached {
 public:
  explicit Attached(AttachedKind kind) : kind_(kind) {}

  /// What is attached; nullptr: nothing. Asked about one communicator again and again, it does not ask MPI.
  /// Throws MpiError.
  Thing* find(MPI_Comm comm) {
    const LatestAttached::Age age{run_of_mpi(), ends_.load(std::memory_order_acquire)};
    LatestAttached& latest = latest_attached(kind_);
    const bool is_known = latest.thing != nullptr && latest.comm == comm && latest.age == age;
    if (!is_known) latest = {comm, age, asked_for(comm)};
    return static_cast<Thing*>(latest.thing);
  }

  /// Attaches it, to be destroyed when the communicator is freed. Throws MpiError.
  Thing& attach(MPI_Comm comm, std::unique_ptr<Thing> thing) {
    check(pmpi.Comm_set_attr(comm, key(), thing.get()));
    return *thing.release();
  }

 private:
  struct Key {
    std::int64_t run = -1;
    int number = MPI_KEYVAL_INVALID;
  };

  Thing* asked_for(MPI_Comm comm) {
    void* found = nullptr;
    int is_there = 0;
    check(pmpi.Comm_get_attr(comm, key(), static_cast<void*>(&found), &is_there));
    return is_there != 0 ? static_cast<Thing*>(found) : nullptr;
  }

  // MPI calls this when the program frees its communicator, on all its ranks.
  static int destroy(MPI_Comm, int, void* attribute, void*) {
    ends_.fetch_add(1, std::memory_order_release);
    const std::unique_ptr<Thing> thing(static_cast<Thing*>(attribute));
    return MPI_SUCCESS;
  }

  int key() {
    const std::scoped_lock lock(mutex_);
    if (key_.run != run_of_mpi()) key_ = {run_of_mpi(), new_number()};
    return key_.number;
  }

  static int new_number() {
    int number = MPI_KEYVAL_INVALID;
    // The program's duplicates of its communicator get things of their own.
    check(pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, destroy, &number, nullptr));
    return number;
  }

  inline static std::atomic<std::int64_t> ends_{0};  // of things, so far

  AttachedKind kind_;
  Key key_;
  std::mutex mutex_;
};

}  // namespace rota::mpi
