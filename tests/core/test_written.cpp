// Sizes and times as reports write them: three digits, and no powers of ten.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "require.hpp"
#include "rota_mpi/report/written.hpp"

namespace {

void require_written(double seconds, const std::string& expected) {
  const std::string text = rota::mpi::time_text(seconds);
  require(text == expected, text + " in place of " + expected);
}

void test_times() {
  require_written(0, "0 ms");
  require_written(1.3e-5, "0.013 ms");
  require_written(0.0123, "12.3 ms");
  require_written(0.9994, "999 ms");
  require_written(0.9996, "1 s");
  require_written(2.462838, "2.46 s");
  require_written(99.94, "99.9 s");
  require_written(99.96, "100 s");
  require_written(12345.6, "12346 s");
}

void test_sizes() {
  require(rota::mpi::size_text(1023) == "1023 B", "bytes");
  require(rota::mpi::size_text(4 << 20) == "4 MiB", "mebibytes");
}

}  // namespace

int main() try {
  test_times();
  test_sizes();
  return EXIT_SUCCESS;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return EXIT_FAILURE;
}
