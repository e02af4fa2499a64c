#include "rota_mpi/settings/quantities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>

namespace rota::mpi {

namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";
constexpr std::string_view figures = "0123456789";

/// Characters: longer numbers are nobody's.
constexpr std::size_t longest = 240;
constexpr std::size_t longest_exponent = 3;

constexpr std::string_view letters = "kmgtpezy";
constexpr std::array<std::string_view, 8> words{"kilo", "mega", "giga",  "tera",
                                                "peta", "exa",  "zetta", "yotta"};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// Takes the characters before the first that is none of these.
std::string_view taken(std::string_view& text, std::string_view of) {
  const std::string_view front = text.substr(0, text.find_first_not_of(of));
  text.remove_prefix(front.size());
  return front;
}

/// A whole number, to be multiplied by powers of ten and of two.
struct Number {
  std::string digits;
  int of_ten = 0;
  int of_two = 0;
};

/// Takes the exponent behind a number, if there is one; nullopt: it is too long.
std::optional<int> taken_exponent(std::string_view& text) {
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
  std::string_view rest = text.substr(1);
  const bool has_sign = !rest.empty() && (rest[0] == '+' || rest[0] == '-');
  const bool is_below = has_sign && rest[0] == '-';
  if (has_sign) rest.remove_prefix(1);
  const std::string_view read = taken(rest, figures);
  if (read.empty()) return 0;
  if (read.size() > longest_exponent) return std::nullopt;
  int exponent = 0;
  std::from_chars(read.data(), read.data() + read.size(), exponent);
  text = rest;
  return is_below ? -exponent : exponent;
}

/// Takes the number that a text begins with; nullopt: it begins with none.
std::optional<Number> taken_number(std::string_view& text) {
  const std::size_t length = text.size();
  std::string digits(taken(text, figures));
  std::string_view behind_point;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    behind_point = taken(text, figures);
  }
  digits += behind_point;
  const std::optional<int> exponent = taken_exponent(text);
  if (digits.empty() || !exponent || length - text.size() > longest) return std::nullopt;
  return Number{digits, *exponent - static_cast<int>(behind_point.size())};
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& each : small) {
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  }
  return small;
}

/// A number multiplied by what a prefix, in whichever letters, stands for; nullopt: it is none.
std::optional<Number> scaled(Number number, std::string_view prefix) {
  if (prefix.empty()) return number;
  const std::string small = in_small_letters(prefix);
  const auto* const word = std::ranges::find(words, small);
  const std::size_t place =
      word == words.end() ? letters.find(small[0]) : static_cast<std::size_t>(word - words.begin());
  if (place == std::string_view::npos) return std::nullopt;
  const int power = static_cast<int>(place) + 1;
  if (word != words.end() || small.size() == 1) {
    number.of_ten += 3 * power;
  } else if (small.substr(1) == "i") {
    number.of_two += 10 * power;
  } else {
    return std::nullopt;
  }
  return number;
}

struct Unit {
  std::string_view name;
  int of_two = 0;  // the power that has as many of what is counted
  bool takes_prefixes = true;
};

constexpr std::array sizes{Unit{""}, Unit{"B"}, Unit{"b"}};
constexpr std::array memories{Unit{"", 20, false}, Unit{""}, Unit{"B"}, Unit{"b"}};
constexpr std::array rates{Unit{"", 0, false}, Unit{"bit"},   Unit{"bit/s"},  Unit{"bps"},
                           Unit{"Bit"},        Unit{"Bit/s"}, Unit{"B/s", 3}, Unit{"Bps", 3}};

/// What a text says, in what is counted; nullopt: it is no quantity in such units.
std::optional<Number> quantity(std::string_view text, std::span<const Unit> units) {
  std::string_view rest = without_blanks(text);
  std::optional<Number> number = taken_number(rest);
  if (!number) return std::nullopt;
  rest = without_blanks(rest);
  for (const Unit& unit : units) {
    if (!rest.ends_with(unit.name)) continue;
    const std::string_view prefix = rest.substr(0, rest.size() - unit.name.size());
    if (!unit.takes_prefixes && !prefix.empty()) continue;
    std::optional<Number> found = scaled(*number, prefix);
    if (!found) continue;
    found->of_two += unit.of_two;
    return found;
  }
  return std::nullopt;
}

/// In decimal digits.
void double_it(std::string& digits) {
  int carried = 0;
  for (std::size_t place = digits.size(); place-- > 0;) {
    carried += 2 * (digits[place] - '0');
    digits[place] = static_cast<char>('0' + carried % 10);
    carried /= 10;
  }
  if (carried > 0) digits.insert(digits.begin(), '1');
}

/// The digits before and behind a number's point, without the zeros that say nothing.
struct Written {
  std::string whole;
  std::string part;
};

Written written(Number number) {
  for (; number.of_two > 0; --number.of_two) double_it(number.digits);
  std::string& digits = number.digits;
  const auto behind = static_cast<std::size_t>(std::max(0, -number.of_ten));
  digits.append(static_cast<std::size_t>(std::max(0, number.of_ten)), '0');
  if (digits.size() < behind) digits.insert(0, behind - digits.size(), '0');
  Written found{digits.substr(0, digits.size() - behind), digits.substr(digits.size() - behind)};
  found.whole.erase(0, found.whole.find_first_not_of('0'));
  found.part.erase(found.part.find_last_not_of('0') + 1);
  return found;
}

std::int64_t counted(const std::string& whole) {
  constexpr std::size_t most_digits = 16;
  if (whole.size() > most_digits) return too_many;
  std::int64_t count = 0;
  std::from_chars(whole.data(), whole.data() + whole.size(), count);
  return std::min(count, too_many);
}

/// Halves go to the even neighbour.
std::int64_t rounded(const Written& number) {
  const std::int64_t below = counted(number.whole);
  const bool is_odd = below % 2 == 1;
  const bool goes_up = number.part > "5" || (number.part == "5" && is_odd);
  return below < too_many && goes_up ? below + 1 : below;
}

/// So bits are written; nobody counts them by prefixes of 1024.
bool may_be_bits(std::string_view text) {
  const std::string small = in_small_letters(without_blanks(text));
  return without_blanks(text).ends_with('b') && !small.ends_with("ib");
}

/// Nobody has a part of a byte.
std::optional<std::int64_t> bytes_in(std::string_view text, std::span<const Unit> units) {
  const std::optional<Number> found = quantity(text, units);
  if (!found || may_be_bits(text)) return std::nullopt;
  const Written bytes = written(*found);
  if (!bytes.part.empty()) return std::nullopt;
  return counted(bytes.whole);
}

}  // namespace

std::optional<std::int64_t> size_called(std::string_view text) { return bytes_in(text, sizes); }

std::optional<std::int64_t> memory_called(std::string_view text) { return bytes_in(text, memories); }

std::optional<std::int64_t> rate_called(std::string_view text) {
  const std::optional<Number> found = quantity(text, rates);
  if (!found) return std::nullopt;
  return rounded(written(*found));
}

}  // namespace rota::mpi
