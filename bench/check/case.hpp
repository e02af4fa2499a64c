// A case: one collective call with all its dimensions, as a line of text and back.
//
//   allgatherv,type=double_int,count=17,counts=sparse,displs=permuted,receive=gaps,in_place=1
//
// What has its simplest value is left out. The same text means the same call with the same data everywhere.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace rota::check {

/// Faults of a case that a user wrote: one line that says what is wrong and what is valid.
struct BadCase : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

struct Case {
  std::string call = "bcast";
  std::string type = "int";       // an element: elements.hpp
  std::string op = "sum";         // of a reduction: operators.hpp
  std::string layout = "plain";   // how items lie in memory: shapes.hpp; where data moves only: of who sends
  std::string receive = "plain";  // and of who receives
  std::int64_t count = 1;         // items of a rank; where only one side's layout is plain, of the other side
  std::string counts = "equal";   // how the ranks' counts differ: plan.hpp
  std::string displs = "packed";  // where a rank's items lie among those of others: plan.hpp
  std::string types = "one";      // in an alltoallw: plan.hpp
  std::string comm = "world";     // communicators.hpp
  std::int64_t root = 0;          // modulo the ranks of the communicator
  bool in_place = false;
  bool changes = false;    // of an alltoallv or alltoallw: again with one message larger, then as at first
  bool large = false;      // the form with large counts, MPI_..._c
  bool large_op = false;   // a user operator that takes large counts
  bool threads = false;    // twice at once, in two threads, on two communicators
  std::uint64_t data = 0;  // which data

  bool has_larger_message = false;  // no dimension: is it the second of those that `changes` asks for?

  friend bool operator==(const Case&, const Case&) = default;
};

/// Does the call combine data?
bool is_reduction(const Case& c);

/// Has every rank data of its own for every other?
bool is_all_to_many(const Case& c);

/// Does the call take counts of all ranks?
bool has_counts(const Case& c);

/// Does the call say where each rank's items lie?
bool has_displacements(const Case& c);

/// Does the call have a root?
bool has_root(const Case& c);

/// May the call be made between two groups, as Rota serves it?
bool goes_between(const std::string& call);

std::string text_of(const Case& c);

/// Throws BadCase.
Case parse_case(const std::string& text);

}  // namespace rota::check
