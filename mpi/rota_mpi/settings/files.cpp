#include "rota_mpi/settings/files.hpp"

#include <filesystem>
#include <system_error>

#include "rota_mpi/settings/variables.hpp"

namespace rota::mpi {

namespace {

/// Never destroyed: programs may end MPI in their last destructor.
const std::filesystem::path& start_folder() {
  std::error_code is_gone;  // then it is empty, and files are named as they are
  static const auto* const folder = new std::filesystem::path(std::filesystem::current_path(is_gone));
  return *folder;
}

std::string from_start_folder(const std::string& file) {
  return file.empty() || file == "0" ? "" : (start_folder() / file).string();
}

constinit std::int64_t number_of_files = 0;

/// report.json, or report.17.json; but a pipe or a device has one name.
std::string numbered(std::filesystem::path path) {
  if (number_of_files == 0 || path.empty()) return path.string();
  std::error_code no_file;
  const bool is_file =
      !std::filesystem::exists(path, no_file) || std::filesystem::is_regular_file(path, no_file);
  if (!is_file) return path.string();
  const std::string extension = path.extension().string();
  return path.replace_extension(std::to_string(number_of_files) + extension).string();
}

}  // namespace

void remember_start_folder() { start_folder(); }

void number_files(std::int64_t number) { number_of_files = number; }

std::string report_file() {
  const std::string report = value_of(variables::report);
  return report == "1" || report == "-" ? "" : numbered(from_start_folder(report));
}

std::string trace_file() { return numbered(from_start_folder(value_of(variables::trace))); }

std::string learn_file() { return from_start_folder(value_of(variables::learn)); }

}  // namespace rota::mpi
