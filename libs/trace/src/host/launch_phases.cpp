// SPDX-License-Identifier: Apache-2.0
#include "host/launch_phases.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <ridge/base/text.hpp>

#include "events/name_match.hpp"

namespace ridge::trace {
namespace {

event_id anchor_of(const device_work& w) { return w.launch != none ? w.launch : w.op; }

// The phases that names mean; each name is examined once.
class named_phases {
 public:
  explicit named_phases(const trace& t) : trace_(t), known_(t.names.size(), not_asked) {}
  [[nodiscard]] std::optional<phase> of(event_id e) {
    auto& known = known_[trace_.events.name[e]];
    if (known == not_asked)
      known = static_cast<std::uint8_t>(phase_of_name(trace_.name_of(e)).value_or(phase::other));
    return known == static_cast<std::uint8_t>(phase::other) ? std::nullopt
                                                            : std::optional(static_cast<phase>(known));
  }

 private:
  static constexpr std::uint8_t not_asked = 0xff;
  const trace& trace_;
  std::vector<std::uint8_t> known_;
};

// The ranges open on a track as one walks over it.
class open_ranges {
 public:
  open_ranges(const trace& t, named_phases& names) : trace_(t), names_(names) {}

  void clear() { open_.clear(); }

  void visit(event_id e) {
    const auto kind = trace_.events.kind[e];
    if (kind != category::annotation && kind != category::op) return;
    const auto told = kind == category::annotation ? told_by_annotation(e) : told_by_op(e);
    if (told.kind == phase::other) return;
    close_until(trace_.events.start_ns[e]);
    open_.push_back({trace_.events.end_ns(e), told});
  }

  [[nodiscard]] told_phase at(nanoseconds now) {
    close_until(now);
    told_phase found;
    for (auto o = open_.rbegin(); o != open_.rend(); ++o) {
      if (o->end_ns > now && stronger(o->told, found)) found = o->told;
    }
    return found;
  }

 private:
  struct open_range {
    nanoseconds end_ns = 0;
    told_phase told{};
  };

  void close_until(nanoseconds now) {
    while (!open_.empty() && open_.back().end_ns <= now) open_.pop_back();
  }

  // Named ranges before roles of operators, inference before training, backward before the forward that is
  // computed again inside it; else the innermost.
  [[nodiscard]] static bool stronger(const told_phase& outer, const told_phase& inner) {
    if (inner.kind == phase::other) return true;
    if (is_inference(outer.kind) != is_inference(inner.kind)) return is_inference(outer.kind);
    if (outer.source != inner.source) return outer.source == phase_source::annotations;
    return outer.source == phase_source::sequence && outer.kind == phase::backward;
  }

  [[nodiscard]] told_phase told_by_annotation(event_id e) {
    const auto named = names_.of(e);
    return named ? told_phase{*named, phase_source::annotations} : told_phase{};
  }

  [[nodiscard]] told_phase told_by_op(event_id e) {
    const auto named = names_.of(e);
    // Old traces hold the optimizer's ranges as operators.
    if (named == phase::optimizer && trace_.name_of(e).starts_with("Optimizer."))
      return {phase::optimizer, phase_source::annotations};
    const auto* detail = trace_.events.detail[e] == none ? nullptr : &trace_.ops[trace_.events.detail[e]];
    if (named == phase::backward || (detail != nullptr && detail->forward_thread > 0))
      return {phase::backward, phase_source::sequence};
    if (detail != nullptr && detail->sequence >= 0) return {phase::forward, phase_source::sequence};
    return {};
  }

  const trace& trace_;
  named_phases& names_;
  std::vector<open_range> open_{};
};

std::vector<event_id> anchors_of(std::span<const device_work> works) {
  std::vector<event_id> anchors;
  for (const auto& w : works) {
    if (anchor_of(w) != none) anchors.push_back(anchor_of(w));
  }
  std::ranges::sort(anchors);
  const auto rest = std::ranges::unique(anchors);
  anchors.erase(rest.begin(), rest.end());
  return anchors;
}

bool attends_in_decode(std::string_view kernel) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"decode", "paged_attention", "pagedattention", "splitkv"},
      [&](auto part) { return contains_ignoring_case(kernel, part); });
}

}  // namespace

std::vector<told_phase> launch_phases(const trace& t, std::span<const device_work> works) {
  named_phases names(t);
  open_ranges open(t, names);
  std::unordered_map<event_id, told_phase> told;
  const auto anchors = anchors_of(works);
  track_id walked = none;
  event_id next = 0;
  for (const auto a : anchors) {
    const auto on = t.events.track[a];
    if (on != walked) {
      walked = on;
      next = t.tracks[on].first;
      open.clear();
    }
    for (; next <= a; ++next) open.visit(next);
    told[a] = open.at(t.events.start_ns[a]);
  }
  std::vector<told_phase> all;
  all.reserve(works.size());
  for (const auto& w : works) all.push_back(anchor_of(w) == none ? told_phase{} : told.at(anchor_of(w)));
  return all;
}

void guess_decode(const trace& t, std::span<const device_work> works, std::vector<told_phase>& phases) {
  struct launched {
    std::uint64_t works = 0;
    bool decodes = false;
  };
  std::unordered_map<event_id, launched> launches;
  std::unordered_map<name_id, bool> known;
  for (const auto& w : works) {
    if (w.launch == none) continue;
    const auto [name, is_new] = known.try_emplace(w.name, false);
    if (is_new) name->second = attends_in_decode(t.names[w.name]);
    auto& l = launches[w.launch];
    ++l.works;
    l.decodes = l.decodes || name->second;
  }
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (works[i].launch == none || phases[i].kind != phase::other) continue;
    const auto& l = launches.at(works[i].launch);
    if (l.works > 1 && l.decodes) phases[i] = {phase::decode, phase_source::graph_launches};
  }
}

}  // namespace ridge::trace
