// From a case that fails to the smallest one near it.
#pragma once

#include <functional>
#include <vector>

#include "case.hpp"

namespace rota::check {

/// The cases that are simpler than this one in one dimension; the largest leaps first.
std::vector<Case> simpler(const Case& c);

/// Goes to a simpler case as long as one `fails`; asks at most `trials` times.
Case shrunk(Case failing, const std::function<bool(const Case&)>& fails, int trials);

}  // namespace rota::check
