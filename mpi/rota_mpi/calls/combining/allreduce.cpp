#include "rota_mpi/calls/combining/allreduce_between.hpp"
#include "rota_mpi/calls/combining/combining.hpp"
#include "rota_mpi/calls/combining/combining_like.hpp"
#include "rota_mpi/calls/combining/reduction.hpp"

namespace rota::mpi {

namespace {

/// `items` cut into equal parts for `owners`, as the schedule asks for.
Parts parts_of(const Problem& problem, MPI_Count items) {
  const std::vector<Rank> owners = owners_of(problem);
  const Cut cut{items, static_cast<std::int64_t>(owners.size())};
  std::vector<MPI_Count> firsts{0};
  for (std::size_t i = 0; i < owners.size(); ++i) {
    firsts.resize(static_cast<std::size_t>(owners[i]) + 1, firsts.back());  // ranks in between own nothing
    firsts.push_back(cut.range(static_cast<std::int64_t>(i)).last);
  }
  return Parts::shares(std::move(firsts), problem.blocks);
}

class Allreduce final : public Within {
 public:
  Allreduce(const Passage& passage, const Reduction& reduction, MPI_Count count)
      : Within(passage), reduction_(reduction), count_(count) {}

 private:
  Arguments arguments(MPI_Comm asking) const override { return arguments_of(reduction_, count_, asking); }

  int alone(MPI_Comm self) const override { return allreduced_alone(reduction_, count_, self); }

  Call seen_by_all() const override {
    return call_of(Collective::allreduce, place(), reduction_.operation, count_);
  }

  std::vector<Data> touched() const override { return touched_by(reduction_, count_); }

  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }

  TryOut like_it() const override {
    return combining_like<"allreduce try-out", serve_allreduce, &MpiFunctions::Allreduce>(seen_by_all());
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    auto store = std::make_unique<CombinedData>(reduction_.operation, parts_of(schedule.problem, count_),
                                                companion.self());
    store->add(0, reduction_.source(), reduction_.recvbuf);
    return store;
  }

  Reduction reduction_;
  MPI_Count count_;
};

}  // namespace

int serve_allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, NativeCall native) {
  return serve(
      comm, Collective::allreduce, {count, datatype},
      [=](const Passage& passage) { return Allreduce(passage, {sendbuf, recvbuf, {op, datatype}}, count); },
      [=](const Passage& passage) {
        return AllreduceBetween(passage, {sendbuf, recvbuf, {op, datatype}}, count);
      },
      native);
}

}  // namespace rota::mpi
