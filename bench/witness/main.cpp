// Plays a script on SimGrid: an independent witness of what a plan's schedule takes.
//
//   rota-witness SCRIPT [--cfg=...]
//
// A script is a platform and what each of its actors does, one line after the other. The words:
//
//   host SPEED                    the next host, numbered from 0; flops per second
//   link FROM TO BANDWIDTH        bytes per second; what goes from one host to another uses this link alone
//   actor HOST                    what follows is done by the next actor, there, one thing after the other
//   wait COUNTER AMOUNT           until the counter is not below the amount
//   send TO BYTES                 to that host; begins when its receiver is there, ends when all has arrived
//   receive FROM COUNTER AMOUNT   from that host; then the counter grows by the amount
//   execute FLOPS COUNTER AMOUNT  computes; then the counter grows by the amount
//   mark NUMBER                   the time at which the last actor gets here is printed
//
// An actor is a port, or a processor: with one for sending and one for receiving on each host, hosts are one-ported. The
// script says what waits for what; how long things take, and that nothing waits for ever, is SimGrid's to find out.
// Prints one line of JSON: the times of the marks, in their order.
#include <simgrid/s4u.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;

/// Amounts are sums of decimals: as near as this is there.
constexpr double nearly = 1e-6;

struct Step {
  enum class What : std::uint8_t { wait, send, receive, execute, mark };

  What what;
  /// Another host, or the number of a mark.
  int number = 0;
  /// Bytes or flops.
  double work = 0;
  int counter = 0;
  double amount = 0;
};

struct Arc {
  int from;
  int to;
  double bandwidth;
};

struct ActorScript {
  int host;
  std::vector<Step> steps;
};

struct Script {
  std::vector<double> speeds;
  std::vector<Arc> arcs;
  std::vector<ActorScript> actors;
};

Step step_of(const std::string& word, std::istringstream& line) {
  using What = Step::What;
  Step step{};
  if (word == "wait") {
    step.what = What::wait;
    line >> step.counter >> step.amount;
  } else if (word == "send") {
    step.what = What::send;
    line >> step.number >> step.work;
  } else if (word == "receive") {
    step.what = What::receive;
    line >> step.number >> step.counter >> step.amount;
  } else if (word == "execute") {
    step.what = What::execute;
    line >> step.work >> step.counter >> step.amount;
  } else if (word == "mark") {
    step.what = What::mark;
    line >> step.number;
  } else {
    throw std::runtime_error("unknown word " + word);
  }
  return step;
}

void add_line(Script& script, const std::string& text) {
  std::istringstream line(text);
  std::string word;
  line >> word;
  if (word == "host") {
    line >> script.speeds.emplace_back();
  } else if (word == "link") {
    Arc arc{};
    line >> arc.from >> arc.to >> arc.bandwidth;
    script.arcs.push_back(arc);
  } else if (word == "actor") {
    ActorScript actor{};
    line >> actor.host;
    script.actors.push_back(std::move(actor));
  } else {
    const Step step = step_of(word, line);
    if (script.actors.empty()) throw std::runtime_error(word + " before the first actor");
    script.actors.back().steps.push_back(step);
  }
  if (line.fail()) throw std::runtime_error("cannot read: " + text);
}

Script script_in(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  Script script;
  std::string line;
  while (std::getline(file, line)) {
    if (!line.empty()) add_line(script, line);
  }
  return script;
}

/// What has been counted, and who waits for it. SimGrid runs one actor at a time.
class Counters {
 public:
  void wait(int counter, double amount) {
    Counter& waited = counters_[counter];
    const std::unique_lock<s4u::Mutex> lock(*waited.mutex);
    while (waited.value < amount - nearly) waited.grown->wait(waited.mutex);
  }

  void add(int counter, double amount) {
    Counter& grown = counters_[counter];
    const std::unique_lock<s4u::Mutex> lock(*grown.mutex);
    grown.value += amount;
    grown.grown->notify_all();
  }

 private:
  struct Counter {
    double value = 0;
    s4u::MutexPtr mutex = s4u::Mutex::create();
    s4u::ConditionVariablePtr grown = s4u::ConditionVariable::create();
  };

  std::map<int, Counter> counters_;
};

using Marks = std::map<int, double>;

class Actor {
 public:
  Actor(const ActorScript& script, Counters& counters, Marks& marks)
      : script_(&script), counters_(&counters), marks_(&marks) {}

  void operator()() const {
    for (const Step& step : script_->steps) play(step);
  }

 private:
  void play(const Step& step) const {
    switch (step.what) {
      case Step::What::wait:
        return counters_->wait(step.counter, step.amount);
      case Step::What::send: {
        mailbox(script_->host, step.number)->put(&token, static_cast<std::uint64_t>(step.work));
        return;
      }
      case Step::What::receive: {
        mailbox(step.number, script_->host)->get<char>();
        return counters_->add(step.counter, step.amount);
      }
      case Step::What::execute: {
        s4u::this_actor::execute(step.work);
        return counters_->add(step.counter, step.amount);
      }
      case Step::What::mark: {
        (*marks_)[step.number] = s4u::Engine::get_clock();
        return;
      }
    }
  }

  static s4u::Mailbox* mailbox(int from, int to) {
    return s4u::Mailbox::by_name(std::to_string(from) + "-" + std::to_string(to));
  }

  /// What is sent; nobody looks at it.
  static inline char token = 0;

  const ActorScript* script_;
  Counters* counters_;
  Marks* marks_;
};

std::string named(char kind, std::size_t number) {
  std::string name(1, kind);
  name += std::to_string(number);
  return name;
}

std::vector<s4u::Host*> hosts_of(const Script& script) {
  s4u::NetZone* const zone = s4u::create_full_zone("platform");
  std::vector<s4u::Host*> hosts;
  hosts.reserve(script.speeds.size());
  for (const double speed : script.speeds) {
    hosts.push_back(zone->create_host(named('h', hosts.size()), speed)->seal());
  }
  for (const Arc& arc : script.arcs) {
    const std::string name = std::to_string(arc.from) + "-" + std::to_string(arc.to);
    const s4u::Link* const link = zone->create_link(name, arc.bandwidth)->set_latency(0.0)->seal();
    zone->add_route(hosts.at(static_cast<std::size_t>(arc.from))->get_netpoint(),
                    hosts.at(static_cast<std::size_t>(arc.to))->get_netpoint(), nullptr, nullptr,
                    {s4u::LinkInRoute(link)}, false);
  }
  zone->seal();
  return hosts;
}

void print(const Marks& marks) {
  std::printf("{\"marks\": [");
  const char* separator = "";
  for (const auto& [number, time] : marks) {
    std::printf("%s%.12g", separator, time);
    separator = ", ";
  }
  std::printf("]}\n");
}

int run(int count, char** words) {
  s4u::Engine engine(&count, words);
  if (count != 2) throw std::runtime_error("give one script");
  const Script script = script_in(words[1]);
  const std::vector<s4u::Host*> hosts = hosts_of(script);
  Counters counters;
  Marks marks;
  std::size_t number = 0;
  for (const ActorScript& actor : script.actors) {
    s4u::Actor::create(named('a', number++), hosts.at(static_cast<std::size_t>(actor.host)),
                       Actor(actor, counters, marks));
  }
  engine.run();
  print(marks);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "rota-witness: %s\n", fault.what());
    return 1;
  }
}
