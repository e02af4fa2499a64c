// Programs as text and back.
#include <algorithm>
#include <charconv>
#include <ranges>
#include <utility>

#include "program.hpp"

namespace rota::programs {

namespace {

using Field = std::pair<std::string_view, int Step::*>;

constexpr std::array<Field, 19> fields{{{"comm", &Step::comm},
                                        {"made", &Step::made},
                                        {"way", &Step::way},
                                        {"type", &Step::type},
                                        {"shape", &Step::shape},
                                        {"other", &Step::other},
                                        {"op", &Step::op},
                                        {"count", &Step::count},
                                        {"pattern", &Step::pattern},
                                        {"displs", &Step::displs},
                                        {"root", &Step::root},
                                        {"in_place", &Step::in_place},
                                        {"odd", &Step::odd},
                                        {"at", &Step::at},
                                        {"large", &Step::large},
                                        {"request", &Step::request},
                                        {"span", &Step::span},
                                        {"own", &Step::own},
                                        {"data", &Step::data}}};

constexpr std::string_view multiple = "multiple";

std::string text_of(const Step& step) {
  constexpr Step simplest;
  std::string text(action_names[static_cast<std::size_t>(step.action)]);
  for (const auto& [name, member] : fields) {
    if (step.*member == simplest.*member) continue;
    text.append(" ").append(name).append("=").append(std::to_string(step.*member));
  }
  return text;
}

std::string text_of(const Steps& steps) {
  std::string text;
  for (const Step& step : steps) text.append(text.empty() ? "" : "; ").append(text_of(step));
  return text;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == separator) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

std::vector<std::string> words_of(std::string text) {
  std::ranges::replace_if(text, [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  std::vector<std::string> words = parts_of(text, ' ');
  std::erase(words, "");
  return words;
}

template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (const auto& name : names) text.append(" ").append(name);
  return text;
}

Action action_called(const std::string& word) {
  const auto* const found = std::ranges::find(action_names, word);
  if (found == action_names.end()) {
    throw BadProgram("'" + word + "' is no step; valid:" + listed(action_names));
  }
  return static_cast<Action>(found - action_names.begin());
}

int number_of(const std::string& word, const std::string& value) {
  constexpr int most = 1'000'000;
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < 0 || number > most) {
    throw BadProgram("'" + word + "': '" + value + "' is no whole number from 0 to " + std::to_string(most));
  }
  return number;
}

Step with(Step step, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const auto* const found =
      std::ranges::find_if(fields, [&](const Field& field) { return field.first == name; });
  if (found == fields.end() || equals == std::string::npos) {
    throw BadProgram("'" + word + "' is no part of a step; valid, with = and a number:" +
                     listed(fields | std::views::keys));
  }
  step.*found->second = number_of(word, word.substr(equals + 1));
  return step;
}

void require_slot(std::string_view name, int slot, int slots) {
  if (slot < slots) return;
  throw BadProgram("'" + std::string(name) + "=" + std::to_string(slot) + "' is no slot: at most " +
                   std::to_string(slots - 1));
}

Step parse_step(const std::vector<std::string>& words) {
  Step step{.action = action_called(words[0])};
  for (std::size_t i = 1; i < words.size(); ++i) step = with(step, words[i]);
  require_slot("comm", step.comm, comm_slots);
  require_slot("made", step.made, comm_slots);
  require_slot("request", step.request, request_slots);
  require_slot("span", step.span, request_slots);
  return step;
}

Steps parse_steps(const std::string& text) {
  Steps steps;
  for (const std::string& part : parts_of(text, ';')) {
    const std::vector<std::string> words = words_of(part);
    if (!words.empty()) steps.push_back(parse_step(words));
  }
  return steps;
}

}  // namespace

std::string text_of(const Program& program) {
  std::string text(program.is_multiple ? multiple : "");
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    if (i > 0 || program.is_multiple) text.append(" | ");
    text.append(text_of(program.threads[i]));
  }
  return text;
}

Program parse_program(const std::string& text) {
  Program program;
  std::vector<std::string> parts = parts_of(text, '|');
  if (words_of(parts[0]) == std::vector<std::string>{std::string(multiple)}) {
    program.is_multiple = true;
    parts.erase(parts.begin());
  }
  if (parts.size() > 1 && !program.is_multiple) {
    throw BadProgram("a program with threads begins with '" + std::string(multiple) + " |'");
  }
  for (const std::string& part : parts) program.threads.push_back(parse_steps(part));
  return program;
}

}  // namespace rota::programs
