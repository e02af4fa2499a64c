#include "rota_mpi/decide/cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rota/schedule/types.hpp"
#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

constexpr double nanoseconds = 1e9;

constexpr double most_trials_cost = 0.01;  // of all calls' time

// To open a channel, before both calls of the first pair, and after them.
constexpr double meetings_of_pair = 4;

// To agree whether there is a plan, twice; and what each rank computes meanwhile, as much again.
constexpr double meetings_of_plan = 4;

constexpr double promising = 1.15;  // times what a schedule is predicted to take

constexpr double hopeless = 2;   // times native's time
constexpr double clearly = 1.1;  // times the time of the schedule that takes its place
constexpr double by_far = 2;     // the same after one pair only

constexpr std::int64_t longest_period = 64;
constexpr std::int64_t longest_without_trial = 1024;
constexpr std::size_t latest_pairs = 5;

}  // namespace

void Cell::expect(const Prediction& prediction) {
  expected_.seconds += prediction.seconds;
  expected_.meetings += prediction.meetings;
}

void Cell::took(double seconds) {
  if (is_decided_) return;
  if (has_trial_ && calls_ == 0) taken_.trial_s = seconds;
  if (has_trial_ && calls_ == 1) taken_.partner_s = seconds;
  taken_.all_s += seconds;
  ++calls_;
}

/// Of what was spent the least is to be agreed, that of the last ranks to come: the others have waited for
/// them, as they would have in the call.
std::vector<std::int64_t> Cell::taken() const {
  const auto in_nanoseconds = [](double seconds) {
    return static_cast<std::int64_t>(std::llround(seconds * nanoseconds));
  };
  return {in_nanoseconds(taken_.trial_s), in_nanoseconds(taken_.partner_s), in_nanoseconds(taken_.all_s),
          in_nanoseconds(-taken_.spent_s)};
}

Outcome Cell::agree(const std::vector<std::int64_t>& taken) {
  const auto in_seconds = [](std::int64_t each) {
    return static_cast<double>(std::max<std::int64_t>(1, each)) / nanoseconds;
  };
  const Taken agreed{in_seconds(taken[0]), in_seconds(taken[1]), in_seconds(taken[2]), in_seconds(-taken[3])};
  Outcome outcome = outcome_of(agreed);
  has_begun_ = true;
  compare(agreed);
  book(agreed, outcome.trial_cost_s);
  outcome.incumbent = next_incumbent();
  outcome.has_changed = outcome.incumbent != incumbent_;
  if (outcome.has_changed) change_to(outcome.incumbent);
  const bool is_in_doubt = has_trial_ && clearly * agreed.trial_s < agreed.partner_s;
  begin_period(outcome.is_first || outcome.has_changed || is_in_doubt);
  return outcome;
}

/// What each arm's calls took in the period, and what its trial cost.
Outcome Cell::outcome_of(const Taken& agreed) const {
  Outcome outcome;
  outcome.is_first = !has_begun_;
  outcome.of(incumbent_) = {calls_, agreed.all_s};
  outcome.trial_cost_s = agreed.spent_s;
  if (!has_trial_) return outcome;
  outcome.of(challenger()) = {1, agreed.trial_s};
  outcome.of(incumbent_) = {calls_ - 1, agreed.all_s - agreed.trial_s};
  outcome.trial_cost_s += agreed.trial_s - agreed.partner_s;
  return outcome;
}

/// The arms: by the pair, if there was one.
void Cell::compare(const Taken& agreed) {
  if (!has_trial_) return saw(incumbent_, {calls_, agreed.all_s});
  const Pair pair = incumbent_ == Arm::native ? Pair{agreed.partner_s, agreed.trial_s}
                                              : Pair{agreed.trial_s, agreed.partner_s};
  saw(Arm::native, {1, pair.native_s});
  saw(Arm::schedule, {1, pair.schedule_s});
  judge(pair);
}

/// What the bound is about.
void Cell::book(const Taken& agreed, double trial_cost_s) {
  meeting_s_ = std::min(meeting_s_, agreed.spent_s);
  promised_ = promised(agreed.all_s);
  total_s_ += agreed.all_s;
  has_tried_ = has_tried_ || has_trial_;
  before_trials_s_ += trial_cost_s;
  if (has_tried_) trials_cost_s_ += std::exchange(before_trials_s_, 0);
}

