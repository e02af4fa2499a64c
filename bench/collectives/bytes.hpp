// Bytes that tell where in the data they belong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace rota::bench {

/// The byte at `position` of the data of all ranks. Its period is that of the 251 steps, 64 256: no power of
/// two, so that what has gone to another place shows.
constexpr unsigned char byte_at(std::size_t position) {
  return static_cast<unsigned char>(position * 131 + position / 251);
}

inline void fill(std::span<unsigned char> data, std::size_t start) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = byte_at(start + i);
}

/// Makes every byte wrong.
inline void spoil(std::span<unsigned char> data, std::size_t start) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(~byte_at(start + i));
}

inline bool holds(std::span<const unsigned char> data, std::size_t start) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != byte_at(start + i)) return false;
  }
  return true;
}

}  // namespace rota::bench
