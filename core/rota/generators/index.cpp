#include "rota/generators/index.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "rota/generators/between_groups/inter_allreduce.hpp"
#include "rota/generators/between_groups/inter_broadcast.hpp"
#include "rota/generators/between_groups/inter_by_allgather.hpp"
#include "rota/generators/between_groups/inter_join.hpp"
#include "rota/generators/between_groups/inter_on_hosts.hpp"
#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/generators/between_groups/inter_ring.hpp"
#include "rota/generators/between_groups/inter_root.hpp"
#include "rota/generators/between_groups/inter_spread.hpp"
#include "rota/generators/between_groups/inter_two_stage.hpp"
#include "rota/generators/butterfly/butterfly_allreduce.hpp"
#include "rota/generators/butterfly/butterfly_reduce.hpp"
#include "rota/generators/circulant/circulant_allgather.hpp"
#include "rota/generators/circulant/circulant_allreduce.hpp"
#include "rota/generators/circulant/circulant_broadcast.hpp"
#include "rota/generators/circulant/circulant_chunks.hpp"
#include "rota/generators/classic/binary_tree.hpp"
#include "rota/generators/classic/binomial.hpp"
#include "rota/generators/classic/chain.hpp"
#include "rota/generators/classic/chain_scan.hpp"
#include "rota/generators/classic/recursive_doubling_allreduce.hpp"
#include "rota/generators/classic/recursive_doubling_scan.hpp"
#include "rota/generators/classic/ring.hpp"
#include "rota/generators/classic/scatter_allgather.hpp"
#include "rota/generators/classic/scatter_ring.hpp"
#include "rota/generators/hierarchical/chain_on_hosts.hpp"
#include "rota/generators/hierarchical/hierarchical.hpp"
#include "rota/generators/hierarchical/hierarchical_abreast.hpp"
#include "rota/generators/hierarchical/hierarchical_allreduce.hpp"
#include "rota/generators/hierarchical/hierarchical_scan.hpp"
#include "rota/generators/joined.hpp"
#include "rota/generators/two_trees/two_tree_allreduce.hpp"
#include "rota/generators/two_trees/two_tree_broadcast.hpp"
#include "rota/generators/two_trees/two_tree_scan.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

/// `generator`'s schedule for the problem's dual, played backwards.
template <Collective dual, Schedule (*generator)(const Problem&)>
Schedule backwards(const Problem& problem) {
  Problem forwards = problem;
  forwards.collective = dual;
  return reversed(generator(forwards));
}

bool always(const Problem&) { return true; }
bool in_any_order(const Problem& problem) { return !problem.in_order; }
bool in_order_to_first(const Problem& problem) { return !problem.in_order || problem.root == 0; }
bool in_order_to_an_end(const Problem& problem) {
  return in_order_to_first(problem) || problem.root == problem.ranks - 1;
}

bool on_hosts(const Problem& problem) { return problem.hosts != nullptr; }
bool on_shared_hosts(const Problem& problem) { return problem.hosts && !problem.in_order; }
bool on_hosts_in_rows(const Problem& problem) { return problem.hosts && problem.hosts->are_in_a_row(); }

bool no_hosts(const Hosts&) { return false; }
bool whatever_hosts(const Hosts&) { return true; }
/// Where everything goes to the next rank only, it passes the link of a host of consecutive ranks once. (Only
/// a reduction in order to a root in between passes that root's host twice.)
bool hosts_in_rows(const Hosts& hosts) { return hosts.are_in_a_row(); }

/// The same work with every byte combined.
Pipeline combining(Pipeline pipeline) {
  pipeline.combined_part = 1;
  return pipeline;
}

