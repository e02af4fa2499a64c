! Every all-to-many call, of all ranks and of the neighbours on a ring, in the given numbers of items; those that block, and those
! that return at once, two outstanding.
!
!   exchanges COUNT...       compiled with -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08
!
! Messages to ranks of the same parity are smaller by one item. Rank 0 prints every rank's sum over its memory, margins too, for
! each call, then how many there were that block.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#define IERROR
#else
#define HANDLE(kind) integer
#define IERROR , ierror
#endif

#include "sums.inc"

program exchanges
  use memory_sums
#if defined(USE_MPI_F08)
  use mpi_f08
  implicit none
#elif defined(USE_MPI)
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer, parameter :: untouched = -7
  integer :: ierror, rank, ranks, argument, number, calls, i
  integer, allocatable :: counts(:), places(:), sent(:)
  integer, allocatable, asynchronous :: memory(:), started(:)
  integer(kind=MPI_ADDRESS_KIND), allocatable :: addresses(:)
  HANDLE(MPI_Datatype), allocatable :: types(:)
  HANDLE(MPI_Datatype) :: pair
  HANDLE(MPI_Comm) :: ring
  HANDLE(MPI_Request) :: requests(2)
  character(len=16) :: word

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks IERROR)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair IERROR)
  call MPI_Type_commit(pair IERROR)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around(), MPI_UNWEIGHTED, 2, around(), MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., ring IERROR)
  calls = 0
  do argument = 1, command_argument_count()
    call get_command_argument(argument, word)
    read (word, *) number
    call among_all
    call among_all_at_once
    call among_neighbours
    call among_neighbours_at_once
  end do
  call print_sums
  if (rank == 0) print '(a, i0)', 'calls: ', calls
  call MPI_Comm_free(ring IERROR)
  call MPI_Type_free(pair IERROR)
  call MPI_Finalize(ierror)

contains

  ! A ring made of lists: in mpi_f08, MPICH's alltoallw knows no grids.
  function around() result(both)
    integer :: both(2)

    both = [mod(rank + ranks - 1, ranks), mod(rank + 1, ranks)]
  end function around

  subroutine among_all
    call prepare([(merge(number, number - 1, mod(i + rank, 2) == 0), i=0, ranks - 1)])
    call MPI_Alltoall(sent, number, MPI_INTEGER, memory, number, MPI_INTEGER, MPI_COMM_WORLD IERROR)
    call take_sum
    call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, memory, counts, places, MPI_INTEGER, &
                       MPI_COMM_WORLD IERROR)
    call take_sum
    call MPI_Alltoallw(sent, counts, 4*places, types, memory, counts, 4*places, types, MPI_COMM_WORLD IERROR)
    call take_sum
    memory = sent
    call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INTEGER, memory, counts, places, MPI_INTEGER, &
                       MPI_COMM_WORLD IERROR)
    call take_sum
    deallocate (types)
  end subroutine among_all

  ! Arrays of counts and places stay until both are over. Open MPI's own forms with a type a message end in a segmentation fault.
  subroutine among_all_at_once
    call prepare([(merge(number, number - 1, mod(i + rank, 2) == 0), i=0, ranks - 1)])
    call MPI_Ialltoall(sent, number, MPI_INTEGER, memory, number, MPI_INTEGER, MPI_COMM_WORLD, requests(1) IERROR)
    call MPI_Ialltoallv(sent, counts, places, MPI_INTEGER, started, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
                        requests(2) IERROR)
    call take_both_sums
    call MPI_Ialltoallv(sent, counts, places, MPI_INTEGER, memory, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
                        requests(1) IERROR)
    started = sent
    call MPI_Ialltoallv(MPI_IN_PLACE, counts, places, MPI_INTEGER, started, counts, places, MPI_INTEGER, &
                        MPI_COMM_WORLD, requests(2) IERROR)
    call take_both_sums
    deallocate (types)
  end subroutine among_all_at_once

  subroutine among_neighbours
    call prepare([number, number])
    call MPI_Neighbor_alltoall(sent, number, MPI_INTEGER, memory, number, MPI_INTEGER, ring IERROR)
    call take_sum
    call MPI_Neighbor_alltoallv(sent, counts, places, MPI_INTEGER, memory, counts, places, MPI_INTEGER, &
                                ring IERROR)
    call take_sum
    types = pair ! the same in both directions
    call MPI_Neighbor_alltoallw(sent, counts, addresses, types, memory, counts, addresses, types, ring IERROR)
    call take_sum
    deallocate (types)
  end subroutine among_neighbours

  subroutine among_neighbours_at_once
    call prepare([number, number])
    call MPI_Ineighbor_alltoall(sent, number, MPI_INTEGER, memory, number, MPI_INTEGER, ring, requests(1) IERROR)
    call MPI_Ineighbor_alltoallv(sent, counts, places, MPI_INTEGER, started, counts, places, MPI_INTEGER, ring, &
                                 requests(2) IERROR)
    call take_both_sums
    deallocate (types)
  end subroutine among_neighbours_at_once

  ! Room for so many messages; of each, two integers an item.
  subroutine prepare(numbers)
    integer, intent(in) :: numbers(:)

    counts = numbers
    places = [(2*(number + 1)*(i - 1) + 5, i=1, size(counts))]
    addresses = 4_MPI_ADDRESS_KIND*places
    sent = [(rank*10007 + i*3 + number, i=1, 2*(number + 1)*size(counts) + 10)]
    allocate (types(size(counts)))
    do i = 1, size(counts) ! by the parity of both ranks together
      types(i) = MPI_INTEGER
      if (mod(i - 1 + rank, 2) == 0) types(i) = pair
    end do
    call renew_memory
  end subroutine prepare

  subroutine renew_memory
    if (allocated(memory)) deallocate (memory)
    if (allocated(started)) deallocate (started)
    allocate (memory(size(sent)), source=untouched)
    allocate (started(size(sent)), source=untouched)
  end subroutine renew_memory

  subroutine take_both_sums
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE IERROR)
    call keep_sum_of(memory)
    call keep_sum_of(started)
    call renew_memory
  end subroutine take_both_sums

  subroutine take_sum
    call keep_sum_of(memory)
    calls = calls + 1
    call renew_memory
  end subroutine take_sum
end program exchanges
