! Every collective between two groups that Rota serves, from both sides, in the given numbers of items.
!
!   between FIRST COUNT...       compiled with -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08
!
! The first group has FIRST ranks, the other group the rest. What is moved is integers, on every second rank of all with a gap
! behind each. What is reduced is integers by a sum, and pairs of them by an operator that does not commute. Rank 0 prints every
! rank's sum over its memory, margins too, for each call, then how many calls of each collective there were, and how many of them
! with that operator.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#define IERROR
#else
#define HANDLE(kind) integer
#define IERROR , ierror
#endif

#include "composition.inc"
#include "sums.inc"

program between
  use operators
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
  character(len=15), parameter :: names(4) = [character(len=15) :: 'inter_allgather', 'inter_bcast', 'inter_reduce', &
    'inter_allreduce']
  integer :: ierror, world_rank, ranks, first, other, stride, argument, number, mark, root, i
  integer :: calls(size(names)), calls_in_order(size(names))
  logical :: is_first
  HANDLE(MPI_Datatype) :: items, pair
  HANDLE(MPI_Op) :: composition
  HANDLE(MPI_Comm) :: side, groups

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, world_rank IERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks IERROR)
  first = number_in(1)
  is_first = world_rank < first
  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, is_first), world_rank, side IERROR)
  call MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, merge(first, 0, is_first), 1, groups IERROR)
  call MPI_Comm_remote_size(groups, other IERROR)
  call choose_items
  call MPI_Type_contiguous(2, MPI_INTEGER, pair IERROR)
  call MPI_Type_commit(pair IERROR)
  call MPI_Op_create(operator_of_mpi, .false., composition IERROR)
  calls = 0
  calls_in_order = 0
  mark = 0
  do argument = 2, command_argument_count()
    number = number_in(argument)
    call gathers(number, number)
    call gathers(number, 2*number + 1)
    call gathers(0, number)
    call gathers(number, 0)
    do root = 0, ranks - 1
      call broadcast
      call reduction(3, MPI_INTEGER, MPI_SUM, 1)
      call reduction(3, pair, composition, 2)
    end do
    call reduction(4, MPI_INTEGER, MPI_SUM, 1)
    call reduction(4, pair, composition, 2)
  end do
  call print_sums
  do i = 1, size(names)
    if (world_rank == 0) print '(a, 2(1x, i0))', 'calls: '//trim(names(i)), calls(i), calls_in_order(i)
  end do
  call MPI_Op_free(composition IERROR)
  call MPI_Type_free(pair IERROR)
  call MPI_Type_free(items IERROR)
  call MPI_Comm_free(groups IERROR)
  call MPI_Comm_free(side IERROR)
  call MPI_Finalize(ierror)

contains

  integer function number_in(argument)
    integer, intent(in) :: argument
    character(len=16) :: word

    call get_command_argument(argument, word)
    read (word, *) number_in
  end function number_in

  subroutine choose_items
    integer(MPI_ADDRESS_KIND), parameter :: bytes = 4

    stride = 1 + mod(world_rank, 2)
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, stride*bytes, items IERROR)
    call MPI_Type_commit(items IERROR)
  end subroutine choose_items

  ! This rank's part in the present call, with `gap` words from one to the next, and a margin.
  function contribution(words, gap) result(data)
    integer, intent(in) :: words, gap
    integer :: data(gap*words + 1), i

    data = untouched
    data(:gap*words:gap) = [(mod(i*7 + world_rank*5 + mark*3, modulus), i=1, words)]
  end function contribution

  ! So many items of each rank of the first group, and of each of the other; then irregular shares of them.
  subroutine gathers(of_first, of_other)
    integer, intent(in) :: of_first, of_other
    integer :: mine, theirs, rank, shares(0:other - 1), places(0:other - 1), i
    integer, allocatable :: received(:)

    mine = merge(of_first, of_other, is_first)
    theirs = merge(of_other, of_first, is_first)
    mark = mark + 1
    received = room_for(stride*theirs*other)
    call MPI_Allgather(contribution(mine, stride), mine, items, received(2), theirs, items, groups IERROR)
    call done_with(1, received)

    mark = mark + 1
    call MPI_Comm_rank(groups, rank IERROR)
    shares = [(share(theirs, i), i=0, other - 1)]
    places = [(other - i + sum(shares(i + 1:)), i=0, other - 1)] ! the last rank's first, with gaps
    received = room_for(stride*(sum(shares) + other + 1))
    call MPI_Allgatherv(contribution(share(mine, rank), stride), share(mine, rank), items, received(2), shares, places, &
                        items, groups IERROR)
    call done_with(1, received)
  end subroutine gathers

  ! Every third rank has nothing, but rank 0 has if any has.
  integer function share(number, rank)
    integer, intent(in) :: number, rank

    share = mod(rank + mark, 3)*number
    if (rank == 0 .and. number > 0) share = share + 1
  end function share

  subroutine broadcast
    integer, allocatable :: data(:)

    mark = mark + 1
    data = room_for(stride*number)
    if (world_rank == root) data(2:) = contribution(number, stride)
    call MPI_Bcast(data(2), number, items, root_of_call(), groups IERROR)
    call done_with(2, data)
  end subroutine broadcast

  ! To the root, or of each group to all of the other.
  subroutine reduction(collective, datatype, op, words)
    integer, intent(in) :: collective, words
    HANDLE(MPI_Datatype), intent(in) :: datatype
    HANDLE(MPI_Op), intent(in) :: op
    integer, allocatable :: received(:)

    mark = mark + 1
    received = room_for(words*number)
    if (names(collective) == 'inter_reduce') then
      call MPI_Reduce(contribution(words*number, 1), received(2), number, datatype, op, root_of_call(), groups IERROR)
    else
      call MPI_Allreduce(contribution(words*number, 1), received(2), number, datatype, op, groups IERROR)
    end if
    if (words == 2) calls_in_order(collective) = calls_in_order(collective) + 1
    call done_with(collective, received)
  end subroutine reduction

  ! How this rank names it: by its rank in the other group, or else as one of its own.
  integer function root_of_call()
    if (is_first .neqv. root < first) then
      root_of_call = root - merge(0, first, root < first)
    else
      root_of_call = merge(MPI_ROOT, MPI_PROC_NULL, root == world_rank)
    end if
  end function root_of_call

  ! So many words between margins of one.
  function room_for(words) result(memory)
    integer, intent(in) :: words
    integer, allocatable :: memory(:)

    allocate (memory(words + 2), source=untouched - world_rank)
  end function room_for

  subroutine done_with(collective, memory)
    integer, intent(in) :: collective, memory(:)

    calls(collective) = calls(collective) + 1
    call keep_sum_of(memory)
  end subroutine done_with
end program between
