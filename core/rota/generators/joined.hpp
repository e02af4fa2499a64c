// Names of several words: joined by - or by _ they mean the same.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace rota {

/// The name as the lists of algorithms and collectives have it: two_tree for two-tree.
inline std::string joined(std::string_view name) {
  std::string word(name);
  std::ranges::replace(word, '-', '_');
  return word;
}

}  // namespace rota
