// The rules by which paper 1 chooses numbers of blocks in its measurements, for m data units among p ranks, q =
// ceil(log2 p):
//
//   broadcast, reduce                        blocks of F sqrt(m / q) units: n = sqrt(m q) / F of them
//   allgather (and what is made of it)       n = sqrt(m q) / G
//
// Both have the form of the linear model's best, sqrt(m (q - 1) beta / alpha) for one root; so F or G stand for
// sqrt(alpha / beta) of the machine. "The constants F and G depend on context, system, and MPI library"; the paper
// found F = 70 (200 nodes, Open MPI 4.1.5) and G = 40 (36 nodes, Open MPI 4.0.5), units being MPI_INTs. For an
// allgather of shares that are alike the model's best is one block.
// Source: paper 1 (Träff 2024), Section 3.
#pragma once

#include <string_view>

#include "rota/model/bound.hpp"

namespace rota {

/// The constants of the rules, and the bytes of a data unit.
struct PaperConstants {
  double f = 70;
  double g = 40;
  double unit_bytes = 4;
};

/// "paper", "paper:F=25", "paper:G=10" or "paper:F=25,G=10". Throws std::invalid_argument with one line for
/// anything else.
PaperConstants paper_constants_of(std::string_view text);

/// The number of blocks, 1 or more, by block sizes of F sqrt(m / q).
BlockIndex paper_blocks_by_size(const Load& load, const PaperConstants& constants);

/// The number of blocks, 1 or more: sqrt(m q) / G.
BlockIndex paper_blocks_by_number(const Load& load, const PaperConstants& constants);

}  // namespace rota
