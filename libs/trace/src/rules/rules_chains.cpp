// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "rules/rules_chains.hpp"

namespace ridge::trace {
namespace {

interval_set where_of(const evidence& e, const device_evidence& d, const fusable_chain& chain) {
  return times_of(e.trace_of(d), d, [&](const device_work& w) {
    return w.kind == category::kernel && std::ranges::find(chain.kernels, w.name) != chain.kernels.end();
  });
}

// Returns the time that fusing saves: the intermediate bytes at the bandwidth where it is known, else in
// proportion.
nanoseconds saved_by(const device_evidence& d, const fusable_chain& chain) {
  if (d.peaks.bytes_per_s > 0) return static_cast<nanoseconds>(chain.saved_s(d.peaks.bytes_per_s) * 1e9);
  const auto kept = chain.bytes > 0 ? chain.bytes_fused / chain.bytes : 0;
  return static_cast<nanoseconds>(static_cast<double>(chain.device_ns) * std::clamp(1 - kept, 0.0, 1.0));
}

std::string chain_text(const trace& t, const fusable_chain& chain) {
  std::vector<std::string> names;
  for (const auto op : chain.ops) names.emplace_back(t.names[op]);
  if (names.size() > 6) {
    names.resize(6);
    names.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

const fusable_chain* longest_of(std::span<const fusable_chain* const> chains) {
  const auto at = std::ranges::max_element(chains, {}, [](const auto* c) { return c->device_ns; });
  return at == chains.end() ? nullptr : *at;
}

outcome of_chains(const evidence& e, const rule& r, bool attention, std::size_t least) {
  outcome out;
  for (const auto& d : e.devices) {
    std::vector<const fusable_chain*> chains;
    interval_set where;
    nanoseconds saved = 0;
    for (const auto& chain : e.of(d).chains) {
      const bool here = chain.first != none && e.trace_of(d).works[chain.first].device == d.device;
      if (!here || chain.attention != attention || chain.kernels.size() < least) continue;
      chains.push_back(&chain);
      where = where.united_with(where_of(e, d, chain));
      saved += saved_by(d, chain);
    }
    const auto* longest = longest_of(chains);
    if (!longest || d.share(where.length_ns()) < r.limit("share")) continue;
    auto c = about(d, where, std::min(saved, where.length_ns()), "chains of kernels");
    std::uint64_t count = 0;
    for (const auto* chain : chains) count += chain->count;
    c.words["count"] = std::to_string(count);
    c.words["time"] = time_text(where.length_ns());
    c.words["chain"] = chain_text(e.trace_of(d), *longest);
    c.rows.front().work = longest->first;
    out.found.push_back(std::move(c));
  }
  return out;
}

}  // namespace

outcome k18_fusable(const evidence& e, const rule& r) {
  return of_chains(e, r, false, static_cast<std::size_t>(r.limit("length")));
}

outcome k20_attention(const evidence& e, const rule& r) { return of_chains(e, r, true, 1); }

}  // namespace ridge::trace
