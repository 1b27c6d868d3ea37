// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <ridge/analysis/deployments.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/gpu_name.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/plan_report/whatif_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/measured_kernels.hpp"
#include "input/plan_input.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

struct whatif_options {
  model_choice model{};
  gpu_choice catalogue{};
  std::vector<std::string> gpus{}, limits{};
  std::string vram{}, latency{}, ttft{}, tpot{}, cost{}, power{}, throughput{};
  std::string quantity{"cost"}, run{}, tensor{}, kv{}, weights{}, batch{}, kernels{};
  double input_tokens = 1024, output_tokens = 256;
  int top = 10;
  plan_output output{};
};

result<std::vector<analysis::constraint>> limits_of(const whatif_options& o) {
  std::vector<std::string> texts = o.limits;
  const std::pair<const char*, const std::string*> short_forms[] = {{"vram<", &o.vram},
                                                                    {"latency<", &o.latency},
                                                                    {"ttft<", &o.ttft},
                                                                    {"tpot<", &o.tpot},
                                                                    {"cost<", &o.cost},
                                                                    {"power<", &o.power},
                                                                    {"throughput>", &o.throughput}};
  for (const auto& [subject, value] : short_forms) {
    if (!value->empty()) texts.push_back(subject + *value);
  }
  if (texts.size() > 16) return error{"more than 16 limits are given", "leave some out"};
  std::vector<analysis::constraint> all;
  for (const auto& text : texts) {
    auto one = analysis::parse_constraint(text);
    if (!one) return one.why();
    all.push_back(std::move(*one));
  }
  return all;
}

// Bytes of --vram, the memory of one GPU that the user has; nothing without it.
std::optional<double> memory_given(const whatif_options& o) {
  const auto limit = analysis::parse_constraint("vram<" + o.vram);
  return o.vram.empty() || !limit ? std::nullopt : std::optional(limit->limit);
}

// The GPUs that --gpu names; without it those of the memory that --vram gives, else all with a price.
std::vector<std::string> names_of(const whatif_options& o, const hardware::catalogue& catalogue) {
  if (!o.gpus.empty()) return o.gpus;
  std::vector<std::string> names;
  const bool sized = memory_given(o).has_value();
  for (const auto& g : catalogue.data().gpus) {
    if (sized || !catalogue.prices_of(g.name).empty()) names.push_back(g.name);
  }
  return names;
}

error no_gpu_of(const std::string& memory) {
  return {fmt::format("no GPU of the catalogue has a memory of {} GiB", memory),
          "name yours with --gpu: it then counts with that memory"};
}

// The GPUs of the catalogue with the nearest memory that can be timed, beside one that cannot.
error without_peak(const hardware::catalogue& catalogue, const std::string& name) {
  const auto* asked = catalogue.gpu_named(name);
  const double bytes = asked != nullptr && asked->memory_bytes ? asked->memory_bytes->value : 0;
  std::vector<std::pair<double, std::string>> near;
  for (const auto& g : catalogue.data().gpus) {
    const auto gpu = plan::accelerator_named(catalogue, g.name);
    if (gpu && gpu->can_be_timed()) near.emplace_back(std::abs(gpu->memory_bytes - bytes), g.name);
  }
  std::ranges::sort(near);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i) names.push_back(near[i].second);
  const auto like = fmt::format("of a memory like its: {}", join(names, ", "));
  if (asked != nullptr && plan::generation_of(*asked) == "tpu")
    return {fmt::format("no kernel of {} was measured, so that it cannot be timed", name),
            "give a GPU; " + like};
  return {fmt::format("the catalogue has no bf16 peak of {}, so that it cannot be timed", name),
          "give its peak in a catalogue of your own (--hardware); " + like};
}

