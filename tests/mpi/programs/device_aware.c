/* To be preloaded: the MPI library says, by both questions, that it takes pointers to CUDA's memory. */
int MPIX_Query_cuda_support(void);
int MPIX_GPU_query_support(int kind, int* is_taken);

int MPIX_Query_cuda_support(void) { return 1; }

int MPIX_GPU_query_support(int kind, int* is_taken) {
  *is_taken = kind == 0;
  return 0;
}
