#include "rota/generators/steady/timetable.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>

namespace rota {

namespace {

constexpr std::string_view title = "rota timetable 1";
constexpr std::int64_t most = 1'000'000;  // ranks, messages, matchings
constexpr std::int64_t longest = std::int64_t{1} << 62;

struct Line {
  std::int64_t number = 0;
  std::string_view word;
  std::vector<std::int64_t> values;
};

[[noreturn]] void refuse(const Line& line, const std::string& fault) {
  throw std::invalid_argument("timetable, line " + std::to_string(line.number) + ": " + fault);
}

void require(bool truth, const Line& line, const std::string& fault) {
  if (!truth) refuse(line, fault);
}

/// (GCC 12 warns, wrongly, of "'" + a string.)
std::string quoted(std::string_view word) { return std::string("'").append(word.substr(0, 40)).append("'"); }

/// Takes what comes before the separator off the text, and the separator.
std::string_view taken(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return first;
}

std::int64_t number_in(std::string_view word, const Line& line) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  require(fault == std::errc{} && end == word.data() + word.size(), line,
          quoted(word) + " is no whole number");
  return number;
}

Line line_in(std::string_view text, std::int64_t number) {
  Line line{number, taken(text, ' '), {}};
  while (!text.empty()) line.values.push_back(number_in(taken(text, ' '), line));
  return line;
}

/// Builds a timetable line by line. Ranks, messages and so on are checked when all of them are known.
class Reader {
 public:
  void read(const Line& line) {
    for (const Kind& kind : kinds) {
      if (kind.word != line.word) continue;
      require(kind.may_come_again || !has_come(kind.word), line, quoted(kind.word) + " comes a second time");
      if (!has_come(kind.word)) come_.push_back(kind.word);
      require(kind.values == any_number || std::ssize(line.values) == kind.values, line,
              std::string(kind.word) + " takes " + std::to_string(kind.values) + " numbers, and here are " +
                  std::to_string(line.values.size()));
      return (this->*kind.take)(line);
    }
    refuse(line, quoted(line.word) + " is no word of timetables");
  }

  Timetable timetable(const Line& end) {
    Timetable& result = timetable_;
    Period& period = result.period;
    require(!result.parts.empty() && !result.sizes.empty() && !period.matching_lengths.empty(), end,
            "one of ranks, operations, unit, widths, size and matchings is missing");
    for (const PeriodicTransfer& each : period.transfers) require_message(each.message, end);
    for (const PeriodicTask& each : period.tasks) {
      require_message(each.left, end);
      require_message(each.right, end);
      require(size_of(each.left) == size_of(each.right), end,
              "messages " + std::to_string(each.left) + " and " + std::to_string(each.right) +
                  " are combined, and differ in size: an MPI operator takes equally many items of both");
    }
    for (const Origin& each : series_.origins) require_place(each.rank, each.message, end);
    for (const Delivery& each : series_.deliveries) require_place(each.rank, each.message, end);
    period.series = std::make_shared<const Series>(series_);
    return result;
  }

 private:
  static constexpr std::int64_t any_number = -1;

  struct Kind {
    std::string_view word;
    bool may_come_again;
    std::int64_t values;
    void (Reader::*take)(const Line&);
  };

  void ranks(const Line& line) { timetable_.period.ranks = static_cast<Rank>(within(line, 0, most)); }
  void operations(const Line& line) { timetable_.operations = within(line, 0, most); }
  void unit(const Line& line) { timetable_.unit = within(line, 0, longest); }
  void matchings(const Line& line) {
    timetable_.period.matching_lengths.assign(static_cast<std::size_t>(within(line, 0, most)), 0);
  }

