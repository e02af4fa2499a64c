/* Stands in for the MPI library before Rota: Rota calls these PMPI_X, each of which goes on to the MPI library's own, or fails.
 * A library, preloaded behind Rota, which takes the first one that defines PMPI_Init for the MPI library.
 *
 *   FAULTS_FUNCTION=Bcast FAULTS_CALL=2 FAULTS_RANK=1   the second of rank 1's calls of PMPI_Bcast does nothing but raise an error,
 *                                                       as MPI would, and return it
 *   (none of them)                                      at the end each rank says how often Rota has called each function
 *   FAULTS_SLOW=Bcast                                   all of Rota's calls of PMPI_Bcast take two seconds longer
 *   FAULTS_FOLDER=DIR                                   standard error of rank R goes to DIR/R
 *
 * Calls by others than Rota pass, and do not count. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ROTA_HAS_SESSIONS
#endif

#define HIDDEN __attribute__((visibility("hidden")))

typedef struct {
  const char* name; /* PMPI_X */
  void* own;        /* the MPI library's; found at the first call */
  long calls;       /* Rota's */
} Function;

/* What is on the stack when target_of is called. */
typedef struct {
  uint64_t padding, registers[6]; /* the sixth argument is the first */
  void* caller;
  uint64_t rest[]; /* from the seventh argument on */
} Arguments;

HIDDEN void* target_of(Function* function, const Arguments* arguments);

/* Leaves all arguments where they are, in registers and on the stack, and goes where target_of says. */
#define ROTA_MPI_FUNCTION(X)                           \
  HIDDEN Function function_##X = {.name = "PMPI_" #X}; \
  __asm__(".text\n.globl PMPI_" #X "\n.type PMPI_" #X  \
          ", @function\n"                              \
          "PMPI_" #X                                   \
          ":\n"                                        \
          "  .cfi_startproc\n"                         \
          "  push %rdi\n  push %rsi\n  push %rdx\n"    \
          "  push %rcx\n  push %r8\n  push %r9\n"      \
          "  sub $8, %rsp\n"                           \
          "  .cfi_def_cfa_offset 64\n"                 \
          "  lea function_" #X                         \
          "(%rip), %rdi\n"                             \
          "  mov %rsp, %rsi\n"                         \
          "  call target_of\n"                         \
          "  add $8, %rsp\n"                           \
          "  pop %r9\n  pop %r8\n  pop %rcx\n"         \
          "  pop %rdx\n  pop %rsi\n  pop %rdi\n"       \
          "  .cfi_def_cfa_offset 8\n"                  \
          "  jmp *%rax\n"                              \
          "  .cfi_endproc\n"                           \
          ".size PMPI_" #X ", .-PMPI_" #X "\n");
#include "rota_mpi/library/mpi_functions.inc"
#undef ROTA_MPI_FUNCTION

static Function* const functions[] = {
#define ROTA_MPI_FUNCTION(X) &function_##X,
#include "rota_mpi/library/mpi_functions.inc"
#undef ROTA_MPI_FUNCTION
};

static int fails(void) { return MPI_ERR_OTHER; }

/* Which argument of a function, counted from 0, is the communicator; of Comm_free, where it is. */
static const struct {
  const char* name;
  int position;
} communicators[] = {
    {"Allgather", 6},
    {"Allgatherv", 7},
    {"Allreduce", 5},
    {"Alltoall", 6},
    {"Alltoallv", 8},
    {"Alltoallw", 8},
    {"Bcast", 4},
    {"Comm_create", 0},
    {"Comm_free", 0},
    {"Comm_get_attr", 0},
    {"Comm_group", 0},
    {"Comm_rank", 0},
    {"Comm_remote_group", 0},
    {"Comm_remote_size", 0},
    {"Comm_set_attr", 0},
    {"Comm_set_errhandler", 0},
    {"Comm_size", 0},
    {"Comm_split_type", 0},
    {"Comm_test_inter", 0},
    {"Exscan", 5},
    {"Gather", 7},
    {"Gatherv", 8},
    {"Irecv", 5},
    {"Issend", 5},
    {"Pack", 6},
    {"Reduce", 6},
    {"Reduce_scatter", 5},
    {"Reduce_scatter_block", 5},
    {"Scan", 5},
    {"Sendrecv", 10},
    {"Unpack", 6},
};

static uint64_t argument(const Arguments* arguments, int position) {
  return position < 6 ? arguments->registers[5 - position] : arguments->rest[position - 6];
}

/* Calls the error handler, as MPI does: of the communicator, or where there is none, of MPI_COMM_WORLD. Those of requests are
 * Rota's own, on which errors are returned. */
static void raise_error(const char* name, const Arguments* arguments) {
  if (strcmp(name, "Wait") == 0 || strcmp(name, "Test") == 0 || strcmp(name, "Cancel") == 0 ||
      strcmp(name, "Request_free") == 0)
    return;
  MPI_Comm comm = MPI_COMM_WORLD;
  for (size_t i = 0; i < sizeof communicators / sizeof *communicators; ++i) {
    if (strcmp(name, communicators[i].name) != 0) continue;
    const uint64_t word = argument(arguments, communicators[i].position);
    memcpy(&comm, strcmp(name, "Comm_free") == 0 ? (const void*)word : &word, sizeof comm);
  }
  int (*const raise)(MPI_Comm, int) = (int (*)(MPI_Comm, int))dlsym(RTLD_NEXT, "PMPI_Comm_call_errhandler");
  raise(comm, MPI_ERR_OTHER);
}

static int is_rota(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "librota_") != NULL;
}

/* Of this process, also before MPI has started. */
static int rank(void) {
  const char* number = getenv("OMPI_COMM_WORLD_RANK");
  if (number == NULL) number = getenv("PMI_RANK");
  return number == NULL ? 0 : atoi(number);
}

/* Launchers lose what a rank says just before the job is ended. */
static void __attribute__((constructor)) redirect(void) {
  char file[4096];
  const char* const folder = getenv("FAULTS_FOLDER");
  if (folder == NULL) return;
  snprintf(file, sizeof file, "%s/%d", folder, rank());
  if (freopen(file, "w", stderr) == NULL) abort();
  setvbuf(stderr, NULL, _IONBF, 0);
}

static int is_the_fault(const Function* function) {
  const char *const name = getenv("FAULTS_FUNCTION"), *const call = getenv("FAULTS_CALL");
  return name != NULL && strcmp(name, function->name + strlen("PMPI_")) == 0 &&
         atol(call) == function->calls && atoi(getenv("FAULTS_RANK")) == rank();
}

static int is_slow(const Function* function) {
  const char* const name = getenv("FAULTS_SLOW");
  return name != NULL && strcmp(name, function->name + strlen("PMPI_")) == 0;
}

static void say_calls(void) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (functions[i]->calls > 0)
      fprintf(stderr, "faults: rank %d: %s %ld\n", rank(), functions[i]->name, functions[i]->calls);
  }
}

void* target_of(Function* function, const Arguments* arguments) {
  if (function->own == NULL) {
    function->own = dlsym(RTLD_NEXT, function->name);
    if (function->own == NULL) abort();
  }
  if (!is_rota(arguments->caller)) return function->own;
  ++function->calls;
  if (function == &function_Finalize && getenv("FAULTS_FUNCTION") == NULL) say_calls();
  if (is_slow(function)) nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
  if (!is_the_fault(function)) return function->own;
  fprintf(stderr, "faults: rank %d: %s fails\n", rank(), function->name);
  raise_error(function->name + strlen("PMPI_"), arguments);
  return (void*)&fails;
}
