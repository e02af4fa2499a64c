#include "rota_mpi/report/last_words.hpp"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace rota::mpi {

namespace {

struct EndingSignal {
  int number;
  Ending ending;
};
constexpr std::array ending_signals{EndingSignal{SIGTERM, Ending::terminated},
                                    EndingSignal{SIGINT, Ending::interrupted}};

// Launchers wait about so long until they send SIGKILL after SIGTERM.
constexpr int patience_ms = 1000;
// A report takes some milliseconds, where processors are not busy with other things.
constexpr int moment_ms = 200;
constexpr int look_ms = 2;
// And between ranks that would all end the job, the first ones of them.
constexpr int turn_ms = 2;
constexpr Rank most_turns = (patience_ms - moment_ms) / turn_ms;

/// Of which a signal handler may release a unit.
class Semaphore {
 public:
  Semaphore() { sem_init(&units_, 0, 0); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  ~Semaphore() = default;

  void release() { sem_post(&units_); }
  void acquire() {
    while (sem_wait(&units_) != 0) {
    }
  }

 private:
  sem_t units_{};
};

class Speaker {
 public:
  explicit Speaker(std::function<void(Ending)> words)
      : words_(std::move(words)), thread_(without_signals(this)) {}
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;
  ~Speaker() = default;

  /// May be called in a signal handler, by several threads at once.
  void say(Ending ending) {
    if (!is_asked_.exchange(true)) {
      ending_ = ending;
      called_.release();
    }
    for (int waited_ms = 0; !has_said_ && waited_ms < patience_ms; waited_ms += look_ms)
      poll(nullptr, 0, look_ms);
  }

  /// The thread ends, after what it may be saying.
  void dismiss() {
    if (!is_asked_.exchange(true)) called_.release();
    thread_.join();
  }

 private:
  /// Its signals are the program's other threads' business.
  static std::thread without_signals(Speaker* speaker) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct Restored {
      const sigset_t& mask;
      ~Restored() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } const restored{before};
    return std::thread([speaker] { speaker->wait(); });
  }

  void wait() {
    called_.acquire();
    if (ending_ == Ending::finalized) return;
    say_what_there_is_memory_for();
    has_said_ = true;
  }

  void say_what_there_is_memory_for() {
    try {
      words_(ending_);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  std::function<void(Ending)> words_;
  Semaphore called_;
  std::atomic<bool> is_asked_{false};
  std::atomic<bool> has_said_{false};
  std::atomic<Ending> ending_{Ending::finalized};
  std::thread thread_;
};

// Never destroyed: the thread of a program that exits without MPI_Finalize sleeps to the end.
constinit std::atomic<Speaker*> speaker{nullptr};
// That has it, and the handlers; its children have neither.
constinit std::atomic<pid_t> process{0};
constinit std::atomic<Rank> own_rank{0};
static_assert(std::atomic<Speaker*>::is_always_lock_free && std::atomic<Ending>::is_always_lock_free);

void set_default(int number) {
  struct sigaction by_default{};
  by_default.sa_handler = SIG_DFL;
  sigaction(number, &by_default, nullptr);
}

void say_or_wait(Ending ending) {
  if (getpid() != process) return;
  Speaker* const here = speaker;
  if (here != nullptr && own_rank == 0) return here->say(ending);
  poll(nullptr, 0, moment_ms);
}

/// Until those below have ended the job, if they do.
void wait_for_those_below() {
  const Rank below = own_rank;
  if (below > 0) poll(nullptr, 0, moment_ms + turn_ms * std::min(below, most_turns));
}

/// Blocked while it is handled, the signal that is raised here comes when this returns.
void handle(int number) {
  const int error = errno;
  for (const EndingSignal& each : ending_signals) {
    if (each.number == number) say_or_wait(each.ending);
  }
  set_default(number);
  raise(number);
  errno = error;
}

bool is_handled_by(void (*handler)(int), int number) {
  struct sigaction now{};
  return sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == handler;
}

/// On the stack that the program may have for its handlers.
void take(int number) {
  struct sigaction mine{};
  mine.sa_handler = handle;
  mine.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&mine.sa_mask);
  sigaction(number, &mine, nullptr);
}

void take_signals() {
  process = getpid();
  for (const EndingSignal& each : ending_signals) {
    if (is_handled_by(SIG_DFL, each.number)) take(each.number);
  }
}

}  // namespace

void keep_last_words(std::function<void(Ending)> say, Rank rank) {
  own_rank = rank;
  try {
    speaker = new Speaker(std::move(say));
  } catch (const std::system_error&) {
    speaker = nullptr;
  }
  take_signals();
}

void say_last_words(Ending ending) {
  Speaker* const here = speaker;
  if (here == nullptr || getpid() != process) return;
  wait_for_those_below();
  here->say(ending);
}

void forget_last_words() {
  for (const EndingSignal& each : ending_signals) {
    if (is_handled_by(handle, each.number)) set_default(each.number);
  }
  Speaker* const ended = speaker.exchange(nullptr);
  if (ended != nullptr) ended->dismiss();
}

}  // namespace rota::mpi
