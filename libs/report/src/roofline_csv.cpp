// SPDX-License-Identifier: Apache-2.0
// Writes one line for each roof, kernel and sweep step; empty fields do not apply or are unknown.
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/report/roofline.hpp>

namespace ridge::report {
namespace {

constexpr std::string_view header =
    "kind,backend,threads,name,level,dtype,origin,intensity_flop_per_byte,measured_intensity_flop_per_byte,"
    "rate,unit,lo,hi,specified,seconds,flop,bytes,measured_bytes,time_share,bound,roof,attainable,share,"
    "headroom,next\r\n";

std::string known(double x) { return x > 0 && std::isfinite(x) ? fmt::format("{}", x) : std::string(); }
std::string known(const std::optional<double>& x) { return x ? known(*x) : std::string(); }

std::string line(std::initializer_list<std::string> fields) {
  std::string out;
  for (const auto& f : fields) out += (out.empty() ? "" : ",") + csv_cell(f);
  return out + "\r\n";
}

std::string roof_line(const model::roofline_chart& c, const model::roof& r) {
  const bool bandwidth = r.kind == model::roof_kind::bandwidth;
  return line({"roof",
               std::string(name(c.backend)),
               std::to_string(c.threads),
               r.id,
               r.level,
               r.dtype,
               std::string(name(r.origin)),
               "",
               "",
               known(r.value),
               bandwidth ? "B/s" : "FLOP/s",
               known(r.ci.lo),
               known(r.ci.hi),
               known(r.specified),
               "",
               "",
               "",
               "",
               "",
               "",
               "",
               "",
               "",
               "",
               ""});
}

std::string point_line(const model::roofline_chart& c, const model::roofline_point& p) {
  const bool rates = p.flop > 0;
  const auto& v = p.verdict;
  return line({"kernel",
               std::string(name(c.backend)),
               std::to_string(p.threads),
               p.kernel,
               p.level,
               p.dtype,
               "declared",
               known(p.intensity),
               known(p.measured_intensity),
               known(rates ? p.flop_per_s : p.bytes_per_s),
               rates ? "FLOP/s" : "B/s",
               known(p.flop_per_s_ci.lo),
               known(p.flop_per_s_ci.hi),
               "",
               known(p.seconds),
               known(p.flop),
               known(p.bytes),
               known(p.measured_bytes),
               known(p.time_share),
               std::string(name(v.bound)),
               v.roof,
               known(v.attainable),
               known(v.share),
               known(v.headroom),
               v.next});
}

std::string step_line(const model::roofline_chart& c, const model::intensity_sweep& s,
                      const model::sweep_step& t) {
  return line({"sweep",
               std::string(name(c.backend)),
               std::to_string(s.threads),
               fmt::format("{} multiply-adds per element", t.fma_per_element),
               s.level,
               "fp32",
               "exact",
               known(t.intensity),
               "",
               known(t.flop_per_s),
               t.fma_per_element == 0 ? "B/s" : "FLOP/s",
               "",
               "",
               "",
               "",
               "",
               known(s.working_set_bytes),
               "",
               "",
               t.at_knee ? "knee" : "",
               "",
               known(t.roof),
               known(t.share),
               "",
               ""});
}

}  // namespace

std::string roofline_csv(const model::roofline& roofline) {
  std::string text(header);
  for (const auto& c : roofline.charts) {
    for (const auto& r : c.roofs) text += roof_line(c, r);
    for (const auto& p : c.points) text += point_line(c, p);
    for (const auto& s : c.sweeps) {
      for (const auto& t : s.steps) text += step_line(c, s, t);
    }
  }
  return text;
}

}  // namespace ridge::report
