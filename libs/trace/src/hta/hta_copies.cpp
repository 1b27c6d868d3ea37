// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <ridge/trace/hta_series.hpp>

#include "hta/hta_distribution.hpp"
#include "hta/hta_host_rows.hpp"
#include "hta/hta_kernel_type.hpp"
#include "hta/hta_streams.hpp"

namespace ridge::trace {
namespace {

struct rate_change {
  nanoseconds at_ns = 0;
  double change = 0;
  work_id work = none;
};
using changes_by_kind = std::map<std::string, std::vector<rate_change>>;

constexpr double speck = 1e-9;  // floating-point sums leave tiny remainders of zero

changes_by_kind rate_changes(const trace& t, const hta_rows& rows) {
  changes_by_kind kinds;
  for (const auto& r : rows.device) {
    if (r.type != hta_kernel_type::memory) continue;
    auto& changes = kinds[std::string(hta_copy_name(t.names[r.name]))];
    const double rate = static_cast<double>(r.gb_per_s);
    changes.push_back({r.start_ns, rate, r.work});
    changes.push_back({r.length_ns() == 0 ? r.end_ns + 1000 : r.end_ns, -rate, r.work});
  }
  for (auto& [kind, changes] : kinds) {
    std::ranges::stable_sort(changes, [](const rate_change& a, const rate_change& b) {
      return a.at_ns != b.at_ns ? a.at_ns < b.at_ns : a.change < b.change;
    });
  }
  return kinds;
}

hta_copy_bandwidth copies_of(const std::string& kind, const std::vector<rate_change>& changes) {
  hta_copy_bandwidth out{.name = kind};
  std::vector<double> rates;
  double now = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    now += changes[i].change;
    if (now > speck) rates.push_back(now);  // HTA leaves zeros out
    out.ties += i > 0 && changes[i].at_ns == changes[i - 1].at_ns && changes[i - 1].change < 0 &&
                changes[i].change > 0;
  }
  out.gb_per_s = describe(std::move(rates));
  return out;
}

}  // namespace

std::vector<hta_copy_bandwidth> hta_copies(const trace& t, const hta_rows& rows) {
  std::vector<hta_copy_bandwidth> out;
  for (const auto& [kind, changes] : rate_changes(t, rows)) {
    out.push_back(copies_of(kind, changes));
    if (out.back().gb_per_s.count == 0) out.pop_back();
  }
  return out;
}

std::vector<hta_copy_point> hta_copy_series(const trace& t, const hta_options& options) {
  std::vector<hta_copy_point> out;
  for (const auto& [kind, changes] : rate_changes(t, hta_rows_of(t, options))) {
    double now = 0;
    for (const auto& c : changes) {
      now += c.change;
      if (std::abs(now) <= speck) now = 0;
      out.push_back({c.at_ns, hta_place_of(t, c.work).process, kind, now});
    }
  }
  return out;
}

}  // namespace ridge::trace
