! Broadcasts from every root in the given numbers of integers, each rank with a layout of its own: the integers in a row,
! every second one, MPI_BOTTOM with absolute addresses, or a section of an array.
!
!   broadcasts COUNT...        compiled with -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08
!
! Every rank checks all of its memory, gaps too. Rank 0 prints every rank's sum over its memory for each broadcast, then how
! many there were. Ends with status 1 if any memory was wrong.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif

program broadcasts
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
  integer, parameter :: long = selected_int_kind(18), untouched = -7
  integer :: ierror, provided, rank, ranks, root, argument, number, mark
  integer(long) :: my_sum
  integer(long), allocatable :: sums(:)
  logical :: wrong, any_wrong
  character(len=16) :: word

  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  allocate (sums(ranks))
  wrong = .false.
  mark = 0
  do root = 0, ranks - 1
    do argument = 1, command_argument_count()
      call get_command_argument(argument, word)
      read (word, *) number
      mark = mark + 1
      call one_broadcast(number, mod(rank + mark, 4))
      call MPI_Gather(my_sum, 1, MPI_INTEGER8, sums, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierror)
      if (rank == 0) print *, root, number, sums
    end do
  end do
  call MPI_Allreduce(wrong, any_wrong, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(a, i0)', 'with data: ', mark
#ifdef USE_MPI_F08
  call MPI_Finalize()
#else
  call MPI_Finalize(ierror)
#endif
  if (any_wrong) stop 1

contains

  subroutine one_broadcast(number, layout)
    integer, intent(in) :: number, layout
    integer :: stride, i
    integer, target :: memory(0:2*number + 1), expected(0:2*number + 1)
    HANDLE(MPI_Datatype) :: every_second, absolute
    integer(MPI_ADDRESS_KIND) :: addresses(1)

    stride = merge(1, 2, layout == 0)
    expected = untouched - rank
    expected(1:stride*number:stride) = [(i*13 + mark, i=1, number)]
    memory = untouched - rank
    if (rank == root) memory = expected
    select case (layout)
    case (0)
      call MPI_Bcast(memory(1), number, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
    case (1)
      call make_every_second(number, every_second)
      call MPI_Bcast(memory(1), 1, every_second, root, MPI_COMM_WORLD, ierror)
      call MPI_Type_free(every_second, ierror)
    case (2)
      call make_every_second(number, every_second)
      call MPI_Get_address(memory(1), addresses(1), ierror)
      call MPI_Type_create_struct(1, [1], addresses, [every_second], absolute, ierror)
      call MPI_Type_commit(absolute, ierror)
      call MPI_Bcast(MPI_BOTTOM, 1, absolute, root, MPI_COMM_WORLD, ierror)
#ifdef USE_MPI_F08
      if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(memory)
#endif
      call MPI_Type_free(absolute, ierror)
      call MPI_Type_free(every_second, ierror)
    case default
#ifdef USE_MPI_F08
      call MPI_Bcast(memory(1:2*number:2), number, MPI_INTEGER, root, MPI_COMM_WORLD) ! ierror is optional
#else
      call MPI_Bcast(memory(1:2*number:2), number, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
#endif
    end select
    wrong = wrong .or. any(memory /= expected)
    my_sum = sum([(int(memory(i), long)*(i + 3), i=0, 2*number + 1)])
  end subroutine one_broadcast

  subroutine make_every_second(number, every_second)
    integer, intent(in) :: number
    HANDLE(MPI_Datatype), intent(out) :: every_second

    call MPI_Type_vector(number, 1, 2, MPI_INTEGER, every_second, ierror)
    call MPI_Type_commit(every_second, ierror)
  end subroutine make_every_second
end program broadcasts
