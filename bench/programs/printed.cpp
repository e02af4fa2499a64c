#include "printed.hpp"

#include <array>

namespace rota::programs {

namespace {

constexpr std::array helpers{Helper{"KEPT", R"(
/* An array that stays. */
#define KEPT(type, ...) \
  memcpy(malloc(sizeof((type[]){__VA_ARGS__})), (type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}))
)"},
                             Helper{"fill", R"(
/* Bytes, or numbers from -8 to 8; others on each rank. */
static void fill(unsigned char* to, size_t bytes, int with, unsigned key) {
  static const size_t sizes[] = {1, 2, 4, 8, 4, 8};
  unsigned state = key * 2654435761u + (unsigned)rank * 40503u + 1;
  for (size_t i = 0; i + sizes[with] <= bytes; i += sizes[with]) {
    state = state * 1664525u + 1013904223u;
    const int value = (int)(state >> 16) % 17 - 8;
    const short as_short = (short)value;
    const long long as_long = value;
    const float as_float = (float)value;
    const double as_double = value;
    const unsigned char as_byte = (unsigned char)(state >> 16);
    const void* const forms[] = {&as_byte, &as_short, &value, &as_long, &as_float, &as_double};
    memcpy(to + i, forms[with], sizes[with]);
  }
}
)"},
                             Helper{"look", R"(
static void look(const unsigned char* at, size_t bytes) {
  unsigned sum = 1;
  for (size_t i = 0; i < bytes; ++i) sum = sum * 31 + at[i];
  printf("rank %d: line %d: %zu bytes: %08x\n", rank, line, bytes, sum);
}
)"},
                             Helper{"see_status", R"(
static void see_status(MPI_Status status) {
  int count;
  MPI_Get_count(&status, MPI_INT, &count);
  printf("rank %d: line %d: %d numbers from %d, tag %d\n", rank, line, count, status.MPI_SOURCE, status.MPI_TAG);
}
)"},
                             Helper{"wait_each", R"(
static int wait_each(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i) code = MPI_Wait(&requests[i], &statuses[i]);
  return code;
}
)"},
                             Helper{"wait_all", R"(
static int wait_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  return MPI_Waitall(count, requests, statuses);
}
)"},
                             Helper{"wait_any", R"(
static int wait_any(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int which = 0; code == MPI_SUCCESS && which != MPI_UNDEFINED;) {
    MPI_Status status;
    code = MPI_Waitany(count, requests, &which, &status);
    if (which != MPI_UNDEFINED) statuses[which] = status;
  }
  return code;
}
)"},
                             Helper{"wait_some", R"(
static int wait_some(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS, which[32];
  MPI_Status some[32];
  for (int done = 0; code == MPI_SUCCESS && done != MPI_UNDEFINED;) {
    code = MPI_Waitsome(count, requests, &done, which, some);
    for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) statuses[which[i]] = some[i];
  }
  return code;
}
)"},
                             Helper{"test_each", R"(
static int test_each(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    int is_over = 0;
    while (!is_over && code == MPI_SUCCESS) code = MPI_Request_get_status(requests[i], &is_over, MPI_STATUS_IGNORE);
    for (is_over = 0; !is_over && code == MPI_SUCCESS;) code = MPI_Test(&requests[i], &is_over, &statuses[i]);
  }
  return code;
}
)"},
                             Helper{"test_all", R"(
static int test_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int is_over = 0; !is_over && code == MPI_SUCCESS;) code = MPI_Testall(count, requests, &is_over, statuses);
  return code;
}
)"},
                             Helper{"test_any", R"(
static int test_any(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS;
  for (int which = 0, is_over = 0; code == MPI_SUCCESS && (!is_over || which != MPI_UNDEFINED);) {
    MPI_Status status;
    code = MPI_Testany(count, requests, &which, &is_over, &status);
    if (is_over && which != MPI_UNDEFINED) statuses[which] = status;
  }
  return code;
}
)"},
                             Helper{"test_some", R"(
static int test_some(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS, which[32];
  MPI_Status some[32];
  for (int done = 0; code == MPI_SUCCESS && done != MPI_UNDEFINED;) {
    code = MPI_Testsome(count, requests, &done, which, some);
    for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) statuses[which[i]] = some[i];
  }
  return code;
}
)"},
                             Helper{"poke_first", R"(
static int poke_first(int count, MPI_Request* requests, MPI_Status* statuses) {
  int is_over;
  (void)count;
  return MPI_Test(requests, &is_over, statuses);
}
)"},
                             Helper{"poke_status", R"(
static int poke_status(int count, MPI_Request* requests, MPI_Status* statuses) {
  int code = MPI_SUCCESS, is_over;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i)
    code = MPI_Request_get_status(requests[i], &is_over, &statuses[i]);
  return code;
}
)"},
                             Helper{"poke_any", R"(
static int poke_any(int count, MPI_Request* requests, MPI_Status* statuses) {
  int which, is_over;
  return MPI_Testany(count, requests, &which, &is_over, statuses);
}
)"},
                             Helper{"poke_some", R"(
static int poke_some(int count, MPI_Request* requests, MPI_Status* statuses) {
  int done, which[32];
  return MPI_Testsome(count, requests, &done, which, statuses);
}
)"},
                             Helper{"poke_all", R"(
static int poke_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  int is_over;
  return MPI_Testall(count, requests, &is_over, statuses);
}
)"},
                             Helper{"start_all", R"(
static int start_all(int count, MPI_Request* requests, MPI_Status* statuses) {
  (void)statuses;
  return MPI_Startall(count, requests);
}
)"},
                             Helper{"complete", R"(
/* Those requests of the table that are in these places; says of each whether it is gone, and of messages what arrived. */
static void complete(int form(int, MPI_Request*, MPI_Status*), MPI_Request* table, int count, const int* places,
                     const int* have_status) {
  MPI_Request requests[32];
  MPI_Status statuses[32];
  for (int i = 0; i < count; ++i) requests[i] = table[places[i]];
  check(form(count, requests, statuses));
  for (int i = 0; i < count; ++i) {
    table[places[i]] = requests[i];
    if (requests[i] == MPI_REQUEST_NULL) printf("rank %d: line %d: request %d is gone\n", rank, line, places[i]);
    if (have_status[i]) see_status(statuses[i]);
  }
}
)"},
                             Helper{"act", R"(
/* The same without seeing anything. */
static void act(int form(int, MPI_Request*, MPI_Status*), MPI_Request* table, int count, const int* places) {
  MPI_Request requests[32];
  MPI_Status statuses[32];
  for (int i = 0; i < count; ++i) requests[i] = table[places[i]];
  check(form(count, requests, statuses));
  for (int i = 0; i < count; ++i) table[places[i]] = requests[i];
}
)"},
                             Helper{"see_flag", R"(
static void see_flag(int flag) { printf("rank %d: line %d: flag %d\n", rank, line, flag != 0); }
)"},
                             Helper{"see_attribute", R"(
static void see_attribute(int flag, void* value) {
  printf("rank %d: line %d: attribute %ld\n", rank, line, flag ? (long)(intptr_t)value : -1);
}
)"},
                             Helper{"copy_next", R"(
static int copy_next(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag) {
  (void)comm, (void)keyval, (void)extra;
  *(void**)copied = (char*)value + 1;
  *flag = 1;
  printf("rank %d: line %d: copies %ld\n", rank, line, (long)(intptr_t)value);
  return MPI_SUCCESS;
}
)"},
                             Helper{"delete_counted", R"(
static int delete_counted(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm, (void)keyval, (void)extra;
  printf("rank %d: line %d: deletes %ld\n", rank, line, (long)(intptr_t)value);
  return MPI_SUCCESS;
}
)"},
                             Helper{"delete_reducing", R"(
static int delete_reducing(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)keyval, (void)extra;
  int own[100], all[100] = {0};
  for (int i = 0; i < 100; ++i) own[i] = (int)(intptr_t)value;
  const int code = MPI_Allreduce(own, all, 100, MPI_INT, MPI_SUM, comm);
  printf("rank %d: line %d: deletes and reduces: %d, %d %d\n", rank, line, code, all[0], all[99]);
  return MPI_SUCCESS;
}
)"},
                             Helper{"count_errors", R"(
static void count_errors(MPI_Comm* comm, int* code, ...) {
  int class;
  (void)comm;
  MPI_Error_class(*code, &class);
  printf("rank %d: line %d: handler, class %d\n", rank, line, class);
}
)"},
                             Helper{"count_more_errors", R"(
static void count_more_errors(MPI_Comm* comm, int* code, ...) {
  int class;
  (void)comm;
  MPI_Error_class(*code, &class);
  printf("rank %d: line %d: other handler, class %d\n", rank, line, class);
}
)"},
                             Helper{"add_pairs", R"(
static void add_pairs(void* left, void* right, int* count, MPI_Datatype* type) {
  const unsigned* x = left;
  unsigned* y = right;
  (void)type;
  for (int i = 0; i < *count; ++i, x += 2, y += 2) y[0] += x[0], y[1] ^= x[1];
}
)"},
                             Helper{"compose_maps", R"(
static void compose_maps(void* left, void* right, int* count, MPI_Datatype* type) {
  const unsigned* x = left;
  unsigned* y = right;
  (void)type;
  for (int i = 0; i < *count; ++i, x += 2, y += 2) y[1] += x[1] * y[0], y[0] *= x[0];
}
)"}};

constexpr std::string_view beginning = R"(#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static _Thread_local int line;

static void check(int code) {
  int class = code;
  if (code == MPI_SUCCESS) return;
  MPI_Error_class(code, &class);
  printf("rank %d: line %d: error class %d\n", rank, line, class);
}

#define CHECK(call) (line = __LINE__, check(call))
#define SEE(call) (line = __LINE__, call)
)";

}  // namespace

std::string_view printed_beginning() { return beginning; }

std::span<const Helper> printed_helpers() { return helpers; }

}  // namespace rota::programs
