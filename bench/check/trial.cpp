#include "trial.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "exclusions.hpp"
#include "plan.hpp"
#include "reference.hpp"
#include "served.hpp"

namespace rota::check {

namespace {

/// The same call by Rota, twice.
struct Calls {
  Aftermath first;
  Aftermath second;
};

Calls call_rota_twice(const Plan& plan) {
  Aftermath first = call(Library::rota, plan);
  return {std::move(first), call(Library::rota, plan)};
}

Aftermath expected(const Plan& plan) {
  return is_native_at_fault(plan.c, plan.ranks) ? by_definition(plan) : call(Library::native, plan);
}

int class_of(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

std::string text_of_code(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  return "'" + line + "'";
}

std::string hex(unsigned char byte) {
  char text[8];
  std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(byte));
  return text;
}

std::string hex(const Bytes& bytes, std::ptrdiff_t first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += hex(bytes[static_cast<std::size_t>(first + i)]);
  return text;
}

std::string place_in(const Buffer& buffer, std::size_t byte) {
  return "byte " + std::to_string(static_cast<std::ptrdiff_t>(byte) - buffer.origin) +
         " from the buffer's address";
}

/// The first byte in these roles that differs between two runs; the size if none does.
std::size_t first_difference(const Buffer& buffer, const Bytes& one, const Bytes& other, Role role) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (buffer.roles[i] == role && one[i] != other[i]) return i;
  }
  return one.size();
}

/// Two values of the element that a byte belongs to.
std::string values_at(const Plan& plan, std::size_t byte, const Bytes& expected, const Bytes& found) {
  const auto at = static_cast<std::ptrdiff_t>(byte);
  for (std::size_t i = 0; i < plan.receive.elements.size(); ++i) {
    const std::ptrdiff_t first = plan.receive.elements[i];
    if (at < first || at >= first + plan.element.extent) continue;
    return "element " + std::to_string(i) + " is " + hex(found, first, plan.element.extent) + ", not " +
           hex(expected, first, plan.element.extent);
  }
  return "no element";
}

std::string fault_outside(const Plan& plan, const Aftermath& after) {
  const auto sent = std::mismatch(after.send.begin(), after.send.end(), plan.send.bytes.begin());
  if (sent.first != after.send.end()) {
    return "wrote into the send buffer: " +
           place_in(plan.send, static_cast<std::size_t>(sent.first - after.send.begin()));
  }
  const std::size_t byte = first_difference(plan.receive, after.receive, plan.receive.bytes, Role::outside);
  if (byte < after.receive.size()) {
    return "wrote where no received data belongs: " + place_in(plan.receive, byte);
  }
  return "";
}

std::string fault_of_calls(const Plan& plan, const Aftermath& native, const Calls& rota) {
  const int code = rota.first.code;
  if (class_of(code) != class_of(native.code)) {
    return "returned " + text_of_code(code) + ", not " + text_of_code(native.code);
  }
  if (code != MPI_SUCCESS) return "";
  for (const Aftermath* after : {&rota.first, &rota.second}) {
    const std::string outside = fault_outside(plan, *after);
    if (!outside.empty()) return outside;
  }
  const auto differing = [&](const Bytes& expected, const Bytes& found) {
    return first_difference(plan.receive, found, expected, Role::result);
  };
  const std::size_t wrong = differing(native.receive, rota.first.receive);
  if (wrong < native.receive.size()) {
    return values_at(plan, wrong, native.receive, rota.first.receive);
  }
  const std::size_t changed = differing(rota.first.receive, rota.second.receive);
  if (changed < native.receive.size()) {
    return "the second time, " + values_at(plan, changed, rota.first.receive, rota.second.receive);
  }
  return "";
}

std::string named(const Plan& plan, const std::string& fault) {
  return fault.empty()
             ? ""
             : "rank " + std::to_string(plan.rank) + " of " + std::to_string(plan.ranks) + ": " + fault;
}

