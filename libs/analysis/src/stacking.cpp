// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/stacking.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge::analysis {
namespace {

bool holds(const std::vector<std::string>& list, const std::string& word) {
  return std::ranges::find(list, word) != list.end();
}

// The property that one breaks and the other needs or provides; empty when there is none.
std::string broken(const technique& breaker, const technique& subject) {
  for (const auto& word : breaker.breaks) {
    if (holds(subject.needs, word) || holds(subject.provides, word)) return word;
  }
  return {};
}

const interaction* measured_pair(const stacking_case& c, const std::string& a, const std::string& b,
                                 const std::string& phase) {
  for (const auto& i : c.measured) {
    if (i.phase == phase && ((i.first == a && i.second == b) || (i.first == b && i.second == a))) return &i;
  }
  return nullptr;
}

std::vector<const gain*> gains_on(const stacking_case& c, std::span<const std::string> chosen,
                                  const std::string& phase) {
  std::vector<const gain*> all;
  for (const auto& g : c.gains) {
    if (g.phase == phase && std::ranges::find(chosen, g.technique) != chosen.end()) all.push_back(&g);
  }
  return all;
}

// The speedup of a phase: lower and upper bound.
struct phase_ratio {
  double sure = 1, most = 1;
};

phase_ratio ratio_of(const stacking_case& c, const std::string& phase, std::span<const gain* const> gains,
                     combination& answer) {
  phase_ratio r;
  for (const auto* g : gains) {
    r.sure = std::max(r.sure, g->ratio);
    r.most *= std::max(g->ratio, 1.0);
    // A single technique that slows the phase down: no other one compensates for it.
    if (gains.size() == 1) r.sure = r.most = g->ratio;
  }
  for (std::size_t i = 0; i < gains.size(); ++i) {
    for (std::size_t j = i + 1; j < gains.size(); ++j) {
      const auto* pair = measured_pair(c, gains[i]->technique, gains[j]->technique, phase);
      if (pair == nullptr) {
        answer.unmeasured.push_back(
            fmt::format("{} + {} on {}", gains[i]->technique, gains[j]->technique, phase));
      } else if (gains.size() == 2) {
        r.sure = r.most = pair->ratio;
      } else {
        r.sure = std::max(r.sure, pair->ratio);
      }
    }
  }
  return r;
}

bool met(const technique& t, std::span<const technique* const> others, const stacking_case& given) {
  return std::ranges::all_of(t.needs, [&](const std::string& need) {
    return holds(given.holds, need) ||
           std::ranges::any_of(others, [&](const technique* other) { return holds(other->provides, need); });
  });
}

class search final {
 public:
  search(const stacking_case& given, std::span<const technique> known, std::optional<double> memory)
      : given_(given), memory_(memory) {
    for (const auto& t : known) {
      if (std::ranges::any_of(given.gains, [&](const gain& g) { return g.technique == t.id; }) ||
          provides_needed(t, known))
        items_.push_back(&t);
    }
    expects(items_.size() <= 64, "best_stack: at most 64 techniques with gains");
    for (std::size_t i = 0; i < items_.size(); ++i) {
      conflicts_.push_back(0);
      for (std::size_t j = 0; j < items_.size(); ++j) {
        if (i != j && (!broken(*items_[i], *items_[j]).empty() || !broken(*items_[j], *items_[i]).empty()))
          conflicts_[i] |= std::uint64_t{1} << j;
      }
    }
  }

  combination run() {
    best_ = combine({}, given_);
    descend(0, 0);
    return best_;
  }

 private:
  [[nodiscard]] bool provides_needed(const technique& t, std::span<const technique> known) const {
    return std::ranges::any_of(t.provides, [&](const std::string& word) {
      return std::ranges::any_of(known, [&](const technique& other) {
        return holds(other.needs, word) &&
               std::ranges::any_of(given_.gains, [&](const gain& g) { return g.technique == other.id; });
      });
    });
  }

  void descend(std::size_t index, std::uint64_t banned) {
    if (bound(index, banned) <= best_.speedup) return;
    if (index == items_.size()) return consider();
    if ((banned >> index & 1) == 0) {
      chosen_.push_back(items_[index]);
      descend(index + 1, banned | conflicts_[index]);
      chosen_.pop_back();
    }
    descend(index + 1, banned);
  }

