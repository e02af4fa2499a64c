// A file that is there whole or not at all.
//
// Until it is complete it has no name, where the file system knows such files: whatever ends the process then leaves nothing behind.
// Elsewhere it has another name in the same folder, and so has, for the moment between two system calls, a file that replaces one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace rota::mpi {

/// What is no file of its own, as a pipe or a device, is written at once.
class WholeFile {
 public:
  /// Several processes, of any hosts, may each complete the same file: the last one's stays.
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// nullptr: it cannot be written, and errno says why.
  std::FILE* get() const { return file_; }

  /// Nothing may be written any more. False: it cannot be completed, and errno says why.
  bool complete();

 private:
  enum class Until : std::uint8_t { itself, named, nameless };  // what is written until then

  bool take_name();

  std::string path_;
  std::string part_;
  Until until_;
  std::FILE* file_ = nullptr;
};

/// Which file is at a path: another one whenever it was completed anew.
struct FileSight {
  dev_t device;
  ino_t inode;
  std::int64_t written_s;
  std::int64_t written_ns;

  bool operator==(const FileSight&) const = default;
};

/// nullopt: none, or what is no file of its own.
std::optional<FileSight> sight_of(const std::string& path);

}  // namespace rota::mpi
