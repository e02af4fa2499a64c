// The MPI library's own collective, with the program's arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rota::mpi {

/// The name of one of MPI's calls as reports write it: "alltoallv". Part of a type, so that a call that
/// nobody takes note of carries nothing for it.
template <std::size_t length>
struct CallName {
  char text[length] = {};

  consteval CallName(const char (&name)[length]) { std::copy_n(name, length, text); }
};

/// Refers to what it was made from.
class NativeCall {
 public:
  /// A call, and its name.
  class Made {
   public:
    virtual int call() const = 0;
    virtual const char* name() const = 0;

   protected:
    Made() = default;
    ~Made() = default;
  };

  NativeCall(const Made& made) : made_(&made) {}

  int operator()() const { return made_->call(); }
  const char* name() const { return made_->name(); }

 private:
  const Made* made_;
};

template <CallName of_call, class Function>
class NamedCall final : public NativeCall::Made {
 public:
  explicit NamedCall(Function function) : function_(std::move(function)) {}

  int call() const override { return function_(); }
  const char* name() const override { return of_call.text; }

 private:
  Function function_;
};

/// What a NativeCall is made from: what `function` does, by that name.
template <CallName name, class Function>
NamedCall<name, Function> named(Function function) {
  return NamedCall<name, Function>(std::move(function));
}

}  // namespace rota::mpi
