#include "served.hpp"

#include <array>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "communicators.hpp"
#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/index.hpp"

namespace rota::check {

namespace {

/// A collective as Rota's settings name it. The calls that differ in their counts only are one collective.
struct Setting {
  std::string_view name;
  Collective collective;
};
constexpr std::array settings{
    Setting{"bcast", Collective::broadcast},     Setting{"reduce", Collective::reduce},
    Setting{"allgather", Collective::allgather}, Setting{"reduce_scatter", Collective::reduce_scatter},
    Setting{"allreduce", Collective::allreduce}, Setting{"scan", Collective::scan},
    Setting{"exscan", Collective::exscan},       Setting{"alltoall", Collective::all_to_many}};

const Setting& setting_of(const Case& c) {
  if (c.call == "allgatherv") return settings[2];
  if (c.call == "reduce_scatter_block") return settings[3];
  if (is_all_to_many(c)) return settings.back();
  const auto* found = settings.begin();
  while (found->name != c.call) ++found;
  return *found;
}

/// The name that ROTA_ALGORITHM gives for a collective; empty if none.
std::string algorithm_named(std::string_view collective) {
  const char* const variable = std::getenv("ROTA_ALGORITHM");
  std::istringstream parts(variable == nullptr ? "" : variable);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    if (part.substr(0, equals) == collective && equals != std::string::npos) return part.substr(equals + 1);
  }
  return "";
}

}  // namespace

bool is_served(const Case& c, MPI_Comm comm) {
  if (is_between(c.comm)) return false;
  const Setting& setting = setting_of(c);
  const std::string name = algorithm_named(setting.name);
  const int ranks = size_of(comm);
  if (is_all_to_many(c)) return find_all_to_many(name) != nullptr && ranks > 1;
  const Algorithm* const algorithm = find_algorithm(setting.collective, name);
  if (algorithm == nullptr || ranks == 1) return false;
  Problem problem;
  problem.collective = setting.collective;
  problem.ranks = ranks;
  problem.root = static_cast<Rank>(c.root % ranks);
  problem.in_order = is_reduction(c) && c.op == "user_product";
  return algorithm->solves(problem);
}

}  // namespace rota::check
