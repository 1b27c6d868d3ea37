// SPDX-License-Identifier: Apache-2.0
#include "rules/findings.hpp"

#include <algorithm>
#include <array>
#include <map>
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

// What can be told of ranks can be told of all of their files alone: what the user named, else the files.
std::string all_files(const evidence& e) {
  auto files = e.inputs;
  for (const auto& t : e.traces) {
    const auto& path = t.source->source.path;
    if (e.inputs.empty() && !path.empty() && std::ranges::find(files, path) == files.end())
      files.push_back(path);
  }
  return files.empty() ? "FOLDER" : fmt::format("{}", fmt::join(files, " "));
}

// An archive holds several ranks under one path.
std::string file_of(const evidence& e, const rule& r, const candidate& c) {
  if (r.level == rule_level::ranks && e.traces.size() > 1) return all_files(e);
  const auto trace = c.rows.empty() ? 0 : c.rows.front().trace;
  if (trace >= e.traces.size()) return "FILE";
  const auto& source = e.traces[trace].source->source;
  if (source.path.empty()) return "FILE";
  const auto in_it =
      std::ranges::count_if(e.traces, [&](const auto& t) { return t.source->source.path == source.path; });
  return in_it > 1 && source.rank >= 0 ? fmt::format("{} --rank {}", source.path, source.rank) : source.path;
}

finding written(const evidence& e, const rule& r, const candidate& c, std::size_t devices) {
  auto words = c.words;
  words.emplace("file", file_of(e, r, c));
  finding f{.rule = r.id, .level = r.level, .title = c.title.value_or(r.title)};
  f.cause = c.cause ? *c.cause : r.cause;
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

// Windows of all pools without what recording cost, and their steps, for shares and means.
struct yardstick {
  yardstick(const evidence& e, nanoseconds recording_ns) : pools(static_cast<nanoseconds>(e.windows.size())) {
    for (const auto w : e.windows) windows_ns += w.length_ns();
    windows_ns -= recording_ns;
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

// Whether a candidate is about a device that the other one does not hold yet.
bool claims_elsewhere(const candidate& known, const candidate& fresh) {
  return std::ranges::any_of(fresh.claims, [&](const claim& wanted) {
    return std::ranges::find(known.claims, wanted.pool, &claim::pool) == known.claims.end();
  });
}

// From which share of the window on a rule's finding needs repair; 0: its own function decides.
double alarm_share_of(const rule& r) {
  const auto at = std::ranges::find(r.thresholds, "alarm_share", &threshold::name);
  return at == r.thresholds.end() ? 0 : at->value;
}

// Launches are all that is left to explain where the host is slow, and stand behind a cause that explains a
// part of it: mended, it makes room for capturing the rest.
double weight_of(rule_claim c) { return c == rule_claim::after ? 0.3 : 1; }

int turn(rule_claim c) {
  constexpr std::array<int, 4> turns{3, 0, 1, 2};  // nothing, cause, after, rest
  return turns.at(static_cast<std::size_t>(c));
}

// What recording cost is nobody's to save: it is taken before launches and the whole are served.
nanoseconds take_profilers_part(const evidence& e, time_budget& budget) {
  nanoseconds taken = 0;
  for (const auto& d : e.devices)
    taken += budget.leave_out({.pool = d.pool, .ranges = d.idle_time, .at_most_ns = d.outlook.profiler_ns});
  return taken;
}

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
  same->devices += claims_elsewhere(same->found, c) ? 1U : 0U;
  same->found.alarm = same->found.alarm || c.alarm;
  if (c.alarm_share) same->found.alarm_share = std::max(same->found.alarm_share.value_or(0), *c.alarm_share);
  same->found.claims.insert(same->found.claims.end(), c.claims.begin(), c.claims.end());
  if (wants > same->wanted_ns) {
    same->wanted_ns = wants;
    std::swap(same->found.words, c.words);
    std::swap(same->found.rows, c.rows);
  }
  same->found.rows.insert(same->found.rows.end(), c.rows.begin(), c.rows.end());
}

// Grants causes before what is left of the whole, alarms before notes and larger claims before smaller ones,
// independent of the order of rules.
void found_candidates::share_out(const evidence& e, double least_alarm_share, diagnosis& out) && {
  std::ranges::stable_sort(entries_, [](const entry& a, const entry& b) {
    return std::tuple(turn(a.origin->claims), !a.found.alarm, -claimed_time(a.found)) <
           std::tuple(turn(b.origin->claims), !b.found.alarm, -claimed_time(b.found));
  });
  const auto recording_ns = grant(e);
  const yardstick by(e, recording_ns);
  std::map<std::string, double> weights;
  for (const auto& one : entries_) {
    auto f = written(e, *one.origin, one.found, one.devices);
    weights[one.origin->id] = weight_of(one.origin->claims);
    by.measure(f, one.granted_ns, one.alone_ns);
    const bool claims = one.origin->claims != rule_claim::nothing;
    if (claims && by.share_of(one.alone_ns) < least_alarm_share) f.alarm = false;
    if (by.share_of(one.granted_ns) < one.found.alarm_share.value_or(alarm_share_of(*one.origin)))
      f.alarm = false;
    (f.level == rule_level::trust ? out.doubts : out.findings).push_back(std::move(f));
  }
  // What needs repair before what is worth knowing; what promises nothing by what it would promise alone.
  std::ranges::stable_sort(out.findings, [&](const finding& a, const finding& b) {
    const auto promised = [&](const finding& f) {
      return -weights.at(f.rule) * static_cast<double>(f.saves_ns);
    };
    const auto alone = [](const finding& f) { return -f.confidence * static_cast<double>(f.alone_ns); };
    return std::tuple(!a.alarm, promised(a), alone(a)) < std::tuple(!b.alarm, promised(b), alone(b));
  });
}

// Fills in what each entry gets, in their order, and returns what recording took of all windows.
nanoseconds found_candidates::grant(const evidence& e) {
  time_budget budget(e.windows);
  nanoseconds recording_ns = 0;
  bool recording_served = false;
  for (auto& one : entries_) {
    if (!recording_served && turn(one.origin->claims) > 0) {
      recording_ns = take_profilers_part(e, budget);
      recording_served = true;
    }
    if (one.origin->claims == rule_claim::nothing) continue;
    for (const auto& c : one.found.claims) {
      one.alone_ns += budget.alone(c);
      one.granted_ns += budget.take(c);
    }
  }
  return recording_served ? recording_ns : take_profilers_part(e, budget);
}

}  // namespace ridge::trace
