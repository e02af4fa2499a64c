#include "rota_mpi/play/rehearse.hpp"

#include "rota_mpi/play/execute.hpp"

namespace rota::mpi {

namespace {

/// One byte in place of whatever blocks, and nothing is made of it.
class OneByte final : public Store {
 public:
  std::int64_t bytes(const Blocks& blocks) const override { return blocks.empty() ? 0 : 1; }
  const std::byte* in_place(const Blocks&) override { return &byte_; }
  void copy_out(const Blocks&, std::byte*) override {}
  std::byte* room(const Blocks&) override { return nullptr; }
  void filled(const Blocks&) override {}
  void take(const Blocks&, OnReceive, std::byte*) override {}
  void combine(const Combination&) override {}

 private:
  std::byte byte_{};
};

}  // namespace

void rehearse(const Execution& execution) {
  OneByte store;
  execute(execution, store);
}

}  // namespace rota::mpi
