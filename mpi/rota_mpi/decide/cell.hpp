// Calls of one collective and about one size on a communicator: in these the MPI library's own collective and Rota's schedule compete.
//
//   calls    |N |S |N |S |N |S |N N N |S |N N N N N N N |S ...        S: by the schedule, N: natively; |: ranks meet before it
//   agreed     1     3     5         9                 17             what they took: by one reduction over the ranks
//
// One of both arms is the *incumbent*, in the beginning the native one, the other is the *challenger*. Calls come in periods. All of a
// period's calls are the incumbent's, but for the first, which may be a *trial* of the challenger: that and the next call are a pair,
// before both of which ranks meet, so that nobody's lateness counts, and what the slowest takes is what the call takes. After a period's
// last call the ranks agree on what was taken; that alone, and the number of the call in its period, says what comes next: so they never
// differ. The first period is of one native call, which says how long a call takes, and to meet; but calls of a mebibyte or more, or three
// where ranks must make a plan together, begin with a trial, for a program may make but one of them.
//
//   a schedule's first trial  only where the period's native calls took at least 1.15 times as long as it is predicted to take: by what was
//                             found of the network, and no less than its rounds take without any data: each is a message and its
//                             acknowledgement, one after the other, and to meet takes ceil(log2 p) messages. At once if what it
//                             needs besides, so many meetings, takes no longer than a call; else not before that is a hundredth of
//                             what the cell's calls have taken
//   the next period's trial   only while all trials together have cost at most 1 % of what the cell's calls have taken; of native calls,
//                             which were seen to take longer, only when one more will have cost no more than that
//   the incumbent's place     by what both took in the latest pairs together, for in the end it is sums that count, and late messages with
//                             them: goes to a schedule that takes clearly less (by far less, after one pair), and back once it takes no less,
//                             or in its first 64 calls takes clearly more in the mean than native calls have: then pairs were luck
//   the end                   a trial of the schedule, but for the first, that takes more than twice native's time: native for good
//
// Before the first trial of a schedule its messages are rehearsed, for to be the first takes longer.
//
// Once the network is found a cell's schedule is another one, in messages of other sizes, for what was measured promises more of it. That
// may be wrong: a link's burst or another job's load was measured. So of the *earlier* schedule the pairs are kept until there are as many
// of the other one; if this is predicted to take clearly longer than the earlier one took, it is not tried; and if it takes clearly more of native's time than the earlier one did, by far more after one pair, that comes back.
//
// Bound. A trial's cost is what it takes beyond its pair's other call (less than nothing if it takes less), and what rehearsing, meeting and
// agreeing take; what it takes to meet and to agree before the first trial is part of that one's. Let E be the sum of that, but no less
// than nothing after a change, and T the sum of all calls' times. A period has one trial at most, and none unless E <= T / 100 before it;
// without one it is as long as T is likely to need for the next, but for those behind a change. So at any time E <= T / 100 + the cost of
// one trial + that of agreeing without one since: by induction, for a period with a trial adds to E only where E <= T / 100, and then no
// more than that trial's cost, while T only grows.
//
// That an incumbent schedule is slower, or becomes so, is not covered by it. Where ranks wait for processors that others have, a pair may
// have been luck, and no trial of a native call may be due for long; so ranks agree soon what the schedule takes. Periods are of two calls
// after a change and after a pair that the challenger has clearly won; else of as many calls as there were since then, up to 64 where
// there is a trial.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "rota_mpi/decide/call.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

enum class Arm : std::uint8_t { native, schedule };

/// Calls by each arm, and what they took.
struct ByArm {
  struct OfArm {
    std::int64_t calls = 0;
    double seconds = 0;

    double mean_s() const { return seconds / static_cast<double>(calls); }
    friend OfArm operator+(const OfArm& one, const OfArm& other) {
      return {one.calls + other.calls, one.seconds + other.seconds};
    }
  };
  std::array<OfArm, 2> arms{};  // by Arm

  const OfArm& of(Arm arm) const { return arms[static_cast<std::size_t>(arm)]; }
  OfArm& of(Arm arm) { return arms[static_cast<std::size_t>(arm)]; }
};

/// What ranks have agreed on at the end of a period, of whose calls it is.
struct Outcome : ByArm {
  double trial_cost_s = 0;
  Arm incumbent = Arm::native;  // from now on
  bool is_first = false;
  bool has_changed = false;
};

/// What a call is predicted to take by the schedule: the longer of both.
struct Prediction {
  double seconds = 0;   // on the network that was found; 0: nothing is known of it
  double meetings = 0;  // as many meetings of the ranks take, at the least; 0: nobody knows
};

class Cell {
 public:
  /// What a schedule's first trial needs besides takes about as long as so many meetings of the ranks.
  explicit Cell(double meetings) : meetings_(meetings) {}

  /// Of calls that certainly take longer than that: the first of them is a trial.
  static Cell beginning_with_trial(double meetings) {
    Cell cell(meetings);
    cell.has_trial_ = true;
    cell.length_ = 2;
    return cell;
  }

  /// By which arm the next call is served: the same on all ranks.
  Arm next() const { return is_trial() ? challenger() : incumbent_; }

  /// Do the ranks meet before it?
  bool is_paired() const { return (!has_begun_ || (has_trial_ && calls_ < 2)) && !is_decided_; }

  /// Is it the first of a pair, or the second?
  bool is_trial() const { return has_trial_ && calls_ == 0 && !is_decided_; }
  bool is_in_pair() const { return has_trial_ && calls_ == 1 && !is_decided_; }