/// A schedule that owes its place to luck loses it, and what spoke for it.
Arm Cell::next_incumbent() {
  if (!is_by_luck()) return better();
  pairs_.clear();
  return Arm::native;
}

/// What trials of the one have gained is not to be spent on trials of the other.
void Cell::change_to(Arm incumbent) {
  incumbent_ = incumbent;
  trials_cost_s_ = std::max(0.0, trials_cost_s_);
  seen_.of(Arm::schedule) = {};
}

void Cell::others_took_place(std::int64_t calls) {
  if (pairs_.empty() || is_decided_) return;
  total_s_ += static_cast<double>(calls) * pairs_.back().native_s;
  all_calls_ += calls;
  begin_period(true);
}

void Cell::renew_schedule() {
  earlier_ = std::exchange(pairs_, {});
  if (is_decided_) earlier_.clear();
  is_on_earlier_ = false;
  is_decided_ = false;
  promised_ = 0;
  seen_.of(Arm::schedule) = {};
  if (has_begun_) begin_period(true);
}

void Cell::come_back() {
  pairs_ = std::exchange(earlier_, {});
  seen_.of(Arm::schedule) = {};
  is_on_earlier_ = true;
}

void Cell::foresee(double seconds) {
  if (earlier_.empty() || !pairs_.empty()) return;
  const double seen_s = sum(earlier_).schedule_s / static_cast<double>(earlier_.size());
  if (seconds > clearly * seen_s) come_back();
}

void Cell::judge(const Pair& pair) {
  const bool is_known = !pairs_.empty();
  pairs_.push_back(pair);
  if (is_worse_than_earlier()) return come_back();
  if (pairs_.size() >= latest_pairs) earlier_.clear();
  if (pairs_.size() > latest_pairs) pairs_.erase(pairs_.begin());
  is_decided_ = incumbent_ == Arm::native && is_known && pair.schedule_s > hopeless * pair.native_s;
}

/// Since it has its place the schedule takes clearly longer in the mean than native calls did. Not long
/// after: then it is more likely that all calls take longer than they did.
bool Cell::is_by_luck() const {
  const ByArm::OfArm& native = seen_.of(Arm::native);
  const ByArm::OfArm& schedule = seen_.of(Arm::schedule);
  const bool is_new = schedule.calls > 0 && schedule.calls <= longest_period;
  return incumbent_ == Arm::schedule && is_new && schedule.mean_s() > clearly * native.mean_s();
}

Cell::Pair Cell::sum(const std::vector<Pair>& pairs) {
  Pair all;
  for (const Pair& each : pairs) {
    all.native_s += each.native_s;
    all.schedule_s += each.schedule_s;
  }
  return all;
}

namespace {

double margin_after(std::size_t pairs) { return pairs == 1 ? by_far : clearly; }

}  // namespace

bool Cell::is_worse_than_earlier() const {
  if (earlier_.empty()) return false;
  const Pair now = sum(pairs_);
  const Pair before = sum(earlier_);
  return now.schedule_s * before.native_s > margin_after(pairs_.size()) * before.schedule_s * now.native_s;
}

Arm Cell::better() const {
  if (is_decided_) return Arm::native;
  if (pairs_.empty()) return incumbent_;
  const Pair all = sum(pairs_);
  const double margin = incumbent_ == Arm::native ? margin_after(pairs_.size()) : 1;
  return margin * all.schedule_s < all.native_s ? Arm::schedule : Arm::native;
}

void Cell::begin_period(bool is_short) {
  calls_since_short_ = is_short ? 0 : calls_since_short_ + calls_;
  all_calls_ += calls_;
  has_trial_ = may_try();
  length_ = length_of_period();
  calls_ = 0;
  expected_ = {};
  taken_ = {};
}

std::int64_t Cell::length_of_period() const {
  const std::int64_t as_many_again = std::max<std::int64_t>(2, calls_since_short_);
  if (has_trial_) return std::min(as_many_again, longest_period);
  return incumbent_ == Arm::native ? calls_until_trial() : std::min(as_many_again, calls_until_trial());
}

/// Where nothing is known of what the schedule takes, it may gain as much as one likes.
double Cell::promised(double all_s) const {
  const double expected_s = std::max(expected_.seconds, expected_.meetings * meeting_s_);
  return expected_s > 0 ? all_s / expected_s : std::numeric_limits<double>::infinity();
}

/// Only of schedules it is known what they are predicted to take.
bool Cell::is_promising() const { return incumbent_ == Arm::schedule || promised_ >= promising; }

