// Timetables as text: what they say, and what is said of broken ones.
#include "rota/generators/steady/timetable.hpp"

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "require.hpp"
#include "rota/proof/verify.hpp"

namespace {

using namespace rota;

const std::string relay =
    "rota timetable 1\n"
    "ranks 3\n"
    "operations 2\n"
    "unit 4\n"
    "widths 2 2 4\n"
    "size 0 3 2\n"
    "origin 0 0\n"
    "delivery 2 0 0 0\n"
    "matchings 2\n"
    "transfer 0 0 1 0 0 0 3\n"
    "transfer 1 1 2 0 1 0 3\n";

std::string with(const std::string& old, const std::string& changed) {
  std::string text = relay;
  return text.replace(text.find(old), old.size(), changed);
}

void what_a_timetable_says() {
  const Timetable read = timetable_in(relay);
  require(read.period.ranks == 3 && read.period.blocks == 3 && read.operations == 2, "its numbers");
  require(read.sizes.size() == 1 && read.sizes[0].numerator == 3 && read.sizes[0].denominator == 2,
          "its sizes");
  require(read.parts[1].operation == 0 && read.parts[1].begin == 2 && read.parts[1].end == 4,
          "the second half of the first operation");
  require(read.parts[2].operation == 1 && read.parts[2].begin == 0 && read.parts[2].end == 4,
          "all of the second operation");
  const auto period = std::make_shared<const Period>(read.period);
  require(verify(periodic(period, 3)).empty(), "a right schedule");
}

void broken_timetables_are_refused() {
  const auto says = [](const std::string& text, const std::string& fault) {
    try {
      timetable_in(text);
    } catch (const std::invalid_argument& refused) {
      const std::string said = refused.what();
      return require(said.find(fault) != std::string::npos, said + " in place of " + fault);
    }
    require(false, "taken for a timetable, though " + fault);
  };
  says("", "line 1: a timetable begins with");
  says("rota timetable 2\n", "line 1: a timetable begins with");
  says("rota timetable 1\n", "missing");
  says(with("matchings 2", "matchings"), "line 9: matchings takes 1 numbers, and here are 0");
  says(with("matchings 2", "matchings 0"), "line 9: 0 is out of range");
  says(with("matchings 2", "marriages 2"), "line 9: 'marriages' is no word");
  says(with("unit 4", "unit four"), "line 4: 'four' is no whole number");
  says(with("unit 4", "unit 99999999999999999999"), "line 4: '99999999999999999999' is no whole number");
  says(with("widths 2 2 4", "widths 2 3 3"), "line 5: a block of width 3");
  says(with("widths 2 2 4", "widths 2 2"), "line 5: these widths are not 2 operations of 4");
  says(with("unit 4\nwidths 2 2 4\n", "widths 2 2 4\nunit 4\n"),
       "line 4: operations and unit come before widths");
  for (const std::string line :
       {"ranks 3\n", "operations 2\n", "unit 4\n", "widths 2 2 4\n", "matchings 2\n"}) {
    const std::string word = line.substr(0, line.find(' '));
    says(relay + line, "line 12: '" + word + "' comes a second time");
  }
  says(with("size 0", "size 1"), "line 6: sizes come in the order");
  says(with("origin 0 0", "origin 3 0"), "line 7: 3 is no rank");
  says(with("origin 0 0", "origin 0 1"), "message 1 has no size");
  says(with("transfer 1 1 2", "transfer 1 -1 2"), "line 11: -1 is no rank");
  says(with("size 0 3 2\n", "size 0 3 2\nsize 1 1 2\n") + "task 2 0 1 1 0 3\n",
       "messages 0 and 1 are combined, and differ in size");
}

}  // namespace

int main() try {
  what_a_timetable_says();
  broken_timetables_are_refused();
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
