/* In front of the C library: a machine of many processors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

long sysconf(int name) {
  if (name == _SC_NPROCESSORS_ONLN) return 64;
  long (*const next)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  return next(name);
}
