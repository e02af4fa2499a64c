#include "rota_mpi/library/large_counts.hpp"

#if MPI_VERSION >= 4

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace rota::mpi {

namespace {

bool fits_in_int(std::int64_t number) { return number <= std::numeric_limits<int>::max(); }

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

/// In how many ranks' shares arrays are, of calls that send to all or receive from all. Returns MPI's code.
int of_others(MPI_Comm comm, int* ranks) {
  int is_inter = 0;
  const int code = pmpi.Comm_test_inter(comm, &is_inter);
  if (code != MPI_SUCCESS) return code;
  return is_inter != 0 ? pmpi.Comm_remote_size(comm, ranks) : pmpi.Comm_size(comm, ranks);
}

/// The same of calls whose arrays are of the result's shares.
int of_own_group(MPI_Comm comm, int* ranks) { return pmpi.Comm_size(comm, ranks); }

int too_large(MPI_Comm comm) {
  const int code = pmpi.Comm_call_errhandler(comm, MPI_ERR_COUNT);
  return code != MPI_SUCCESS ? code : MPI_ERR_COUNT;
}

template <class SmallFunction, class LargeFunction>
struct Without;

/// A collective with large counts by the one without, `pmpi.*small`.
template <class... Small, class... Large>
struct Without<int (*)(Small...), int (*)(Large...)> {
  template <auto small, auto entries_in>
  static int call(Large... arguments) {
    const MPI_Comm comm = std::get<sizeof...(Large) - 1>(std::tuple(arguments...));
    int entries = 0;
    if (const int code = entries_in(comm, &entries); code != MPI_SUCCESS) return code;
    const std::tuple<Narrowed<Small, Large>...> narrowed{Narrowed<Small, Large>(arguments, entries)...};
    return std::apply(
        [&](const auto&... each) {
          return (each.fits() && ...) ? (pmpi.*small)(each.get()...) : too_large(comm);
        },
        narrowed);
  }
};

template <auto small, auto large, auto entries_in = of_others>
void fill_in(MpiFunctions& functions) {
  if (functions.*large != nullptr) return;
  using Made = Without<std::remove_reference_t<decltype(functions.*small)>,
                       std::remove_reference_t<decltype(functions.*large)>>;
  functions.*large = &Made::template call<small, entries_in>;
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
  if (!fits_in_int(count) || !std::all_of(lengths, lengths + count, fits_in_int))
    return too_large(MPI_COMM_SELF);
  const std::vector<int> few(lengths, lengths + count);
  const std::vector<MPI_Aint> addresses(displacements, displacements + count);
  return pmpi.Type_create_struct(static_cast<int>(count), few.data(), addresses.data(), types, made);
}

template <class Function>
void fill_in(Function*& place, Function* made) {
  if (place == nullptr) place = made;
}

}  // namespace

MpiFunctions with_large_counts(MpiFunctions functions) {
  using All = MpiFunctions;
  fill_in<&All::Allgather, &All::Allgather_c>(functions);
  fill_in<&All::Allgatherv, &All::Allgatherv_c>(functions);
  fill_in<&All::Allreduce, &All::Allreduce_c>(functions);
  fill_in<&All::Alltoall, &All::Alltoall_c>(functions);
  fill_in<&All::Alltoallv, &All::Alltoallv_c>(functions);
  fill_in<&All::Alltoallw, &All::Alltoallw_c>(functions);
  fill_in<&All::Bcast, &All::Bcast_c>(functions);
  fill_in<&All::Exscan, &All::Exscan_c>(functions);
  fill_in<&All::Reduce, &All::Reduce_c>(functions);
  fill_in<&All::Reduce_scatter_block, &All::Reduce_scatter_block_c>(functions);
  fill_in<&All::Reduce_scatter, &All::Reduce_scatter_c, of_own_group>(functions);
  fill_in<&All::Scan, &All::Scan_c>(functions);
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
