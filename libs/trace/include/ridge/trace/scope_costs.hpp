// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/op_costs.hpp>
#include <ridge/trace/scopes.hpp>

namespace ridge::trace {

// What a scope cost. Device times are sums of durations: concurrent work counts each time.
struct scope_cost {
  std::uint64_t works = 0;
  nanoseconds device_ns = 0;
  nanoseconds idle_ns = 0;      // gaps of a device that ended with work of this scope: it came too late
  nanoseconds modelled_ns = 0;  // of device_ns, work with a model
  double flops = 0, bytes = 0;  // of modelled work
  double roof_s = 0;            // the least time that it can take by the device's peaks; 0: not known
  nanoseconds placed_ns = 0;    // of modelled_ns, work whose roof is known

  // Returns roof_s / placed time; nullopt where nothing was placed.
  [[nodiscard]] std::optional<double> roof_share() const;
  scope_cost& operator+=(const scope_cost& other);
};

// The costs of all scopes in a window. Those of nodes alone and of `outside` sum to `total`.
struct scope_costs {
  std::vector<scope_cost> alone{};  // by node: without the scopes in it
  std::vector<scope_cost> whole{};  // by node: with them
  scope_cost outside{};             // work in no scope, and gaps before it or at the window's end
  scope_cost total{};
  std::array<nanoseconds, scope_link_count> device_ns_by_link{};
};

// Returns the costs of the work that starts in the window (default: all), and of the devices' idle time in
// it. A call of an operator whose work lies in several scopes counts its FLOP in the scope of its first work.
[[nodiscard]] scope_costs scope_costs_of(const trace& t, const scope_tree& scopes, const op_tree& ops,
                                         const device_peaks& peaks, std::optional<time_range> window = {});

}  // namespace ridge::trace
