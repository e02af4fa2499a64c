#include "rota_mpi/report/learnt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "rota/schedule/hosts.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/decide/call.hpp"
#include "rota_mpi/settings/files.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/profile_text.hpp"

namespace rota::mpi {

namespace {

bool is_known(const CellNote& note, Rank ranks) {
  const auto& [kind, total] = note;
  return kind.ranks == ranks && !is_inter_group(kind.collective) && total.tried.algorithm >= 0 &&
         total.native.calls > 0 && total.schedule.calls > 0;
}

/// In whole bytes a message, as profiles have them; so many or a little more are the same number of blocks.
Measurement measurement_of(const CellTotal& total) {
  return {total.tried.bytes, total.native.mean_s(), total.schedule.mean_s(), total.tried.algorithm,
          std::ceil(total.tried.message_bytes)};
}

/// In the place of what there was for as much data; sizes beyond those that a profile holds are left out.
void add(const Measurement& measured, Profile& profile, Collective collective) {
  auto& all = profile.measured[static_cast<std::size_t>(collective)];
  auto* const free = std::ranges::find(all, 0, &Measurement::bytes);
  auto* place = std::find_if(all.begin(), free, [&](const Measurement& each) {
    return size_class_of(each.bytes) == size_class_of(measured.bytes);
  });
  if (place == all.end()) return;
  *place = measured;
  std::ranges::sort(all.begin(), place == free ? free + 1 : free, {}, &Measurement::bytes);
}

/// Ranks and hosts of this job; nothing of collectives.
Profile job_of(const World& here) {
  Profile job;
  job.ranks = here.ranks;
  job.hosts = hosts_called(here.hosts).count();
  if (settings().hosts > 0)
    job.hosts = static_cast<Rank>(std::min<std::int64_t>(settings().hosts, here.ranks));
  return job;
}

/// What the file says, if it is there. Throws std::invalid_argument with one line if it is no profile, or of
/// another job's ranks and hosts.
Profile earlier_in(const std::string& path, const Profile& job) {
  if (!std::filesystem::exists(path)) return job;
  Profile earlier = profile_in(path);
  if (earlier.ranks == job.ranks && earlier.hosts == job.hosts) return earlier;
  throw std::invalid_argument(path + " is of " + std::to_string(earlier.ranks) + " ranks on " +
                              std::to_string(earlier.hosts) + " hosts, this job of " +
                              std::to_string(job.ranks) + " on " + std::to_string(job.hosts) +
                              "; name another file");
}

void write(const Profile& profile, const std::string& path) {
  NewFile(path).complete(text_of(profile, "learnt from a program's own calls (ROTA_LEARN)"));
}

}  // namespace

Profile learnt(const std::vector<CellNote>& cells, const Profile& job, const Profile& earlier) {
  Profile profile = earlier;
  for (const CellNote& each : cells) {
    if (is_known(each, job.ranks)) add(measurement_of(each.total), profile, each.kind.collective);
  }
  return profile;
}

void write_learnt(const std::vector<CellNote>& cells) {
  const World* const here = world();
  if (here == nullptr || here->rank != 0) return;
  const Profile job = job_of(*here);
  try {
    write(learnt(cells, job, earlier_in(learn_file(), job)), learn_file());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "rota: ROTA_LEARN: %s; what was learnt follows here\n%s", fault.what(),
                 text_of(learnt(cells, job, job), "learnt").c_str());
  }
}

}  // namespace rota::mpi