  // An upper bound: every phase with the best speedup of the chosen and the remaining techniques.
  [[nodiscard]] double bound(std::size_t index, std::uint64_t banned) const {
    std::vector<std::string> open = names();
    for (std::size_t i = index; i < items_.size(); ++i) {
      if ((banned >> i & 1) == 0) open.push_back(items_[i]->id);
    }
    double time = 1;
    for (const auto& [phase, share] : given_.shares) {
      double ratio = 1;
      for (const auto* g : gains_on(given_, open, phase)) ratio = std::max(ratio, g->ratio);
      for (const auto& i : given_.measured) {
        if (i.phase == phase) ratio = std::max(ratio, i.ratio);
      }
      time -= share * (1 - 1 / ratio);
    }
    return time > 0 ? 1 / time : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto* t : chosen_) all.push_back(t->id);
    return all;
  }

  void consider() {
    if (!std::ranges::all_of(chosen_, [&](const technique* t) { return met(*t, chosen_, given_); })) return;
    auto c = combine(names(), given_);
    if (memory_ && c.memory_bytes > *memory_) return;
    if (c.speedup > best_.speedup * (1 + 1e-12)) best_ = std::move(c);
  }

  const stacking_case& given_;
  std::optional<double> memory_;
  std::vector<const technique*> items_{}, chosen_{};
  std::vector<std::uint64_t> conflicts_{};
  combination best_{};
};

// Removes techniques that do not contribute to the speedup.
combination without_idle(combination c, const stacking_case& given, std::span<const technique> known) {
  const auto needed = [&](const std::string& id) {
    std::vector<std::string> rest;
    std::vector<const technique*> with;
    for (const auto& other : c.techniques) {
      if (other == id) continue;
      rest.push_back(other);
      with.push_back(&*std::ranges::find(known, other, &technique::id));
    }
    const bool sound = std::ranges::all_of(with, [&](const technique* t) { return met(*t, with, given); });
    return !sound || combine(rest, given).speedup < c.speedup * (1 - 1e-12);
  };
  for (std::size_t i = c.techniques.size(); i-- > 0;) {
    if (needed(c.techniques[i])) continue;
    auto rest = c.techniques;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    c = combine(rest, given);
  }
  return c;
}

}  // namespace

std::string_view name_of(pair_basis b) {
  switch (b) {
    case pair_basis::measured:
      return "measured";
    case pair_basis::derived:
      return "derived";
    case pair_basis::unknown:
      return "unknown";
    case pair_basis::conflict:
      return "conflict";
  }
  return "";
}

pair_verdict judge_pair(const technique& a, const technique& b, const stacking_case& given) {
  pair_verdict v{.first = a.id, .second = b.id};
  for (const auto& [by, of] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const auto word = broken(*by, *of);
    if (word.empty()) continue;
    v.basis = pair_basis::conflict;
    v.why = fmt::format("{} breaks {} of {}: {}", by->id, word, of->id, by->why);
    return v;
  }
  for (const auto& i : given.measured) {
    if ((i.first == a.id && i.second == b.id) || (i.first == b.id && i.second == a.id)) {
      v.basis = pair_basis::measured;
      v.why = fmt::format("{:.3g} times on {}", i.ratio, i.phase);
      return v;
    }
  }
  const bool apart =
      std::ranges::none_of(a.phases, [&](const std::string& phase) { return holds(b.phases, phase); });
  v.basis = apart && !a.phases.empty() && !b.phases.empty() ? pair_basis::derived : pair_basis::unknown;
  v.why = v.basis == pair_basis::derived ? "they act on different phases: shares of time add"
                                         : "both act on one phase: measure them together";
  return v;
}

combination combine(std::span<const std::string> chosen, const stacking_case& given) {
  combination c{.techniques = {chosen.begin(), chosen.end()}};
  double sure = 1, most = 1;
  for (const auto& [phase, share] : given.shares) {
    const auto r = ratio_of(given, phase, gains_on(given, chosen, phase), c);
    sure -= share * (1 - 1 / r.sure);
    most -= share * (1 - 1 / r.most);
  }
  for (const auto& g : given.gains) {
    if (std::ranges::find(chosen, g.technique) != chosen.end()) c.memory_bytes += g.memory_bytes;
  }
  c.speedup = 1 / sure;
  c.speedup_at_most = 1 / most;
  return c;
}

combination best_stack(const stacking_case& given, std::span<const technique> known,
                       std::optional<double> memory_limit) {
  return without_idle(search(given, known, memory_limit).run(), given, known);
}

}  // namespace ridge::analysis
