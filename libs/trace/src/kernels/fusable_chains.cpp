// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/fusable_chains.hpp>

#include <algorithm>
#include <map>
#include <ranges>

#include "operators/op_signatures.hpp"

namespace ridge::trace {
namespace {

// The work of one operator in a stream, without other work in between.
struct step {
  std::uint32_t node = none;
  std::uint32_t signature = none;
  work_id first = none, last = none;  // positions in the stream
};

using stream = std::vector<work_id>;

std::map<std::pair<std::int32_t, std::int32_t>, stream> streams_of(const trace& t) {
  std::map<std::pair<std::int32_t, std::int32_t>, stream> all;
  for (work_id w = 0; w < t.works.size(); ++w) all[{t.works[w].device, t.works[w].stream}].push_back(w);
  return all;
}

bool is_fusable(op_family f) {
  return f == op_family::elementwise || f == op_family::normalisation || f == op_family::softmax ||
         f == op_family::reduction || f == op_family::copy;
}

class chain_finder {
 public:
  chain_finder(const trace& t, const op_tree& tree) : t_(t), tree_(tree), signatures_(t, tree) {}

  std::vector<fusable_chain> found() && {
    for (const auto& [key, works] : streams_of(t_)) {
      works_ = &works;
      steps_ = steps_in(works);
      for (std::size_t at = 0; at < steps_.size();) at = std::max(take(at), at + 1);
    }
    std::ranges::stable_sort(chains_, std::greater{}, &fusable_chain::device_ns);
    return std::move(chains_);
  }

 private:
  std::vector<step> steps_in(const stream& works) {
    std::vector<step> steps;
    for (std::uint32_t i = 0; i < works.size(); ++i) {
      const auto inner = tree_.node_of_work[works[i]];
      const auto node = inner == none ? none : signatures_.owner_of(inner);
      if (node != none && !steps.empty() && steps.back().node == node)
        steps.back().last = i;
      else
        steps.push_back({node, node == none ? none : signatures_.of_node(node), i, i});
    }
    return steps;
  }

  [[nodiscard]] const op_signature* signature(std::size_t index) const {
    return index < steps_.size() && steps_[index].node != none ? &signatures_[steps_[index].signature]
                                                               : nullptr;
  }
  [[nodiscard]] const op_model* model(std::size_t index) const {
    const auto* const s = signature(index);
    return s != nullptr && s->model ? &*s->model : nullptr;
  }
  [[nodiscard]] bool fusable(std::size_t index) const {
    return model(index) != nullptr && is_fusable(model(index)->family);
  }
  [[nodiscard]] bool batched_product(std::size_t index) const {
    const auto* const m = model(index);
    return m != nullptr && m->family == op_family::gemm && m->gemm->batch > 1;
  }
  [[nodiscard]] bool around_experts(std::size_t index) const {
    return signature(index) != nullptr &&
           t_.names[signature(index)->name].find("moe") != std::string_view::npos;
  }

  // Returns whether `index` reads an input as large as the output of `producer`.
  [[nodiscard]] bool reads(std::size_t index, std::size_t producer) const {
    if (model(index) == nullptr || model(producer) == nullptr) return false;
    const auto& inputs = signature(index)->input_bytes;
    return std::ranges::find(inputs, model(producer)->written) != inputs.end();
  }
  [[nodiscard]] bool follows(std::size_t index) const { return reads(index, index - 1); }

  // Returns the product that reads the output before `end`; copies of its other operand may lie in between.
  // 0: there is none.
  [[nodiscard]] std::size_t second_product(std::size_t end) const {
    constexpr std::size_t most_copies = 3;
    auto at = end;
    while (at < end + most_copies && fusable(at)) ++at;
    return batched_product(at) && reads(at, end - 1) ? at : 0;
  }

  // Takes the chain that starts at `index` and returns where it ends.
  std::size_t take(std::size_t index) {
    if (around_experts(index)) return take_experts(index);
    const auto product = batched_product(index);
    if (!product && !fusable(index)) return index;
    auto end = index + 1;
    while (end < steps_.size() && fusable(end) && follows(end)) ++end;
    const auto softmax = std::ranges::any_of(
        std::views::iota(index, end), [&](std::size_t i) { return model(i)->family == op_family::softmax; });
    if (const auto second = product && softmax ? second_product(end) : 0)
      return add(index, second + 1, true, false);
    return product || end - index < 2 ? index : add(index, end, false, false);
  }

  std::size_t take_experts(std::size_t index) {
    auto end = index;
    auto products = 0;
    for (; around_experts(end); ++end) products += model(end) != nullptr ? 1 : 0;
    return products > 0 && end - index > 1 ? add(index, end, false, true) : end;
  }

  std::size_t add(std::size_t index, std::size_t end, bool attention, bool moe) {
    std::vector<std::uint32_t> key{attention, moe};
    for (auto i = index; i < end; ++i) key.push_back(steps_[i].signature);
    const auto [row, fresh] = index_.try_emplace(key, chains_.size());
    if (fresh) chains_.push_back(described(index, end, attention, moe));
    auto& chain = chains_[row->second];
    ++chain.count;
    for (auto i = steps_[index].first; i <= steps_[end - 1].last; ++i) {
      chain.device_ns += t_.works[(*works_)[i]].duration_ns();
      chain.works.push_back((*works_)[i]);
    }
    return end;
  }

  [[nodiscard]] fusable_chain described(std::size_t index, std::size_t end, bool attention, bool moe) const {
    fusable_chain chain{.first = (*works_)[steps_[index].first], .attention = attention, .moe = moe};
    double flops = 0;
    for (auto i = index; i < end; ++i) {
      chain.ops.push_back(signature(i)->name);
      for (auto w = steps_[i].first; w <= steps_[i].last; ++w)
        chain.kernels.push_back(t_.works[(*works_)[w]].name);
      const auto* const m = model(i);
      if (m == nullptr) continue;
      chain.bytes += m->bytes;
      flops += m->flops;
      chain.bytes_fused += m->bytes;
      // What the next operator reads is neither written nor read again when fused.
      const auto used = i + 1 < end && (follows(i + 1) || (attention && reads(end - 1, i)));
      if (used) chain.bytes_fused -= 2 * m->written;
    }
    chain.bytes_fused = std::max(chain.bytes_fused, 0.0);
    chain.intensity = chain.bytes > 0 ? flops / chain.bytes : 0;
    return chain;
  }

  const trace& t_;
  const op_tree& tree_;
  op_signatures signatures_;
  const stream* works_ = nullptr;
  std::vector<step> steps_{};
  std::vector<fusable_chain> chains_{};
  std::map<std::vector<std::uint32_t>, std::size_t> index_{};
};

}  // namespace

double fusable_chain::saved_s(double bytes_per_s) const {
  if (bytes_per_s <= 0) return 0;
  const auto seconds = static_cast<double>(count) * (bytes - bytes_fused) / bytes_per_s;
  return std::clamp(seconds, 0.0, static_cast<double>(device_ns) * 1e-9);
}

std::vector<fusable_chain> fusable_chains_of(const trace& t, const op_tree& tree) {
  return chain_finder(t, tree).found();
}

}  // namespace ridge::trace
