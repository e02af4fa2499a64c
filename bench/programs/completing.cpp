#include "completing.hpp"

#include <unordered_map>

namespace rota::programs {

namespace {

/// One after the other.
int wait_each(Requests& requests) {
  int code = MPI_SUCCESS;
  for (std::size_t i = 0; i < requests.all.size() && code == MPI_SUCCESS; ++i) {
    code = MPI_Wait(&requests.all[i], &requests.statuses[i]);
  }
  return code;
}

int wait_all(Requests& requests) {
  return MPI_Waitall(requests.count(), requests.all.data(), requests.statuses.data());
}

int wait_any(Requests& requests) {
  int code = MPI_SUCCESS;
  for (int which = 0; code == MPI_SUCCESS && which != MPI_UNDEFINED;) {
    MPI_Status status;
    code = MPI_Waitany(requests.count(), requests.all.data(), &which, &status);
    if (which != MPI_UNDEFINED) requests.statuses[static_cast<std::size_t>(which)] = status;
  }
  return code;
}

using Some = int (*)(int, MPI_Request*, int*, int*, MPI_Status*);

int act_on_some(Some function, Requests& requests, int& done) {
  std::vector<int> which(requests.all.size());
  std::vector<MPI_Status> statuses(requests.all.size());
  const int code = function(requests.count(), requests.all.data(), &done, which.data(), statuses.data());
  for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) {
    const auto at = static_cast<std::size_t>(i);
    requests.statuses[static_cast<std::size_t>(which[at])] = statuses[at];
  }
  return code;
}

int each_some(Some function, Requests& requests) {
  int code = MPI_SUCCESS;
  for (int done = 0; code == MPI_SUCCESS && done != MPI_UNDEFINED;)
    code = act_on_some(function, requests, done);
  return code;
}

int wait_some(Requests& requests) { return each_some(MPI_Waitsome, requests); }

/// Of each, first whether it is over.
int test_each(Requests& requests) {
  int code = MPI_SUCCESS;
  for (std::size_t i = 0; i < requests.all.size(); ++i) {
    int is_over = 0;
    while (is_over == 0 && code == MPI_SUCCESS) {
      code = MPI_Request_get_status(requests.all[i], &is_over, MPI_STATUS_IGNORE);
    }
    for (is_over = 0; is_over == 0 && code == MPI_SUCCESS;) {
      code = MPI_Test(&requests.all[i], &is_over, &requests.statuses[i]);
    }
  }
  return code;
}

int test_all(Requests& requests) {
  int code = MPI_SUCCESS;
  for (int is_over = 0; is_over == 0 && code == MPI_SUCCESS;) {
    code = MPI_Testall(requests.count(), requests.all.data(), &is_over, requests.statuses.data());
  }
  return code;
}

int test_any(Requests& requests) {
  int code = MPI_SUCCESS;
  for (int which = 0, is_over = 0; code == MPI_SUCCESS && (is_over == 0 || which != MPI_UNDEFINED);) {
    MPI_Status status;
    code = MPI_Testany(requests.count(), requests.all.data(), &which, &is_over, &status);
    if (is_over != 0 && which != MPI_UNDEFINED) requests.statuses[static_cast<std::size_t>(which)] = status;
  }
  return code;
}

int test_some(Requests& requests) { return each_some(MPI_Testsome, requests); }

int poke_first(Requests& requests) {
  int is_over = 0;
  return MPI_Test(requests.all.data(), &is_over, requests.statuses.data());
}

int poke_status(Requests& requests) {
  int code = MPI_SUCCESS;
  for (std::size_t i = 0; i < requests.all.size() && code == MPI_SUCCESS; ++i) {
    int is_over = 0;
    code = MPI_Request_get_status(requests.all[i], &is_over, &requests.statuses[i]);
  }
  return code;
}

int poke_any(Requests& requests) {
  int which = 0;
  int is_over = 0;
  return MPI_Testany(requests.count(), requests.all.data(), &which, &is_over, requests.statuses.data());
}

int poke_some(Requests& requests) {
  int done = 0;
  return act_on_some(MPI_Testsome, requests, done);
}

int poke_all(Requests& requests) {
  int is_over = 0;
  return MPI_Testall(requests.count(), requests.all.data(), &is_over, requests.statuses.data());
}

int start_all(Requests& requests) { return MPI_Startall(requests.count(), requests.all.data()); }

}  // namespace

int acted(std::string_view name, Requests& requests) {
  using Act = int (*)(Requests&);
  static const std::unordered_map<std::string_view, Act> all{
      {"wait_each", wait_each},     {"wait_all", wait_all},   {"wait_any", wait_any},
      {"wait_some", wait_some},     {"test_each", test_each}, {"test_all", test_all},
      {"test_any", test_any},       {"test_some", test_some}, {"poke_first", poke_first},
      {"poke_status", poke_status}, {"poke_any", poke_any},   {"poke_some", poke_some},
      {"poke_all", poke_all},       {"start_all", start_all}};
  return all.at(name)(requests);
}

}  // namespace rota::programs
