// Weighted matchings of integers of any length, as Python objects.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "rota/matchings/weighted_matchings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

constexpr std::size_t limb_digits = 16;

/// Of hexadecimal digits without a prefix, as Python's format(number, "x").
Wide wide_of(std::string_view digits) {
  std::vector<std::uint64_t> limbs;
  while (!digits.empty()) {
    const std::size_t begin = digits.size() - std::min(digits.size(), limb_digits);
    limbs.push_back(std::stoull(std::string(digits.substr(begin)), nullptr, 16));
    digits = digits.substr(0, begin);
  }
  return Wide(limbs);
}

std::string digits_of(const Wide& number) {
  constexpr std::string_view digit = "0123456789abcdef";
  std::string reversed;
  for (const std::uint64_t limb : number.from_lowest()) {
    for (std::size_t i = 0; i < limb_digits; ++i) reversed.push_back(digit[(limb >> (4 * i)) & 15]);
  }
  reversed.erase(std::max<std::size_t>(reversed.find_last_not_of('0') + 1, 1));
  return {reversed.rbegin(), reversed.rend()};
}

using EdgeInPython = std::tuple<std::int32_t, std::int32_t, std::string>;
using PartInPython = std::pair<std::int32_t, std::string>;
using MatchingInPython = std::pair<std::string, std::vector<PartInPython>>;

std::vector<MatchingInPython> matchings(std::int32_t vertices, const std::vector<EdgeInPython>& edges) {
  std::vector<BasicWeightedEdge<Wide>> weighted;
  for (const auto& [left, right, weight] : edges) {
    if (std::min(left, right) < 0 || std::max(left, right) >= vertices)
      throw std::invalid_argument("an edge between what are no vertices");
    weighted.push_back({left, right, wide_of(weight)});
  }
  std::vector<MatchingInPython> result;
  for (const BasicWeightedMatching<Wide>& matching :
       weighted_matchings(static_cast<std::size_t>(vertices), weighted)) {
    std::vector<PartInPython> parts;
    for (const BasicEdgePart<Wide>& part : matching.parts)
      parts.emplace_back(part.edge, digits_of(part.weight));
    result.emplace_back(digits_of(matching.duration), std::move(parts));
  }
  return result;
}

}  // namespace

void bind_matchings(nb::module_& module) {
  module.def(
      "weighted_matchings", &matchings, "vertices"_a, "edges"_a,
      R"(Take a weighted bipartite graph apart into matchings that together last as long as its busiest vertex.

`edges`: left and right vertex, 0..vertices - 1, and weight in hexadecimal digits, below 2^2048. Returns the matchings, each
with its duration and the parts of edges, by their places in `edges`, that are in it; numbers as they were given.

Raises ValueError for vertices that are none, OverflowError for sums of 2^2048 or more.)");
}

}  // namespace rota
