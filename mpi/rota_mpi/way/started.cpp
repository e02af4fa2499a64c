#include "rota_mpi/way/started.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "rota_mpi/communicators/completion.hpp"
#include "rota_mpi/library/progress.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/play/under_way.hpp"
#include "rota_mpi/report/log.hpp"
#include "rota_mpi/report/records.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/unserved.hpp"

namespace rota::mpi {

namespace {

struct Taken {
  double start_s = 0;
  double seconds = 0;
  std::optional<double> elsewhere_s;  // of these, in no call of MPI's
};

/// Since a moment; the program's absence for who takes notes only.
class Stopwatch {
 public:
  Taken taken() const {
    const auto elsewhere_s = elsewhere_s_ ? seconds_elsewhere() : std::nullopt;
    return {start_s_, pmpi.Wtime() - start_s_,
            elsewhere_s ? std::optional(*elsewhere_s - *elsewhere_s_) : std::nullopt};
  }

 private:
  double start_s_ = pmpi.Wtime();
  std::optional<double> elsewhere_s_ = settings().takes_notes ? seconds_elsewhere() : std::nullopt;
};

/// A call that a schedule serves, as often as it is started: of all that this takes, each is made once.
class Task {
 public:
  Task(std::unique_ptr<Operation> of, Decision by, std::shared_ptr<Lane> lane, MPI_Comm on,
       const char* called, Completion (*made)(std::shared_ptr<Completing>))
      : operation_(std::move(of)),
        decision_(std::move(by)),
        lane_(std::move(lane)),
        comm_(on),
        name_(called),
        completion_(made(decision_.companion->completing(on))) {}

  /// Where other ranks may leave the call to the MPI library. Throws MpiError.
  void stand_in(Manner manner) {
    if (const StandIn::Native native = operation_->stand_in(manner)) stand_in_.emplace(native, manner);
  }
  void stand_in_again() {
    if (stand_in_) stand_in_->start();
  }
  bool stands_in() { return stand_in_ && !stand_in_->is_over(); }

  Companion& companion() const { return *decision_.companion; }
  const Channel& channel() const { return lane_ != nullptr ? lane_->channel : companion().channel(); }
  Queue& queue() const { return lane_ != nullptr ? lane_->queue : companion().queue(); }
  MPI_Comm comm() const { return comm_; }
  /// Its channel? A lane is open since it was set up, and the program may have freed its communicator since
  /// then, and with it the companion. Throws MpiError where there is none to open.
  bool has_opened() const {
    if (lane_ != nullptr) return true;
    if (!companion().has_opened()) return false;
    if (companion().fault != nullptr) throw MpiError{MPI_ERR_OTHER};
    return true;
  }
  const Completion& completion() const { return completion_; }

  /// Local; only where the channel is open. Throws MpiError, std::bad_alloc.
  void prepare() {
    if (prepared_.store == nullptr) prepared_ = operation_->prepare(decision_);
  }

  /// What comes next, under way from its beginning: what ranks tell each other first, then the schedule.
  /// Throws MpiError, std::bad_alloc.
  std::unique_ptr<UnderWay> begun() {
    told_ = operation_->tell(decision_);
    if (told_) return under_way(*told_, nobody());
    prepare();
    log_decision(name_, prepared_.note);
    played_.emplace(name_, prepared_.note, channel());
    return under_way(prepared_, *played_->observer());
  }
  bool is_telling() const { return told_.has_value(); }

  /// It is over.
  void finish(const Stopwatch& stopwatch) {
    prepared_.store->finish();
    if (!settings().takes_notes) return;
    const Taken taken = stopwatch.taken();
    prepared_.note.start_s = taken.start_s;
    prepared_.note.seconds = taken.seconds;
    prepared_.note.elsewhere_s = taken.elsewhere_s;
    take_note(name_, prepared_.note);
  }

 private:
  std::unique_ptr<UnderWay> under_way(const Prepared& next, Observer& observer) {
    return std::make_unique<UnderWay>(
        Execution{next.steps, next.rounds, channel(), next.in_flight, &observer}, *next.store, scratch_);
  }

  std::unique_ptr<Operation> operation_;  // which keeps what the store refers to
  Decision decision_;
  std::shared_ptr<Lane> lane_;  // of a call that is started in any order; none: it goes in its communicator's
  MPI_Comm comm_;
  const char* name_;
  Completion completion_;
  std::optional<StandIn> stand_in_;
  std::optional<Prepared> told_;
  Prepared prepared_;
  std::optional<PlayedCall> played_;  // this time
  Scratch scratch_;
};

/// Once.
class Run final : public Ongoing {
 public:
  explicit Run(std::shared_ptr<Task> task) : task_(std::move(task)) {}

  /// What fails ends the call.
  Left advance() override {
    Left left = Left::nothing;
    failure_ = failure_of([&] { left = carried_on(); });
    if (failure_) {
      task_->completion().fail();
    } else if (left == Left::nothing) {
      task_->completion().complete();
    }
    return left;
  }

  std::optional<Fault> fault() const override {
    if (!failure_ || failure_->is_raised) return {};
    return Fault{task_->comm(), failure_->code};
  }

