! Every collective that computes or gathers, on every kind of item, in place and not, in the given numbers of items.
!
!   collectives COUNT...       compiled with -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08
!
! Memory is in words of an integer each; an item of any kind is one or two of them. All values are such that no
! order of operations rounds. Rank 0 prints every rank's sum over its memory, margins too, for each call, then how many calls of
! each collective there were, and how many of them with an operator that does not commute.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#define IERROR
#else
#define HANDLE(kind) integer
#define IERROR , ierror
#endif

#include "composition.inc"
#include "sums.inc"

program collectives
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
  integer, parameter :: kinds = 7, noncommutative = 7, reductions = 6 ! the first names
  character(len=20), parameter :: names(8) = [character(len=20) :: 'reduce', 'allreduce', 'reduce_scatter_block', &
    'reduce_scatter', 'scan', 'exscan', 'allgather', 'allgatherv']
  integer :: ierror, rank, ranks, argument, number, mark, kind, words, i
  integer :: calls(size(names)), calls_in_order(size(names))
  HANDLE(MPI_Datatype) :: datatype, pair
  HANDLE(MPI_Op) :: op, composition
  character(len=16) :: word

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks IERROR)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair IERROR)
  call MPI_Type_commit(pair IERROR)
  call MPI_Op_create(operator_of_mpi, .false., composition IERROR)
  calls = 0
  calls_in_order = 0
  mark = 0
  do argument = 1, command_argument_count()
    call get_command_argument(argument, word)
    read (word, *) number
    do kind = 1, kinds
      call choose_type_and_operator
      do i = 1, size(names)
        call one_call(i, .false.)
        call one_call(i, .true.)
      end do
    end do
    call gathers_at_absolute_addresses
  end do
  call print_sums
  do i = 1, size(names)
    if (rank == 0) print '(a, 2(1x, i0))', 'calls: '//trim(names(i)), calls(i), calls_in_order(i)
  end do
  call MPI_Op_free(composition IERROR)
  call MPI_Type_free(pair IERROR)
  call MPI_Finalize(ierror)

