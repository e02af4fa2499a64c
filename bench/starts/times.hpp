// Times of several ways of a call, by their names.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace rota::bench {

using Seconds = std::vector<double>;  // of the slowest rank, call by call
using TimesByWay = std::vector<std::pair<std::string, Seconds>>;

}  // namespace rota::bench
