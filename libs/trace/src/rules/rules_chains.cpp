// SPDX-License-Identifier: Apache-2.0
#include "rules/rules_chains.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <ridge/trace/phases.hpp>

#include "operators/op_inputs.hpp"
#include "rules/op_works.hpp"
#include "rules/rules_by_name.hpp"

namespace ridge::trace {
namespace {

using chain_list = std::vector<const fusable_chain*>;

std::string chain_text(const trace& t, const fusable_chain& chain) {
  std::vector<std::string> names;
  for (const auto op : chain.ops) names.emplace_back(t.names[op]);
  if (names.size() > 6) {
    names.resize(6);
    names.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

chain_list chains_of(const evidence& e, const device_evidence& d, bool attention, std::size_t least) {
  chain_list chains;
  for (const auto& chain : e.of(d).chains) {
    const bool here = chain.first != none && e.trace_of(d).works[chain.first].device == d.device;
    if (here && chain.attention == attention && chain.kernels.size() >= least) chains.push_back(&chain);
  }
  return chains;
}

candidate about_chains(const evidence& e, const device_evidence& d, const chain_list& chains,
                       const work_change& change) {
  const auto& longest = **std::ranges::max_element(chains, {}, &fusable_chain::device_ns);
  auto c = about_works(e, d, change, "chains of kernels");
  std::uint64_t count = 0;
  for (const auto* chain : chains) count += chain->count;
  c.words["count"] = std::to_string(count);
  c.words["time"] = time_text(change.works.time_ns);
  c.words["chain"] = chain_text(e.trace_of(d), longest);
  c.rows.front().work = longest.first;
  return c;
}

// Tensors with as many elements as the scores of unfused attention, by the text of an operator's shapes.
class score_shapes {
 public:
  score_shapes(const evidence& e, const device_evidence& d, const chain_list& chains)
      : trace_(e.trace_of(d)) {
    const auto& tree = e.of(d).ops;
    for (const auto* chain : chains) {
      for (auto n = tree.node_of_work[chain->first]; n != none; n = tree.nodes[n].parent) {
        const auto model = model_of(trace_, tree.nodes[n].event);
        if (!model || !model->gemm) continue;
        scores_.insert(model->gemm->batch * model->gemm->m * model->gemm->n);
        break;
      }
    }
  }

  // Whether the operator reads or writes scores.
  [[nodiscard]] bool touched_by(event_id op) {
    const auto detail = trace_.events.detail[op];
    if (detail == none) return false;
    const auto dims = trace_.ops[detail].input_dims;
    const auto [at, fresh] = known_.try_emplace(std::pair(trace_.events.name[op], dims), false);
    if (fresh) at->second = reads_scores(op, trace_.names[dims]);
    return at->second;
  }

 private:
  [[nodiscard]] bool reads_scores(event_id op, std::string_view dims) const {
    const op_inputs in({.name = trace_.name_of(op), .input_dims = dims});
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (in.at(i).tensor() && scores_.contains(static_cast<std::int64_t>(in.at(i).elements()))) return true;
    }
    const auto model = model_of(trace_, op);
    return model && model->gemm && model->family == op_family::gemm && model->gemm->batch > 1 &&
           scores_.contains(model->gemm->batch * model->gemm->m * model->gemm->n);
  }

  const trace& trace_;
  std::set<std::int64_t> scores_{};
  std::map<std::pair<name_id, name_id>, bool> known_{};
};

// Kernels of a chain that compute; casts and copies between them have rules of their own.
std::size_t computing_ops(const trace& t, const fusable_chain& chain) {
  return static_cast<std::size_t>(
      std::ranges::count_if(chain.ops, [&](name_id op) { return t.names[op] != "aten::copy_"; }));
}

// What fusing leaves of each work of these chains; copies are left out.
std::map<work_id, double> left_when_fused(const evidence& e, const device_evidence& d,
                                          const chain_list& chains) {
  const auto& t = e.trace_of(d);
  const auto& tree = e.of(d).ops;
  std::map<work_id, double> factors;
  for (const auto* chain : chains) {
    const auto left = chain->bytes > 0 ? std::clamp(chain->bytes_fused / chain->bytes, 0.0, 1.0) : 1.0;
    for (const auto w : chain->works) {
      const auto node = tree.node_of_work[w];
      if (node == none || t.name_of(tree.nodes[node].event) != "aten::copy_") factors[w] = left;
    }
  }
  return factors;
}

// An optimizer's kernels have a rule of their own.
void without_optimizers(const evidence& e, const device_evidence& d, chain_list& chains) {
  const auto& t = e.trace_of(d);
  const auto works = t.works_of(d.device);
  if (works.empty()) return;
  const auto first = static_cast<work_id>(works.data() - t.works.data());
  const auto phases = phases_of(t, d.device, d.window);
  std::erase_if(chains,
                [&](const fusable_chain* c) { return phases.of_work[c->first - first] == phase::optimizer; });
}

std::optional<candidate> fusable(const evidence& e, const device_evidence& d, const rule& r,
                                 const chain_list& chains) {
  const auto factors = left_when_fused(e, d, chains);
  const auto works = works_where(e, d, [&](const device_work& w) {
    return factors.contains(static_cast<work_id>(&w - e.trace_of(d).works.data()));
  });
  if (works.works.empty() || d.share(works.time_ns) < r.limit("share")) return std::nullopt;
  return about_chains(
      e, d, chains,
      {.works = works, .factor = [&](work_id w) { return factors.at(w); }, .launched_no_more = true});
}

}  // namespace

// Chains that somebody wrote out are an alarm; the short ones that libraries leave are a note.
outcome k18_fusable(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    auto all = chains_of(e, d, false, static_cast<std::size_t>(r.limit("length")));
    without_optimizers(e, d, all);
    chain_list written_out;
    std::ranges::copy_if(all, std::back_inserter(written_out), [&](const fusable_chain* chain) {
      return chain->moe ||
             static_cast<double>(computing_ops(e.trace_of(d), *chain)) >= r.limit("alarm_length");
    });
    auto c = fusable(e, d, r, written_out);
    const bool alarm = c.has_value();
    if (!c) c = fusable(e, d, r, all);
    if (auto named = chains_by_name(e, d, r)) out.found.push_back(std::move(*named));
    if (!c) continue;
    c->alarm = alarm;
    out.found.push_back(std::move(*c));
  }
  return out;
}

// What touches the scores, forward and backward, becomes one kernel that is bound by the products'
// arithmetic.
outcome k20_attention(const evidence& e, const rule& r) {
  outcome out;
  constexpr double reached = 0.45;  // of the matrix units' peak by a fused attention
  for (const auto& d : e.devices) {
    const auto chains = chains_of(e, d, true, 1);
    if (chains.empty()) continue;
    score_shapes scores(e, d, chains);
    const auto works = works_under(e, d, [&](event_id op) { return scores.touched_by(op); });
    if (works.works.empty() || d.share(works.time_ns) < r.limit("share")) continue;
    double fused_s = 0;
    for (const auto& c : d.costs.ops) {
      if (!c.model || !c.model->gemm || !scores.touched_by(c.first_op)) continue;
      const auto type = c.model->type == number_type::fp32 ? number_type::tf32 : c.model->type;
      const auto rate = d.peaks.flop_per_s(type, true);
      if (rate > 0) fused_s += c.model->flops * static_cast<double>(c.calls) / (reached * rate);
    }
    constexpr double usual = 0.4;  // of the time is left where the device is not known
    const auto left = fused_s > 0 ? fused_s * 1e9 / static_cast<double>(works.time_ns) : usual;
    out.found.push_back(about_chains(
        e, d, chains, {.works = works, .factor = [=](work_id) { return left; }, .launched_no_more = true}));
  }
  return out;
}

}  // namespace ridge::trace
