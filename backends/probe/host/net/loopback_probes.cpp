// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/host/affinity.hpp>

#include "net/loopback.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::request;

cpu_pair pair_for(const host_bench& on, const request& what) {
  auto pairs = cpu_pairs(on.machine());
  return what.threads == 1 ? pairs.front() : pair_apart(on.machine());
}

// Two CPUs for each stream, in turn where there are too few.
std::vector<int> cpus_for(const host_bench& on, const request& what, int streams) {
  auto cpus = on.machine().one_cpu_per_core();
  if (what.threads > 0) cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(what.threads)));
  std::vector<int> chosen;
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(streams); ++i)
    chosen.push_back(cpus[i % cpus.size()]);
  return chosen;
}

int streams_of(const host_bench& on, const request& what) {
  constexpr int most = 16;
  const int cores = static_cast<int>(on.machine().cores.size());
  return std::clamp(what.threads == 0 ? cores : std::min(what.threads, cores), 2, most);
}

rows sockets(const host_bench& on, const request& what, transport how, const std::string& id) {
  const host::scoped_affinity anywhere(host::process_cpus());
  const auto pair = pair_for(on, what);
  rows found{stream_through(what, how, id + ".stream", cpus_for(on, what, 1)),
             round_trip(what, how, waiting::asleep, id + ".trip", pair)};
  if (what.how < depth::standard) return found;
  found.push_back(stream_through(what, how, id + ".streams", cpus_for(on, what, streams_of(on, what))));
  if (pair.apart()) found.push_back(round_trip(what, how, waiting::busy, id + ".trip.busy", pair));
  return found;
}

}  // namespace

void add_loopback_probes(probe_list& to, host_bench& on) {
  to.push_back({"net.loopback.tcp", "TCP within this machine",
                "bounds processes of one machine that talk by TCP", depth::quick, [&on](const request& what) {
                  return sockets(on, what, transport::tcp, "net.loopback.tcp");
                }});
  to.push_back({"net.loopback.unix", "Unix sockets", "the same without the network's protocols",
                depth::standard, [&on](const request& what) {
                  return sockets(on, what, transport::unix_stream, "net.loopback.unix");
                }});
  to.push_back({"net.loopback.ring", "shared memory", "what processes of one machine can reach at best",
                depth::quick, [&on](const request& what) { return through_ring(what, pair_for(on, what)); }});
}

}  // namespace ridge::backends::probe_host
