// Numbers in files have a point, whatever the program has told the C library of its user's language, in which they may have a comma.
#pragma once

#include <locale.h>

namespace rota::mpi {

/// While it exists this thread writes and reads them so.
class PlainNumbers {
 public:
  PlainNumbers() : before_(uselocale(plain())) {}
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;
  ~PlainNumbers() { uselocale(before_); }

 private:
  /// None, which changes nothing, where there is no memory for it.
  static locale_t plain() {
    static const locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", nullptr);
    return numbers;
  }

  locale_t before_;
};

}  // namespace rota::mpi
