// How far tests go. The address sanitizer makes them take ten times as long, and finds how memory is used, not what is wrong in a
// schedule: that depends on powers of two, on odd numbers and on hosts that are full or not, of which fewer ranks have all.
#pragma once

#include "rota/schedule/types.hpp"

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// Of "all numbers of ranks up to this": under the sanitizer up to two thirds of it, which is a fifth of the
/// time where that grows as the fourth power.
constexpr rota::Rank ranks_up_to(rota::Rank most) { return is_sanitized ? most * 2 / 3 : most; }

/// Of so many cases at random: under the sanitizer a quarter of them.
constexpr int cases(int all) { return is_sanitized ? all / 4 : all; }
