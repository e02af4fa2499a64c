// Random MPI programs, each carried out by all ranks: what they saw, as a number, must not depend on what is preloaded.
//
//   rota-programs-<abi> FILES run single|multiple SOURCE FIRST END
//   rota-programs-<abi> text|c RANKS single|multiple SOURCE NUMBER     without MPI: one of them, as text or in C
//
// SOURCE is `seed=SEED` or a file of programs, one a line. Each rank appends a line for each program to FILES.<rank>, its
// number and what it saw, when it has ended; all ranks end a program before any begins the next. Knows nothing of Rota.
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generate.hpp"
#include "interpret.hpp"
#include "print_c.hpp"
#include "program.hpp"

namespace rota::programs {

namespace {

constexpr const char* usage =
    "usage: rota-programs (FILES run single|multiple SOURCE FIRST END | text|c RANKS single|multiple SOURCE "
    "NUMBER), SOURCE: "
    "seed=SEED or a file";

std::int64_t whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) {
    throw BadProgram("'" + text + "' is no whole number from 0 on");
  }
  return number;
}

bool is_multiple(const std::string& word) {
  if (word == "single" || word == "multiple") return word == "multiple";
  throw BadProgram("'" + word + "' is neither single nor multiple");
}

/// The programs of a seed or of a file, by number.
class Source {
 public:
  Source(const std::string& word, bool multiple) : multiple_(multiple) {
    constexpr std::string_view seed = "seed=";
    if (word.starts_with(seed)) {
      seed_ = static_cast<std::uint64_t>(whole_number(word.substr(seed.size())));
      return;
    }
    std::ifstream file(word);
    if (!file) throw BadProgram("cannot read " + word);
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }

  Program operator()(std::int64_t number, int ranks) const {
    if (seed_) return generated(*seed_, number, ranks, multiple_, library());
    if (static_cast<std::size_t>(number) >= lines_.size()) throw BadProgram("the file has fewer programs");
    const Program program = parse_program(lines_[static_cast<std::size_t>(number)]);
    if (program.is_multiple && !multiple_) throw BadProgram("the program begins with 'multiple': say so");
    return program;
  }

 private:
  bool multiple_;
  std::optional<std::uint64_t> seed_;
  std::vector<std::string> lines_;
};

/// Where a rank's lines go, each at once.
class Lines {
 public:
  explicit Lines(const std::string& path) : file_(std::fopen(path.c_str(), "a"), close) {
    if (file_ == nullptr) throw BadProgram("cannot write " + path);
  }

  void add(std::int64_t number, std::uint64_t seen) {
    std::fprintf(file_.get(), "%lld %016llx\n", static_cast<long long>(number),
                 static_cast<unsigned long long>(seen));
    std::fflush(file_.get());
  }

 private:
  static void close(std::FILE* file) {
    if (file != nullptr) std::fclose(file);
  }

  std::unique_ptr<std::FILE, void (*)(std::FILE*)> file_;
};

void run(const std::vector<std::string>& words, bool multiple) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Source source(words[3], multiple);
  Lines lines(words[0] + "." + std::to_string(rank));
  const std::int64_t end = whole_number(words[5]);
  for (std::int64_t number = whole_number(words[4]); number < end; ++number) {
    lines.add(number, carried_out(source(number, ranks), rank, ranks));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int complain(const BadProgram& fault) {
  std::fprintf(stderr, "rota-programs: %s\n", fault.what());
  return 2;
}

int run_in_mpi(const std::vector<std::string>& words) {
  const bool multiple = is_multiple(words[2]);
  int provided = MPI_THREAD_SINGLE;
  if (multiple) {
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(nullptr, nullptr);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int status = 0;
  try {
    if (multiple && provided < MPI_THREAD_MULTIPLE) throw BadProgram("this MPI has no MPI_THREAD_MULTIPLE");
    run(words, multiple);
  } catch (const BadProgram& fault) {
    status = complain(fault);
  }
  MPI_Finalize();
  return status;
}

void print(const std::vector<std::string>& words) {
  const int ranks = static_cast<int>(whole_number(words[1]));
  const Program program = Source(words[3], is_multiple(words[2]))(whole_number(words[4]), ranks);
  std::printf("%s\n", (words[0] == "c" ? c_of(program, ranks, library()) : text_of(program)).c_str());
}

int act(const std::vector<std::string>& words) {
  try {
    if (words.size() == 6 && words[1] == "run") return run_in_mpi(words);
    if (words.size() != 5 || (words[0] != "c" && words[0] != "text")) throw BadProgram(usage);
    print(words);
  } catch (const BadProgram& fault) {
    return complain(fault);
  }
  return 0;
}

}  // namespace

}  // namespace rota::programs

int main(int argc, char** argv) { return rota::programs::act({argv + 1, argv + argc}); }
