/* Random cases that are the same on all ranks, and what sums up a rank's memory after one. */
#ifndef CASES_H
#define CASES_H

#include <stdint.h>

static uint64_t seed;

/* A random number for each seed and three numbers. */
static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + a * 0xBF58476D1CE4E5B9u + b * 0x94D049BB133111EBu +
               c * 0xD6E8FEB86659FD93u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static uint64_t hash_of(const char* bytes, long size) {
  uint64_t hash = 14695981039346656037u;
  for (long i = 0; i < size; ++i) hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
  return hash;
}

#endif