 private:
  Left carried_on() {
    if (!task_->has_opened()) return Left::waiting;
    if (under_way_ == nullptr) {
      if (task_->stands_in()) return Left::waiting;
      under_way_ = task_->begun();
    }
    Left left = Left::waiting;
    while (!has_been_played()) {
      if (!under_way_->look()) return left;
      left = Left::moving;
    }
    task_->finish(stopwatch_);
    return Left::nothing;
  }

  /// Has the call itself? What ranks tell each other first is followed by what comes next.
  bool has_been_played() {
    while (under_way_->advance()) {
      if (!task_->is_telling()) return true;
      under_way_ = nullptr;  // which refers to what was told
      under_way_ = task_->begun();
    }
    return false;
  }

  std::shared_ptr<Task> task_;
  Stopwatch stopwatch_;
  std::unique_ptr<UnderWay> under_way_;
  std::optional<MpiError> failure_;
};

void run(const std::shared_ptr<Task>& task) { task->queue().join(std::make_unique<Run>(task)); }

/// By the program's requests for them. May be used by several threads.
class PersistentTasks {
 public:
  void add(std::shared_ptr<Task> task) {
    const std::scoped_lock lock(mutex_);
    tasks_[task->completion().request()] = std::move(task);
    is_any_ = true;
  }

  /// nullptr: the request is none of Rota's.
  std::shared_ptr<Task> find(MPI_Request request) const {
    if (!is_any_) return nullptr;
    const std::scoped_lock lock(mutex_);
    const auto found = tasks_.find(request);
    return found == tasks_.end() ? nullptr : found->second;
  }

  /// What is over by now.
  void remove(MPI_Request request) {
    const std::shared_ptr<Task> task = find(request);
    if (task == nullptr) return;
    task->queue().leave();
    const std::scoped_lock lock(mutex_);
    tasks_.erase(request);
    is_any_ = !tasks_.empty();
  }

  bool is_any() const { return is_any_; }

 private:
  std::map<MPI_Request, std::shared_ptr<Task>> tasks_;
  std::atomic<bool> is_any_{false};
  mutable std::mutex mutex_;
};

/// Never destroyed: programs may free requests in their last destructor.
PersistentTasks& persistent_tasks() {
  static auto* const tasks = new PersistentTasks;
  return *tasks;
}

int pass_on(const std::optional<Decision>& decision, Operation& operation, MPI_Comm comm, NativeCall native) {
  const auto call = [&](std::optional<Served>& served) {
    if (decision) served = unserved(*decision, comm);
    if (served) log_decision(native.name(), *served);
    return native();
  };
  return noted(call, [&](Served& served) {
    operation.tell_unseen(served);
    served.is_start_only = true;
    take_note(native.name(), served);
  });
}

}  // namespace

const char* reason_not_to_start() {
  const World* const here = world();
  return here != nullptr && here->is_carried_on ? nullptr : "no hook in MPI's progress";
}

int start(std::unique_ptr<Operation> operation, MPI_Comm comm, NativeCall native) {
  const std::optional<Decision> decision = operation->decide_at_once();
  if (!decision || decision->companion == nullptr) return pass_on(decision, *operation, comm, native);
  const auto task =
      std::make_shared<Task>(std::move(operation), *decision, nullptr, comm, native.name(), Completion::once);
  task->stand_in(native.manner());
  *native.request() = task->completion().request();
  run(task);
  return MPI_SUCCESS;
}

int set_up(std::unique_ptr<Operation> operation, MPI_Comm comm, NativeCall native) {
  const std::optional<Decision> decision = operation->decide_for_starts();
  if (!decision || decision->companion == nullptr) return pass_on(decision, *operation, comm, native);
  std::shared_ptr<Lane> lane = decision->companion->new_lane();
  if (lane == nullptr)
    return pass_on(left_to_native(decision->call, "there is no tag for it"), *operation, comm, native);
  auto task = std::make_shared<Task>(std::move(operation), *decision, std::move(lane), comm, native.name(),
                                     Completion::again_and_again);
  task->prepare();
  task->stand_in(native.manner());
  *native.request() = task->completion().request();
  persistent_tasks().add(std::move(task));
  return MPI_SUCCESS;
}

int start_again(MPI_Request* request) {
  const std::shared_ptr<Task> task = request == nullptr ? nullptr : persistent_tasks().find(*request);
  const int code = pmpi.Start(request);
  if (task == nullptr || code != MPI_SUCCESS) return code;
  return raising_on(task->comm(), [&] {
    task->stand_in_again();
    run(task);
    return MPI_SUCCESS;
  });
}

int start_all_again(int count, MPI_Request* requests) {
  if (!persistent_tasks().is_any() || requests == nullptr) return pmpi.Startall(count, requests);
  for (int i = 0; i < count; ++i) {
    const int code = start_again(&requests[i]);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int free_request(MPI_Request* request) {
  if (request != nullptr) persistent_tasks().remove(*request);
  return pmpi.Request_free(request);
}

}  // namespace rota::mpi
