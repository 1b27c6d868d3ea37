// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/host/affinity.hpp>

#include "net/loopback.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

using probe::depth, probe::request;

cpu_pair pair_for(const host_bench& bench, const request& request) {
  auto pairs = cpu_pairs(bench.machine());
  return request.threads == 1 ? pairs.front() : pair_apart(bench.machine());
}

// Returns two CPUs for each stream, repeated where there are too few.
std::vector<int> cpus_for(const host_bench& bench, const request& request, int streams) {
  auto cpus = bench.machine().one_cpu_per_core();
  if (request.threads > 0) cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(request.threads)));
  std::vector<int> chosen;
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(streams); ++i)
    chosen.push_back(cpus[i % cpus.size()]);
  return chosen;
}

int streams_of(const host_bench& bench, const request& request) {
  constexpr int most = 16;
  const int cores = static_cast<int>(bench.machine().cores.size());
  return std::clamp(request.threads == 0 ? cores : std::min(request.threads, cores), 2, most);
}

rows sockets(const host_bench& bench, const request& request, transport transport, const std::string& id) {
  const host::scoped_affinity anywhere(host::process_cpus());
  const auto pair = pair_for(bench, request);
  rows found{stream_through(request, transport, id + ".stream", cpus_for(bench, request, 1)),
             round_trip(request, transport, waiting::asleep, id + ".trip", pair)};
  if (request.depth < depth::standard) return found;
  found.push_back(stream_through(request, transport, id + ".streams",
                                 cpus_for(bench, request, streams_of(bench, request))));
  if (pair.apart()) found.push_back(round_trip(request, transport, waiting::busy, id + ".trip.busy", pair));
  return found;
}

}  // namespace

void add_loopback_probes(probe_list& list, host_bench& bench) {
  list.push_back({"net.loopback.tcp", "TCP within this machine",
                  "bounds processes of one machine that talk by TCP", depth::quick,
                  [&bench](const request& request) {
                    return sockets(bench, request, transport::tcp, "net.loopback.tcp");
                  }});
  list.push_back({"net.loopback.unix", "Unix sockets", "the same as TCP, without network protocols",
                  depth::standard, [&bench](const request& request) {
                    return sockets(bench, request, transport::unix_stream, "net.loopback.unix");
                  }});
  list.push_back(
      {"net.loopback.ring", "shared memory", "what processes of one machine can reach at best", depth::quick,
       [&bench](const request& request) { return through_ring(request, pair_for(bench, request)); }});
}

}  // namespace ridge::backends::probe_host
