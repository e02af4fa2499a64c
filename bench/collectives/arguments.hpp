// The words of the command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contest.hpp"

namespace rota::bench {

/// One line of the outcome to be: a collective on one size.
struct Case {
  const Named* collective = nullptr;
  Shape shape = Shape::regular;
  int bytes = 0;
  int pairs = 0;
  int first_group = 0;
};

/// Where memory keeps no data (folded, in SMPI) no result can be checked.
enum class Results : std::uint8_t { checked, unchecked };

/// What a command line asks for.
struct Request {
  Results results = Results::checked;
  std::vector<Case> cases;
};

/// The request that `[unchecked] COLLECTIVE[/SHAPE] SIZE:PAIRS ... COLLECTIVE[/SHAPE] ...` is. Throws
/// std::runtime_error with one line on what is wrong and what is right.
Request parse_request(std::span<char*> words);

}  // namespace rota::bench
