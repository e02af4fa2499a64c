/* The same packed bytes, laid out in memory in different ways.
 *
 * A message is `units` units of one family: single bytes, ints, records (char, double, int) or MPI's pair
 * (double, int).
 * Each layout is a derived type for it and, worked out by hand beside it and not by MPI, where in memory
 * every packed
 * byte belongs: so what a broadcast must do to a rank's memory is known without asking any MPI library. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES, INTS, RECORDS, PAIRS, FAMILIES };
enum { PLAIN, GAPS, PERMUTED, STRIDED, BACKWARDS, INTERLEAVED, NESTED, ABSOLUTE, LAYOUTS };
enum { MAX_PIECES = 16, MARGIN = 64 };

/* The bytes first..first + length - 1 of an item lie at `offset` from the item's address. */
typedef struct {
  long offset, length;
} Segment;

typedef struct {
  MPI_Datatype type;
  long count;
  long extent;       /* from one item's address to the next one's */
  long base;         /* the first item's address, from the start of the arena */
  int absolute;      /* is the buffer MPI_BOTTOM? */
  Segment* segments; /* of one item, in the order of the packed bytes */
  long segment_count;
} Layout;

static const long unit_bytes[FAMILIES] = {1, 4, 13, 12};

static long arena_bytes(int family, long units) {
  return 3 * (unit_bytes[family] + 12) * (units + 2) + 4 * MARGIN;
}

static MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

static MPI_Datatype resized(MPI_Datatype type, long lower_bound, long extent) {
  MPI_Datatype result;
  MPI_Type_create_resized(type, lower_bound, extent, &result);
  return result;
}

static MPI_Datatype structure(int parts, const MPI_Aint* offsets, const MPI_Datatype* types, long extent) {
  const int ones[] = {1, 1, 1};
  MPI_Datatype result;
  MPI_Type_create_struct(parts, ones, offsets, types, &result);
  return resized(result, 0, extent);
}

