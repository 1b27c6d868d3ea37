// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_costs.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "kernels/kernel_names.hpp"
#include "operators/op_signatures.hpp"

namespace ridge::trace {
namespace {

// The sums over calls of one kind.
struct tally {
  std::map<std::uint32_t, nanoseconds> call_ns{};  // by node
  std::map<name_id, nanoseconds> kernel_ns{};
  std::map<name_id, std::int64_t> blocks{};
  nanoseconds link_ns = 0;  // copies over a link, which do not use the device's memory bandwidth
  std::int32_t device = 0;
};

class cost_table {
 public:
  cost_table(const trace& t, const op_tree& tree, const device_peaks& peaks, const op_cost_query& query)
      : t_(t), tree_(tree), peaks_(peaks), query_(query), signatures_(t, tree) {}

  op_costs made() && {
    out_.op_of_work.assign(t_.works.size(), none);
    out_.call_of_work.assign(t_.works.size(), none);
    for (work_id w = 0; w < t_.works.size(); ++w) {
      if (wanted(t_.works[w])) add(w);
    }
    for (std::size_t i = 0; i < out_.ops.size(); ++i) finish(out_.ops[i], tallies_[i]);
    for (auto& op : out_.ops) compare(op);
    add_totals();
    sort();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool wanted(const device_work& w) const {
    if (query_.device >= 0 && w.device != query_.device) return false;
    return !query_.window || (w.start_ns >= query_.window->start_ns && w.start_ns < query_.window->end_ns);
  }

  void add(work_id w) {
    const auto& work = t_.works[w];
    out_.device_ns += work.duration_ns();
    devices_.insert(work.device);
    first_ns_ = std::min(first_ns_, work.start_ns);
    last_ns_ = std::max(last_ns_, work.end_ns);
    if (tree_.node_of_work[w] == none) return;
    const auto owner = signatures_.owner_of(tree_.node_of_work[w]);
    const auto row = row_of(owner);
    auto& op = out_.ops[row];
    out_.op_of_work[w] = static_cast<std::uint32_t>(row);
    out_.call_of_work[w] = owner;
    ++op.works;
    op.device_ns += work.duration_ns();
    if (op.model && op.model->matrix && only_rearranges(t_.names[work.name]))
      op.rearranging_ns += work.duration_ns();
    tallies_[row].call_ns[owner] += work.duration_ns();
    tallies_[row].kernel_ns[work.name] += work.duration_ns();
    tallies_[row].device = work.device;
    auto& blocks = tallies_[row].blocks[work.name];
    blocks = std::max(blocks, blocks_of(w));
    if (work.kind == category::copy && work.copy != copy_kind::device_to_device)
      tallies_[row].link_ns += work.duration_ns();
  }

  // HIP's extended launch counts threads where all others count blocks.
  [[nodiscard]] std::int64_t blocks_of(work_id w) const {
    const auto& work = t_.works[w];
    const auto grid = std::int64_t{work.grid[0]} * work.grid[1] * work.grid[2];
    const auto threads = std::int64_t{work.block[0]} * work.block[1] * work.block[2];
    const auto launch = tree_.launch_of_work[w];
    const auto counts_threads =
        launch != none && t_.name_of(launch).find("ExtModuleLaunch") != std::string_view::npos;
    return counts_threads && threads > 0 ? grid / threads : grid;
  }

  std::size_t row_of(std::uint32_t node) {
    const auto kind = signatures_.of_node(node);
    const auto [at, fresh] = rows_.try_emplace(kind, out_.ops.size());
    if (fresh) {
      const auto& s = signatures_[kind];
      out_.ops.push_back({.name = s.name,
                          .input_dims = s.input_dims,
                          .input_types = s.input_types,
                          .concrete_inputs = s.concrete_inputs,
                          .first_op = tree_.nodes[node].event,
                          .model = s.model});
      tallies_.emplace_back();
    }
    return at->second;
  }

  [[nodiscard]] int sms_of(std::int32_t device) const {
    if (peaks_.sms > 0) return peaks_.sms;
    const auto* const facts = t_.facts_of(device);
    return facts == nullptr ? 0 : facts->sms;
  }

  void finish(op_cost& op, const tally& sums) const {
    std::vector<nanoseconds> calls;
    for (const auto& [node, ns] : sums.call_ns) calls.push_back(ns);
    std::ranges::sort(calls);
    op.calls = calls.size();
    op.fastest_call_ns = calls.front();
    op.median_call_ns = calls[(calls.size() - 1) / 2];
    op.main_kernel =
        std::ranges::max_element(sums.kernel_ns, {}, [](const auto& k) { return k.second; })->first;
    op.blocks = sums.blocks.at(op.main_kernel);
    if (op.model) judge(op, sums);
  }

  void judge(op_cost& op, const tally& sums) const {
    const auto kernel = t_.names[op.main_kernel];
    if (op.model->type == number_type::fp32 && multiplies_tf32(kernel)) op.model->type = number_type::tf32;
    auto all = *op.model;
    all.flops *= static_cast<double>(op.calls);
    all.bytes *= static_cast<double>(op.calls);
    if (2 * sums.link_ns < op.device_ns) op.place = place(all, op.device_ns, peaks_);
    if (all.gemm) {
      op.tiles =
          tiles_of(*all.gemm, all.attention ? std::nullopt : tile_launched(op, kernel), sms_of(sums.device));
      op.align = alignment_of(*all.gemm, all.type);
      op.matrix_units_named = uses_matrix_units(kernel);
      op.matrix_eligible = all.type == number_type::fp32 && op.align->aligned;
    }
    op.small = is_small(op);
  }

  // Newer Tensile kernels take their split of k as an argument ("UserArgs"); only the grid shows it.
  static std::optional<tile_size> tile_launched(const op_cost& op, std::string_view kernel) {
    auto tile = tile_of(kernel);
    if (!tile || kernel.find("_UserArgs_") == std::string_view::npos) return tile;
    const auto whole = tiles_of(*op.model->gemm, tile, 0);
    if (whole && op.blocks > whole->tiles && op.blocks % whole->tiles == 0)
      tile->splits *= op.blocks / whole->tiles;
    return tile;
  }

  [[nodiscard]] bool is_small(const op_cost& op) const {
    const auto roof_s = op.place ? op.place->roof_s / static_cast<double>(op.calls) : 0;
    if (roof_s > 0 && roof_s < peaks_.launch_s) return true;
    constexpr std::int64_t few_keys = 256;
    const auto& attention = op.model->attention;
    return attention && ((op.tiles && op.tiles->few()) || attention->keys <= few_keys);
  }

  // Fills in the share of the roof that an aligned product of about the same size reaches.
  void compare(op_cost& op) const {
    if (!op.align || op.align->aligned || !op.model->gemm) return;
    for (const auto& other : out_.ops) {
      if (!other.place || !other.align || !other.align->aligned || !alike(op, other)) continue;
      op.aligned_neighbour_share = std::max(op.aligned_neighbour_share.value_or(0), other.place->share);
    }
  }

  static bool alike(const op_cost& a, const op_cost& b) {
    const auto near = [](std::int64_t x, std::int64_t y) { return x <= 2 * y && y <= 2 * x; };
    const auto& p = *a.model->gemm;
    const auto& q = *b.model->gemm;
    return a.model->family == b.model->family && a.model->type == b.model->type && near(p.m, q.m) &&
           near(p.n, q.n) && near(p.k, q.k) && near(p.batch, q.batch);
  }

  // Puts the longest first; work follows its row.
  void sort() {
    std::vector<std::uint32_t> order(out_.ops.size()), place(order.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater{}, [&](auto i) { return out_.ops[i].device_ns; });
    std::vector<op_cost> sorted;
    for (const auto i : order) {
      place[i] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(out_.ops[i]);
    }
    out_.ops = std::move(sorted);
    for (auto& row : out_.op_of_work)
      if (row != none) row = place[row];
  }

  void add_totals() {
    double compute_s = 0;
    for (const auto& op : out_.ops) {
      if (!op.model) continue;
      const auto calls = static_cast<double>(op.calls);
      out_.modelled_ns += op.device_ns;
      out_.flops += op.model->flops * calls;
      out_.bytes += op.model->bytes * calls;
      const auto peak = peaks_.flop_per_s(op.model->type, op.model->matrix);
      if (peak > 0) compute_s += op.model->flops * calls / peak;
    }
    const auto window = query_.window.value_or(time_range{first_ns_, last_ns_}).length_ns();
    if (compute_s > 0 && window > 0)
      out_.mfu = compute_s / (static_cast<double>(window) * 1e-9 * static_cast<double>(devices_.size()));
  }

  const trace& t_;
  const op_tree& tree_;
  const device_peaks& peaks_;
  const op_cost_query& query_;
  op_signatures signatures_;
  op_costs out_{};
  std::vector<tally> tallies_{};
  std::map<std::uint32_t, std::size_t> rows_{};  // by signature
  std::set<std::int32_t> devices_{};
  nanoseconds first_ns_ = std::numeric_limits<nanoseconds>::max();
  nanoseconds last_ns_ = std::numeric_limits<nanoseconds>::min();
};

}  // namespace

double op_cost::above_roof_s() const {
  return place ? std::max(static_cast<double>(device_ns) * 1e-9 - place->roof_s, 0.0) : 0;
}

op_costs op_costs_of(const trace& t, const op_tree& tree, const device_peaks& peaks,
                     const op_cost_query& query) {
  return cost_table(t, tree, peaks, query).made();
}

}  // namespace ridge::trace
