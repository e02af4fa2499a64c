// Random collectives by Rota and natively, compared to the bit.
//
//   rota-check-<abi> STATE-FILE seed SEED FIRST END      cases FIRST to END - 1 of that seed
//   rota-check-<abi> STATE-FILE case CASE                that one
//   rota-check-<abi> STATE-FILE native CASE              that one by the native library alone: does that end?
//
// Stops at the first case that fails and makes it smaller. Before each case rank 0 writes its number and text into the state
// file, so that it has a name even if it crashes or hangs. At the end rank 0 prints one line of JSON: how many cases
// were tried, which were left out and why, and what failed. Status 1 if one did.
#include <mpi.h>
#include <rota.h>

#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "communicators.hpp"
#include "exclusions.hpp"
#include "generate.hpp"
#include "plan.hpp"
#include "shrink.hpp"
#include "trial.hpp"

namespace rota::check {

namespace {

/// A case with its number; the one of the command line is number 0.
struct Numbered {
  std::int64_t number;
  Case c;
};

struct Failure {
  Numbered found;
  Case smallest;
  std::string fault;
};

/// What the native library gets wrong by itself.
struct NativeFaults {
  std::int64_t cases = 0;
  std::optional<Failure> first;
};

struct Findings {
  std::int64_t tried = 0;
  NativeFaults native;
  std::map<std::string, std::int64_t> skipped;
  std::optional<Failure> failure;
};

/// The cases of the command line, made one by one.
struct Cases {
  std::int64_t first = 0;
  std::int64_t end = 1;
  std::uint64_t seed = 0;
  std::optional<Case> given;
  bool is_native_alone = false;

  Numbered operator()(std::int64_t number, int ranks) const {
    return {number, given ? *given : generated(seed, number, ranks)};
  }
};

std::int64_t whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) {
    throw BadCase("'" + text + "' is no whole number from 0 on");
  }
  return number;
}

/// Throws BadCase.
Cases parse_cases(const std::vector<std::string>& words) {
  if (words.size() == 2 && (words[0] == "case" || words[0] == "native")) {
    const Case c = parse_case(words[1]);
    require_valid(c);
    return {.given = c, .is_native_alone = words[0] == "native"};
  }
  if (words.size() != 4 || words[0] != "seed") {
    throw BadCase("usage: rota-check STATE-FILE (seed SEED FIRST END | case CASE | native CASE)");
  }
  return {
      whole_number(words[2]), whole_number(words[3]), static_cast<std::uint64_t>(whole_number(words[1])), {}};
}

/// Where the case that is being tried has its name.
class State {
 public:
  explicit State(const char* path)
      // NOLINTNEXTLINE(clang-analyzer-unix.Stream): close closes it
      : file_(rank_in(MPI_COMM_WORLD) == 0 ? std::fopen(path, "w") : nullptr, close) {}

  /// Before any rank tries it, for one that crashes there ends the others at once. Collective.
  void say(const Numbered& numbered) {
    if (file_ != nullptr) write(numbered);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  void write(const Numbered& numbered) {
    std::fseek(file_.get(), 0, SEEK_SET);
    std::fprintf(file_.get(), "%lld %-400s\n", static_cast<long long>(numbered.number),
                 text_of(numbered.c).c_str());
    std::fflush(file_.get());
  }

  static void close(std::FILE* file) {
    if (file != nullptr) std::fclose(file);
  }

  std::unique_ptr<std::FILE, void (*)(std::FILE*)> file_;
};

Failure smallest_failure(const Numbered& found, const std::string& fault, State& state, int provided_threads,
                         const Communicators& communicators) {
  constexpr int trials = 400;
  Failure failure{found, found.c, fault};
  const auto fails = [&](const Case& c) {
    if (!reason_to_skip(c, communicators, provided_threads).empty()) return false;
    state.say({found.number, c});
    const Fault its = fault_of(c, communicators);
    if (its.side != Side::rota) return false;
    failure.fault = its.text;
    return true;
  };
  failure.smallest = shrunk(found.c, fails, trials);
  return failure;
}

void add(NativeFaults& faults, Failure failure) {
  ++faults.cases;
  if (!faults.first) faults.first = std::move(failure);
}

Findings findings_of(const Cases& cases, State& state, int provided_threads) {
  const Communicators communicators;
  const int ranks = size_of(MPI_COMM_WORLD);
  Findings findings;
  for (std::int64_t number = cases.first; number < cases.end; ++number) {
    const Numbered numbered = cases(number, ranks);
    const std::string reason = reason_to_skip(numbered.c, communicators, provided_threads);
    if (!reason.empty()) {
      ++findings.skipped[reason];
      continue;
    }
    state.say(numbered);
    const Fault fault = fault_of(numbered.c, communicators);
    ++findings.tried;
    if (fault.side == Side::native) add(findings.native, {numbered, numbered.c, fault.text});
    if (fault.side != Side::rota) continue;
    findings.failure = smallest_failure(numbered, fault.text, state, provided_threads, communicators);
    break;
  }
  return findings;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + "\"";
}

void print(const Findings& findings) {
  std::printf("{\"tried\": %lld, \"skipped\": {", static_cast<long long>(findings.tried));
  const char* separator = "";
  for (const auto& [reason, cases] : findings.skipped) {
    std::printf("%s%s: %lld", separator, quoted(reason).c_str(), static_cast<long long>(cases));
    separator = ", ";
  }
  std::printf("}");
  if (const auto& native = findings.native.first) {
    std::printf(", \"native\": {\"cases\": %lld, \"first\": %s, \"fault\": %s}",
                static_cast<long long>(findings.native.cases), quoted(text_of(native->found.c)).c_str(),
                quoted(native->fault).c_str());
  }
  if (const auto& failure = findings.failure) {
    std::printf(", \"failure\": {\"number\": %lld, \"found\": %s, \"smallest\": %s, \"fault\": %s}",
                static_cast<long long>(failure->found.number), quoted(text_of(failure->found.c)).c_str(),
                quoted(text_of(failure->smallest)).c_str(), quoted(failure->fault).c_str());
  }
  std::printf("}\n");
}

int run(int argc, char** argv, int provided_threads) {
  const bool speaks = rank_in(MPI_COMM_WORLD) == 0;
  try {
    const Cases cases = parse_cases({argv + std::min(argc, 2), argv + argc});
    State state(argv[1]);
    if (cases.is_native_alone) {
      call_natively(cases(0, size_of(MPI_COMM_WORLD)).c, Communicators());
      return 0;
    }
    const Findings findings = findings_of(cases, state, provided_threads);
    if (speaks) print(findings);
    return findings.failure ? 1 : 0;
  } catch (const BadCase& fault) {
    if (speaks) std::fprintf(stderr, "rota-check: %s\n", fault.what());
    return 2;
  }
}

}  // namespace

}  // namespace rota::check

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  rota_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int status = rota::check::run(argc, argv, provided);
  rota_finalize();
  return status;
}
