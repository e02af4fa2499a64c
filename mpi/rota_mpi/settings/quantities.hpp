// Sizes and rates as people write them in variables: by the grammar that the command's options have (python/rota/units.py), a number, a
// prefix and a unit.
//
//    64  1M  1MB  1MiB              bytes
//    10gbit  10Gbps  1e10  25MB/s   bits per second, and bytes per second
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rota::mpi {

/// Quantities stay below it: floating-point numbers count them exactly.
inline constexpr std::int64_t too_many = std::int64_t{1} << 53;

/// The bytes that a size stands for; nullopt: it is none. `too_many`: as many or more.
std::optional<std::int64_t> size_called(std::string_view text);

/// The same where a number alone counts MiB.
std::optional<std::int64_t> memory_called(std::string_view text);

/// The bits per second that a rate stands for, as a number alone does; nullopt and `too_many` as above.
std::optional<std::int64_t> rate_called(std::string_view text);

}  // namespace rota::mpi
