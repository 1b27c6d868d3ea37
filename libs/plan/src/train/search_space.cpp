// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/search_space.hpp>

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace ridge::plan::train {
namespace {

// Numbers from 1 to `limit`, or those of the list, that pass the check; `why` gets the first refusal.
template <class Check>
std::vector<int> passing(const std::vector<int>& list, int limit, Check check, std::string& why) {
  std::vector<int> out;
  const auto offer = [&](int n) {
    const std::string refusal = check(n);
    if (refusal.empty())
      out.push_back(n);
    else if (why.empty())
      why = refusal;
  };
  for (const int n : std::set<int>(list.begin(), list.end())) offer(n);
  for (int n = 1; list.empty() && n <= limit; ++n) offer(n);
  return out;
}

std::string refusal_of(const model_shape& m, const parallel_layout& l) {
  const auto checked = check_layout(m, l);
  return checked.ok() ? "" : checked.why().message;
}

// The rule of interconnect::tier_of(): groups fill a scale-up domain except for at most a ninth of its GPUs.
bool inside_domain(int tensor, int domain) { return tensor <= domain && domain % tensor * 9 <= domain; }

int tensor_limit(const search_space& s) {
  if (s.max_tensor > 0) return s.max_tensor;
  return s.tensor_across_nodes ? std::max(64, s.scale_up_size) : s.scale_up_size;
}

std::string tensor_refusal(const training_job& job, const search_space& s, int n) {
  if (n >= 1 && !s.tensor_across_nodes && !inside_domain(n, s.scale_up_size))
    return fmt::format("{} tensor ranks do not fill scale-up domains of {} GPUs", n, s.scale_up_size);
  return refusal_of(job.model, {.tensor = n});
}

std::string context_refusal(const training_job& job, const search_space& s, int n) {
  if (n == 1) return {};
  if (n < 1 || job.sequence % (2 * std::int64_t{n}) != 0)
    return fmt::format("a sequence of {} does not divide into two parts for each of {} context ranks",
                       job.sequence, n);
  if (s.context.empty() && job.sequence / n < s.min_context_tokens) return "too few tokens a context rank";
  return {};
}

std::string expert_refusal(const training_job& job, int n) {
  parallel_layout l{.expert = n};
  l.data = std::max(n, 1);
  return refusal_of(job.model, l);
}

std::string micro_batch_refusal(const training_job& job, bool listed, int n) {
  if (n < 1 || job.global_batch % n != 0)
    return fmt::format("a global batch of {} does not divide by a micro-batch of {}", job.global_batch, n);
  return listed || (n & (n - 1)) == 0 ? "" : "no power of two";
}

std::vector<search_axes::stages> stages_of(const training_job& job, const search_space& s, std::string& why) {
  std::vector<search_axes::stages> out;
  const int layers = static_cast<int>(job.model.layers());
  const auto cut = [&](int p, int v) {
    return refusal_of(job.model, {.pipeline = p, .virtual_pipeline = v});
  };
  const auto pipelines = passing(
      s.pipeline, std::min(s.max_pipeline, layers), [&](int p) { return p < 1 ? cut(p, 1) : std::string{}; },
      why);
  for (const int p : pipelines) {
    const int limit = std::min(s.max_virtual_pipeline, layers / p);
    auto v = passing(
        s.virtual_pipeline, limit, [&](int n) { return cut(p, n); }, why);
    if (!v.empty()) out.push_back({p, std::move(v)});
  }
  return out;
}

std::vector<std::int64_t> divisors_of(std::int64_t n) {
  std::vector<std::int64_t> low, high;
  for (std::int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    low.push_back(d);
    if (d * d != n) high.push_back(n / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

std::vector<std::int64_t> data_ranks(const training_job& job, const search_space& s) {
  auto all = divisors_of(job.global_batch);
  if (!s.data.empty())
    std::erase_if(all, [&](std::int64_t d) { return std::ranges::find(s.data, d) == s.data.end(); });
  return all;
}

error nothing_left(std::string_view axis, const std::string& why) {
  return {.message = fmt::format("no {} parallelism is left: {}", axis, why),
          .remedy = fmt::format("allow other values of {} parallelism", axis)};
}

}  // namespace

result<search_axes> axes_of(const training_job& job, const search_space& s) {
  if (job.global_batch < 1 || job.sequence < 1)
    return error{
        .message = fmt::format("a global batch of {} sequences of {} tokens", job.global_batch, job.sequence),
        .remedy = "give 1 or more of both"};
  search_axes axes;
  std::string why;
  axes.tensor = passing(
      s.tensor, tensor_limit(s), [&](int n) { return tensor_refusal(job, s, n); }, why);
  if (axes.tensor.empty()) return nothing_left("tensor", why);
  why.clear();
  axes.pipeline = stages_of(job, s, why);
  if (axes.pipeline.empty()) return nothing_left("pipeline", why);
  why.clear();
  axes.context = passing(
      s.context, s.max_context, [&](int n) { return context_refusal(job, s, n); }, why);
  if (axes.context.empty()) return nothing_left("context", why);
  why.clear();
  axes.expert = passing(
      s.expert, s.max_expert, [&](int n) { return expert_refusal(job, n); }, why);
  if (axes.expert.empty()) return nothing_left("expert", why);
  why.clear();
  axes.micro_batch = passing(
      s.micro_batch, s.max_micro_batch,
      [&](int n) { return micro_batch_refusal(job, !s.micro_batch.empty(), n); }, why);
  if (axes.micro_batch.empty())
    return error{.message = why, .remedy = "choose a micro-batch that divides it"};
  axes.data = data_ranks(job, s);
  if (axes.data.empty())
    return nothing_left("data", fmt::format("a global batch of {} does not divide by it", job.global_batch));
  return axes;
}

std::vector<int> expert_tensor_of(const training_job& job, const search_space& s, int tensor) {
  if (!job.model.has_experts()) return {1};
  std::string why;
  const std::vector<int> usual = tensor > 1 ? std::vector<int>{1, tensor} : std::vector<int>{1};
  return passing(
      s.expert_tensor.empty() ? usual : s.expert_tensor, 1,
      [&](int n) { return refusal_of(job.model, {.data = std::max(n, 1), .expert_tensor = n}); }, why);
}

}  // namespace ridge::plan::train
