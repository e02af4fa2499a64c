#include "rota_mpi/settings/variables.hpp"

#include <cstdlib>

namespace rota::mpi {

std::string valid_values(const Variable& variable) {
  const std::string valid = variable.valid;
  return variable.most == 0 ? valid : valid + " from 1 to " + std::to_string(variable.most);
}

std::string value_of(const Variable& variable) {
  const char* const value = std::getenv(variable.name);
  return value == nullptr ? "" : value;
}

}  // namespace rota::mpi
