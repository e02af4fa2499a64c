#include "rota_mpi/library/device.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rota::mpi {

namespace {

using Count = unsigned long long;

/// How many libraries the process has loaded so far. Much cheaper than to look at each.
Count libraries_loaded() {
  Count result = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* count) {
        *static_cast<Count*>(count) = object->dlpi_adds;
        return 1;
      },
      &result);
  return result;
}

struct Search {
  std::string_view beginning;
  std::string found;
};

/// The path of the loaded library whose file name begins so, whatever its version; empty if there is none.
std::string path_of_loaded(std::string_view beginning) {
  Search search{beginning, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* sought) {
        auto& [wanted, found] = *static_cast<Search*>(sought);
        const std::string_view path = object->dlpi_name;
        if (!path.substr(path.rfind('/') + 1).starts_with(wanted)) return 0;
        found = path;
        return 1;
      },
      &search);
  return search.found;
}

/// A driver library, looked for again whenever the process has loaded another library. Once found it is kept
/// from being unloaded, so that its functions may be called at any time.
class Driver {
 public:
  explicit constexpr Driver(const char* file_name) : file_name_(file_name) {}

  /// nullptr while the process has not loaded it.
  void* handle() {
    if (void* const known = handle_.load(std::memory_order_acquire)) return known;
    // Counted first: what is loaded meanwhile is found the next time.
    const Count loaded = libraries_loaded();
    if (looked_at_.load(std::memory_order_relaxed) == loaded) return nullptr;
    const std::string path = path_of_loaded(file_name_);
    void* const found = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (found != nullptr) handle_.store(found, std::memory_order_release);
    looked_at_.store(loaded, std::memory_order_relaxed);
    return found;
  }

  template <class Function>
  Function* function(const char* name) {
    void* const driver = handle();
    return driver == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(driver, name));
  }

 private:
  const char* file_name_;
  std::atomic<void*> handle_ = nullptr;
  std::atomic<Count> looked_at_ = 0;
};

constinit Driver cuda("libcuda.so");
constinit Driver rocm("libamdhip64.so");
constinit Driver level_zero("libze_loader.so");

/// A kind of device, and the names by which MPI libraries say whether they take pointers to its memory; MPICH
/// says it by a kind's number too.
struct Kind {
  Driver& driver;
  std::array<const char*, 2> questions;
  std::optional<int>
      number_in_mpich;  // of one that all its versions know: to ask for another ends the program
};

const std::array<Kind, 3> kinds = {{
    {cuda, {"MPIX_Query_cuda_support", nullptr}, 0},
    {rocm, {"MPIX_Query_rocm_support", "MPIX_Query_hip_support"}, {}},  // Open MPI's and MPICH's
    {level_zero, {"MPIX_Query_ze_support", nullptr}, {}},
}};

/// By the number, if this library can be asked so.
std::optional<bool> answer_by_number(const Kind& kind) {
  constexpr const char* name = "MPIX_GPU_query_support";
  auto* const question = reinterpret_cast<int (*)(int number, int* is_taken)>(dlsym(RTLD_DEFAULT, name));
  int is_taken = 0;
  if (!kind.number_in_mpich || question == nullptr || question(*kind.number_in_mpich, &is_taken) != 0)
    return {};
  return is_taken != 0;
}

/// By its number first: MPIX_Query_cuda_support ends MPICH 3.4's programs.
bool is_taken(const Kind& kind) {
  if (const std::optional<bool> answer = answer_by_number(kind)) return *answer;
  bool is_answered = false;
  for (const char* const name : kind.questions) {
    if (name == nullptr) continue;
    auto* const question = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
    if (question == nullptr) continue;
    if (question() != 0) return true;
    is_answered = true;
  }
  return !is_answered && kind.driver.handle() != nullptr;
}

/// Managed memory counts as a device's, although the host may touch it: on some devices not while a kernel
/// runs, nowhere without moving its pages to the host and back; and the MPI library knows better ways.
bool is_cuda_memory(const void* address) {
  constexpr int memory_type = 2;  // CU_POINTER_ATTRIBUTE_...
  constexpr int is_managed = 8;
  constexpr unsigned device = 2;  // CU_MEMORYTYPE_DEVICE
  auto* const attribute =
      cuda.function<int(void* data, int attribute, std::uintptr_t pointer)>("cuPointerGetAttribute");
  if (attribute == nullptr) return false;
  // Of memory that it does not know, and before it is initialized, the driver returns an error: the host's.
  const auto is = [&](int name, unsigned value) {
    unsigned found = 0;
    return attribute(&found, name, reinterpret_cast<std::uintptr_t>(address)) == 0 && found == value;
  };
  return is(memory_type, device) || is(is_managed, 1);
}

/// hipPointerAttribute_t. The numbers of the types have changed with ROCm 6, and one that was a device's is
/// the host's now; so look at the pointers. Later versions may have more members.
struct HipAttributes {
  int type;
  int device;
  void* device_pointer;
  void* host_pointer;
  int is_managed;
  unsigned allocation_flags;
  std::array<std::byte, 128> more;
};

bool is_rocm_memory(const void* address) {
  auto* const attributes = rocm.function<int(HipAttributes*, const void*)>("hipPointerGetAttributes");
  HipAttributes found{};
  if (attributes == nullptr || attributes(&found, address) != 0) return false;
  return found.is_managed != 0 || (found.device_pointer != nullptr && found.host_pointer == nullptr);
}

/// Can the host read the word at this address? The kernel reads a set of signals before it refuses what is to
/// be done with it. That changes nothing, needs no permission, and no way to ask is cheaper.
bool is_readable(const void* address) {
  constexpr int nothing_known = -1;
  constexpr std::size_t set_bytes = 8;
  const auto set = reinterpret_cast<std::uintptr_t>(address) / set_bytes * set_bytes;
  return syscall(SYS_rt_sigprocmask, nothing_known, set, nullptr, set_bytes) == 0 || errno != EFAULT;
}

}  // namespace

bool is_mpi_device_aware() { return std::ranges::any_of(kinds, is_taken); }

bool is_device_memory(const void* address) {
  const auto is_loaded = [](const Kind& kind) { return kind.driver.handle() != nullptr; };
  if (address == nullptr || std::ranges::none_of(kinds, is_loaded)) return false;
  // Level Zero answers only those who know the program's contexts, and the others do not know all ways to map
  // a device's memory; but what memmove cannot read is not the host's.
  return is_cuda_memory(address) || is_rocm_memory(address) || !is_readable(address);
}

}  // namespace rota::mpi
