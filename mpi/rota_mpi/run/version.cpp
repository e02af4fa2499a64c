#include "rota.h"

int rota_get_version(int* major, int* minor, int* patch) {
  if (major == nullptr || minor == nullptr || patch == nullptr) return MPI_ERR_ARG;
  *major = ROTA_VERSION_MAJOR;
  *minor = ROTA_VERSION_MINOR;
  *patch = ROTA_VERSION_PATCH;
  return MPI_SUCCESS;
}