result<std::vector<analysis::gpu_offer>> offers_of(const whatif_options& o) {
  const auto catalogue = catalogue_of(o.catalogue);
  if (!catalogue) return catalogue.why();
  const auto memory = memory_given(o);
  const auto prices = plan::prices_in(*catalogue);
  std::vector<analysis::gpu_offer> all;
  for (const auto& name : names_of(o, *catalogue)) {
    auto gpu = plan::accelerator_named(*catalogue, name);
    if (!gpu && !o.gpus.empty()) return gpu.why();
    const bool timed = gpu && gpu->can_be_timed();
    if (!timed && !o.gpus.empty()) return without_peak(*catalogue, gpu->name);
    if (!timed) continue;
    if (memory && o.gpus.empty() && !analysis::has_memory(*gpu, *memory)) continue;
    if (memory && !o.gpus.empty()) gpu->memory_bytes = *memory;
    const auto* price = prices.lowest(gpu->name);
    const auto coefficients = coefficients_of(o.kernels, gpu->name);
    if (!coefficients) return coefficients.why();
    all.push_back({.gpu = std::move(*gpu),
                   .usd_per_hour = price == nullptr ? std::nullopt : std::optional(price->usd_per_hour),
                   .efficiencies = *coefficients});
  }
  if (all.empty() && memory && o.gpus.empty()) return no_gpu_of(o.vram);
  return all;
}

result<std::vector<analysis::candidate>> stored_candidates(const app::context& context,
                                                           const std::string& id) {
  const auto from = app::open_store_for_reading(context);
  if (!from) return from.why();
  const auto run = app::load_run(**from, id);
  if (!run) return run.why();
  return analysis::measured_candidates(*run);
}

// What to choose from, and the GPUs that it runs on; none for a stored run.
struct choices {
  std::vector<analysis::candidate> candidates{};
  std::vector<analysis::gpu_offer> gpus{};
  std::vector<std::string> doubts{};  // what was assumed of the model
};

result<choices> choices_of(const app::context& context, const whatif_options& o) {
  if (!o.run.empty()) {
    auto stored = stored_candidates(context, o.run);
    if (!stored) return stored.why();
    return choices{.candidates = std::move(*stored)};
  }
  const auto model = decoder_of(o.model, "a comparison of deployments");
  if (!model) return error{model.why().message, model.why().remedy + "; or --run ID for a stored run"};
  auto gpus = offers_of(o);
  if (!gpus) return gpus.why();
  auto all = analysis::deployments(
      {.model = *model, .gpus = *gpus, .input_tokens = o.input_tokens, .output_tokens = o.output_tokens});
  if (!all) return all.why();
  return choices{std::move(*all), std::move(*gpus), model->doubts};
}

// The candidate with the settings in use now.
std::optional<std::size_t> present(const whatif_options& o, const std::vector<analysis::candidate>& all) {
  const std::pair<const char*, const std::string*> given[] = {
      {"tensor", &o.tensor}, {"kv", &o.kv}, {"weights", &o.weights}, {"batch", &o.batch}};
  if (std::ranges::all_of(given, [](const auto& g) { return g.second->empty(); })) return {};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto same = [&](const auto& g) {
      const auto at = all[i].settings.find(g.first);
      return g.second->empty() || (at != all[i].settings.end() && at->second == *g.second);
    };
    if (std::ranges::all_of(given, same)) return i;
  }
  return {};
}

// Without a limit on memory, that of each GPU is one: what exceeds it has no times and is left out. Where
// everything does, the memory of the largest GPU becomes the limit, so that the answer names it.
void limit_to_own_memory(std::vector<analysis::candidate>& all, std::vector<analysis::constraint>& limits,
                         std::span<const analysis::gpu_offer> gpus) {
  if (gpus.empty() || std::ranges::find(limits, "vram", &analysis::constraint::quantity) != limits.end())
    return;
  const auto runs = [](const analysis::candidate& c) { return c.values.contains("latency"); };
  if (std::ranges::any_of(all, runs)) {
    std::erase_if(all, [&](const analysis::candidate& c) { return !runs(c); });
    return;
  }
  const auto largest = std::ranges::max(gpus, {}, [](const auto& g) { return g.gpu.memory_bytes; });
  limits.push_back({.quantity = "vram",
                    .limit = largest.gpu.memory_bytes,
                    .text = fmt::format("memory of {}", largest.gpu.name)});
}

// Which table the times of each GPU stand on; of many, those that were measured here.
std::vector<std::string> tables_of(std::span<const analysis::gpu_offer> gpus) {
  constexpr std::size_t few = 3;
  std::vector<std::string> notes;
  for (const auto& g : gpus)
    if (gpus.size() <= few || has_measured(*g.efficiencies))
      notes.push_back(
          fmt::format("Times of {}.", plan::kernels::analytic_times(g.gpu, *g.efficiencies)->source()));
  return notes;
}

