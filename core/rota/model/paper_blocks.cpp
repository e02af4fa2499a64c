#include "rota/model/paper_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

namespace rota {

namespace {

constexpr std::string_view word = "paper";

/// sqrt(m q): of this both numbers of blocks are a part.
double root_of(const Load& load, const PaperConstants& constants) {
  return std::sqrt(load.bytes / constants.unit_bytes * ceil_log2(load.ranks));
}

BlockIndex at_least_one(double blocks) {
  return static_cast<BlockIndex>(std::clamp(std::round(blocks), 1.0, 9e18));
}

[[noreturn]] void refuse(std::string_view text) {
  throw std::invalid_argument(
      "'" + std::string(text) +
      "' is none of paper 1's rules: write paper, or paper:F=70,G=40 with constants above 0");
}

/// With a point, whatever the program's language.
double constant_of(std::string_view text, std::string_view whole) {
  std::istringstream digits{std::string(text)};
  digits.imbue(std::locale::classic());
  double value = 0;
  digits >> std::noskipws >> value;
  if (digits.fail() || digits.peek() != std::istringstream::traits_type::eof() || value <= 0) refuse(whole);
  return value;
}

}  // namespace

PaperConstants paper_constants_of(std::string_view text) {
  PaperConstants constants;
  if (text == word) return constants;
  if (!text.starts_with(word) || text.size() < word.size() + 1 || text[word.size()] != ':') refuse(text);
  for (std::string_view rest = text.substr(word.size() + 1);;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view each = rest.substr(0, comma);
    if (!each.starts_with("F=") && !each.starts_with("G=")) refuse(text);
    (each[0] == 'F' ? constants.f : constants.g) = constant_of(each.substr(2), text);
    if (comma == rest.size()) return constants;
    rest.remove_prefix(comma + 1);
  }
}

BlockIndex paper_blocks_by_size(const Load& load, const PaperConstants& constants) {
  return at_least_one(root_of(load, constants) / constants.f);
}

BlockIndex paper_blocks_by_number(const Load& load, const PaperConstants& constants) {
  return at_least_one(root_of(load, constants) / constants.g);
}

}  // namespace rota
