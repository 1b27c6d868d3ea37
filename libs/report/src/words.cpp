// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/words.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/check_words.hpp>

namespace ridge::report {
namespace {

bool known(interval i) { return std::isfinite(i.lo) && std::isfinite(i.hi); }

std::string first_failure(const model::comparison& c) {
  const auto at = std::ranges::find(c.checks, model::outcome::fail, &model::check::result);
  return at == c.checks.end() ? "" : at->id;
}

// Whether the metric is what the variants report about themselves.
bool is_claimed(const model::comparison& c) {
  return std::ranges::any_of(c.checks, [](const model::check& check) {
    return check.id == "observed" && check.result == model::outcome::warn;
  });
}

std::string last_word(const std::string& text) { return text.substr(text.rfind(' ') + 1); }

// Returns "between 0.64× and 1.72×".
std::string range_in_words(const model::comparison& c) {
  if (!known(c.ci) || c.ci.lo <= 0) return "no interval";
  const auto end = [](double ratio) {
    const int digits = ratio >= 100 ? 0 : ratio >= 10 ? 1 : std::fabs(ratio - 1) < 0.02 ? 3 : 2;
    return ratio < 0.1 ? fmt::format("{:.2g}×", ratio) : fmt::format("{:.{}f}×", ratio, digits);
  };
  return fmt::format("between {} and {}", end(c.ci.lo), end(c.ci.hi));
}

// Returns a ratio with three digits, or as many as distinguish it from 1.
std::string exact_ratio(double ratio) {
  auto text = fmt::format("{:.3g}", ratio);
  return text == "1" ? fmt::format("{:.6g}", ratio) : text;
}

// Returns the greatest number of decimals of a ratio: four significant digits, as in 1.783 or 0.0007601.
int most_digits(double ratio) {
  const int zeros = ratio > 0 && ratio < 1 ? static_cast<int>(-std::floor(std::log10(ratio))) - 1 : 0;
  return 4 + zeros;
}

}  // namespace

std::string percent_in_words(double share) {
  const double p = std::fabs(share) * 100;
  if (p > 0 && p < 0.005) return "<0.01 %";
  return fmt::format("{:.{}f} %", p, p >= 9.95 ? 0 : p >= 0.995 ? 1 : 2);
}

std::string with_interval(double median, interval ci, std::string_view unit) {
  auto middle = format_quantity(median, unit);
  if (!std::isfinite(median) || !known(ci) || ci.width() == 0) return middle;
  if (unit == "1" || median <= 0) {
    return fmt::format("{} [{}, {}]", middle, format_quantity(ci.lo, unit), format_quantity(ci.hi, unit));
  }
  return fmt::format("{} ±{}", middle, percent_in_words(std::max(median - ci.lo, ci.hi - median) / median));
}

std::string ratio_with_interval(double ratio, interval ci) {
  if (!std::isfinite(ratio)) return "-";
  const double half = known(ci) ? std::max(ci.width() / 2, 1e-9) : 0.01;
  const int digits =
      std::clamp(static_cast<int>(std::ceil(-std::log10(half))), ratio >= 100 ? 1 : 2, most_digits(ratio));
  if (known(ci) && ci.width() == 0) return exact_ratio(ratio) + "× exact";
  if (!known(ci)) return ratio < 0.1 ? fmt::format("{:.2g}×", ratio) : fmt::format("{:.{}f}×", ratio, digits);
  return fmt::format("{0:.{3}f}× [{1:.{3}f}, {2:.{3}f}]", ratio, ci.lo, ci.hi, digits);
}

std::string interval_title(const model::run& run) { return fmt::format("ratio [{:.3g} %]", run.level * 100); }

std::string verdict_in_words(const model::comparison& c, double min_effect) {
  using model::verdict;
  if (!c.judged) return "";
  const auto word = name(c.verdict);
  switch (c.verdict) {
    case verdict::equivalent:
      return fmt::format("{}: within {:.3g} %", word, min_effect * 100);
    case verdict::inconclusive:
      return fmt::format("{}: {}", word, range_in_words(c));
    case verdict::invalid: {
      const auto failed = first_failure(c);
      return failed.empty() ? std::string(word) : fmt::format("{}: {}", word, check_in_words(failed));
    }
    case verdict::better:
      return is_claimed(c) ? fmt::format("{}: claimed by the variants", word) : std::string(word);
    case verdict::unverified:
      return std::string(word);
    default:
      break;
  }
  return std::isfinite(c.ratio) ? fmt::format("{}: {}", word, model::in_words(c)) : std::string(word);
}

std::string direction_in_words(const model::comparison& c) {
  if (!known(c.ci)) return "no interval";
  if (c.ci.width() == 0 && exact_ratio(c.ratio) == "1") return "equal";
  if (c.ci.lo <= 1 && c.ci.hi >= 1) return "no clear difference";
  return last_word(model::in_words(c));
}

tone tone_of(model::verdict v) {
  using model::verdict;
  switch (v) {
    case verdict::better:
      return tone::good;
    case verdict::worse:
    case verdict::invalid:
    case verdict::unverified:
      return tone::bad;
    case verdict::inconclusive:
      return tone::doubtful;
    default:
      return tone::plain;
  }
}

std::string noise_in_words(interval aa) {
  return known(aa) ? "±" + percent_in_words(std::max(std::fabs(aa.lo - 1), std::fabs(aa.hi - 1))) : "unknown";
}

std::string assurance_in_words(int assurance) {
  constexpr std::string_view words[] = {"timed, not verified", "verified",
                                        "verified, audited, within ceilings",
                                        "verified, audited, within ceilings, isolated and forked"};
  return fmt::format("{} of 3 ({})", assurance, words[std::clamp(assurance, 0, 3)]);
}

std::string ceiling_in_words(const model::measurement& m) {
  auto limit = m.bound == model::bound::unknown ? "" : std::string(name(m.bound));
  if (!m.of_ceiling || !std::isfinite(*m.of_ceiling)) return limit;
  if (*m.of_ceiling < 0.0005) return "<0.1 %" + (limit.empty() ? "" : " " + limit);
  return fmt::format("{:.{}f} %{}{}", *m.of_ceiling * 100, *m.of_ceiling < 0.0995 ? 1 : 0,
                     limit.empty() ? "" : " ", limit);
}

std::string baseline_of(const model::family& f) {
  const auto at = std::ranges::find(f.measurements, model::role::baseline, &model::measurement::role);
  if (at != f.measurements.end()) return at->variant;
  return f.comparisons.empty() ? "" : f.comparisons.front().reference;
}

model::metric primary_metric(const model::family& f) {
  if (!f.comparisons.empty()) return f.comparisons.front().metric;
  for (const auto& m : f.measurements) {
    if (!m.metrics.empty()) return m.metrics.front().metric;
  }
  return {};
}

std::string metric_title(const model::metric& m) {
  return m.clock == model::clock_kind::simulated ? m.name + " (simulated)" : m.name;
}

std::vector<std::string> phase_names(const model::family& family) {
  std::vector<std::string> names;
  std::set<std::string> spent;
  for (const auto& m : family.measurements) {
    for (const auto& p : m.phases) {
      if (std::ranges::find(names, p.name) == names.end()) names.push_back(p.name);
      if (p.share > 0) spent.insert(p.name);
    }
  }
  std::erase_if(names, [&](const auto& name) { return !spent.contains(name); });
  return names;
}

bool is_of_a_mode(const model::family& f, const model::metric& m) {
  return m.name.starts_with("time (") || (m.name == "latency" && primary_metric(f).name != m.name);
}

bool is_shown_beside(const model::family& f, const model::metric& m) {
  return m.name != "cycles" && !is_of_a_mode(f, m);
}

const model::comparison* find_comparison(const model::family& f, std::string_view reference,
                                         std::string_view candidate, std::string_view metric) {
  const model::comparison* found = nullptr;
  for (const auto& c : f.comparisons) {
    const bool fits = c.reference == reference && c.candidate == candidate && c.metric.name == metric;
    if (fits && (!found || (c.judged && !found->judged))) found = &c;
  }
  return found;
}

}  // namespace ridge::report
