#include "rota_mpi/way/started.hpp"

#include <optional>
#include <utility>

#include "rota_mpi/communicators/completion.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/play/under_way.hpp"

namespace rota::mpi {

namespace {

class StartedCall final : public Ongoing {
 public:
  StartedCall(std::unique_ptr<Operation> operation, Decision decision, MPI_Comm comm, const char* name)
      : operation_(std::move(operation)),
        decision_(std::move(decision)),
        comm_(comm),
        name_(name),
        start_s_(pmpi.Wtime()),
        completion_(*world()) {}

  MPI_Request request() const { return completion_.request(); }

  /// What fails is raised on the program's communicator, and ends the call.
  bool advance() override {
    bool is_over = false;
    const int code = raising_on(comm_, [&] {
      is_over = has_ended();
      return MPI_SUCCESS;
    });
    if (!is_over && code == MPI_SUCCESS) return false;
    completion_.complete();
    return true;
  }

 private:
  bool has_ended() {
    Companion& among = *decision_.companion;
    if (!among.has_opened()) return false;
    if (among.fault != nullptr) throw MpiError{MPI_ERR_OTHER};
    if (under_way_ == nullptr) begin(among);
    while (!under_way_->advance()) {
      if (!under_way_->look()) return false;
    }
    end();
    return true;
  }

  void begin(const Companion& among) {
    prepared_ = operation_->prepare(decision_);
    under_way_ = std::make_unique<UnderWay>(
        Execution{prepared_.steps, prepared_.rounds, among.channel(), prepared_.in_flight}, *prepared_.store);
  }

  void end() {
    prepared_.store->finish();
    if (!settings().report) return;
    prepared_.note.seconds = pmpi.Wtime() - start_s_;
    take_note(name_, prepared_.note);
  }

  std::unique_ptr<Operation> operation_;  // which keeps what the store refers to
  Decision decision_;
  MPI_Comm comm_;
  const char* name_;
  double start_s_;
  Completion completion_;
  Prepared prepared_;
  std::unique_ptr<UnderWay> under_way_;
};

int start_natively(const std::optional<Decision>& decision, NativeCall native) {
  const auto pass_on = [&](std::optional<Served>& served) {
    if (decision) served = served_by(decision->call, decision->choice);
    return native();
  };
  return noted(pass_on, [&](const Served& served) { take_note(native.name(), served); });
}

}  // namespace

int start(std::unique_ptr<Operation> operation, MPI_Comm comm, NativeCall native) {
  std::optional<Decision> decision = operation->decide_at_once();
  if (!decision || decision->companion == nullptr) return start_natively(decision, native);
  Companion& among = *decision->companion;
  auto started =
      std::make_unique<StartedCall>(std::move(operation), *std::move(decision), comm, native.name());
  *native.request() = started->request();
  among.queue().join(std::move(started));
  return MPI_SUCCESS;
}

}  // namespace rota::mpi
