#include "rota_mpi/settings/whole_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace rota::mpi {

namespace {

namespace fs = std::filesystem;

/// Where links lead.
std::string followed(const std::string& path) {
  std::error_code fault;
  const fs::path target = fs::canonical(path, fault);
  return fault ? path : target.string();
}

bool may_be_replaced(const std::string& path) {
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  return !fs::exists(status) || fs::is_regular_file(status);
}

}  // namespace

WholeFile::WholeFile(const std::string& path, const std::string& suffix)
    : path_(followed(path)),
      part_(may_be_replaced(path_) ? path_ + suffix : ""),
      file_(std::fopen((part_.empty() ? path_ : part_).c_str(), "we")) {
  if (file_ == nullptr) part_.clear();
}

WholeFile::~WholeFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!part_.empty()) std::remove(part_.c_str());
}

bool WholeFile::complete() {
  const bool is_written = std::ferror(file_) == 0;
  const bool is_closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!is_written || !is_closed) return false;
  if (!part_.empty() && std::rename(part_.c_str(), path_.c_str()) != 0) return false;
  part_.clear();
  return true;
}

}  // namespace rota::mpi
