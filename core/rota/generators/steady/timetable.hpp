// A plan's period in numbers, as it is written to be carried out by ranks that know nothing of plans.
//
// Operations of a period lie side by side on a line, `unit` wide each; blocks are the pieces of that line. So
// block b of a message is the same part of it on all its ways, whatever its size.
//
//     operations   |     0     |     1     |       unit 4, two operations a period
//     blocks       |  0  |  1  |     2     |       widths 2 2 4
//
//   rota timetable 1
//   ranks 3
//   operations 2
//   unit 4
//   widths 2 2 4
//   size 0 1 1                message 0 is 1/1 units long
//   origin 0 0                rank, message
//   delivery 2 0 0 0          rank, message, first and last contribution in it
//   matchings 2
//   transfer 0 0 1 0 0 0 3    matching, from, to, message, stage, first block, blocks
//   transfer 1 1 2 0 1 0 3
//   task ...                  rank, left message, right message, stage, first block, blocks; the two are equally long
#pragma once

#include <string_view>

#include "rota/generators/steady/periodic.hpp"

namespace rota {

/// How long a message is, in units of the series: a fraction above 0.
struct MessageSize {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  bool operator==(const MessageSize& other) const = default;
};

/// A part of an operation's message: from begin / unit of it to end / unit.
struct OperationPart {
  std::int64_t operation = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct Timetable {
  Period period;  // its matchings have no lengths
  std::int64_t operations = 1;
  std::int64_t unit = 1;
  std::vector<OperationPart> parts;  // by block of the period
  std::vector<MessageSize> sizes;    // by message
};

/// Reads a timetable. Throws std::invalid_argument with one line that says which line of the text is wrong
/// and why. Whether what it describes is a right schedule, the verifier tells of periodic(its period).
Timetable timetable_in(std::string_view text);

}  // namespace rota