bool has_two_groups(const Problem& problem) {
  return problem.first_group > 0 && problem.first_group < problem.ranks;
}
bool between_groups(const Problem& problem) { return has_two_groups(problem) && !problem.in_order; }
bool between_groups_on_shared_hosts(const Problem& problem) {
  return between_groups(problem) && problem.hosts != nullptr;
}
bool one_way_between_groups(const Problem& problem) {
  return has_two_groups(problem) && !problem.shares.empty() && is_half_duplex(problem);
}
bool both_ways_between_groups(const Problem& problem) {
  return has_two_groups(problem) && !problem.shares.empty();
}
bool both_ways_on_shared_hosts(const Problem& problem) {
  return both_ways_between_groups(problem) && problem.hosts != nullptr;
}

/// From one root to the other group, or back, by `generator`'s schedule for the two.
template <Schedule (*generator)(const Problem&)>
Schedule to_other_group(const Problem& problem) {
  return inter_broadcast(problem, generator);
}
template <Schedule (*generator)(const Problem&)>
Schedule from_other_group(const Problem& problem) {
  return inter_reduce(problem, generator);
}

template <Pipeline (*pipeline)(const Load&)>
Pipeline root_and_others(const Load& load) {
  Load inner{Collective::broadcast, 1 + load.groups[1].ranks, load.bytes, load.bytes, load.bytes};
  inner.placement = load.placement;
  return pipeline(inner);
}

/// Between groups, by an allgather's schedule among all.
template <Schedule (*generator)(const Problem&)>
Schedule among_all(const Problem& problem) {
  return inter_by_allgather(problem, generator);
}

/// A ring sends each owner's data whole.
Schedule ring_among_all(const Problem& problem) {
  Problem whole = problem;
  whole.blocks = 1;
  return inter_by_allgather(whole, ring_allgather);
}

constexpr Algorithm rival(Algorithm algorithm) {
  algorithm.role = Role::rival;
  return algorithm;
}

constexpr Algorithm keeping_order(Algorithm algorithm) {
  algorithm.keeps_order = true;
  return algorithm;
}