contains

  subroutine choose_type_and_operator
    select case (kind)
    case (1)
      datatype = MPI_INTEGER; op = MPI_SUM
    case (2)
      datatype = MPI_LOGICAL; op = MPI_LXOR
    case (3)
      datatype = MPI_REAL; op = MPI_MAX
    case (4)
      datatype = MPI_DOUBLE_PRECISION; op = MPI_SUM
    case (5)
      datatype = MPI_COMPLEX; op = MPI_PROD
    case (6)
      datatype = MPI_2INTEGER; op = MPI_MINLOC
    case (noncommutative)
      datatype = pair; op = composition
    end select
    words = merge(1, 2, kind <= 3)
  end subroutine choose_type_and_operator

  ! Number i of what this rank contributes to the present call.
  integer function small(i)
    integer, intent(in) :: i

    small = mod(i*7 + rank*5 + mark*3, 11)
  end function small

  ! The words of this rank's items.
  function contribution(items) result(data)
    integer, intent(in) :: items
    integer :: data(words*items), i
    complex, parameter :: factors(0:3) = [(1., 2.), (-1., -2.), (2., 4.), (-0.5, -1.)] ! no product has a part that is 0

    select case (kind)
    case (2)
      data = transfer([(mod(small(i), 2) == 0, i=1, items)], data)
    case (3)
      data = transfer([(real(small(i)), i=1, items)], data)
    case (4)
      data = transfer([(dble(small(i)), i=1, items)], data)
    case (5)
      data = transfer([(factors(mod(small(i), 4)), i=1, items)], data)
    case default
      data = [(small(i), i=1, words*items)]
    end select
  end function contribution

  ! `number` items for every rank, or irregular shares of them, none for some ranks.
  subroutine one_call(collective, in_place)
    integer, intent(in) :: collective
    logical, intent(in) :: in_place
    integer :: root, shares(0:ranks - 1), places(0:ranks - 1), own, all, first, i
    integer, allocatable :: sent(:), received(:)

    mark = mark + 1
    root = mod(mark, ranks)
    shares = [(mod(i + mark, 3)*number, i=0, ranks - 1)]
    shares(root) = shares(root) + 1
    places = [(ranks - i + sum(shares(i + 1:)), i=0, ranks - 1)] ! the last rank's first, with gaps
    own = number
    first = 0
    select case (names(collective))
    case ('allgather')
      all = number*ranks
      first = number*rank
    case ('allgatherv')
      all = sum(shares) + ranks
      own = shares(rank)
      first = places(rank)
    case ('reduce_scatter')
      all = sum(shares)
      own = all
    case ('reduce_scatter_block')
      all = number*ranks
      own = all
    case default
      all = number
    end select
    allocate (sent(words*own + 1), received(words*(all + 2)))
    sent = [contribution(own), untouched]
    received = untouched - rank
    if (in_place) received(words*(first + 1) + 1:words*(first + own + 1)) = sent(:words*own)

    if (in_place .and. (names(collective) /= 'reduce' .or. rank == root)) then
      call play(names(collective), MPI_IN_PLACE, own, received(words + 1), number, shares, places, root)
    else
      call play(names(collective), sent(1), own, received(words + 1), number, shares, places, root)
    end if

    calls(collective) = calls(collective) + 1
    if (kind == noncommutative .and. collective <= reductions) calls_in_order(collective) = calls_in_order(collective) + 1
    ! What MPI leaves open: the rest of a reduction that was scattered in place, and the first rank's exscan.
    if (names(collective) == 'reduce_scatter' .and. in_place) received(words*(shares(rank) + 1) + 1:words*(all + 1)) = 0
    if (names(collective) == 'reduce_scatter_block' .and. in_place) received(words*(number + 1) + 1:words*(all + 1)) = 0
    if (names(collective) == 'exscan' .and. rank == 0) received = 0
    call keep_sum_of(received)
  end subroutine one_call

  ! Passes buffers on by address alone, so that one of them may be MPI_IN_PLACE.
  subroutine play(name, sent, own, received, number, shares, places, root)
    character(len=*), intent(in) :: name
    integer, intent(in) :: sent, own, number, shares(0:), places(0:), root
    integer, intent(inout) :: received

    select case (name)
    case ('reduce')
      call MPI_Reduce(sent, received, number, datatype, op, root, MPI_COMM_WORLD IERROR)
    case ('allreduce')
      call MPI_Allreduce(sent, received, number, datatype, op, MPI_COMM_WORLD IERROR)
    case ('reduce_scatter_block')
      call MPI_Reduce_scatter_block(sent, received, number, datatype, op, MPI_COMM_WORLD IERROR)
    case ('reduce_scatter')
      call MPI_Reduce_scatter(sent, received, shares, datatype, op, MPI_COMM_WORLD IERROR)
    case ('scan')
      call MPI_Scan(sent, received, number, datatype, op, MPI_COMM_WORLD IERROR)
    case ('exscan')
      call MPI_Exscan(sent, received, number, datatype, op, MPI_COMM_WORLD IERROR)
    case ('allgather')
      call MPI_Allgather(sent, own, datatype, received, number, datatype, MPI_COMM_WORLD IERROR)
    case ('allgatherv')
      call MPI_Allgatherv(sent, own, datatype, received, shares, places, datatype, MPI_COMM_WORLD IERROR)
    end select
  end subroutine play

  ! Both buffers at MPI_BOTTOM, with types that know where they are.
  subroutine gathers_at_absolute_addresses
    integer, asynchronous :: sent(number), received(number*ranks + 1)
    integer :: i
    HANDLE(MPI_Datatype) :: to_send, to_receive

    sent = [(small(i), i=1, number)]
    to_send = integer_at(sent)
    to_receive = integer_at(received)
    do i = reductions + 1, size(names)
      received = untouched
      if (names(i) == 'allgather') then
        call MPI_Allgather(MPI_BOTTOM, number, to_send, MPI_BOTTOM, number, to_receive, MPI_COMM_WORLD IERROR)
      else
        call MPI_Allgatherv(MPI_BOTTOM, number, to_send, MPI_BOTTOM, [(number, i=1, ranks)], &
          [(number*(ranks - i), i=1, ranks)], to_receive, MPI_COMM_WORLD IERROR)
      end if
      calls(i) = calls(i) + 1
      call keep_sum_of(received)
    end do
    call MPI_Type_free(to_send IERROR)
    call MPI_Type_free(to_receive IERROR)
  end subroutine gathers_at_absolute_addresses

  ! An integer at that address, seen from MPI_BOTTOM.
  function integer_at(place) result(absolute)
    integer, asynchronous :: place(*)
    HANDLE(MPI_Datatype) :: absolute
    integer(MPI_ADDRESS_KIND) :: addresses(1)

    call MPI_Get_address(place(1), addresses(1) IERROR)
    call MPI_Type_create_struct(1, [1], addresses, [MPI_INTEGER], absolute IERROR)
    call MPI_Type_commit(absolute IERROR)
  end function integer_at
end program collectives
