// SPDX-License-Identifier: Apache-2.0
#include "rules/rules_by_name.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "events/name_match.hpp"
#include "rules/op_works.hpp"

namespace ridge::trace {
namespace {

using name_parts = std::initializer_list<std::string_view>;

bool has_one_of(std::string_view name, name_parts parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return contains(name, part); });
}

// cuBLAS, cuDNN and CUTLASS call fp32 on ordinary lanes so; products that read one vector only are left out.
bool is_fp32_product(std::string_view kernel) {
  return has_one_of(kernel, {"sgemm", "scudnn", "dgrad_engine<float", "wgrad_alg0_engine<float",
                             "gemm_f32f32_f32f32"}) &&
         !has_one_of(kernel, {"tensorop", "tf32", "fp16_"});
}

bool has_matrix_units(const trace& t, const device_evidence& d) {
  constexpr int volta = 7;
  if (const auto* facts = t.facts_of(d.device); facts != nullptr && facts->compute_major > 0)
    return facts->compute_major >= volta;
  if (d.peaks.bytes_per_s > 0) return d.peaks.flop_per_s(number_type::fp16, true) > 0;
  return std::ranges::any_of(d.kernels, [&](const kernel_row& row) {
    return has_one_of(t.names[row.name], {"volta_", "turing_", "ampere_", "sm80_", "sm90_", "sm100_"});
  });
}

bool is_copy(std::string_view kernel) { return contains(kernel, "copy_kernel"); }

bool is_link(std::string_view kernel) {
  return has_one_of(kernel, {"elementwise_kernel", "layer_norm", "native::reduce_kernel", "softmax_warp"});
}

// The computing works of runs, and what fusing leaves of each.
class runs_of_links {
 public:
  runs_of_links(const trace& t, const device_evidence& d, double least) : t_(t), least_(least) {
    const auto works = t.works_of(d.device);
    const auto first = works.empty() ? work_id{0} : static_cast<work_id>(works.data() - t.works.data());
    std::map<std::int32_t, run> open;
    for (work_id w = first; w < first + works.size(); ++w) {
      if (t.works[w].kind == category::kernel) visit(w, open[t.works[w].stream]);
    }
    for (auto& [stream, one] : open) close(one);
  }

  [[nodiscard]] bool holds(work_id w) const { return left_.contains(w); }
  [[nodiscard]] double left(work_id w) const { return left_.at(w); }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  using run = std::vector<work_id>;

  void visit(work_id w, run& one) {
    const auto name = t_.names[t_.works[w].name];
    if (!is_link(name)) return close(one);
    if (!is_copy(name)) one.push_back(w);
  }

  // Alone each kernel moves two inputs and an output; fused, what lies between two of them is neither written
  // nor read.
  void close(run& one) {
    const auto n = static_cast<double>(one.size());
    if (n >= least_) {
      for (const auto w : one) left_[w] = (n + 2) / (3 * n);
      ++count_;
      longest_ = std::max(longest_, one.size());
    }
    one.clear();
  }

  const trace& t_;
  double least_;
  std::map<work_id, double> left_{};
  std::size_t count_ = 0, longest_ = 0;
};

}  // namespace

std::optional<candidate> fp32_products_by_name(const evidence& e, const device_evidence& d, const rule& r) {
  const auto& t = e.trace_of(d);
  if (e.of(d).quality.has.shaped_ops > 0 || !has_matrix_units(t, d)) return std::nullopt;
  std::map<name_id, nanoseconds> times;
  const auto works = works_where(e, d, [&](const device_work& w) {
    const bool wanted = w.kind == category::kernel && is_fp32_product(t.names[w.name]);
    if (wanted) times[w.name] += w.duration_ns();
    return wanted;
  });
  if (works.works.empty() || d.share(works.time_ns) < r.limit("share")) return std::nullopt;
  // Shapes and bytes are not known: half of the bytes is what any of the narrower types saves.
  constexpr double left = 0.5;
  auto c =
      about_works(e, d, {.works = works, .factor = [](work_id) { return left; }}, "time of these kernels");
  c.grade = confidence_grade::names;
  const auto longest = std::ranges::max_element(times, {}, [](const auto& one) { return one.second; });
  c.subject = short_name(t.names[longest->first]);
  c.words["operator"] = c.subject;
  c.words["count"] = std::to_string(works.calls);
  c.words["dtype"] = name(number_type::fp32);
  c.words["fit"] = "by their kernels' names, without matrix units";
  return c;
}

std::optional<candidate> chains_by_name(const evidence& e, const device_evidence& d, const rule& r) {
  if (e.of(d).quality.has.shaped_ops > 0) return std::nullopt;
  const auto& t = e.trace_of(d);
  const runs_of_links runs(t, d, r.limit("alarm_length"));
  const auto works = works_where(
      e, d, [&](const device_work& w) { return runs.holds(static_cast<work_id>(&w - t.works.data())); });
  if (works.works.empty() || d.share(works.time_ns) < r.limit("share")) return std::nullopt;
  auto c = about_works(e, d, {.works = works, .factor = [&](work_id w) { return runs.left(w); }},
                       "chains of kernels, by their names");
  c.grade = confidence_grade::names;
  c.words["count"] = std::to_string(runs.count());
  c.words["time"] = time_text(works.time_ns);
  c.words["chain"] = std::to_string(runs.longest()) + " kernels by their names, without shapes";
  return c;
}

}  // namespace ridge::trace
