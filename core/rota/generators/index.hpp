// All generators by name: whoever shows, verifies, simulates or chooses a schedule finds it here.
// A new algorithm is a new file in a room beside this one, and in index.cpp an include and a line for each collective.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/model/paper_blocks.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// What an algorithm is there for.
enum class Role : std::uint8_t {
  candidate,  // to be chosen where it takes least
  rival,      // to be compared with, as papers do: by name only
};

struct Algorithm {
  std::string_view name;
  Collective collective;
  Schedule (*schedule)(
      const Problem&);                // for problem.collective == collective, whatever else the problem says
  Pipeline (*pipeline)(const Load&);  // what it takes, without asking for the schedule
  // Does it solve the problem, in order if it must be? It depends on no number of blocks.
  bool (*solves)(const Problem&);
  // Where ranks share these hosts: does what it sends pass no host's link oftener than it must?
  bool (*minds)(const Hosts&) = [](const Hosts&) { return false; };
  // The number of blocks by its paper's own rule; nullptr: its paper gives none.
  BlockIndex (*paper_blocks)(const Load&, const PaperConstants&) = nullptr;
  Role role = Role::candidate;
  // Of a reduction: are values combined in the same order, and with the same brackets, whatever the number of blocks?
  bool keeps_order = false;
};

/// Every algorithm of the collectives whose blocks are known without a pattern; those of all-to-many are in
/// rota/generators/all_to_many/all_to_many.hpp.
std::span<const Algorithm> algorithms();

/// Is it one for the problem: does it solve it and, where ranks share hosts, mind these?
bool suits(const Algorithm& algorithm, const Problem& problem);

/// The algorithm of that name for that collective, or nullptr. Words may be joined by - in place of _.
const Algorithm* find_algorithm(Collective collective, std::string_view name);

}  // namespace rota
