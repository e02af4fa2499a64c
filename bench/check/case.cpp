#include "case.hpp"

#include <charconv>
#include <sstream>
#include <type_traits>

namespace rota::check {

namespace {

/// Shows `see` the name and the place of every dimension but the call.
template <class AnyCase, class See>
void for_each_dimension(AnyCase& c, const See& see) {
  see("type", c.type);
  see("op", c.op);
  see("layout", c.layout);
  see("receive", c.receive);
  see("count", c.count);
  see("counts", c.counts);
  see("displs", c.displs);
  see("types", c.types);
  see("comm", c.comm);
  see("root", c.root);
  see("in_place", c.in_place);
  see("changes", c.changes);
  see("large", c.large);
  see("large_op", c.large_op);
  see("threads", c.threads);
  see("data", c.data);
}

void read(const std::string& text, std::string& value, const std::string&) { value = text; }

template <class Number>
void read(const std::string& text, Number& value, const std::string& name) {
  using Wide = std::conditional_t<std::is_same_v<Number, bool>, int, Number>;
  Wide number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || number < 0 || (std::is_same_v<Number, bool> && number > 1)) {
    throw BadCase("'" + name + "=" + text + "' is no " +
                  (std::is_same_v<Number, bool> ? "0 or 1" : "whole number from 0 on"));
  }
  value = static_cast<Number>(number);
}

void read_dimension(const std::string& word, Case& c) {
  const std::size_t equals = word.find('=');
  bool known = false;
  std::string names;
  for_each_dimension(c, [&](const std::string& name, auto& value) {
    names += (names.empty() ? "" : ", ") + name;
    if (equals == std::string::npos || word.substr(0, equals) != name) return;
    known = true;
    read(word.substr(equals + 1), value, name);
  });
  if (!known) throw BadCase("'" + word + "' is no dimension of a case: give NAME=VALUE with one of " + names);
}

}  // namespace

bool is_reduction(const Case& c) {
  return c.call != "bcast" && !c.call.starts_with("allgather") && !is_all_to_many(c);
}

bool is_all_to_many(const Case& c) { return c.call.starts_with("alltoall"); }

bool has_counts(const Case& c) {
  return c.call == "allgatherv" || c.call == "reduce_scatter" || c.call == "alltoallv" ||
         c.call == "alltoallw";
}

bool has_displacements(const Case& c) { return has_counts(c) && !is_reduction(c); }

bool has_root(const Case& c) { return c.call == "bcast" || c.call == "reduce"; }

bool goes_between(const std::string& call) {
  return call == "bcast" || call == "reduce" || call == "allreduce" || call.starts_with("allgather");
}

std::string text_of(const Case& c) {
  std::ostringstream text;
  text << c.call;
  const Case simplest;
  for_each_dimension(c, [&](const std::string& name, const auto& value) {
    for_each_dimension(simplest, [&](const std::string& other_name, const auto& simple) {
      if constexpr (std::is_same_v<decltype(value), decltype(simple)>) {
        if (name == other_name && value != simple) text << ',' << name << '=' << value;
      }
    });
  });
  return text.str();
}

Case parse_case(const std::string& text) {
  std::istringstream words(text);
  Case c;
  std::getline(words, c.call, ',');
  for (std::string word; std::getline(words, word, ',');) read_dimension(word, c);
  return c;
}

}  // namespace rota::check
