#include "rota_mpi/communicators/outstanding.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "rota_mpi/communicators/completion.hpp"
#include "rota_mpi/communicators/pausing.hpp"
#include "rota_mpi/communicators/world.hpp"

namespace rota::mpi {

namespace {

/// Where a blocking call stands in queue.
class Gate final : public Ongoing {
 public:
  explicit Gate(World& world) : reached_(Completion::once(completing_of(world))) {}

  MPI_Request request() const { return reached_.request(); }

  Left advance() override {
    reached_.complete();
    return Left::nothing;
  }

 private:
  Completion reached_;
};

/// Held for as long as one look at all queues takes.
class Turn {
 public:
  void lock() {
    while (!try_lock()) sched_yield();
  }
  bool try_lock() { return !is_taken_.test_and_set(std::memory_order_acquire); }
  void unlock() { is_taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag is_taken_;
};

}  // namespace

/// All queues that have operations. One thread at a time looks after them; others go on.
class Outstanding {
 public:
  void add(Queue& queue, std::unique_ptr<Ongoing> operation) {
    if (const auto fault = added(queue, std::move(operation))) raise(*fault);
  }

  void remove(const Queue& queue) {
    const std::scoped_lock held(turn_);
    std::erase(busy_, &queue);
    count_ = busy_.size();
  }

  /// Where another thread is here, or this one already, that looks after what is left.
  Left advance() {
    if (count_ == 0) return Left::nothing;
    std::unique_lock held(turn_, std::try_to_lock);
    if (!held) return Left::waiting;
    const Looked looked = advance_all();
    held.unlock();
    if (!looked.fault) return looked.left;
    raise(*looked.fault);
    return is_any() ? Left::moving : Left::nothing;  // the program may have started more
  }

  bool is_any() const { return count_ > 0; }

 private:
  /// What is left, and what has failed: the next look goes on behind it.
  struct Looked {
    Left left = Left::nothing;
    std::optional<Fault> fault;
  };

  std::optional<Fault> added(Queue& queue, std::unique_ptr<Ongoing> operation) {
    const std::scoped_lock held(turn_);
    if (queue.is_empty()) busy_.push_back(&queue);
    queue.append(std::move(operation));
    return advance_all().fault;
  }

  Looked advance_all() {
    Looked looked;
    bool has_moved = false;
    for (Queue* const queue : busy_) {
      has_moved |= queue->advance() != Left::waiting;
      looked.fault = queue->take_fault();
      if (looked.fault) break;
    }
    std::erase_if(busy_, [](const Queue* queue) { return queue->is_empty(); });
    count_ = busy_.size();
    if (!busy_.empty()) looked.left = has_moved ? Left::moving : Left::waiting;
    return looked;
  }

  static void raise(const Fault& fault) { pmpi.Comm_call_errhandler(fault.comm, fault.code); }

  Turn turn_;
  std::vector<Queue*> busy_;
  std::atomic<std::size_t> count_{0};
};

namespace {

/// Never destroyed: communicators may be freed after all else.
Outstanding& outstanding() {
  static auto* const all = new Outstanding;
  return *all;
}

}  // namespace

Left advance_outstanding() { return outstanding().advance(); }

// Also of an empty queue: the thread that has just emptied it, so that this one could go on, may not have left it.
Queue::~Queue() { leave(); }

void Queue::join(std::unique_ptr<Ongoing> operation) {
  outstanding().add(*this, std::move(operation));
  if (outstanding().is_any()) hook_progress(advance_outstanding, pause_in_engine);
}

void Queue::wait() {
  World* const here = world();
  if (is_empty() || here == nullptr) return;
  auto gate = std::make_unique<Gate>(*here);
  MPI_Request request = gate->request();
  join(std::move(gate));
  check_own(pmpi.Wait(&request, MPI_STATUS_IGNORE));
}

void Queue::leave() const { outstanding().remove(*this); }

void Queue::append(std::unique_ptr<Ongoing> operation) {
  operations_.push_back(std::move(operation));
  length_ = operations_.size();
}

Left Queue::advance() {
  bool has_moved = false;
  while (!operations_.empty()) {
    const Left left = operations_.front()->advance();
    has_moved |= left != Left::waiting;
    if (left != Left::nothing) break;
    fault_ = operations_.front()->fault();
    operations_.pop_front();
    if (fault_) break;
  }
  length_ = operations_.size();
  if (operations_.empty()) return Left::nothing;
  return has_moved ? Left::moving : Left::waiting;
}

bool is_any_outstanding() { return outstanding().is_any(); }

}  // namespace rota::mpi
