// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <ridge/plan/serve/workload_file.hpp>
#include <ridge/plan/serve/workload_generator.hpp>

#include "input/plan_serve_memory.hpp"
#include "input/plan_serve_options.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

using plan::serve::arrival_process;
using plan::serve::workload;
using plan::serve::workload_columns;
using plan::serve::workload_format;

workload_format format_named(const std::string& name) {
  if (name == "azure") return workload_format::azure;
  if (name == "mooncake") return workload_format::mooncake;
  if (name == "vllm-bench") return workload_format::vllm_bench;
  if (name == "aiperf") return workload_format::aiperf;
  return name == "table" ? workload_format::tables : workload_format::automatic;
}

// Reads "prompt=isl": the name of a column.
result<workload_columns> columns_of(const std::vector<std::string>& pairs) {
  workload_columns c;
  for (const auto& pair : pairs) {
    const auto equals = pair.find('=');
    const auto field = pair.substr(0, equals);
    std::string* into = field == "arrival"    ? &c.arrival
                        : field == "prompt"   ? &c.prompt
                        : field == "output"   ? &c.output
                        : field == "tenant"   ? &c.tenant
                        : field == "session"  ? &c.session
                        : field == "priority" ? &c.priority
                                              : nullptr;
    if (into == nullptr || equals == std::string::npos)
      return error{fmt::format("--columns \"{}\" names no column", pair),
                   "write FIELD=NAME; fields: arrival, prompt, output, tenant, session, priority"};
    *into = pair.substr(equals + 1);
  }
  return c;
}

arrival_process process_named(const std::string& name) {
  if (name == "constant") return arrival_process::constant;
  if (name == "gamma") return arrival_process::gamma;
  return name == "weibull" ? arrival_process::weibull : arrival_process::poisson;
}

// With sessions or a shared system prompt, prompts are made of named blocks; each holds all turns before it.
simulated_requests requests_of(const workload_choice& c, double turn_tokens) {
  constexpr double block_tokens = 16;
  const double turns = c.turns > 1 ? c.turns : 1;
  const bool named = c.turns > 1 || c.system_prompt > 0;
  return {.count = static_cast<double>(std::max<std::int64_t>(c.requests, 0)) * std::max(c.repeat, 1),
          .blocks_a_prompt = named ? (c.system_prompt + turns * turn_tokens) / block_tokens : 0};
}

result<workload> generated(const workload_choice& c, std::uint64_t seed) {
  const auto prompt = plan::serve::parse_lengths(c.input), output = plan::serve::parse_lengths(c.output);
  if (!prompt) return prompt.why();
  if (!output) return output.why();
  const auto think = seconds_of("--think", c.think, second_s),
             pause = seconds_of("--pause", c.pause, second_s);
  if (!think) return think.why();
  if (!pause) return pause.why();
  if (const auto good = check_memory(requests_of(c, prompt->mean + output->mean), free_bytes()); !good)
    return good.why();
  return plan::serve::generate_workload(
      {.requests = c.requests,
       .process = process_named(c.process),
       .rate = c.rate.value_or(1),
       .burstiness = c.burstiness,
       .clients = static_cast<std::uint32_t>(std::max(c.concurrency, 0)),
       .think_s = *think,
       .prompt = *prompt,
       .output = *output,
       .sessions = {.turns = c.turns,
                    .pause_s = *pause,
                    .shared_tokens = static_cast<std::uint32_t>(std::max(c.system_prompt, 0))},
       .tenants = static_cast<std::uint32_t>(std::max(c.tenants, 0)),
       .seed = seed});
}

// With --rate or --concurrency, a trace keeps its lengths and prefixes but not its times.
result<workload> of_trace(const workload_choice& c) {
  const auto columns = columns_of(c.columns);
  if (!columns) return columns.why();
  auto w = plan::serve::read_workload(
      c.trace, {.format = format_named(c.format), .columns = *columns, .skip_bad = c.skip_bad});
  if (!w) return w;
  if (c.concurrency > 0) {
    w->clients = static_cast<std::uint32_t>(c.concurrency);
    const auto think = seconds_of("--think", c.think, second_s);
    if (!think) return think.why();
    w->think_s = *think;
    w->source += fmt::format(", {} clients", c.concurrency);
  } else if (c.rate && w->rate() > 0) {
    scale_rate(*w, *c.rate / w->rate());
    w->source += fmt::format(", scaled to {} requests per second", *c.rate);
  }
  return w;
}

result<void> check(const workload_choice& c) {
  const int ways = (c.trace.empty() ? 0 : 1) + (c.rate ? 1 : 0) + (c.concurrency > 0 ? 1 : 0);
  if (ways == 0)
    return error{"nothing says what is asked of the service",
                 "give --trace FILE, --rate N or --concurrency N"};
  if (c.rate && c.concurrency > 0)
    return error{"--rate and --concurrency are both given",
                 "an open loop has a rate, a closed one clients; choose one"};
  if (c.repeat < 1) return error{fmt::format("--repeat {} is out of range", c.repeat), "give 1 or more"};
  if (!(c.scale_rate > 0) || !std::isfinite(c.scale_rate))
    return error{fmt::format("--scale-rate {} is out of range", c.scale_rate), "give a factor above 0"};
  if (!(c.thin > 0 && c.thin <= 1))
    return error{fmt::format("--thin {} is out of range", c.thin), "give a share of (0, 1]"};
  if (c.limit < 0)
    return error{fmt::format("--limit {} is out of range", c.limit), "give 1 or more requests"};
  if (c.rate && !(*c.rate > 0))
    return error{fmt::format("--rate {} is out of range", *c.rate), "give requests per second above 0"};
  return {};
}

}  // namespace

