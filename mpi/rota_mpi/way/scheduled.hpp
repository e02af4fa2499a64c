// Calls that are served by one of the algorithms for their collective, within a group or between two.
#pragma once

#include <vector>

#include "rota_mpi/data/kept_types.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

class Scheduled : public Operation {
 public:
  /// By choose(), once for calls that repeat.
  Decision decide(const Call& call) final;
  std::optional<Decision> decide_at_once() final;
  std::optional<Decision> decide_for_starts() final;
  Prepared prepare(const Decision& decision) override;

 private:
  /// What all ranks know of a call that returns at once, by their arguments alone; where these do not tell,
  /// what stands for it until its turn.
  virtual std::optional<Look> look_alone() = 0;

  /// From now on the program may free the types of its arguments. Why Rota cannot keep what it needs, alike
  /// on all ranks; nullptr: it does.
  virtual const char* keep(KeptTypes& types) = 0;

  /// A call like this one for a try-out; none where there is none.
  virtual TryOut like_it() const { return {}; }

  /// Of those who take part.
  virtual Companion& companion() const = 0;

  /// What this rank reads and writes, each in one piece of memory.
  virtual std::vector<Data> touched() const = 0;

  virtual std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const = 0;

  /// The same of a call that is to be started, if it was seen to be one that no rank refuses.
  Look kept(const Look& seen);
  /// What becomes of it, by what is known of the ranks and their network, without a message.
  Decision decide_alone(const Call& call);

  KeptTypes kept_;
};

/// A call on an intra-communicator, which all ranks see alike by their arguments alone.
class Within : public Scheduled {
 public:
  explicit Within(const Passage& passage) : passage_(passage) {}

  std::optional<Look> look() final { return look_alone(); }

 protected:
  const Place& place() const { return passage_.place; }

 private:
  /// What becomes of its arguments on this rank. `asking` as in refusals.hpp.
  virtual Arguments arguments(MPI_Comm asking) const = 0;

  /// MPI's code for the same arguments where this rank is alone on a communicator. What is received is lost.
  virtual int alone(MPI_Comm self) const = 0;

  /// The call as all its ranks see it. Only where arguments are not refused.
  virtual Call seen_by_all() const = 0;

  std::optional<Look> look_alone() final;

  Companion& companion() const final { return companion_of(passage_.comm); }

  Passage passage_;
};

}  // namespace rota::mpi