  /// Is it the first by a schedule of which nothing is known?
  bool is_first_of_schedule() const { return is_trial() && pairs_.empty() && challenger() == Arm::schedule; }

  /// By the schedule the next call is predicted to take so long: the same on all ranks.
  void expect(const Prediction& prediction);

  /// It took so long on this rank.
  void took(double seconds);

  /// To meet, or to agree, took so long on this rank.
  void spent(double seconds) { taken_.spent_s += seconds; }

  /// Is the period over? Then the ranks agree on the most, number by number, of what they have `taken`, and
  /// its outcome follows from that alone.
  bool is_over() const { return !is_decided_ && calls_ == length_; }
  std::vector<std::int64_t> taken() const;
  Outcome agree(const std::vector<std::int64_t>& taken);

  /// So many calls like these were made natively beside them, where nobody saw what they took. The next one
  /// may be a trial.
  void others_took_place(std::int64_t calls);

  /// From now on the schedule is another one, of which nothing is known.
  void renew_schedule();
  /// The new one is predicted to take so long: if that is clearly longer than the earlier one took, that
  /// comes back untried. The same on all ranks.
  void foresee(double seconds);
  /// Has the earlier one come back, which was its schedule before that?
  bool is_on_earlier() const { return is_on_earlier_; }

  /// Is anything known of its schedule?
  bool is_known() const { return !pairs_.empty(); }
  /// Native for good?
  bool is_decided() const { return is_decided_; }
  /// Native because the first trial of a schedule would cost too much so far, or promises too little?
  bool is_waiting() const { return has_begun_ && pairs_.empty() && !has_trial_; }
  bool is_promising() const;
  Arm incumbent() const { return incumbent_; }

 private:
  /// Of a period's calls, in seconds.
  struct Taken {
    double trial_s = 0;
    double partner_s = 0;  // the other call of its pair
    double all_s = 0;
    double spent_s = 0;  // on meeting, and on agreeing on the period before
  };

  /// A trial and the call after it, in seconds.
  struct Pair {
    double native_s = 0;
    double schedule_s = 0;
  };
  static Pair sum(const std::vector<Pair>& pairs);

  // What ends a period, one after the other.
  Outcome outcome_of(const Taken& agreed) const;
  void compare(const Taken& agreed);
  void book(const Taken& agreed, double trial_cost_s);
  Arm next_incumbent();
  void change_to(Arm incumbent);

  Arm challenger() const { return incumbent_ == Arm::native ? Arm::schedule : Arm::native; }
  void saw(Arm arm, const ByArm::OfArm& calls) { seen_.of(arm) = seen_.of(arm) + calls; }
  bool is_by_luck() const;
  void judge(const Pair& pair);
  void come_back();
  bool is_worse_than_earlier() const;
  Arm better() const;
  double promised(double all_s) const;
  void begin_period(bool is_short);
  std::int64_t length_of_period() const;
  bool may_try() const;
  double call_s() const;
  double cost_ahead_s() const;
  std::int64_t calls_until_trial() const;

  double meetings_;
  double meeting_s_ = std::numeric_limits<double>::infinity();  // the shortest that was seen
  Arm incumbent_ = Arm::native;
  bool is_decided_ = false;
  bool has_begun_ = false;     // is the first period over?
  double promised_ = 0;        // a period's calls' time by the schedule's predicted one; 0: none was seen
  ByArm seen_;                 // all native calls that were, and the schedule's since it has its place
  std::vector<Pair> pairs_;    // the latest
  std::vector<Pair> earlier_;  // the earlier schedule's, while it may come back
  bool is_on_earlier_ = false;
  bool has_tried_ = false;      // any schedule
  double before_trials_s_ = 0;  // what it took to meet and to agree until then
  double trials_cost_s_ = 0;
  double total_s_ = 0;
  std::int64_t calls_since_short_ = 0;
  std::int64_t all_calls_ = 0;

  // The period.
  std::int64_t length_ = 1;
  bool has_trial_ = false;
  std::int64_t calls_ = 0;
  Prediction expected_;  // of all of them together
  Taken taken_{};
};

/// Do both arms compete in such calls? Not where the user says which to take, or a profile does; nor, unless
/// the user allows it, where values would be combined in another order.
bool competes(const Call& call, const Settings& settings);

/// What a schedule needs besides its messages, as it is known before the first trial.
enum class Preparation : std::uint8_t {
  alone,    // each rank makes its part by itself
  together  // what ranks know of the call is gathered, and all make a plan of it
};

/// So many rounds that wait for one another take as long as so many meetings of the ranks, at the least.
double rounds_in_meetings(double rounds, Rank ranks);

/// Of one communicator.
class Cells {
 public:
  /// Of calls such as this one, with which both arms compete; before a schedule of theirs is played, their
  /// ranks have so much to do together. Throws std::bad_alloc.
  Cell& of(const Call& call, Preparation preparation);

  /// nullptr: there was none yet.
  Cell* find(const Call& call);

  /// From now on schedules are others.
  void renew_schedules();

  /// Has the schedule of before come back in such calls?
  bool is_on_earlier(const Call& call) const;

 private:
  struct Key {
    Collective collective;
    int size_class;
    std::int64_t settings;  // in force

    auto operator<=>(const Key&) const = default;
  };
  static Key key_of(const Call& call);

  std::map<Key, Cell> cells_;
};

}  // namespace rota::mpi
