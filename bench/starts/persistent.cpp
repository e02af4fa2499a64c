#include "persistent.hpp"

#include <array>
#include <stdexcept>

#include "calls.hpp"
#include "rota.h"
#include "timing.hpp"

namespace rota::bench {

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)

namespace {

/// Sums of items of which rank r's item i is r + i.
class Sums {
 public:
  explicit Sums(std::size_t bytes) : sent_(bytes / sizeof(long)), received_(sent_.size()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = rank_ + static_cast<long>(i);
    PMPI_Allreduce_init(sent_.data(), received_.data(), count(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &native_);
    rota_allreduce_init(sent_.data(), received_.data(), count(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD,
                        MPI_INFO_NULL, &by_rota_);
  }
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;
  ~Sums() {
    rota_request_free(&by_rota_);
    PMPI_Request_free(&native_);
  }

  void block_natively() {
    PMPI_Allreduce(sent_.data(), received_.data(), count(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  }
  void block_by_rota() {
    rota_allreduce(sent_.data(), received_.data(), count(), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  }
  void start_natively() {
    PMPI_Start(&native_);
    PMPI_Wait(&native_, MPI_STATUS_IGNORE);
  }
  void start_by_rota() {
    rota_start(&by_rota_);
    PMPI_Wait(&by_rota_, MPI_STATUS_IGNORE);
  }

  void forget() { received_.assign(received_.size(), -1); }
  bool are_right() const {
    for (std::size_t i = 0; i < received_.size(); ++i) {
      if (received_[i] != sum_of_items(ranks_, static_cast<int>(i))) return false;
    }
    return true;
  }

 private:
  int count() const { return static_cast<int>(sent_.size()); }

  int rank_ = 0;
  int ranks_ = 1;
  std::vector<long> sent_;
  std::vector<long> received_;
  MPI_Request native_ = MPI_REQUEST_NULL;
  MPI_Request by_rota_ = MPI_REQUEST_NULL;
};

struct Way {
  const char* name;
  void (Sums::*once)();
};

constexpr std::array ways{
    Way{"native_blocking", &Sums::block_natively}, Way{"rota_blocking", &Sums::block_by_rota},
    Way{"native_started", &Sums::start_natively}, Way{"rota_started", &Sums::start_by_rota}};

/// Each way's first call also connects ranks.
TimesByWay timed(Sums& sums, int starts) {
  TimesByWay times;
  for (const Way& way : ways) {
    sums.forget();
    (sums.*way.once)();
    require_right(sums.are_right(), way.name);
    times.emplace_back(way.name, Seconds{});
  }
  for (int i = 0; i < starts; ++i) {
    for (std::size_t way = 0; way < ways.size(); ++way) {
      times[way].second.push_back(seconds_of([&] { (sums.*ways.at(way).once)(); }));
    }
  }
  return times;
}

}  // namespace

TimesByWay persistent_allreduce(std::size_t bytes, int starts) {
  Sums sums(bytes);
  return timed(sums, starts);
}

#else

TimesByWay persistent_allreduce(std::size_t, int) {
  throw std::runtime_error("this MPI has no MPI_Allreduce_init");
}

#endif

}  // namespace rota::bench