/// What the native library itself has got wrong by MPI's definition, which by_definition knows within one
/// group.
std::string native_fault(const Plan& plan, const Aftermath& native) {
  if (is_between(plan.c.comm) || native.code != MPI_SUCCESS) return "";
  const Aftermath defined = by_definition(plan);
  const std::size_t wrong = first_difference(plan.receive, native.receive, defined.receive, Role::result);
  return wrong < native.receive.size() ? values_at(plan, wrong, defined.receive, native.receive) : "";
}

/// Where the native call is at fault, a schedule of Rota's is held to the definition. What Rota left to the
/// native library need not be right then.
Fault judged(const Plan& plan, const Aftermath& native, const Calls& rota) {
  const std::string fault = fault_of_calls(plan, native, rota);
  if (fault.empty()) return {};
  const std::string of_native = native_fault(plan, native);
  if (of_native.empty()) return {named(plan, fault), Side::rota};
  const std::string by_itself = fault_of_calls(plan, by_definition(plan), rota);
  if (by_itself.empty() || !is_served(plan.c, plan.comm)) return {named(plan, of_native), Side::native};
  return {named(plan, by_itself), Side::rota};
}

/// Rota's before the native library's, the first before the second.
Fault graver(Fault one, Fault other) { return other.side > one.side ? std::move(other) : std::move(one); }

Fault fault_unchanged(const Case& c, MPI_Comm comm) {
  const Plan plan(c, comm, c.data);
  const Aftermath native = expected(plan);
  return judged(plan, native, call_rota_twice(plan));
}

/// Of a case that changes, all is called on all ranks, whatever some found before.
Fault fault_alone(const Case& c, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {};
  if (!c.changes) return fault_unchanged(c, comm);
  Case changed = c;
  changed.has_larger_message = true;
  const Fault before = fault_unchanged(c, comm);
  Fault between = fault_unchanged(changed, comm);
  const Fault after = fault_unchanged(c, comm);
  if (between.side != Side::none) between.text = "with one message larger, " + between.text;
  return graver(graver(before, between), after);
}

/// Rota in two threads at once, on communicators that it has not seen before; natively before that, one after
/// the other.
Fault fault_of_twins(const Case& c, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return {};
  const Twins twins(comm);
  const Plan here(c, twins.both()[0], c.data);
  const Plan there(c, twins.both()[1], c.data + 1);
  const Aftermath native_here = expected(here);
  const Aftermath native_there = expected(there);
  std::unique_ptr<Calls> rota_there;
  std::thread other([&] { rota_there = std::make_unique<Calls>(call_rota_twice(there)); });
  const Calls rota_here = call_rota_twice(here);
  other.join();
  const Fault fault_here = judged(here, native_here, rota_here);
  return graver(fault_here, judged(there, native_there, *rota_there));
}

/// The gravest, of the lowest rank that has such a one, on all ranks.
Fault agreed(const Fault& mine) {
  int gravest = 0;
  const int own = static_cast<int>(mine.side);
  MPI_Allreduce(&own, &gravest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  const auto side = static_cast<Side>(gravest);
  if (side == Side::none) return {};
  const int candidate = mine.side == side ? rank_in(MPI_COMM_WORLD) : size_of(MPI_COMM_WORLD);
  int lowest = 0;
  MPI_Allreduce(&candidate, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  std::vector<char> text(1024);
  std::copy_n(mine.text.begin(), std::min(mine.text.size(), text.size() - 1), text.begin());
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, lowest, MPI_COMM_WORLD);
  return {text.data(), side};
}

}  // namespace

void call_natively(const Case& c, const Communicators& communicators) {
  MPI_Comm comm = communicators.get(c.comm);
  if (comm == MPI_COMM_NULL) return;
  Case changed = c;
  changed.has_larger_message = c.changes;
  expected(Plan(c, comm, c.data));
  expected(Plan(changed, comm, c.data));
}

Fault fault_of(const Case& c, const Communicators& communicators) {
  MPI_Comm comm = communicators.get(c.comm);
  return agreed(c.threads ? fault_of_twins(c, comm) : fault_alone(c, comm));
}

}  // namespace rota::check
