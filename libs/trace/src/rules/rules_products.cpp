// SPDX-License-Identifier: Apache-2.0
#include "rules/rules_products.hpp"

#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "rules/operators_that.hpp"

namespace ridge::trace {
namespace {

using shape_key = std::array<std::int64_t, 4>;

bool is_plain_product(const op_cost& c) {
  if (!c.model || !c.model->gemm || c.model->family != op_family::gemm) return false;
  return c.model->gemm->batch == 1 && c.model->gemm->groups == 0;
}

// Products of one weight shape whose number of rows differs from call to call: one expert after the other,
// each with the tokens that it was given.
class routed_products {
 public:
  routed_products(const device_evidence& d, const rule& r) {
    constexpr std::int64_t most_rows = 1024;
    std::map<shape_key, std::vector<const op_cost*>> alike;
    for (const auto& c : d.costs.ops) {
      if (!is_plain_product(c)) continue;
      const auto& s = *c.model->gemm;
      const auto type = static_cast<std::int64_t>(c.model->type);
      if (s.m <= most_rows) alike[{0, s.n, s.k, type}].push_back(&c);
      if (s.n <= most_rows) alike[{1, s.m, s.k, type}].push_back(&c);
      if (s.k <= most_rows) alike[{2, s.m, s.n, type}].push_back(&c);
    }
    const auto steps = static_cast<double>(std::max<std::size_t>(1, d.steps));
    for (const auto& [key, rows] : alike) {
      std::uint64_t calls = 0;
      for (const auto* c : rows) calls += c->calls;
      const bool many = static_cast<double>(calls) >= r.limit("calls") * steps;
      if (static_cast<double>(rows.size()) >= r.limit("sizes") && many)
        rows_.insert(rows.begin(), rows.end());
    }
  }
  [[nodiscard]] bool holds(const op_cost& c) const { return rows_.contains(&c); }

 private:
  std::set<const op_cost*> rows_{};
};

// Products of the same shape right after each other, that one operand in common could make one product: how
// many of a row's calls stand in a run.
class runs_of_products {
 public:
  runs_of_products(const evidence& e, const device_evidence& d, const rule& r)
      : rows_(e.trace_of(d), d.costs.ops), least_(static_cast<std::size_t>(r.limit("run"))) {
    const auto& t = e.trace_of(d);
    const auto& tree = e.of(d).ops;
    std::uint32_t last_node = none;
    const auto works = t.works_of(d.device);
    const auto first = works.empty() ? work_id{0} : static_cast<work_id>(works.data() - t.works.data());
    for (work_id w = first; w < first + works.size(); ++w) {
      if (t.works[w].start_ns < d.window.start_ns || t.works[w].start_ns >= d.window.end_ns) continue;
      const auto node = product_above(tree, tree.node_of_work[w]);
      if (node == none || node == last_node) continue;
      last_node = node;
      visit(*rows_.of(tree.nodes[node].event));
    }
    for (auto& [row, run] : open_) close(run);
  }

  // The mean length of the row's runs that are long enough; 0 where it has none.
  [[nodiscard]] double mean_run(const op_cost& c) const {
    const auto at = open_.find(&c);
    if (at == open_.end() || at->second.long_runs == 0) return 0;
    return static_cast<double>(at->second.in_long_runs) / static_cast<double>(at->second.long_runs);
  }

 private:
  struct run {
    std::size_t length = 0, last_at = 0, long_runs = 0, in_long_runs = 0;
  };

  [[nodiscard]] std::uint32_t product_above(const op_tree& tree, std::uint32_t node) const {
    for (; node != none; node = tree.nodes[node].parent) {
      const auto* row = rows_.of(tree.nodes[node].event);
      if (row != nullptr && is_plain_product(*row)) return node;
    }
    return none;
  }

  void close(run& one) const {
    if (one.length >= least_) {
      ++one.long_runs;
      one.in_long_runs += one.length;
    }
    one.length = 0;
  }

  // A backward pass alternates between two products, so that up to two others may lie in between.
  void visit(const op_cost& row) {
    constexpr std::size_t most_between = 2;
    auto& one = open_[&row];
    ++position_;
    if (one.length > 0 && position_ - one.last_at > most_between + 1) close(one);
    ++one.length;
    one.last_at = position_;
  }

  rows_by_event rows_;
  std::size_t least_;
  std::map<const op_cost*, run> open_{};
  std::size_t position_ = 0;
};

// Whether one dimension of the result is so small beside the other that tiles and bytes are wasted. A result
// as wide as its input may be the next product's input, which cannot wait.
bool is_narrow(const gemm_shape& s) {
  constexpr std::int64_t narrow = 256, times = 4;
  const auto least = std::min(s.m, s.n), most = std::max(s.m, s.n);
  return least <= narrow && most >= times * least && s.n != s.k;
}

// Returns what one of `run` products takes when all are one, of what it takes alone.
double left_as_one(const device_evidence& d, const op_cost& c, double run) {
  auto one = *c.model;
  const auto& s = *one.gemm;
  const auto shared = static_cast<double>(std::max(s.m, s.n) * s.k) * bytes_of(one.type);
  one.flops *= run;
  one.bytes = one.bytes * run - shared * (run - 1);
  const auto expected = static_cast<double>(expected_ns(one, d.peaks)) / run;
  return expected / static_cast<double>(std::max<nanoseconds>(1, c.median_call_ns));
}

}  // namespace

outcome k23_narrow_products(const evidence& e, const rule& r) {
  std::map<const device_evidence*, runs_of_products> runs;
  for (const auto& d : e.devices) runs.emplace(&d, runs_of_products(e, d, r));
  return operators_that(
      e, r,
      [&](const device_evidence& d, const op_cost& c) -> std::optional<double> {
        if (!is_plain_product(c) || !is_narrow(*c.model->gemm)) return std::nullopt;
        const auto run = runs.at(&d).mean_run(c);
        if (run == 0) return std::nullopt;
        const auto left = d.peaks.bytes_per_s > 0 ? left_as_one(d, c, run) : r.limit("left");
        return left <= r.limit("most_left") ? std::optional(left) : std::nullopt;
      },
      [&](const device_evidence& d, const op_cost& longest, candidate& c) {
        c.words["run"] = fmt::format("{:.0f}", runs.at(&d).mean_run(longest));
      },
      true);
}

outcome k26_routed(const evidence& e, const rule& r) {
  std::map<const device_evidence*, routed_products> routed;
  for (const auto& d : e.devices) routed.emplace(&d, routed_products(d, r));
  return operators_that(
      e, r,
      [&](const device_evidence& d, const op_cost& c) -> std::optional<double> {
        if (!routed.at(&d).holds(c)) return std::nullopt;
        const auto expected = expected_ns(*c.model, d.peaks);
        if (expected == 0) return r.limit("left");
        return static_cast<double>(expected) /
               static_cast<double>(std::max<nanoseconds>(1, c.median_call_ns)) / 2;
      },
      [](const device_evidence&, const op_cost&, candidate&) {}, true);
}

}  // namespace ridge::trace
