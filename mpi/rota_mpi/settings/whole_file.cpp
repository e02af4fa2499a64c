#include "rota_mpi/settings/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rota::mpi {

namespace {

namespace fs = std::filesystem;

constexpr mode_t as_the_umask_says = 0666;

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

/// Of this process alone, on all hosts that see the folder.
std::string name_meanwhile(const std::string& path) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return path + ".part-" + host.data() + "-" + std::to_string(getpid());
}

/// Where the system names what a process has open.
std::string open_file(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

bool link_to(int descriptor, const std::string& path) {
  return linkat(AT_FDCWD, open_file(descriptor).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/// In the folder of `path`; nullptr where no file there can be without a name, and have one later.
std::FILE* open_nameless(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const int descriptor =
      open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, as_the_umask_says);
  if (descriptor < 0) return nullptr;
  const bool can_have_a_name = access(open_file(descriptor).c_str(), F_OK) == 0;
  std::FILE* const file = can_have_a_name ? fdopen(descriptor, "w") : nullptr;
  if (file == nullptr) close(descriptor);
  return file;
}

}  // namespace

WholeFile::WholeFile(const std::string& path)
    : path_(followed(path)),
      part_(name_meanwhile(path_)),
      until_(may_be_replaced(path_) ? Until::nameless : Until::itself) {
  if (until_ == Until::nameless) file_ = open_nameless(path_);
  if (file_ != nullptr) return;
  if (until_ == Until::nameless) until_ = Until::named;
  file_ = std::fopen((until_ == Until::named ? part_ : path_).c_str(), "we");
  if (file_ == nullptr) until_ = Until::itself;
}

WholeFile::~WholeFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (until_ == Until::named) std::remove(part_.c_str());
}

/// Its own, or where a file has that already, the one under which it replaces that.
bool WholeFile::take_name() {
  const int descriptor = fileno(file_);
  until_ = Until::itself;
  if (link_to(descriptor, path_)) return true;
  if (errno != EEXIST) return false;
  std::remove(part_.c_str());
  if (!link_to(descriptor, part_)) return false;
  until_ = Until::named;
  return true;
}

bool WholeFile::complete() {
  const bool is_written = std::fflush(file_) == 0 && std::ferror(file_) == 0;
  const bool is_named = is_written && (until_ != Until::nameless || take_name());
  const bool is_closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!is_named || !is_closed) return false;
  if (until_ == Until::named && std::rename(part_.c_str(), path_.c_str()) != 0) return false;
  until_ = Until::itself;
  return true;
}

std::optional<FileSight> sight_of(const std::string& path) {
  struct stat seen{};
  if (stat(path.c_str(), &seen) != 0 || !S_ISREG(seen.st_mode)) return std::nullopt;
  return FileSight{seen.st_dev, seen.st_ino, seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec};
}

}  // namespace rota::mpi
