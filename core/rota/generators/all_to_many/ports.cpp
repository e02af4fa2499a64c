#include "rota/generators/all_to_many/ports.hpp"

#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/over_links.hpp"
#include "rota/generators/all_to_many/unsplit_messages.hpp"
#include "rota/generators/all_to_many/weighted_permutations.hpp"
#include "rota/generators/all_to_many/whole_over_links.hpp"

namespace rota {

Schedule all_to_many_by_ports(const std::shared_ptr<const Pattern>& pattern,
                              const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed,
                              const OfPorts& of_ports) {
  if (hosts == nullptr) return of_ports(pattern);
  const auto ports = std::make_shared<const Pattern>(pattern_of_hosts(*pattern, *hosts));
  return all_to_many_on_hosts(pattern, hosts, of_ports(ports), seed);
}

namespace {

bool have_several_links(const std::shared_ptr<const Hosts>& hosts) {
  return hosts != nullptr && hosts->links > 1;
}

}  // namespace

Schedule weighted_by_links(const std::shared_ptr<const Pattern>& pattern,
                           const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed,
                           std::int64_t grain_bytes) {
  if (have_several_links(hosts)) return all_to_many_over_links(pattern, hosts, grain_bytes, seed);
  return all_to_many_by_ports(pattern, hosts, seed, [&](const std::shared_ptr<const Pattern>& ports) {
    return grain_bytes == 1 ? weighted_permutations(ports, seed) : grained_permutations(ports, grain_bytes);
  });
}

Schedule unsplit_by_links(const std::shared_ptr<const Pattern>& pattern,
                          const std::shared_ptr<const Hosts>& hosts, std::uint64_t seed,
                          std::int64_t start_bytes) {
  if (have_several_links(hosts)) return whole_messages_over_links(pattern, hosts, start_bytes, seed);
  return all_to_many_by_ports(pattern, hosts, seed, [&](const std::shared_ptr<const Pattern>& ports) {
    return unsplit_messages_with_start(ports, start_bytes);
  });
}

}  // namespace rota
