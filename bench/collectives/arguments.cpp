#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace rota::bench {

namespace {

[[noreturn]] void refuse(std::string_view word, std::string_view remedy) {
  throw std::runtime_error("'" + std::string(word) + "': " + std::string(remedy));
}

/// The whole of the text as a number, if it is one.
std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

Case parse_size(std::string_view word, const Case& collective) {
  const std::size_t colon = word.find(':');
  const std::optional<int> bytes = parse_number(word.substr(0, colon));
  const std::optional<int> pairs =
      colon == std::string_view::npos ? std::nullopt : parse_number(word.substr(colon + 1));
  if (!bytes || !pairs || *bytes < 0 || *pairs < 1) refuse(word, "write SIZE:PAIRS, two whole numbers");
  if (collective.collective == nullptr) refuse(word, "name a collective before its sizes");
  return {collective.collective, collective.shape, *bytes, *pairs, collective.first_group};
}

Case parse_groups(std::string_view word, const Named& named) {
  const std::size_t slash = word.find('/');
  const std::optional<int> ranks =
      slash == std::string_view::npos ? std::nullopt : parse_number(word.substr(slash + 1));
  if (!ranks || *ranks < 1) refuse(word, "write how many ranks the first group has: inter_allgather/8");
  return {.collective = &named, .first_group = *ranks};
}

std::string names_of(std::span<const Shape> shapes) {
  std::string names;
  for (const Shape shape : shapes) names.append(names.empty() ? "" : ", ").append(name_of(shape));
  return names;
}

Case parse_collective(std::string_view word) {
  const std::size_t slash = word.find('/');
  const Named* const named = find_collective(word.substr(0, slash));
  if (named == nullptr)
    refuse(word, "no such collective: write MPI's name in small letters, as reduce_scatter");
  if (named->has_groups) return parse_groups(word, *named);
  if (slash == std::string_view::npos) return {.collective = named};
  const std::optional<Shape> shape = parse_shape(word.substr(slash + 1));
  if (named->shapes.size() == 1) refuse(word, "shapes are for allgatherv, reduce_scatter and alltoallv");
  if (!shape || std::ranges::find(named->shapes, *shape) == named->shapes.end())
    refuse(word, "the shapes are " + names_of(named->shapes));
  return {.collective = named, .shape = *shape};
}

std::vector<Case> parse_cases(std::span<char*> words) {
  std::vector<Case> cases;
  Case current;
  for (const std::string_view word : words) {
    if (!word.empty() && word.front() >= '0' && word.front() <= '9') {
      cases.push_back(parse_size(word, current));
    } else {
      current = parse_collective(word);
    }
  }
  if (cases.empty()) throw std::runtime_error("usage: [unchecked] COLLECTIVE[/SHAPE] SIZE:PAIRS ...");
  return cases;
}

}  // namespace

Request parse_request(std::span<char*> words) {
  if (words.empty() || std::string_view(words.front()) != "unchecked") {
    return {Results::checked, parse_cases(words)};
  }
  return {Results::unchecked, parse_cases(words.subspan(1))};
}

}  // namespace rota::bench
