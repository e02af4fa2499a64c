// Files are there whole or not at all, and whoever is ended while writing one leaves nothing behind.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "require.hpp"
#include "rota_mpi/settings/whole_file.hpp"

namespace {

namespace fs = std::filesystem;
using rota::mpi::WholeFile;

/// A folder that is gone with this.
class Folder {
 public:
  Folder() : path_(mkdtemp(pattern_.data())) {}
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  std::string file() const { return (path_ / "file").string(); }
  auto entries() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  std::string pattern_ = (fs::temp_directory_path() / "whole-file-XXXXXX").string();
  fs::path path_;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool write(const std::string& path, const std::string& text) {
  WholeFile file(path);
  std::fputs(text.c_str(), file.get());
  return file.complete();
}

void test_complete() {
  const Folder folder;
  for (const std::string text : {"first", "second"}) {
    require(write(folder.file(), text), "cannot be written");
    require(text_of(folder.file()) == text, "other text");
    require(folder.entries() == 1, "more than the file");
  }
}

void test_never_completed() {
  const Folder folder;
  for (const long before : {0, 1}) {
    std::fputs("half", WholeFile(folder.file()).get());
    require(folder.entries() == before, "what is never completed is there");
    require(write(folder.file(), "whole"), "cannot be written");
  }
  require(text_of(folder.file()) == "whole", "what was there before is not");
}

void test_what_is_no_file() {
  const Folder folder;
  require(write("/dev/null", "text"), "a device cannot be written");
  require(!fs::is_regular_file("/dev/null"), "a device was replaced");
  require(WholeFile(folder.file() + "/file").get() == nullptr, "there is no such folder");
  fs::create_symlink(folder.file(), folder.file() + ".link");
  require(write(folder.file(), "first") && write(folder.file() + ".link", "second"), "cannot be written");
  require(text_of(folder.file()) == "second" && fs::is_symlink(folder.file() + ".link"),
          "a link is replaced");
}

void write_and_be_killed(const std::string& path) {
  WholeFile file(path);
  std::fputs("half", file.get());
  std::fflush(file.get());
  raise(SIGKILL);
}

/// Where a file system has no files without names (an older overlay, NFS), its name stays.
bool can_be_nameless(const Folder& folder) {
  const WholeFile file(folder.file());
  return folder.entries() == 0;
}

void test_killed() {
  const Folder folder;
  if (!can_be_nameless(folder)) return;
  const pid_t child = fork();
  if (child == 0) write_and_be_killed(folder.file());
  int status = 0;
  waitpid(child, &status, 0);
  require(WIFSIGNALED(status), "was not killed");
  require(folder.entries() == 0, "something is left");
}

void test_sights() {
  const Folder folder;
  require(!rota::mpi::sight_of(folder.file()) && !rota::mpi::sight_of("/dev/null"), "there is no file");
  require(write(folder.file(), "text"), "cannot be written");
  const auto before = rota::mpi::sight_of(folder.file());
  require(before && before == rota::mpi::sight_of(folder.file()), "the same file is another one");
  require(write(folder.file(), "text"), "cannot be written");
  require(before != rota::mpi::sight_of(folder.file()), "another file is the same one");
}

}  // namespace

int main() try {
  test_complete();
  test_never_completed();
  test_what_is_no_file();
  test_killed();
  test_sights();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
