// A profile's text (profile.hpp has its form) on its way into a file.
#pragma once

#include <string>

#include "rota_mpi/settings/profile.hpp"
#include "rota_mpi/settings/whole_file.hpp"

namespace rota::mpi {

/// The text that profile_in reads the profile from; `origin` is a comment of one line.
std::string text_of(const Profile& profile, const std::string& origin);

/// A profile's file, there whole or not at all.
class NewFile {
 public:
  /// Throws std::runtime_error with one line if it cannot be written.
  explicit NewFile(const std::string& path);

  /// Throws std::runtime_error with one line if that fails.
  void complete(const std::string& text);

 private:
  std::string path_;
  WholeFile file_;
};

}  // namespace rota::mpi
