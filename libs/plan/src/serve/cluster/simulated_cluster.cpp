// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/simulated_cluster.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "cluster_simulation.hpp"
#include "replica_fleet.hpp"

namespace ridge::plan::serve {
namespace {

result<void> check_pool(const replica_pool& p) {
  if (!p.timer) return error{fmt::format("pool \"{}\" has no timer of steps", p.name), "give it one"};
  if (p.replicas < 1)
    return error{fmt::format("pool \"{}\" has {} replicas", p.name, p.replicas), "give one at least"};
  return p.engine.check();
}

result<void> check_roles(const cluster_settings& s) {
  const auto count = [&](engine_role role) {
    return std::ranges::count(s.pools, role, [](const replica_pool& p) { return p.engine.role; });
  };
  if (!s.disaggregated) {
    if (count(engine_role::both) == std::ssize(s.pools)) return {};
    return error{"a pool only prefills or only decodes, and nothing says how keys and values go between",
                 "give the disaggregation's link"};
  }
  if (count(engine_role::prefill) == 0 || count(engine_role::decode) == 0)
    return error{"disaggregation needs a pool that prefills and one that decodes", "give both, as in 2P3D"};
  if (s.pools.back().engine.role != engine_role::decode ||
      !std::ranges::is_partitioned(
          s.pools, [](const replica_pool& p) { return p.engine.role != engine_role::decode; }))
    return error{"decoding pools come before other pools", "put them last"};
  if (!(s.disaggregated->link_bytes_per_s > 0) || s.disaggregated->layers < 1)
    return error{
        fmt::format("a link of {} bytes per second carries nothing", s.disaggregated->link_bytes_per_s),
        "give a link above 0"};
  return {};
}

result<void> check_cluster(const cluster_settings& s) {
  if (s.pools.empty()) return error{"the cluster has no pool of replicas", "give a pool"};
  for (const auto& p : s.pools) {
    if (const auto good = check_pool(p); !good) return good.why();
  }
  if (s.autoscaler.most > 0 && (s.autoscaler.least < 1 || s.autoscaler.most < s.autoscaler.least ||
                                !(s.autoscaler.target > 0) || !(s.autoscaler.interval_s > 0)))
    return error{fmt::format("an autoscaler of {} to {} replicas at {} of use is out of range",
                             s.autoscaler.least, s.autoscaler.most, s.autoscaler.target),
                 "give 1 <= least <= most, a target above 0 and an interval above 0"};
  if (all_replicas(s) > 65535) return error{"more than 65535 replicas", "give fewer"};
  return check_roles(s);
}

}  // namespace

double disaggregation_settings::bytes_of(std::int64_t prompt_tokens) const {
  double bytes = fixed_bytes + kv_bytes_per_token * static_cast<double>(prompt_tokens);
  for (const auto& w : windows)
    bytes += w.bytes_per_token * static_cast<double>(std::min(prompt_tokens, w.tokens));
  return bytes;
}

result<cluster_run> simulate_cluster(const cluster_settings& settings, const workload& asked) {
  if (const auto good = check_cluster(settings); !good) return good.why();
  if (asked.requests.empty())
    return error{"a workload of no requests", "give a trace or a generator with some"};
  auto made = cluster_simulation(settings, asked).run();
  if (made.in_vain)
    return error{
        fmt::format("after {:.4g} s no request ends any more between two failures of a replica", made.end_s),
        fmt::format("give a longer time between failures than {:.4g} s", settings.failures.mtbf_s)};
  return made;
}

}  // namespace ridge::plan::serve
