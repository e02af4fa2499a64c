#include "rota_mpi/library/large_counts.hpp"

#if MPI_VERSION >= 4

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "rota_mpi/library/raising.hpp"

namespace rota::mpi {

namespace {

/// A count of -1 is the MPI library's to refuse.
bool fits_in_int(std::int64_t number) { return std::in_range<int>(number); }

/// An argument of the call with large counts, as the one without takes it: as it is,
template <class Small, class Large>
class Narrowed {
 public:
  Narrowed(Large given, int /*entries*/) : value_(given) {}

  bool fits() const { return true; }
  Small get() const { return value_; }

 private:
  Large value_;
};

/// or a count,
template <>
class Narrowed<int, MPI_Count> {
 public:
  Narrowed(MPI_Count given, int /*entries*/) : value_(given) {}

  bool fits() const { return fits_in_int(value_); }
  int get() const { return static_cast<int>(value_); }

 private:
  MPI_Count value_;
};

/// or counts or displacements, so many.
template <class Number>
  requires(sizeof(Number) > sizeof(int))
class Narrowed<const int*, const Number*> {
 public:
  Narrowed(const Number* given, int entries) : is_given_(given != nullptr) {
    if (!is_given_) return;
    fits_ = std::all_of(given, given + entries, fits_in_int);
    if (fits_) values_.assign(given, given + entries);
  }

  bool fits() const { return fits_; }
  const int* get() const { return is_given_ ? values_.data() : nullptr; }

