// Arguments that the MPI library may refuse.
//
// A rank whose arguments MPI refuses passes the call on, for MPI to say so in its own words. But a rank that passes a call on alone,
// because it guessed wrong, leaves the others waiting for its messages for ever. So nobody guesses:
//
//   refused   what MPI certainly refuses, or crashes on: a count below 0, no array where one must be, MPI_IN_PLACE where it may not be
//   odd       what it may refuse, or take: no type, no buffer, an operator for a type that Rota does not know, ... The rank asks
//             the MPI library, by the same call with its own arguments on a communicator of this rank alone. Where it is refused, so is
//             the call; what it takes is served. Before all-to-many calls ranks look at each other's arguments in any case: there
//             each says whether its own are odd, and if one's are, all pass the call on.
//   plain     all else
#pragma once

#include <initializer_list>

#include "rota_mpi/data/combined.hpp"
#include "rota_mpi/data/items.hpp"

namespace rota::mpi {

/// Reasons in the report: some rank has such arguments; some rank has data in the memory of a device.
inline constexpr const char* refused_arguments = "MPI may refuse the arguments";
inline constexpr const char* device_memory = "device memory";

enum class Arguments : std::uint8_t { plain, odd, refused };

/// The worst of them.
Arguments worst(std::initializer_list<Arguments> all);

inline Arguments refused_if(bool condition) { return condition ? Arguments::refused : Arguments::plain; }
inline Arguments odd_if(bool condition) { return condition ? Arguments::odd : Arguments::plain; }

/// Of items that are sent or received. `asking`: a communicator that returns errors, or MPI_COMM_NULL where
/// there is none yet.
Arguments arguments_of(const Data& data, MPI_Comm asking);

/// The same where a rank has several pieces of one type: whether its bytes are somewhere is not asked.
Arguments arguments_of(MPI_Count count, MPI_Datatype type, MPI_Comm asking);

/// Of an operator, whatever it is given.
Arguments arguments_of(const Operator& operation);

/// Of one place for what is sent and for what is received, which MPI forbids and some libraries take for
/// MPI_IN_PLACE.
Arguments arguments_of_places(const void* sendbuf, const void* recvbuf, MPI_Count count);

/// Is there nothing where the data should be? At MPI_BOTTOM only types with addresses of their own find any.
bool is_nowhere(const Data& data);

}  // namespace rota::mpi