/// To set up a schedule of which nothing is known costs more than its trial.
bool Cell::may_try() const {
  const bool is_known = !pairs_.empty();
  return cost_ahead_s() <= most_trials_cost * total_s_ &&
         (is_known ||
          (is_promising() && meetings_ * meeting_s_ <= std::max(call_s(), most_trials_cost * total_s_)));
}

/// In the mean, in whatever way.
double Cell::call_s() const {
  return std::max(total_s_, 1 / nanoseconds) / static_cast<double>(std::max<std::int64_t>(1, all_calls_));
}

/// What all trials will have cost, as far as that is known, before the next one's outcome.
double Cell::cost_ahead_s() const {
  if (incumbent_ == Arm::native || pairs_.empty()) return trials_cost_s_;
  return trials_cost_s_ + std::max(0.0, pairs_.back().native_s - pairs_.back().schedule_s);
}

/// Until all calls have taken enough, at as much a call as so far. Where a first trial waits for something
/// else, ranks agree again when that costs little, and soon at first: the first meeting may have taken
/// longer, and of a new schedule no promise has been seen. Where little is promised, after twice as many
/// calls.
std::int64_t Cell::calls_until_trial() const {
  const bool is_known = !pairs_.empty();
  const double needed_s = std::max(cost_ahead_s(), is_known ? 0 : meetings_ * meeting_s_);
  double calls = (needed_s / most_trials_cost - total_s_) / call_s() + 1;
  if (!is_known) {
    const bool is_soon = all_calls_ == 1 || promised_ == 0;
    const double cheaply = is_soon ? 0 : meeting_s_ / most_trials_cost / call_s();
    const double twice = is_soon ? 0 : static_cast<double>(all_calls_);
    calls = is_promising() ? std::min(calls, cheaply) : std::max(cheaply, twice);
  }
  return static_cast<std::int64_t>(std::clamp<double>(calls, 2, longest_without_trial));
}

namespace {

/// To meet takes about log2 p messages, one after the other.
double in_meetings(double messages, Rank ranks) { return messages / std::max(1, ceil_log2(ranks)); }

/// A rehearsal has p rounds at the most, in each of which ranks connect, which takes as long again. To gather
/// takes p messages.
double meetings_to_set_up(Rank ranks, Preparation preparation) {
  const auto all = static_cast<double>(ranks);
  const double alone = meetings_of_pair + 2 * rounds_in_meetings(all, ranks);
  return preparation == Preparation::alone ? alone : alone + meetings_of_plan + 2 * in_meetings(all, ranks);
}

// What links carry while a handful of messages cross them one after the other: 0.1 ms at 10 Gbit/s, or 5 us at 200 Gbit/s, is 125 kB
// each time.
constexpr std::int64_t certainly_longer_bytes = 1048576;

Cell cell_for(const Call& call, Preparation preparation) {
  const double meetings = meetings_to_set_up(call.problem.ranks, preparation);
  const std::int64_t times = preparation == Preparation::alone ? 1 : 3;  // as many meetings, or nearly
  return call.bytes >= times * certainly_longer_bytes ? Cell::beginning_with_trial(meetings) : Cell(meetings);
}

}  // namespace

/// A round is a message and its acknowledgement.
double rounds_in_meetings(double rounds, Rank ranks) { return in_meetings(2 * rounds, ranks); }

void Cells::renew_schedules() {
  for (auto& [key, cell] : cells_) cell.renew_schedule();
}

Cell* Cells::find(const Call& call) {
  const auto found = cells_.find(key_of(call));
  return found == cells_.end() ? nullptr : &found->second;
}

bool Cells::is_on_earlier(const Call& call) const {
  const auto found = cells_.find(key_of(call));
  return found != cells_.end() && found->second.is_on_earlier();
}

Cells::Key Cells::key_of(const Call& call) {
  return {call.problem.collective, size_class_of(call.bytes), settings_number()};
}

Cell& Cells::of(const Call& call, Preparation preparation) {
  return cells_.try_emplace(key_of(call), cell_for(call, preparation)).first->second;
}

bool competes(const Call& call, const Settings& settings) {
  return settings.adapt != Adapt::off && !settings.says_which(call.problem.collective, call.bytes) &&
         (!changes_bits(call) || settings.adapt == Adapt::all);
}

}  // namespace rota::mpi