  void widths(const Line& line) {
    const std::int64_t unit = timetable_.unit;
    require(has_come("operations") && has_come("unit"), line, "operations and unit come before widths");
    OperationPart part;
    for (const std::int64_t width : line.values) {
      require(width >= 1 && width <= unit - part.end % unit, line,
              "a block of width " + std::to_string(width) + " does not end with an operation or before");
      const bool is_next = part.end == unit;
      part.operation += is_next ? 1 : 0;
      part.begin = is_next ? 0 : part.end;
      part.end = part.begin + width;
      timetable_.parts.push_back(part);
    }
    require(part.end == unit && part.operation == timetable_.operations - 1, line,
            "these widths are not " + std::to_string(timetable_.operations) + " operations of " +
                std::to_string(unit));
    timetable_.period.blocks = std::ssize(timetable_.parts);
  }

  void size(const Line& line) {
    require(line.values[0] == std::ssize(timetable_.sizes) && line.values[0] < most, line,
            "sizes come in the order of messages");
    timetable_.sizes.push_back({within(line, 1, longest), within(line, 2, longest)});
  }

  void origin(const Line& line) { series_.origins.push_back({rank(line, 0), number(line, 1)}); }
  void delivery(const Line& line) {
    series_.deliveries.push_back({rank(line, 0), number(line, 1), number(line, 2), number(line, 3)});
  }
  void transfer(const Line& line) {
    const auto& values = line.values;
    timetable_.period.transfers.push_back(
        {values[0], rank(line, 1), rank(line, 2), number(line, 3), values[4], values[5], values[6]});
  }
  void task(const Line& line) {
    const auto& values = line.values;
    timetable_.period.tasks.push_back(
        {rank(line, 0), number(line, 1), number(line, 2), values[3], values[4], values[5]});
  }

  bool has_come(std::string_view word) const { return std::ranges::find(come_, word) != come_.end(); }

  static std::int64_t within(const Line& line, std::size_t place, std::int64_t limit) {
    const std::int64_t value = line.values[place];
    require(value >= 1 && value <= limit, line,
            std::to_string(value) + " is out of range: from 1 to " + std::to_string(limit));
    return value;
  }

  static Rank number(const Line& line, std::size_t place) {
    const std::int64_t value = line.values[place];
    require(value >= 0 && value < most, line, std::to_string(value) + " is no rank or message");
    return static_cast<Rank>(value);
  }

  Rank rank(const Line& line, std::size_t place) const {
    const Rank value = number(line, place);
    require(value < timetable_.period.ranks, line, std::to_string(value) + " is no rank");
    return value;
  }

  void require_message(Rank message, const Line& line) const {
    require(message < std::ssize(timetable_.sizes), line,
            "message " + std::to_string(message) + " has no size");
  }

  const MessageSize& size_of(Rank message) const {
    return timetable_.sizes[static_cast<std::size_t>(message)];
  }

  void require_place(Rank rank, Rank message, const Line& line) const {
    require(rank < timetable_.period.ranks, line, std::to_string(rank) + " is no rank");
    require_message(message, line);
  }

  static constexpr std::array<Kind, 10> kinds{{{"ranks", false, 1, &Reader::ranks},
                                               {"operations", false, 1, &Reader::operations},
                                               {"unit", false, 1, &Reader::unit},
                                               {"widths", false, any_number, &Reader::widths},
                                               {"size", true, 3, &Reader::size},
                                               {"origin", true, 2, &Reader::origin},
                                               {"delivery", true, 4, &Reader::delivery},
                                               {"matchings", false, 1, &Reader::matchings},
                                               {"transfer", true, 7, &Reader::transfer},
                                               {"task", true, 6, &Reader::task}}};

  Timetable timetable_;
  std::vector<std::string_view> come_;  // each word once
  Series series_{{}, {}};
};

}  // namespace

Timetable timetable_in(std::string_view text) {
  Line line{1, taken(text, '\n'), {}};
  require(line.word == title, line, "a timetable begins with '" + std::string(title) + "'");
  Reader reader;
  while (!text.empty()) {
    line = line_in(taken(text, '\n'), line.number + 1);
    reader.read(line);
  }
  return reader.timetable(line);
}

}  // namespace rota
