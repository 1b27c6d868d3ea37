// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include <ridge/trace/phases.hpp>

#include "events/name_match.hpp"
#include "operators/op_inputs.hpp"
#include "rules/op_works.hpp"

// Rules about what a program asks for: the wrong operator, one too many, or one at a time.
namespace ridge::trace {
namespace {

using name_list = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, name_list names) {
  return std::ranges::find(names, name) != names.end();
}

bool holds_one_of(std::string_view name, name_list parts) {
  return std::ranges::any_of(parts, [&](auto part) { return contains(name, part); });
}

double steps_of(const device_evidence& d) { return static_cast<double>(std::max<std::size_t>(1, d.steps)); }

// Adds a finding about a change of works where the works themselves take the rule's share of the window.
candidate* add_change(const evidence& e, const device_evidence& d, const rule& r, const work_change& change,
                      std::string_view label, outcome& out) {
  if (change.works.works.empty() || d.share(change.works.time_ns) < r.limit("share")) return nullptr;
  auto c = about_works(e, d, change, label);
  c.words["time"] = time_text(change.works.time_ns);
  c.words["count"] = std::to_string(change.works.calls);
  const auto longest = change.works.longest;
  c.words["operator"] = longest == none ? "" : std::string(e.trace_of(d).name_of(longest));
  out.found.push_back(std::move(c));
  return &out.found.back();
}

template <class Wanted>
op_works under_names(const evidence& e, const device_evidence& d, Wanted wanted) {
  const auto& t = e.trace_of(d);
  return works_under(e, d, [&](event_id op) { return wanted(t.name_of(op)); });
}

// Additions to places that many threads write at once, slower than their bytes.
outcome k24_scatter(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto works = under_names(e, d, [](std::string_view name) {
      return is_one_of(name, {"aten::index_add_", "aten::index_add", "aten::scatter_add_",
                              "aten::scatter_add", "aten::embedding_dense_backward", "aten::_index_put_impl_",
                              "aten::index_put_", "aten::scatter_reduce_", "aten::scatter_reduce",
                              "aten::bincount", "aten::_embedding_bag_dense_backward"});
    });
    (void)add_change(e, d, r, {.works = works, .factor = [&](work_id) { return r.limit("left"); }},
                     "time of additions into indexed places", out);
  }
  return out;
}

// Whether an optimizer's kernel works on many parameters at once.
bool is_multi_tensor(std::string_view kernel) {
  return holds_one_of(kernel, {"multi_tensor_apply", "multi_tensor", "FusedAdam", "fused_adam", "fused_sgd"});
}

outcome k25_optimizer(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto works = t.works_of(d.device);
    if (works.empty()) continue;
    const auto phases = phases_of(t, d.device, d.window);
    const auto single = works_where(e, d, [&](const device_work& w) {
      const auto at = static_cast<std::size_t>(&w - works.data());
      return w.kind == category::kernel && phases.of_work[at] == phase::optimizer &&
             !is_multi_tensor(t.names[w.name]);
    });
    const auto per_step = static_cast<double>(single.works.size()) / steps_of(d);
    if (per_step < r.limit("kernels")) continue;
    const auto factor = [&](work_id w) {
      constexpr nanoseconds start = 1'500;  // what starting and ending a kernel takes
      const auto length = static_cast<double>(t.works[w].duration_ns());
      return r.limit("left") * std::max(0.0, length - start) / std::max(1.0, length);
    };
    auto c = about_works(e, d, {.works = single, .factor = factor, .launched_no_more = true},
                         "kernels of the optimizer, one parameter at a time");
    c.words["count"] = fmt::format("{:.0f}", per_step);
    c.words["time"] = time_text(single.time_ns);
    c.words["saves"] = time_text(c.claims.front().at_most_ns);
    if (d.share(c.claims.front().at_most_ns) < r.limit("share")) continue;
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome c7_casts(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto works = works_under(e, d, [&](event_id op) { return changes_type(t, op); });
    (void)add_change(e, d, r,
                     {.works = works, .factor = [](work_id) { return 0.0; }, .launched_no_more = true},
                     "time of copies that change the type", out);
  }
  return out;
}

// Two tensors that are joined in one dimension: the length of the first and of the second.
struct appended {
  std::int64_t before = 0, added = 0;
};

// Returns how a call joins two tensors; nullopt where it joins more, or in no single dimension.
std::optional<appended> appended_by(const trace& t, event_id op) {
  const op_inputs in({.name = t.name_of(op), .input_dims = t.names[t.ops[t.events.detail[op]].input_dims]});
  const auto& tensors = in.at(0).tensors;
  if (tensors.size() != 2 || tensors[0].size() != tensors[1].size()) return std::nullopt;
  std::optional<appended> joined;
  for (std::size_t i = 0; i < tensors[0].size(); ++i) {
    if (tensors[0][i] == tensors[1][i]) continue;
    if (joined) return std::nullopt;
    joined = appended{tensors[0][i], tensors[1][i]};
  }
  return joined;
}

outcome c8_growing(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    std::set<std::int64_t> lengths;
    const auto works = works_under(e, d, [&](event_id op) {
      if (t.name_of(op) != "aten::cat" || t.events.detail[op] == none) return false;
      const auto joined = appended_by(t, op);
      if (!joined || joined->added * 4 > joined->before) return false;
      lengths.insert(joined->before);
      return true;
    });
    if (static_cast<double>(lengths.size()) < r.limit("lengths")) continue;
    auto* c = add_change(e, d, r, {.works = works, .factor = [&](work_id) { return r.limit("left"); }},
                         "time of joining a tensor with what is appended to it", out);
    if (c == nullptr) continue;
    c->words["from"] = std::to_string(*lengths.begin());
    c->words["until"] = std::to_string(*lengths.rbegin());
  }
  return out;
}

