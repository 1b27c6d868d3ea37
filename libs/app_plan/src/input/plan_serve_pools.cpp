// SPDX-License-Identifier: Apache-2.0
#include "input/plan_serve_pools.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/number_format.hpp>
#include <ridge/plan/serve/kv_transfer.hpp>

namespace ridge::app_plan {
namespace {

using namespace plan::serve;

// Takes a number of 1 to 65535 from the front of a text; 0: there is none.
int number_at_front(std::string_view& text) {
  int n = 0;
  const auto [at, code] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (code != std::errc() || n < 1 || n > 65535) return 0;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return n;
}

// Reads "tp8pp2ep8": each part once, tensor parallelism always.
bool read_layout(std::string_view text, plan::parallel_layout& layout) {
  std::array<std::pair<std::string_view, int*>, 4> parts{
      {{"tp", &layout.tensor}, {"pp", &layout.pipeline}, {"dp", &layout.data}, {"ep", &layout.expert}}};
  std::array<bool, 4> seen{};
  while (!text.empty()) {
    const auto* part = std::ranges::find_if(parts, [&](const auto& p) { return text.starts_with(p.first); });
    if (part == parts.end()) return false;
    text.remove_prefix(2);
    auto& again = seen[static_cast<std::size_t>(part - parts.begin())];
    *part->second = number_at_front(text);
    if (std::exchange(again, true) || *part->second == 0) return false;
  }
  return seen[0];
}

// Reads "2P3D": the numbers of replicas that prefill and that decode.
result<std::pair<int, int>> split_of(std::string_view text) {
  auto rest = text;
  const auto letter = [&](char upper, char lower) {
    const bool there = !rest.empty() && (rest.front() == upper || rest.front() == lower);
    if (there) rest.remove_prefix(1);
    return there;
  };
  const int prefill = number_at_front(rest);
  const bool p = letter('P', 'p');
  const int decode = number_at_front(rest);
  if (prefill > 0 && p && decode > 0 && letter('D', 'd') && rest.empty()) return std::pair(prefill, decode);
  return error{fmt::format("--disaggregate \"{}\" is not understood", text),
               "write as in 2P3D: two prefill, three decode"};
}

service_choice choice_of_pool(service_choice c, const pool_layout& pool) {
  if (!pool.gpu.empty()) c.gpu.name = pool.gpu;
  c.tp = pool.layout.tensor, c.pp = pool.layout.pipeline;
  c.dp = pool.layout.data, c.ep = pool.layout.expert;
  c.replicas = pool.replicas;
  return c;
}

result<pool_choices> equal_pools(const service_choice& c) {
  const auto parts = split_of(c.disaggregate);
  if (!parts) return parts.why();
  pool_choices both{c, c};
  both.prefill.replicas = parts->first, both.decode.replicas = parts->second;
  return both;
}

// A pool of the simulation, and what is said of it.
struct planned_pool {
  replica_question question{};
  replica_plan plan{};
};

result<planned_pool> planned(const service_choice& c, engine_role role) {
  const auto q = replica_question_of(c, c.gpu.name);
  if (!q) return q.why();
  auto plan = plan_replica(*q);
  if (!plan) return plan.why();
  const bool prefills = role == engine_role::prefill;
  auto& pool = plan->pool;
  pool.name += fmt::format(" {}", prefills ? "prefill" : "decode");
  if (q->layout.gpus() > 1) pool.name += fmt::format(" ({})", q->layout.text());
  pool.engine.role = role;
  pool.replicas *= c.replicas;
  if (prefills)
    for (auto& f : plan->derivation) f.id = "prefill_pool_" + f.id, f.label = "Prefill: " + f.label;
  return planned_pool{*q, std::move(*plan)};
}

void explain_transfer(service& made, const kv_transfer& t, const disaggregation_settings& d,
                      const std::string& link) {
  const auto add = [&](const char* id, const char* label, double value, const char* unit,
                       std::string formula) -> plan::figure& {
    made.derivation.push_back({.id = id,
                               .label = label,
                               .value = value,
                               .unit = unit,
                               .formula = std::move(formula),
                               .basis = plan::basis::derived});
    return made.derivation.back();
  };
  auto& speed = add("kv_link_bytes_per_s", "Link of a prefill replica", d.link_bytes_per_s, "B/s",
                    "GPUs that send or receive, the fewer · --link");
  speed.inputs = {{"senders", fmt::format("{}", t.senders)},
                  {"receivers", fmt::format("{}", t.receivers)},
                  {"--link", link}};
  add("kv_receive_bytes_per_s", "Link of all decoding replicas", d.receive_bytes_per_s, "B/s",
      "replicas · receivers · --link");
  add("kv_copies", "Copies of each row that are sent", t.copies, "",
      "decoding ranks that keep the same keys and values");
  add("kv_transfer_bytes_per_token", "Sent per token of a prompt", d.bytes_of(1) - d.fixed_bytes, "B",
      "rows of keys and values in all layers · copies");
}

}  // namespace

result<pool_layout> pool_layout_of(std::string_view option, std::string_view text) {
  const error wrong{fmt::format("{} \"{}\" is not understood", option, text.substr(0, 60)),
                    "write COUNTx[GPU:]tpN[ppN][dpN][epN], as in 4xtp2 or 2xH200:tp8ep8"};
  pool_layout pool;
  auto rest = text;
  pool.replicas = number_at_front(rest);
  if (pool.replicas == 0 || !rest.starts_with('x')) return wrong;
  rest.remove_prefix(1);
  if (const auto colon = rest.rfind(':'); colon != std::string_view::npos) {
    pool.gpu = std::string(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
    if (pool.gpu.empty()) return wrong;
  }
  if (!read_layout(rest, pool.layout)) return wrong;
  return pool;
}

bool is_disaggregated(const service_choice& c) {
  return !c.disaggregate.empty() || !c.prefill.empty() || !c.decode.empty();
}

result<pool_choices> pools_of(const service_choice& c) {
  if (c.prefill.empty() && c.decode.empty()) return equal_pools(c);
  if (!c.disaggregate.empty())
    return error{"--disaggregate and --prefill or --decode are both given",
                 "--disaggregate has one layout for both; choose one way"};
  if (c.prefill.empty() || c.decode.empty())
    return error{fmt::format("--{} is not given", c.prefill.empty() ? "prefill" : "decode"),
                 "give both: --prefill 4xtp2 --decode 2xtp8"};
  if (std::max({c.tp, c.pp, c.dp, c.ep, c.replicas}) > 1)
    return error{"--tp, --pp, --dp, --ep or --replicas beside --prefill and --decode",
                 "write them into each pool: 2xtp8ep8"};
  const auto prefill = pool_layout_of("--prefill", c.prefill), decode = pool_layout_of("--decode", c.decode);
  if (!prefill) return prefill.why();
  if (!decode) return decode.why();
  return pool_choices{choice_of_pool(c, *prefill), choice_of_pool(c, *decode)};
}

result<service> disaggregated_service(const service_choice& c) {
  const auto both = pools_of(c);
  if (!both) return both.why();
  auto prefill = planned(both->prefill, engine_role::prefill),
       decode = planned(both->decode, engine_role::decode);
  if (!prefill) return prefill.why();
  if (!decode) return decode.why();
  const auto& q = decode->question;
  const auto link = link_bytes_per_s(c.link, prefill->question.gpu, q.gpu);
  if (!link) return link.why();
  const auto kv = plan::number_format_named(q.kv_format);
  if (!kv) return kv.why();
  service made{.times = decode->plan.times,
               .bands = decode->plan.bands,
               .usd_per_gpu_hour = q.usd_per_gpu_hour,
               .doubts = q.model.doubts};
  made.bands.ttft = prefill->plan.bands.ttft;
  if (prefill->plan.times != made.times) made.times = prefill->plan.times + "; decode: " + made.times;
  made.derivation = std::move(prefill->plan.derivation);
  made.derivation.insert(made.derivation.end(), decode->plan.derivation.begin(),
                         decode->plan.derivation.end());
  const auto way = kv_transfer_of(q.model, prefill->question.layout, q.layout);
  auto settings = disaggregation_of(q.model, *kv, way, *link, decode->plan.pool.replicas);
  settings.remote_prefill_from = c.remote_prefill_from;
  explain_transfer(made, way, settings, c.link);
  made.cluster.disaggregated = std::move(settings);
  made.cluster.pools = {std::move(prefill->plan.pool), std::move(decode->plan.pool)};
  made.cluster.longest_request = q.model.max_positions;
  made.text = q.model.name;
  return made;
}

}  // namespace ridge::app_plan