constexpr std::array all_algorithms{
    Algorithm{"circulant", Collective::broadcast, circulant_broadcast, circulant_broadcast_pipeline, always,
              no_hosts, paper_blocks_by_size},
    Algorithm{"circulant", Collective::reduce, backwards<Collective::broadcast, circulant_broadcast>,
              [](const Load& load) { return combining(circulant_broadcast_pipeline(load)); }, in_any_order,
              no_hosts, paper_blocks_by_size},
    Algorithm{"circulant", Collective::allgather, circulant_allgather, circulant_allgather_pipeline, always,
              no_hosts, paper_blocks_by_number},
    Algorithm{"circulant", Collective::reduce_scatter, backwards<Collective::allgather, circulant_allgather>,
              [](const Load& load) { return combining(circulant_allgather_pipeline(load)); }, in_any_order,
              no_hosts, paper_blocks_by_number},
    Algorithm{"circulant", Collective::allreduce, circulant_allreduce, circulant_allreduce_pipeline,
              in_any_order, no_hosts, paper_blocks_by_number},
    keeping_order({"circulant_chunks", Collective::allreduce, circulant_chunks, circulant_chunks_pipeline,
                   in_any_order}),
    Algorithm{"chain", Collective::broadcast, chain_broadcast, chain_pipeline, always, hosts_in_rows},
    keeping_order({"chain", Collective::reduce, chain_reduce,
                   [](const Load& load) { return combining(chain_pipeline(load)); }, always, hosts_in_rows}),
    keeping_order({"chain", Collective::scan, chain_scan, chain_scan_pipeline, always}),
    keeping_order({"chain", Collective::exscan, chain_scan, chain_scan_pipeline, always}),
    keeping_order({"recursive_doubling", Collective::allreduce, recursive_doubling_allreduce,
                   recursive_doubling_allreduce_pipeline, always}),
    keeping_order({"recursive_doubling", Collective::scan, recursive_doubling_scan,
                   recursive_doubling_scan_pipeline, always}),
    keeping_order({"recursive_doubling", Collective::exscan, recursive_doubling_scan,
                   recursive_doubling_scan_pipeline, always}),
    Algorithm{"binomial", Collective::broadcast, binomial_broadcast, binomial_pipeline, always},
    keeping_order({"binomial", Collective::reduce, backwards<Collective::broadcast, binomial_broadcast>,
                   [](const Load& load) { return combining(binomial_pipeline(load)); }, in_order_to_first}),
    Algorithm{"ring", Collective::allgather, ring_allgather, ring_allgather_pipeline, always},
    keeping_order({"ring", Collective::reduce_scatter, backwards<Collective::allgather, ring_allgather>,
                   [](const Load& load) { return combining(ring_allgather_pipeline(load)); }, in_any_order}),
    keeping_order({"ring", Collective::allreduce, ring_allreduce, ring_allreduce_pipeline, in_any_order}),
    Algorithm{"binary_tree", Collective::broadcast, binary_tree_broadcast, binary_tree_pipeline, always},
    keeping_order({"binary_tree", Collective::reduce, backwards<Collective::broadcast, binary_tree_broadcast>,
                   [](const Load& load) { return combining(binary_tree_pipeline(load)); },
                   in_order_to_an_end}),
    rival(
        {"scatter_allgather", Collective::broadcast, scatter_allgather, scatter_allgather_pipeline, always}),
    rival({"scatter_ring", Collective::broadcast, scatter_ring, scatter_ring_pipeline, always}),
    rival(keeping_order(
        {"butterfly", Collective::reduce, butterfly_reduce, butterfly_reduce_pipeline, always})),
    rival(keeping_order(
        {"butterfly", Collective::allreduce, butterfly_allreduce, butterfly_allreduce_pipeline, always})),
    Algorithm{"two_tree", Collective::broadcast, two_tree_broadcast, two_tree_broadcast_pipeline, always},
    Algorithm{"two_tree", Collective::reduce, backwards<Collective::broadcast, two_tree_broadcast>,
              [](const Load& load) { return combining(two_tree_broadcast_pipeline(load)); },
              in_order_to_an_end},
    Algorithm{"two_tree", Collective::allreduce, two_tree_allreduce, two_tree_allreduce_pipeline, always},
    Algorithm{"two_tree", Collective::scan, two_tree_scan, two_tree_scan_pipeline, always},
    Algorithm{"two_tree", Collective::exscan, two_tree_scan, two_tree_scan_pipeline, always},
    Algorithm{"hierarchical", Collective::broadcast, hierarchical_allgather, hierarchical_allgather_pipeline,
              on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical", Collective::reduce, backwards<Collective::broadcast, hierarchical_allgather>,
              [](const Load& load) { return combining(hierarchical_allgather_pipeline(load)); },
              on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical", Collective::allgather, hierarchical_allgather, hierarchical_allgather_pipeline,
              on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical", Collective::reduce_scatter,
              backwards<Collective::allgather, hierarchical_allgather>,
              [](const Load& load) { return combining(hierarchical_allgather_pipeline(load)); },
              on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical_abreast", Collective::allgather, hierarchical_abreast_allgather,
              hierarchical_abreast_allgather_pipeline, on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical_abreast", Collective::reduce_scatter,
              backwards<Collective::allgather, hierarchical_abreast_allgather>,
              [](const Load& load) { return combining(hierarchical_abreast_allgather_pipeline(load)); },
              on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical", Collective::allreduce, hierarchical_allreduce, hierarchical_allreduce_pipeline,
              on_shared_hosts, whatever_hosts},
    keeping_order({"chain_on_hosts", Collective::scan, chain_on_hosts, chain_on_hosts_pipeline, on_hosts,
                   whatever_hosts}),
    keeping_order({"chain_on_hosts", Collective::exscan, chain_on_hosts, chain_on_hosts_pipeline, on_hosts,
                   whatever_hosts}),
    keeping_order({"hierarchical", Collective::scan, hierarchical_scan, hierarchical_scan_pipeline,
                   on_hosts_in_rows, hosts_in_rows}),
    keeping_order({"hierarchical", Collective::exscan, hierarchical_scan, hierarchical_scan_pipeline,
                   on_hosts_in_rows, hosts_in_rows}),
    Algorithm{"spread", Collective::inter_allgather, inter_spread, inter_spread_pipeline,
              both_ways_between_groups},
    Algorithm{"join", Collective::inter_allgather, inter_join, inter_join_pipeline, one_way_between_groups},
    Algorithm{"circulant", Collective::inter_allgather, among_all<circulant_allgather>,
              [](const Load& load) { return circulant_allgather_pipeline(load_of_allgather(load)); },
              both_ways_between_groups},
    Algorithm{"ring", Collective::inter_allgather, inter_ring, inter_ring_pipeline, one_way_between_groups},
    rival({"two_stage", Collective::inter_allgather, inter_two_stage, inter_two_stage_pipeline,
           one_way_between_groups}),
    rival({"root", Collective::inter_allgather, inter_root, inter_root_pipeline, both_ways_between_groups}),
    rival({"ring_of_all", Collective::inter_allgather, ring_among_all,
           [](const Load& load) { return ring_allgather_pipeline(load_of_allgather(load)); },
           both_ways_between_groups}),
    Algorithm{"circulant", Collective::inter_broadcast, to_other_group<circulant_broadcast>,
              root_and_others<circulant_broadcast_pipeline>, has_two_groups},
    Algorithm{"two_tree", Collective::inter_broadcast, to_other_group<two_tree_broadcast>,
              root_and_others<two_tree_broadcast_pipeline>, has_two_groups},
    Algorithm{"circulant", Collective::inter_reduce,
              from_other_group<backwards<Collective::broadcast, circulant_broadcast>>,
              [](const Load& load) { return combining(root_and_others<circulant_broadcast_pipeline>(load)); },
              between_groups},
    Algorithm{"chain", Collective::inter_reduce, from_other_group<chain_reduce>,
              [](const Load& load) { return combining(root_and_others<chain_pipeline>(load)); },
              has_two_groups},
    Algorithm{"binomial", Collective::inter_reduce,
              from_other_group<backwards<Collective::broadcast, binomial_broadcast>>,
              [](const Load& load) { return combining(root_and_others<binomial_pipeline>(load)); },
              has_two_groups},
    Algorithm{"two_tree", Collective::inter_reduce,
              from_other_group<backwards<Collective::broadcast, two_tree_broadcast>>,
              [](const Load& load) { return combining(root_and_others<two_tree_broadcast_pipeline>(load)); },
              has_two_groups},
    Algorithm{"hierarchical", Collective::inter_allgather, inter_on_hosts,
              [](const Load& load) { return hierarchical_allgather_pipeline(load_of_allgather(load)); },
              both_ways_on_shared_hosts, whatever_hosts},
    Algorithm{"hierarchical", Collective::inter_broadcast, to_other_group<hierarchical_allgather>,
              root_and_others<hierarchical_allgather_pipeline>, between_groups_on_shared_hosts,
              whatever_hosts},
    Algorithm{
        "hierarchical", Collective::inter_reduce,
        from_other_group<backwards<Collective::broadcast, hierarchical_allgather>>,
        [](const Load& load) { return combining(root_and_others<hierarchical_allgather_pipeline>(load)); },
        between_groups_on_shared_hosts, whatever_hosts},
    Algorithm{"spread", Collective::inter_allreduce, inter_allreduce, inter_allreduce_pipeline,
              between_groups},
};

}  // namespace

std::span<const Algorithm> algorithms() { return all_algorithms; }

bool suits(const Algorithm& algorithm, const Problem& problem) {
  return algorithm.collective == problem.collective && algorithm.solves(problem) &&
         (problem.hosts == nullptr || algorithm.minds(*problem.hosts));
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
  const std::string word = joined(name);
  const auto* const found = std::ranges::find_if(all_algorithms, [&](const Algorithm& algorithm) {
    return algorithm.collective == collective && algorithm.name == word;
  });
  return found == all_algorithms.end() ? nullptr : found;
}

}  // namespace rota
