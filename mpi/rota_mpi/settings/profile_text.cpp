#include "rota_mpi/settings/profile_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota_mpi/settings/plain_numbers.hpp"

namespace rota::mpi {

namespace {

std::string exact(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

std::string lines_of(const Network& network) {
  return "latency_s " + exact(network.latency_s) + "\nseconds_per_byte " + exact(network.seconds_per_byte) +
         "\nseconds_per_combined_byte " + exact(network.seconds_per_combined_byte) + "\n";
}

std::string line_of(Collective collective, const Measurement& measured) {
  const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(measured.algorithm)];
  return "measured " + std::string(call_name(collective)) + " " + std::to_string(measured.bytes) + " " +
         exact(measured.native_s) + " " + std::string(algorithm.name) + " " +
         std::to_string(static_cast<std::int64_t>(measured.message_bytes)) + " " + exact(measured.rota_s) +
         "\n";
}

[[noreturn]] void refuse(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno) +
                           "; name a file in a folder that rank 0 may write to");
}

}  // namespace

std::string text_of(const Profile& profile, const std::string& origin) {
  const PlainNumbers plain;
  std::string text = "rota-profile 1\n# " + origin + "\n";
  text += "ranks " + std::to_string(profile.ranks) + "\nhosts " + std::to_string(profile.hosts) + "\n";
  if (profile.has_network()) text += lines_of(profile.network);
  text += "# collective, bytes, native seconds, best schedule, bytes a message, its seconds\n";
  for (std::size_t i = 0; i < collective_count; ++i) {
    for (const Measurement& each : profile.measured[i]) {
      if (each.bytes > 0) text += line_of(static_cast<Collective>(i), each);
    }
  }
  return text;
}

NewFile::NewFile(const std::string& path) : path_(path), file_(path) {
  if (file_.get() == nullptr) refuse(path_);
}

void NewFile::complete(const std::string& text) {
  std::fputs(text.c_str(), file_.get());
  if (!file_.complete()) refuse(path_);
}

}  // namespace rota::mpi
