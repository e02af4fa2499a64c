#include "rota_mpi/ports.hpp"

#include <array>

namespace rota::mpi {

namespace {

// Two ranks exchange transfers in one order, and MPI keeps it: one tag serves all.
constexpr int tag = 0;

class Ports {
 public:
  Ports(const Part& part, Mail& mail, MPI_Comm comm) : part_(part), mail_(mail), comm_(comm) {}
  Ports(const Ports&) = delete;
  Ports& operator=(const Ports&) = delete;

  /// When playing failed, nothing may be left that MPI writes into the user's memory later.
  ~Ports() {
    if (requests_[receiving] != MPI_REQUEST_NULL) {
      PMPI_Cancel(&requests_[receiving]);
      PMPI_Wait(&requests_[receiving], MPI_STATUS_IGNORE);
    }
    if (requests_[sending] != MPI_REQUEST_NULL) PMPI_Wait(&requests_[sending], MPI_STATUS_IGNORE);
  }

  void play() {
    receive_next();
    send_next();
    for (;;) {
      int port = MPI_UNDEFINED;
      check(PMPI_Waitany(2, requests_.data(), &port, MPI_STATUS_IGNORE));
      if (port == MPI_UNDEFINED) return;
      port == sending ? finish_send() : finish_receive();
    }
  }

 private:
  static constexpr int sending = 0;
  static constexpr int receiving = 1;

  /// Synchronously: the send ends when the receiver has taken the message, so that no rank runs ahead.
  void send_next() {
    if (sends_ == part_.sends.size()) return;
    const Transfer& transfer = part_.sends[sends_++];
    check(PMPI_Issend(mail_.outgoing(transfer), static_cast<int>(transfer.range.size()), MPI_BYTE,
                      transfer.peer, tag, comm_, &requests_[sending]));
  }

  void finish_send() {
    const Transfer& transfer = part_.sends[sends_ - 1];
    mail_.sent(transfer);
    send_next();
  }

  void receive_next() {
    if (receives_ == part_.receives.size()) return;
    const Transfer& transfer = part_.receives[receives_++];
    check(PMPI_Irecv(mail_.incoming(transfer), static_cast<int>(transfer.range.size()), MPI_BYTE,
                     transfer.peer, tag, comm_, &requests_[receiving]));
  }

  /// The next message is already on its way while this one is unpacked.
  void finish_receive() {
    const Transfer& transfer = part_.receives[receives_ - 1];
    receive_next();
    mail_.received(transfer);
  }

  const Part& part_;
  Mail& mail_;
  MPI_Comm comm_;
  std::size_t sends_ = 0;     // begun
  std::size_t receives_ = 0;  // begun
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace

void play(const Part& part, Mail& mail, MPI_Comm comm) { Ports(part, mail, comm).play(); }

}  // namespace rota::mpi
