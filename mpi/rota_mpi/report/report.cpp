#include "rota_mpi/report/report.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "rota_mpi/report/json.hpp"
#include "rota_mpi/report/table.hpp"
#include "rota_mpi/settings/whole_file.hpp"

namespace rota::mpi {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A stream of its own to where standard error goes: a program that is being ended may hold its own one's
/// lock.
File errors() {
  const int own = dup(STDERR_FILENO);
  // NOLINTNEXTLINE(clang-analyzer-unix.Stream): File closes it
  return {own < 0 ? nullptr : fdopen(own, "w"), std::fclose};
}

void print_on_errors(const std::string& fault, const Report& report) {
  const File file = errors();
  if (file == nullptr) return;
  std::fputs(fault.c_str(), file.get());
  print_table(file.get(), report);
}

}  // namespace

void print_report(const Report& report, const std::string& path) {
  if (path.empty()) return print_on_errors("", report);
  WholeFile file(path);
  if (file.get() != nullptr) write_json(file.get(), report);
  if (file.get() != nullptr && file.complete()) return;
  print_on_errors(
      "rota: ROTA_REPORT: cannot write " + path + ": " + std::strerror(errno) + "; the report follows here\n",
      report);
}

}  // namespace rota::mpi
