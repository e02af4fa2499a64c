/* In front of the C library: a rest passes at once, and the clocks show that it has passed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

static time_t rested_s = 0;

unsigned sleep(unsigned seconds) {
  rested_s += seconds;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int (*const next)(clockid_t, struct timespec*) =
      (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int error = next(clock, now);
  if (error == 0) now->tv_sec += rested_s;
  return error;
}
