// SPDX-License-Identifier: Apache-2.0
#include "rules/findings.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge::trace {
namespace {

nanoseconds claimed_time(const candidate& c) {
  return std::accumulate(c.claims.begin(), c.claims.end(), nanoseconds{0},
                         [](nanoseconds sum, const claim& claimed) { return sum + claimed.at_most_ns; });
}

double weight(confidence_grade g) {
  constexpr std::array<double, 3> weights{1, 0.8, 0.5};
  return weights.at(static_cast<std::size_t>(g));
}

// Returns the trust in the traces of a candidate, which is that of the least trusted one.
double belief_in(const evidence& e, const candidate& c) {
  double factor = 1;
  for (const auto& row : c.rows)
    if (row.trace < e.traces.size()) factor = std::min(factor, e.traces[row.trace].quality.factor);
  return factor;
}

std::string file_of(const evidence& e, const candidate& c) {
  const auto trace = c.rows.empty() ? 0 : c.rows.front().trace;
  if (trace >= e.traces.size()) return "FILE";
  const auto& path = e.traces[trace].source->source.path;
  return path.empty() ? "FILE" : path;
}

finding written(const evidence& e, const rule& r, const candidate& c, std::size_t devices) {
  auto words = c.words;
  words.emplace("file", file_of(e, c));
  finding f{.rule = r.id, .level = r.level, .title = r.title};
  f.text = filled(r.text, words);
  if (devices > 1) f.text += fmt::format(" So on {} devices.", devices);
  f.advice = filled(r.advice, words);
  f.next = filled(r.next, words);
  f.experiments = r.experiments;
  f.source = r.source;
  f.subject = c.subject;
  f.alarm = c.alarm;
  f.grade = c.grade;
  f.confidence = weight(c.grade) * belief_in(e, c);
  f.evidence = c.rows;
  f.thresholds = r.thresholds;
  return f;
}

// Windows of all pools, and of their steps, for shares and means.
struct yardstick {
  explicit yardstick(const evidence& e) : pools(static_cast<nanoseconds>(e.windows.size())) {
    for (const auto w : e.windows) windows_ns += w.length_ns();
    for (const auto& d : e.devices) steps = std::max(steps, d.steps);
  }
  nanoseconds pools = 0, windows_ns = 0;
  std::size_t steps = 0;

  void measure(finding& f, nanoseconds granted, nanoseconds alone) const {
    if (pools == 0) return;
    f.saves_ns = granted / pools;
    f.alone_ns = alone / pools;
    if (steps > 0) f.saves_per_step_ns = f.saves_ns / static_cast<nanoseconds>(steps);
    f.share = share_of(granted);
  }
  [[nodiscard]] double share_of(nanoseconds sum) const {
    return windows_ns > 0 ? static_cast<double>(sum) / static_cast<double>(windows_ns) : 0;
  }
};

int turn(rule_claim c) { return c == rule_claim::cause ? 0 : c == rule_claim::rest ? 1 : 2; }

}  // namespace

std::string filled(std::string_view text, const std::map<std::string, std::string>& words) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = text.find('}', open);
    expects(close != std::string_view::npos, "a text of a rule has { without }");
    const auto word = words.find(std::string(text.substr(open + 1, close - open - 1)));
    expects(word != words.end(),
            fmt::format("nothing fills {} in \"{}\"", text.substr(open, close - open + 1), text));
    out += word->second;
    text.remove_prefix(close + 1);
  }
  return out;
}

void found_candidates::add(const rule& source, candidate c) {
  const auto wants = claimed_time(c);
  const auto same = std::ranges::find_if(entries_, [&](const entry& known) {
    return known.origin == &source && known.found.subject == c.subject;
  });
  if (same == entries_.end()) {
    entries_.push_back({&source, std::move(c), wants, 1});
    return;
  }
  ++same->devices;
  same->found.alarm = same->found.alarm || c.alarm;
  same->found.claims.insert(same->found.claims.end(), c.claims.begin(), c.claims.end());
  if (wants > same->wanted_ns) {
    same->wanted_ns = wants;
    std::swap(same->found.words, c.words);
    std::swap(same->found.rows, c.rows);
  }
  same->found.rows.insert(same->found.rows.end(), c.rows.begin(), c.rows.end());
}

// Grants causes before what is left of the whole, and larger claims before smaller ones, independent of the
// order of rules.
void found_candidates::share_out(const evidence& e, double least_alarm_share, diagnosis& out) && {
  time_budget budget(e.windows);
  const yardstick by(e);
  std::ranges::stable_sort(entries_, [](const entry& a, const entry& b) {
    return std::pair(turn(a.origin->claims), -claimed_time(a.found)) <
           std::pair(turn(b.origin->claims), -claimed_time(b.found));
  });
  for (const auto& one : entries_) {
    auto f = written(e, *one.origin, one.found, one.devices);
    nanoseconds granted = 0, alone = 0;
    for (const auto& c : one.found.claims) {
      if (one.origin->claims == rule_claim::nothing) break;
      alone += budget.alone(c);
      granted += budget.take(c);
    }
    by.measure(f, granted, alone);
    if (one.origin->claims != rule_claim::nothing && by.share_of(alone) < least_alarm_share) f.alarm = false;
    (f.level == rule_level::trust ? out.doubts : out.findings).push_back(std::move(f));
  }
  std::ranges::stable_sort(out.findings, [](const finding& a, const finding& b) {
    return std::tuple(-a.saves_ns, -a.confidence, -a.alone_ns) <
           std::tuple(-b.saves_ns, -b.confidence, -b.alone_ns);
  });
}

}  // namespace ridge::trace
