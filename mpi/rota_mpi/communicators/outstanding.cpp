#include "rota_mpi/communicators/outstanding.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "rota_mpi/communicators/completion.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

namespace {

/// Where a blocking call stands in queue.
class Gate final : public Ongoing {
 public:
  explicit Gate(World& world) : reached_(Completion::once(world)) {}

  MPI_Request request() const { return reached_.request(); }

  bool advance() override {
    reached_.complete();
    return true;
  }

 private:
  Completion reached_;
};

}  // namespace

/// All queues that have operations. One thread at a time looks after them; others go on.
class Outstanding {
 public:
  void add(Queue& queue, std::unique_ptr<Ongoing> operation) {
    while (is_taken_.test_and_set(std::memory_order_acquire)) sched_yield();
    const Released released{is_taken_};
    if (queue.is_empty()) busy_.push_back(&queue);
    queue.append(std::move(operation));
    advance_all();
  }

  void remove(const Queue& queue) {
    while (is_taken_.test_and_set(std::memory_order_acquire)) sched_yield();
    const Released released{is_taken_};
    std::erase(busy_, &queue);
    count_ = busy_.size();
  }

  /// Is anything left? Where another thread is here, or this one already, that looks after it.
  bool advance() {
    if (count_ == 0) return false;
    if (is_taken_.test_and_set(std::memory_order_acquire)) return true;
    const Released released{is_taken_};
    advance_all();
    return count_ > 0;
  }

  bool is_any() const { return count_ > 0; }

 private:
  struct Released {
    std::atomic_flag& flag;
    ~Released() { flag.clear(std::memory_order_release); }
  };

  void advance_all() {
    for (Queue* const queue : busy_) queue->advance();
    std::erase_if(busy_, [](const Queue* queue) { return queue->is_empty(); });
    count_ = busy_.size();
  }

  std::atomic_flag is_taken_;
  std::vector<Queue*> busy_;
  std::atomic<std::size_t> count_{0};
};

namespace {

/// Never destroyed: communicators may be freed after all else.
Outstanding& outstanding() {
  static auto* const all = new Outstanding;
  return *all;
}

bool advance_outstanding() { return outstanding().advance(); }

}  // namespace

Queue::~Queue() {
  if (!is_empty()) outstanding().remove(*this);
}

void Queue::join(std::unique_ptr<Ongoing> operation) {
  outstanding().add(*this, std::move(operation));
  if (outstanding().is_any()) hook_progress(advance_outstanding);
}

void Queue::wait() {
  World* const here = world();
  if (is_empty() || here == nullptr) return;
  auto gate = std::make_unique<Gate>(*here);
  MPI_Request request = gate->request();
  join(std::move(gate));
  check_own(pmpi.Wait(&request, MPI_STATUS_IGNORE));
}

void Queue::append(std::unique_ptr<Ongoing> operation) {
  operations_.push_back(std::move(operation));
  length_ = operations_.size();
}

void Queue::advance() {
  while (!operations_.empty() && operations_.front()->advance()) operations_.pop_front();
  length_ = operations_.size();
}

bool is_any_outstanding() { return outstanding().is_any(); }

}  // namespace rota::mpi