 private:
  bool is_given_;
  bool fits_ = true;
  std::vector<int> values_;
};

/// How many entries arrays have in calls with one for each rank of the other side. Returns MPI's code.
int of_others(MPI_Comm comm, int* ranks) {
  int is_inter = 0;
  const int code = pmpi.Comm_test_inter(comm, &is_inter);
  if (code != MPI_SUCCESS) return code;
  return is_inter != 0 ? pmpi.Comm_remote_size(comm, ranks) : pmpi.Comm_size(comm, ranks);
}

/// The same in calls with one for each rank of this side.
int of_own_group(MPI_Comm comm, int* ranks) { return pmpi.Comm_size(comm, ranks); }

template <class SmallFunction, class LargeFunction>
struct Without;

/// A collective with large counts by the one without, `pmpi.*small`. `behind`: how many arguments come behind
/// the communicator. `ignored`: how many behind the first one it ignores where that is MPI_IN_PLACE.
template <class... Small, class... Large>
struct Without<int (*)(Small...), int (*)(Large...)> {
  template <auto small, auto entries_in, std::size_t behind, std::size_t ignored>
  static int call(Large... arguments) {
    std::tuple<Large...> given(arguments...);
    const MPI_Comm comm = std::get<sizeof...(Large) - 1 - behind>(given);
    if constexpr (ignored > 0) {
      if (std::get<0>(given) == MPI_IN_PLACE) {
        std::get<1>(given) = {};
        if constexpr (ignored > 1) std::get<2>(given) = {};
      }
    }
    int entries = 0;
    if (const int code = entries_in(comm, &entries); code != MPI_SUCCESS) return code;
    return raising_on(comm, [&] {
      const auto narrowed = std::apply(
          [&](auto... each) { return std::tuple(Narrowed<Small, Large>(each, entries)...); }, given);
      return std::apply(
          [](const auto&... each) {
            if (!(each.fits() && ...)) throw MpiError{MPI_ERR_COUNT};
            return (pmpi.*small)(each.get()...);
          },
          narrowed);
    });
  }
};

struct Form {
  std::size_t behind = 0;
  std::size_t ignored = 0;
};

template <auto small, auto large, Form form = Form{}, auto entries_in = of_others>
void fill_in(MpiFunctions& functions) {
  if (functions.*large != nullptr) return;
  using Made = Without<std::remove_reference_t<decltype(functions.*small)>,
                       std::remove_reference_t<decltype(functions.*large)>>;
  functions.*large = &Made::template call<small, entries_in, form.behind, form.ignored>;
}

int type_size(MPI_Datatype type, MPI_Count* size) { return pmpi.Type_size_x(type, size); }

/// Without large counts no type is made with them.
int type_envelope(MPI_Datatype type, MPI_Count* integers, MPI_Count* addresses, MPI_Count* large_counts,
                  MPI_Count* types, int* combiner) {
  int few_integers = 0;
  int few_addresses = 0;
  int few_types = 0;
  const int code = pmpi.Type_get_envelope(type, &few_integers, &few_addresses, &few_types, combiner);
  *integers = few_integers;
  *addresses = few_addresses;
  *large_counts = 0;
  *types = few_types;
  return code;
}

int type_contents(MPI_Datatype type, MPI_Count most_integers, MPI_Count most_addresses,
                  MPI_Count /*most_large_counts*/, MPI_Count most_types, int integers[], MPI_Aint addresses[],
                  MPI_Count /*large_counts*/[], MPI_Datatype types[]) {
  return pmpi.Type_get_contents(type, static_cast<int>(most_integers), static_cast<int>(most_addresses),
                                static_cast<int>(most_types), integers, addresses, types);
}

int type_struct(MPI_Count count, const MPI_Count lengths[], const MPI_Count displacements[],
                const MPI_Datatype types[], MPI_Datatype* made) {
  return raising_on(MPI_COMM_WORLD, [&] {
    const bool fits = fits_in_int(count) && std::all_of(lengths, lengths + count, fits_in_int);
    if (!fits) throw MpiError{MPI_ERR_COUNT};
    const std::vector<int> few(lengths, lengths + count);
    const std::vector<MPI_Aint> addresses(displacements, displacements + count);
    return pmpi.Type_create_struct(static_cast<int>(count), few.data(), addresses.data(), types, made);
  });
}

template <class Function>
void fill_in(Function*& place, Function* made) {
  if (place == nullptr) place = made;
}

}  // namespace

MpiFunctions with_large_counts(MpiFunctions functions) {
  using All = MpiFunctions;
  constexpr Form started{.behind = 1};
  constexpr Form with_counts{.ignored = 1};
  constexpr Form started_with_counts{.behind = 1, .ignored = 1};
  constexpr Form with_displacements{.ignored = 2};
  fill_in<&All::Allgather, &All::Allgather_c, with_counts>(functions);
  fill_in<&All::Allgatherv, &All::Allgatherv_c, with_counts>(functions);
  fill_in<&All::Allreduce, &All::Allreduce_c>(functions);
  fill_in<&All::Alltoall, &All::Alltoall_c, with_counts>(functions);
  fill_in<&All::Alltoallv, &All::Alltoallv_c, with_displacements>(functions);
  fill_in<&All::Alltoallw, &All::Alltoallw_c, with_displacements>(functions);
  fill_in<&All::Bcast, &All::Bcast_c>(functions);
  fill_in<&All::Exscan, &All::Exscan_c>(functions);
  fill_in<&All::Reduce, &All::Reduce_c>(functions);
  fill_in<&All::Reduce_scatter_block, &All::Reduce_scatter_block_c>(functions);
  fill_in<&All::Reduce_scatter, &All::Reduce_scatter_c, Form{}, of_own_group>(functions);
  fill_in<&All::Scan, &All::Scan_c>(functions);
  fill_in<&All::Iallgather, &All::Iallgather_c, started_with_counts>(functions);
  fill_in<&All::Iallreduce, &All::Iallreduce_c, started>(functions);
  fill_in<&All::Ialltoall, &All::Ialltoall_c, started_with_counts>(functions);
  fill_in<&All::Ibcast, &All::Ibcast_c, started>(functions);
  fill_in<&All::Iexscan, &All::Iexscan_c, started>(functions);
  fill_in<&All::Ireduce, &All::Ireduce_c, started>(functions);
  fill_in<&All::Ireduce_scatter_block, &All::Ireduce_scatter_block_c, started>(functions);
  fill_in<&All::Iscan, &All::Iscan_c, started>(functions);
  fill_in(functions.Type_create_struct_c, &type_struct);
  fill_in(functions.Type_get_contents_c, &type_contents);
  fill_in(functions.Type_get_envelope_c, &type_envelope);
  fill_in(functions.Type_size_c, &type_size);
  return functions;
}

}  // namespace rota::mpi

#else

namespace rota::mpi {

MpiFunctions with_large_counts(MpiFunctions functions) { return functions; }

}  // namespace rota::mpi

#endif