// Large copies to the device between kernels of the same step: not the step's input, which comes first.
op_works copies_between_kernels(const evidence& e, const device_evidence& d, std::int64_t least_bytes) {
  const auto& t = e.trace_of(d);
  op_works found;
  const auto works = t.works_of(d.device);
  const auto first = works.empty() ? work_id{0} : static_cast<work_id>(works.data() - t.works.data());
  std::size_t kernels = 0;
  for (work_id w = first; w < first + works.size(); ++w) {
    const auto& work = t.works[w];
    if (work.start_ns < d.window.start_ns || work.start_ns >= d.window.end_ns) continue;
    kernels += work.kind == category::kernel ? 1U : 0U;
    const bool large =
        work.kind == category::copy && work.copy == copy_kind::host_to_device && work.bytes >= least_bytes;
    if (!large) continue;
    found.works.push_back(w);
    found.time_ns += work.duration_ns();
    found.calls += kernels > 0 ? 1U : 0U;
    kernels = 0;
  }
  return found;
}

outcome c6_offloaded(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto works = copies_between_kernels(e, d, static_cast<std::int64_t>(r.limit("bytes")));
    if (static_cast<double>(works.calls) / steps_of(d) < r.limit("count")) continue;
    double bytes = 0;
    for (const auto w : works.works) bytes += static_cast<double>(t.works[w].bytes);
    auto* c = add_change(e, d, r,
                         {.works = works,
                          .factor = [](work_id) { return 0.0; },
                          .launched_no_more = true,
                          .waited_no_more = true},
                         "copies to the device between kernels", out);
    if (c == nullptr) continue;
    c->words["count"] = fmt::format("{:.0f}", static_cast<double>(works.works.size()) / steps_of(d));
    c->words["bytes"] = bytes_text(bytes / steps_of(d));
  }
  return out;
}

bool has_frames_of(const trace& t, std::string_view part) {
  return std::ranges::any_of(t.tracks, [&](const track& on) {
    if (on.kind != track_kind::python) return false;
    for (auto f = on.first; f < on.first + on.count; ++f)
      if (contains(t.name_of(f), part)) return true;
    return false;
  });
}

// Anomaly detection looks for NaN in every gradient and reads the answer back.
outcome h6_anomaly(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto checks = under_names(e, d, [](std::string_view name) {
      return is_one_of(name, {"aten::isnan", "aten::is_nonzero", "aten::any", "aten::item", "aten::ne"});
    });
    const auto& tree = e.of(d).ops;
    std::set<std::uint32_t> tests;
    for (const auto w : checks.works) {
      for (auto n = tree.node_of_work[w]; n != none; n = tree.nodes[n].parent)
        if (t.name_of(tree.nodes[n].event) == "aten::isnan") tests.insert(n);
    }
    const auto per_step = static_cast<double>(tests.size()) / steps_of(d);
    const bool named = has_frames_of(t, "anomaly_mode.py");
    if (per_step < r.limit(named ? "named_checks" : "checks")) continue;
    auto c = about_works(e, d,
                         {.works = checks,
                          .factor = [](work_id) { return 0.0; },
                          .launched_no_more = true,
                          .waited_no_more = true},
                         "checks for NaN and the reads of their answers");
    c.words["count"] = fmt::format("{:.0f}", per_step);
    c.words["saves"] = time_text(c.claims.front().at_most_ns);
    if (d.share(c.claims.front().at_most_ns) < r.limit("share")) continue;
    out.found.push_back(std::move(c));
  }
  return out;
}

// Operators of the forward pass that no derivative calls: within the backward pass they compute again.
bool is_forward_only(std::string_view name) {
  return is_one_of(name, {"aten::linear", "aten::layer_norm", "aten::gelu", "aten::silu", "aten::relu",
                          "aten::conv2d", "aten::conv1d", "aten::conv3d", "aten::batch_norm",
                          "aten::group_norm", "aten::softmax", "aten::dropout", "aten::embedding",
                          "aten::scaled_dot_product_attention", "aten::rms_norm", "aten::matmul"});
}

outcome h7_recomputation(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto& tree = e.of(d).ops;
    std::map<event_id, std::uint32_t> node_of;
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) node_of[tree.nodes[n].event] = n;
    const auto works = works_under(e, d, [&](event_id op) {
      if (!is_forward_only(t.name_of(op))) return false;
      for (auto n = tree.nodes[node_of.at(op)].parent; n != none; n = tree.nodes[n].parent)
        if (t.name_of(tree.nodes[n].event).starts_with("autograd::engine::evaluate_function")) return true;
      return false;
    });
    auto* c =
        add_change(e, d, r, {.works = works, .factor = [](work_id) { return 0.0; }, .launched_no_more = true},
                   "time of operators of the forward pass within the backward pass", out);
    if (c != nullptr) c->alarm = d.share(works.time_ns) >= r.limit("share");
  }
  return out;
}

constexpr bound_detector program_rules[] = {
    {"K24", k24_scatter}, {"K25", k25_optimizer}, {"C6", c6_offloaded},    {"C7", c7_casts},
    {"C8", c8_growing},   {"H6", h6_anomaly},     {"H7", h7_recomputation}};

}  // namespace

std::span<const bound_detector> program_detectors() { return program_rules; }

}  // namespace ridge::trace
