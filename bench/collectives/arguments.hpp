// The words of the command line.
#pragma once

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
};

/// The cases that `COLLECTIVE[/SHAPE] SIZE:PAIRS ... COLLECTIVE[/SHAPE] ...` asks for. Throws
/// std::runtime_error with one line on what is wrong and what is right.
std::vector<Case> parse_cases(std::span<char*> words);

}  // namespace rota::bench
