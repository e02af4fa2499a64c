// A file that is there whole or not at all.
#pragma once

#include <cstdio>
#include <string>

namespace rota::mpi {

/// Until it is complete it has another name in the same folder, and is gone if it never is. What is no file
/// of its own, as a pipe or a device, is written at once.
class WholeFile {
 public:
  /// `suffix` is added to the name until then: several processes may each complete the same file, the last
  /// one's stays.
  explicit WholeFile(const std::string& path, const std::string& suffix = ".part");
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// nullptr: it cannot be written, and errno says why.
  std::FILE* get() const { return file_; }

  /// Nothing may be written any more. False: it cannot be completed, and errno says why.
  bool complete();

 private:
  std::string path_;
  std::string part_;  // empty: the file itself
  std::FILE* file_;
};

}  // namespace rota::mpi