int whatif(const app::context& context, const whatif_options& o) {
  plan_report::whatif_result r;
  auto limits = limits_of(o);
  if (!limits) return context.refuse(limits.why(), app::exit_code::usage);
  const auto* quantity = analysis::quantity_named(o.quantity);
  if (quantity == nullptr)
    return context.refuse({fmt::format("--by \"{}\" is not a quantity", o.quantity),
                           "cost, latency, throughput, vram, power, energy"},
                          app::exit_code::usage);
  auto asked = choices_of(context, o);
  if (!asked) return context.refuse(asked.why(), app::exit_code::usage);
  r.candidates = std::move(asked->candidates);
  r.limits = std::move(*limits);
  limit_to_own_memory(r.candidates, r.limits, asked->gpus);
  r.objective = {.key = o.quantity, .least = quantity->less_is_better};
  r.rows = static_cast<std::size_t>(std::max(o.top, 1));
  r.answer = solve_whatif(r.candidates, r.limits, r.objective, present(o, r.candidates));
  r.sensitivities = sensitivities(r.candidates, r.limits, r.objective);
  auto page = whatif_page(r);
  add_doubts(page, asked->doubts);
  for (const auto& note : tables_of(asked->gpus)) page.notes.push_back(note);
  return print_plan(context, o.output, std::move(page), whatif_derivation(r), !r.answer.feasible.empty());
}

}  // namespace

void add_plan_whatif(app::command& command, app::context& context) {
  auto o = std::make_shared<whatif_options>();
  auto& verb = command.add(
      "whatif", "Find deployments within limits; when there are none, which limits would have to change");
  add_model_choice(verb, o->model);
  verb.option("--gpu", o->gpus, "NAME",
              "GPUs to consider (repeats; those of the size of --vram, else every one with a price)");
  add_hardware_file(verb, o->catalogue);
  verb.option("--run", o->run, "RUN",
              "Choose among the variants of a stored run instead of a model's deployments")
      .option(
          "--vram", o->vram, "GIB",
          "Memory of the GPU that you have: 24 (GiB), 24GB; only GPUs of that size count, or those of --gpu "
          "taken with it")
      .option("--latency", o->latency, "MS", "Longest time of a request or call: 100 (ms), 2s")
      .option("--ttft", o->ttft, "MS", "Longest time to the first token: 500 (ms), 2s")
      .option("--tpot", o->tpot, "MS", "Longest time per output token")
      .option("--cost", o->cost, "USD", "Highest cost in dollars per million output tokens")
      .option("--power", o->power, "W", "Highest power of all GPUs together: 10kW")
      .option("--throughput", o->throughput, "RATE", "Tokens (or items) per second at least")
      .option("--limit", o->limits, "LIMIT",
              "Any limit as text: \"ttft p95<500ms\", \"quality>=0%\" (repeats)")
      .option("--by", o->quantity, "QUANTITY", "Quantity to optimize (cost)")
      .option("--input", o->input_tokens, "TOKENS", "Prompt tokens per request (1024)")
      .option("--output", o->output_tokens, "TOKENS", "Output tokens per request (256)")
      .option("--tp", o->tensor, "N", "Tensor ranks in use now; the answer names the nearest change")
      .option("--kv", o->kv, "TYPE", "Format of the KV cache in use now")
      .option("--weights", o->weights, "TYPE", "Format of the weights in use now")
      .option("--batch", o->batch, "N", "Sequences at a time in use now")
      .option("--top", o->top, "N", "Rows shown (10)");
  add_kernels_choice(verb, o->kernels);
  add_plan_output(verb, o->output);
  verb.notes(std::string("Times of deployments come from formulas that assume a fixed number of requests at "
                         "a time; `ridge "
                         "plan "
                         "serve` simulates one. A deployment with an unknown value never counts as one that "
                         "meets a limit. ") +
             rule_of_times)
      .runs([&context, o] { return whatif(context, *o); });
}

}  // namespace ridge::app_plan
