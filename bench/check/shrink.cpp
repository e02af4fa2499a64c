#include "shrink.hpp"

#include "elements.hpp"
#include "operators.hpp"

namespace rota::check {

namespace {

/// Sets one dimension to its simplest value.
template <class Value>
void propose(const Case& c, Value Case::* dimension, const Value& value, std::vector<Case>& cases) {
  if (c.*dimension == value) return;
  Case proposal = c;
  proposal.*dimension = value;
  cases.push_back(proposal);
}

void propose_operators(const Case& c, std::vector<Case>& cases) {
  if (!is_reduction(c)) return propose<std::string>(c, &Case::type, "int", cases);
  const bool user = is_user_operator(c.op);
  Case proposal = c;
  proposal.type = user ? "uint64" : "int";
  if (user && c.layout == "plain") proposal.op = "user_add";
  if (!user) proposal.op = "sum";
  if (proposal != c) cases.push_back(proposal);
  proposal.op = c.op;
  if (proposal != c && is_defined(c.op, find_element(proposal.type))) cases.push_back(proposal);
}

/// 0, 1, then steps down that halve: as many trials as the count has bits lead to any smaller count.
void propose_counts(const Case& c, std::vector<Case>& cases) {
  for (const std::int64_t count : {0, 1}) {
    if (c.count > count) propose<std::int64_t>(c, &Case::count, count, cases);
  }
  for (std::int64_t step = c.count / 2; step > 0; step /= 2) {
    propose<std::int64_t>(c, &Case::count, c.count - step, cases);
  }
}

}  // namespace

std::vector<Case> simpler(const Case& c) {
  std::vector<Case> cases;
  propose(c, &Case::threads, false, cases);
  propose<std::string>(c, &Case::comm, "world", cases);
  propose(c, &Case::large, false, cases);
  propose(c, &Case::large_op, false, cases);
  propose(c, &Case::in_place, false, cases);
  propose(c, &Case::changes, false, cases);
  propose<std::string>(c, &Case::types, "one", cases);
  propose<std::string>(c, &Case::counts, "equal", cases);
  propose<std::string>(c, &Case::displs, "packed", cases);
  propose<std::int64_t>(c, &Case::root, 0, cases);
  propose<std::string>(c, &Case::layout, "plain", cases);
  propose<std::string>(c, &Case::receive, "plain", cases);
  propose_operators(c, cases);
  propose_counts(c, cases);
  propose<std::uint64_t>(c, &Case::data, 0, cases);
  return cases;
}

Case shrunk(Case failing, const std::function<bool(const Case&)>& fails, int trials) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Case& candidate : simpler(failing)) {
      if (trials-- <= 0) return failing;
      if (!fails(candidate)) continue;
      failing = candidate;
      smaller = true;
      break;
    }
  }
  return failing;
}

}  // namespace rota::check
