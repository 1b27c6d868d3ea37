// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/tuning_page.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::plan_report {
namespace {

using plan::serve::tuned_limits;
using report::unit;
using report::value;

std::string limits_text(const plan::serve::step_limits& l) {
  return fmt::format("{} sequences, {} tokens a step, {} chunked prefill", l.max_sequences,
                     l.max_batched_tokens, l.chunked_prefill ? "with" : "without");
}

double reached(const tuning_view& v, const tuned_limits& t) {
  return v.closed_loop ? t.goodput_requests_per_s : t.max_rate;
}

std::string title_of(const tuning_view& v) {
  if (!v.tuning->best) return "No step limits keep the objectives";
  const auto& best = v.tuning->tried[*v.tuning->best];
  const auto& own = v.tuning->tried.front();
  return fmt::format("Best: {}: {:.4g} requests per second within the objectives, the engine's own {:.4g}",
                     limits_text(best.limits), reached(v, best), reached(v, own));
}

report::row row_of(const tuned_limits& t, const std::string& what) {
  const bool can = t.refused.empty();
  const auto number = [&](double x) { return can ? value(x) : value(); };
  return {.values = {what, std::int64_t{t.limits.max_sequences}, std::int64_t{t.limits.max_batched_tokens},
                     t.limits.chunked_prefill, number(t.ttft_p95_s), number(t.tpot_p95_s),
                     number(t.goodput_requests_per_s), t.met, t.max_rate > 0 ? value(t.max_rate) : value(),
                     can ? value(t.kv_tokens) : value(), t.refused}};
}

report::sheet sheet_of(std::string key, std::string title) {
  return {.key = std::move(key),
          .title = std::move(title),
          .fields = {{"what", "what"},
                     {"max_sequences", "sequences"},
                     {"max_batched_tokens", "tokens"},
                     {"chunked_prefill", "chunked"},
                     {"ttft_p95_s", "TTFT p95", unit::seconds},
                     {"tpot_p95_s", "TPOT p95", unit::seconds},
                     {"goodput_requests_per_s", "goodput", unit::number},
                     {"met", "objectives met"},
                     {"max_requests_per_s", "greatest rate", unit::number},
                     {"kv_tokens", "KV tokens", unit::count},
                     {"refused", ""}}};
}

report::sheet answer_sheet(const tuning_view& v) {
  auto s = sheet_of("answer", "");
  if (v.tuning->best) s.rows.push_back(row_of(v.tuning->tried[*v.tuning->best], "best"));
  s.rows.push_back(row_of(v.tuning->tried.front(), "own"));
  return s;
}

report::sheet frontier_sheet(const tuning_view& v) {
  auto s = sheet_of("frontier", "None has both less TTFT and less TPOT under the asked load");
  std::vector<const tuned_limits*> some;
  for (const auto& t : v.tuning->tried)
    if (t.frontier) some.push_back(&t);
  std::ranges::stable_sort(some, {}, [](const auto* t) { return t->ttft_p95_s; });
  for (const auto* t : some) s.rows.push_back(row_of(*t, ""));
  return s;
}

report::sheet tried_sheet(const tuning_view& v) {
  auto s = sheet_of("tried", "");
  for (auto& f : s.fields) f.header.clear();
  for (const auto& t : v.tuning->tried) s.rows.push_back(row_of(t, t.refused.empty() ? "tried" : "refused"));
  return s;
}

}  // namespace

report::document tuning_page(const tuning_view& v) {
  report::document d{.schema = "ridge.plan.tuning/1", .title = title_of(v)};
  const auto& tried = v.tuning->tried;
  d.facts = {{"service", v.service},
             {"load", v.load},
             {"objectives", join(v.objectives, " ")},
             {"choices", std::ssize(tried)},
             {"best_reached_per_s", v.tuning->best ? value(reached(v, tried[*v.tuning->best])) : value()}};
  d.sheets = {answer_sheet(v), frontier_sheet(v), tried_sheet(v)};
  d.notes.push_back(v.service + "; " + v.load);
  if (v.tuning->best) {
    const auto& best = tried[*v.tuning->best].limits;
    d.notes.push_back(fmt::format(
        "For `ridge plan deploy`: --max-sequences {} --max-batched-tokens {}{}, or --from the answer of "
        "--json.",
        best.max_sequences, best.max_batched_tokens, best.chunked_prefill ? "" : " --no-chunked-prefill"));
  }
  d.notes.emplace_back(v.closed_loop
                           ? "Goodput under the asked load decides; a gain within a hundredth counts as none."
                           : "The greatest rate within the objectives decides; where none is shown, it is no "
                             "greater by a hundredth than that of one tried before.");
  return d;
}

}  // namespace ridge::plan_report
