// The MPI library's own collective, with the program's arguments: what is called where Rota does not serve it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// The name of one of MPI's calls as reports write it: "alltoallv". Part of a type, so that a call that
/// nobody takes note of carries nothing for it.
template <std::size_t length>
struct CallName {
  char text[length] = {};

  consteval CallName(const char (&name)[length]) { std::copy_n(name, length, text); }
};

/// When a call returns, and what of.
enum class Manner : std::uint8_t {
  blocking,    // when all is done
  at_once,     // when it is started: MPI_Ibcast
  persistent,  // when all is ready to be started, again and again: MPI_Bcast_init
};

/// Refers to what it was made from.
class NativeCall {
 public:
  /// A call, its name, and where the program wants the request of one that does not block.
  class Made {
   public:
    virtual int call() const = 0;
    virtual const char* name() const = 0;
    virtual Manner manner() const { return Manner::blocking; }
    virtual MPI_Request* request() const { return nullptr; }

   protected:
    Made() = default;
    ~Made() = default;
  };

  NativeCall(const Made& made) : made_(&made) {}

  int operator()() const { return made_->call(); }
  const char* name() const { return made_->name(); }
  Manner manner() const { return made_->manner(); }
  /// nullptr: the call blocks.
  MPI_Request* request() const { return made_->request(); }

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

/// The same of a call that does not block.
template <CallName of_call, Manner of_manner, class Function>
class StartingCall final : public NativeCall::Made {
 public:
  StartingCall(Function function, MPI_Request* request) : function_(std::move(function)), request_(request) {}

  int call() const override { return function_(); }
  const char* name() const override { return of_call.text; }
  Manner manner() const override { return of_manner; }
  MPI_Request* request() const override { return request_; }

 private:
  Function function_;
  MPI_Request* request_;
};

/// What a NativeCall is made from: what `function` does, by that name.
template <CallName name, class Function>
NamedCall<name, Function> named(Function function) {
  return NamedCall<name, Function>(std::move(function));
}

/// The same where that does not block, and the program wants its request.
template <CallName name, Manner manner, class Function>
StartingCall<name, manner, Function> starting(Function function, MPI_Request* request) {
  return StartingCall<name, manner, Function>(std::move(function), request);
}

}  // namespace rota::mpi