void add_workload_choice(app::command& command, workload_choice& choice) {
  command
      .option(
          "--trace", choice.trace, "FILE",
          "Requests over time: Azure CSV, Mooncake JSONL, `vllm bench serve` JSON, aiperf JSONL, or a table")
      .choice("--trace-format", choice.format, {"auto", "azure", "mooncake", "vllm-bench", "aiperf", "table"},
              "Format of the trace (auto)")
      .option("--columns", choice.columns, "FIELD=NAME",
              "A column of a table: arrival, prompt, output, tenant, session, priority (repeats)")
      .flag("--skip-bad", choice.skip_bad, "Leave out rows that cannot be read, and count them")
      .option("--rate", choice.rate, "N", "Requests per second; the times of a --trace are scaled to it")
      .choice("--arrivals", choice.process, {"poisson", "constant", "gamma", "weibull"},
              "Gaps between requests (poisson)")
      .option("--burstiness", choice.burstiness, "SHAPE",
              "Shape of gamma and weibull arrivals; below 1 is burstier than Poisson (1)")
      .option("--concurrency", choice.concurrency, "N", "Number of clients of a closed loop")
      .option("--think", choice.think, "SECONDS",
              "Mean pause of a client of the closed loop: 2 (s), 500ms (0)")
      .option("--requests", choice.requests, "N", "Number of requests to generate (1000)")
      .option("--input", choice.input, "TOKENS",
              "Tokens of prompts: 512, uniform:A:B, lognormal:MEAN:SD, zipf:A:B:EXPONENT")
      .option("--output", choice.output, "TOKENS", "Tokens of answers, written like --input (128)")
      .option("--turns", choice.turns, "N", "Mean turns of a session; each prompt holds all before it (1)")
      .option("--pause", choice.pause, "SECONDS", "Mean pause between an answer and the next turn (10)")
      .option("--system-prompt", choice.system_prompt, "TOKENS",
              "Tokens of the system prompt that all prompts share (0)")
      .option("--tenants", choice.tenants, "N", "Number of tenants that generated requests belong to (1)")
      .option("--repeat", choice.repeat, "N", "Number of times that the workload is repeated (1)")
      .option("--scale-rate", choice.scale_rate, "FACTOR", "Factor by which arrivals are sped up (1)")
      .option("--thin", choice.thin, "SHARE", "Probability with which each request, or session, is kept (1)")
      .option("--limit", choice.limit, "N", "Keep only the first N requests");
}

result<workload> workload_of(const workload_choice& c, std::uint64_t seed) {
  if (const auto good = check(c); !good) return good.why();
  auto w = c.trace.empty() ? generated(c, seed) : of_trace(c);
  if (!w) return w;
  if (c.thin < 1) thin(*w, c.thin, seed);
  if (c.limit > 0) limit(*w, static_cast<std::size_t>(c.limit));
  const auto requests = static_cast<double>(std::max<std::size_t>(w->requests.size(), 1));
  if (const auto good = check_memory(
          {.count = requests * c.repeat, .blocks_a_prompt = static_cast<double>(w->hashes.size()) / requests},
          free_bytes());
      !good)
    return good.why();
  repeat(*w, c.repeat);
  if (c.scale_rate != 1) scale_rate(*w, c.scale_rate);
  if (w->requests.empty()) return error{"no request is left", "keep more with --thin or --limit"};
  return w;
}

void take_block_size(service_choice& choice, workload& asked) {
  if (choice.block_size != 0) return;
  constexpr int usual = 16;
  choice.block_size = std::max(usual, static_cast<int>(asked.hash_tokens));
  if (choice.block_size > usual)
    asked.notes.push_back(fmt::format(
        "Blocks of {} tokens, as the trace names them; --block-size {} is what engines use, and slower.",
        choice.block_size, usual));
}

result<void> name_too_long(workload& asked, std::int64_t longest) {
  const auto beyond = std::ranges::count_if(asked.requests, [&](const plan::serve::workload_request& r) {
    return longest > 0 && std::int64_t{r.prompt_tokens} + r.output_tokens > longest;
  });
  if (beyond == 0) return {};
  if (beyond == std::ssize(asked.requests))
    return error{
        fmt::format("all {} requests are longer than the model's context of {} tokens", beyond, longest),
        "give shorter --input and --output, or --config with a longer max_position_embeddings"};
  asked.notes.push_back(fmt::format(
      "{} of {} requests are longer than the model's context of {} tokens: the engine refuses them.", beyond,
      asked.requests.size(), longest));
  return {};
}

}  // namespace ridge::app_plan
