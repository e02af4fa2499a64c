/* A stand-in for the driver library of a device: the memory that a program gives it is the device's, or managed. In truth all
 * of it is the host's, so that an MPI library that knows nothing of devices serves it too.
 *
 * As it is CUDA's, to be built with the soname libcuda.so.1; with -DROCM ROCm's; with -DLEVEL_ZERO Level
 * Zero's, which cannot
 * be asked. */
#include <stddef.h>
#include <stdint.h>

static uintptr_t first, end;
static int is_managed;

/* For the program: from now on this is the device's memory, and no other. */
void driver_take(const void* address, size_t bytes, int managed) {
  first = (uintptr_t)address;
  end = first + bytes;
  is_managed = managed;
}

#if defined(ROCM)

/* What ROCm 6 calls so: an unregistered address has type 0, and to ask about it is no error. */
typedef struct {
  int type, device;
  void *device_pointer, *host_pointer;
  int is_managed;
  unsigned allocation_flags;
} Attributes;

int hipPointerGetAttributes(Attributes* attributes, const void* address) {
  enum { UNREGISTERED = 0, DEVICE = 2, MANAGED = 3 };
  const uintptr_t asked = (uintptr_t)address;
  *attributes = (Attributes){.type = UNREGISTERED, .device = -2};
  if (asked < first || asked >= end) return 0;
  *attributes = (Attributes){.type = is_managed ? MANAGED : DEVICE,
                             .device_pointer = (void*)asked,
                             .host_pointer = is_managed ? (void*)asked : NULL,
                             .is_managed = is_managed};
  return 0;
}

#elif !defined(LEVEL_ZERO)

/* Where managed memory is, is another matter. */
int cuPointerGetAttribute(void* data, int attribute, unsigned long long address) {
  enum { OF_MEMORY_TYPE = 2, OF_IS_MANAGED = 8, HOST = 1, DEVICE = 2, INVALID_VALUE = 1 };
  if (address < first || address >= end) return INVALID_VALUE;
  if (attribute != OF_MEMORY_TYPE && attribute != OF_IS_MANAGED) return INVALID_VALUE;
  *(unsigned*)data = attribute == OF_IS_MANAGED ? (unsigned)is_managed : is_managed ? HOST : DEVICE;
  return 0;
}

#endif