/* One unit with no gap in it. */
static MPI_Datatype tight_unit(int family) {
  const MPI_Datatype record[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  switch (family) {
    case BYTES:
      return MPI_BYTE;
    case INTS:
      return MPI_INT;
    case RECORDS:
      return structure(3, (const MPI_Aint[]){0, 1, 9}, record, 13);
    default:
      return structure(2, (const MPI_Aint[]){0, 8}, record + 1, 12);
  }
}

/* The same unit with gaps, as its own segments. */
static Layout gapped_unit(int family) {
  const MPI_Datatype record[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  Layout layout = {.segments = calloc(3, sizeof(Segment)), .base = 2 * MARGIN};
  const Segment bytes[] = {{0, 1}}, ints[] = {{0, 4}}, records[] = {{16, 1}, {0, 8}, {8, 4}},
                pairs[] = {{0, 8}, {8, 4}};
  const Segment* const all[] = {bytes, ints, records, pairs};
  layout.segment_count = (const long[]){1, 1, 3, 2}[family];
  memcpy(layout.segments, all[family], (size_t)layout.segment_count * sizeof(Segment));
  switch (family) {
    case BYTES:
      layout.type = resized(MPI_BYTE, 0, layout.extent = 3);
      break;
    case INTS:
      layout.type = resized(MPI_INT, -4, layout.extent = 12);
      break;
    case RECORDS:
      layout.type = structure(3, (const MPI_Aint[]){16, 0, 8}, record, layout.extent = 24);
      break;
    default:
      layout.type = MPI_DOUBLE_INT, layout.extent = 16;
  }
  return layout;
}

/* One item of `pieces` runs of units, run i at offsets[i] bytes. */
static Layout one_item(MPI_Datatype unit, long bytes, int pieces, const int* lengths,
                       const MPI_Aint* offsets) {
  Layout layout = {.count = 1, .base = 2 * MARGIN, .segment_count = pieces};
  layout.segments = calloc((size_t)pieces + 1, sizeof(Segment));
  for (int i = 0; i < pieces; ++i) layout.segments[i] = (Segment){offsets[i], lengths[i] * bytes};
  MPI_Type_create_hindexed(pieces, lengths, offsets, unit, &layout.type);
  return layout;
}

/* All units in one item, cut into runs that lie in the order 1 0 3 2 5 4 ..., with gaps. */
static Layout permuted(MPI_Datatype unit, long bytes, long units) {
  const int pieces = units < MAX_PIECES ? (int)units : MAX_PIECES;
  int lengths[MAX_PIECES];
  MPI_Aint offsets[MAX_PIECES];
  for (int i = 0; i < pieces; ++i) {
    const int place = (i ^ 1) < pieces ? i ^ 1 : i;
    lengths[i] = (int)(units * (i + 1) / pieces - units * i / pieces);
    offsets[i] = place * ((units / MAX_PIECES + 2) * bytes + 1);
  }
  return one_item(unit, bytes, pieces, lengths, offsets);
}

/* All units in one item, `stride` units from one to the next: also a negative one, so that the lower bound is negative. */
static Layout strided(MPI_Datatype unit, long bytes, long units, int stride) {
  Layout layout = {.count = 1, .base = 2 * MARGIN, .segment_count = units};
  layout.segments = calloc((size_t)units + 1, sizeof(Segment));
  for (long i = 0; i < units; ++i) layout.segments[i] = (Segment){i * stride * bytes, bytes};
  if (stride < 0) layout.base += units * -stride * bytes;
  MPI_Type_vector((int)units, 1, stride, unit, &layout.type);
  return layout;
}

/* Items of two units half the message apart; the next item starts one unit further on, inside of this one. */
static Layout interleaved(MPI_Datatype unit, long bytes, long units) {
  const MPI_Aint offsets[] = {0, units / 2 * bytes};
  Layout layout = one_item(unit, bytes, 2, (const int[]){1, 1}, offsets);
  layout.type = resized(layout.type, 0, layout.extent = bytes);
  layout.count = units / 2;
  return layout;
}

/* A duplicate of a contiguous type of contiguous types: derived, but lying in memory as it is packed. */
static Layout nested(MPI_Datatype unit, long bytes, long units) {
  const int inner_units = units % 3 == 0 ? 3 : 1;
  Layout layout = {.segments = calloc(1, sizeof(Segment)), .segment_count = 1, .base = 2 * MARGIN};
  MPI_Datatype inner, outer;
  MPI_Type_contiguous(inner_units, unit, &inner);
  MPI_Type_contiguous((int)(units / inner_units), inner, &outer);
  MPI_Type_dup(outer, &layout.type);
  layout.count = 1;
  layout.segments[0] = (Segment){0, units * bytes};
  return layout;
}

/* MPI_BOTTOM and a type of absolute addresses. */
static Layout absolute(MPI_Datatype unit, long bytes, long units, const char* arena) {
  Layout layout = permuted(unit, bytes, units);
  MPI_Aint address;
  MPI_Get_address(arena + layout.base, &address);
  MPI_Type_create_hindexed(1, (const int[]){1}, &address, layout.type, &layout.type);
  layout.absolute = 1;
  return layout;
}

static Layout layout_of(int kind, int family, long units, const char* arena) {
  const MPI_Datatype unit = tight_unit(family);
  const long bytes = unit_bytes[family];
  Layout layout;
  if (kind == INTERLEAVED && units % 2 != 0) kind = GAPS;
  switch (kind) {
    case GAPS:
      layout = gapped_unit(family), layout.count = units;
      break;
    case PERMUTED:
      layout = permuted(unit, bytes, units);
      break;
    case STRIDED:
      layout = strided(unit, bytes, units, 2);
      break;
    case BACKWARDS:
      layout = strided(unit, bytes, units, -2);
      break;
    case INTERLEAVED:
      layout = interleaved(unit, bytes, units);
      break;
    case NESTED:
      layout = nested(unit, bytes, units);
      break;
    case ABSOLUTE:
      layout = absolute(unit, bytes, units, arena);
      break;
    default:
      layout =
          (Layout){.type = unit, .count = units, .extent = bytes, .base = 2 * MARGIN, .segment_count = 1};
      layout.segments = calloc(1, sizeof(Segment));
      layout.segments[0] = (Segment){0, bytes};
  }
  layout.type = committed(layout.type);
  return layout;
}

/* Writes byte(k) to where packed byte k belongs. */
static void place(char* arena, const Layout* layout, char (*byte)(long)) {
  long packed = 0;
  for (long item = 0; item < layout->count; ++item) {
    for (long s = 0; s < layout->segment_count; ++s) {
      char* const to = arena + layout->base + item * layout->extent + layout->segments[s].offset;
      for (long i = 0; i < layout->segments[s].length; ++i) to[i] = byte(packed++);
    }
  }
}

#endif
