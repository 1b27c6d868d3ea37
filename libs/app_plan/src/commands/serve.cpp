// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/svg_to_png.hpp>
#include <ridge/base/usable_processors.hpp>
#include <ridge/plan/serve/run_files.hpp>
#include <ridge/plan_report/serve_page.hpp>
#include <ridge/plan_report/tuning_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_serve_answer.hpp"
#include "input/plan_serve_options.hpp"
#include "input/plan_serve_tuning.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

using namespace plan::serve;

struct serve_options {
  workload_choice load{};
  service_choice service{};
  std::vector<std::string> slo{};
  bool max_rate = false, tune = false, timeline = false;
  int samples = 4;
  double lora_zipf = 1;
  std::uint64_t seed = 0;
  int threads = 0;
  std::string requests_out{}, chrome_trace{}, plot{}, against{};
  plan_output output{};

  [[nodiscard]] int thread_count() const {
    return threads > 0 ? threads : static_cast<int>(usable_processors());
  }
};

// Reads presets by name and other objectives from their text.
result<std::vector<plan::serve::objective>> objectives_of(const std::vector<std::string>& texts) {
  std::vector<plan::serve::objective> all;
  for (const auto& text : texts) {
    std::vector<plan::serve::objective> some;
    if (text.find_first_of("<>:=") == std::string::npos) {
      const auto preset = objective_preset_named(text);
      if (!preset) return preset.why();
      some = preset->objectives;
    } else {
      auto parsed = parse_objectives(text);
      if (!parsed) return parsed;
      some = std::move(*parsed);
    }
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void take_results_out(const serve_options& o, const cluster_run& run, const workload& asked) {
  const auto save = [](const std::string& path, const auto& write) {
    if (path.empty()) return;
    app::output_file file(path);
    write([&](std::string_view text) { file.write(text); });
    file.finish();
  };
  save(o.requests_out, [&](const text_sink& output) { write_requests_csv(run, asked, output); });
  save(o.chrome_trace, [&](const text_sink& output) { write_chrome_trace(run, output); });
}

void save_serving_plot(const std::string& path, const plan_report::serve_view& v) {
  if (path.empty()) return;
  const auto svg = chart_svg(plan_report::serve_chart(v));
  if (path.ends_with(".png")) return app::save_png(svg, path);
  app::output_file file(path);
  file.write(svg);
  file.finish();
}

// Gives every request its adapter and its images, where the service has them.
result<void> take_additions(const serve_options& o, const service& s, workload& asked, std::uint64_t seed) {
  const auto adapters = o.service.adapters.adapters;
  if (adapters > 0) draw_adapters(asked, static_cast<std::uint32_t>(adapters), o.lora_zipf, seed);
  const auto& images = s.cluster.pools.front().engine.images;
  return images.count > 0 ? add_images(asked, std::int64_t{images.count} * images.tokens) : result<void>{};
}

// The workload of one sample at one rate: generated from a seed of its own, or a part of the trace. The
// requests of one sample are the same at every rate.
result<workload> sample_of(const serve_options& o, const service& s, const workload& all, double rate,
                           int sample) {
  if (o.load.trace.empty()) {
    auto choice = o.load;
    choice.rate = rate;
    const auto seed = o.seed + static_cast<std::uint64_t>(sample);
    auto made = workload_of(choice, seed);
    if (!made) return made;
    if (const auto good = take_additions(o, s, *made, seed); !good) return good.why();
    return made;
  }
  auto part = all;
  const auto n = part.requests.size() / static_cast<std::size_t>(o.samples);
  const auto first = static_cast<std::ptrdiff_t>(n) * sample;
  part.requests.assign(all.requests.begin() + first,
                       all.requests.begin() + first + static_cast<std::ptrdiff_t>(n));
  put_in_order(part);
  if (part.rate() > 0) scale_rate(part, rate / part.rate());
  return part;
}

rate_probe probed(const serve_options& o, const service& s, const workload& all,
                  std::span<const plan::serve::objective> objectives, double rate, int sample) {
  rate_probe p{.rate = rate, .sample = sample};
  const auto asked = sample_of(o, s, all, rate, sample);
  if (!asked) return p;
  auto settings = s.cluster;
  settings.watch = [](double) { return app::interrupted(); };
  const auto run = simulate_cluster(settings, *asked);
  if (!run || run->stopped) return p;
  const auto sum = summarize(*asked, *run, objectives);
  p.met = sum.objectives_met && !sum.saturated.saturated;
  p.goodput = sum.goodput_requests_per_s;
  return p;
}

result<max_rate_result> max_rate_of(const serve_options& o, const service& s, const workload& all,
                                    std::span<const plan::serve::objective> objectives) {
  if (all.clients > 0) return error{"a closed loop has no rate", "give --rate or --trace with --max-rate"};
  const auto follows = [](const workload_request& r) { return r.follows != no_request; };
  if (!o.load.trace.empty() && std::ranges::any_of(all.requests, follows))
    return error{"sessions of a trace cannot be cut into samples", "generate the workload: --rate"};
  if (o.samples < 1 ||
      (!o.load.trace.empty() && all.requests.size() < 64U * static_cast<std::size_t>(o.samples)))
    return error{fmt::format("{} samples of {} requests cannot be", o.samples, all.requests.size()),
                 "give fewer --samples or more requests"};
  return find_max_rate(
      {.guess = std::max(all.rate(), 1e-3), .samples = o.samples, .threads = o.thread_count()},
      [&](double rate, int sample) { return probed(o, s, all, objectives, rate, sample); },
      [] { return app::interrupted(); });
}

bool has_tiers(const engine_settings& e) { return e.host.blocks + e.disk.blocks > 0; }

// The same service without tiers of the KV cache.
result<serving_summary> without_tiers(const service& s, const workload& asked,
                                      std::span<const plan::serve::objective> objectives) {
  auto settings = s.cluster;
  settings.record_steps = false;
  for (auto& pool : settings.pools) pool.engine.host = pool.engine.disk = {};
  const auto run = simulate_cluster(settings, asked);
  if (!run) return run.why();
  return summarize(asked, *run, objectives);
}

// What is asked for beside the simulation itself.
struct side_results {
  std::optional<serving_summary> without_tiers{};
  std::optional<max_rate_result> fastest{};
  std::optional<measured_comparison> against{};
};

result<side_results> side_results_of(const serve_options& o, const service& s, const workload& asked,
                                     const cluster_run& run,
                                     std::span<const plan::serve::objective> objectives,
                                     app::progress_line& progress) {
  side_results made;
  if (o.max_rate && !run.stopped) {
    progress.show("searching the greatest rate");
    auto found = max_rate_of(o, s, asked, objectives);
    progress.clear();
    if (!found) return found.why();
    made.fastest = std::move(*found);
  }
  if (has_tiers(s.cluster.pools.front().engine) && !run.stopped) {
    auto bare = without_tiers(s, asked, objectives);
    if (!bare) return bare.why();
    made.without_tiers = std::move(*bare);
  }
  if (o.against.empty()) return made;
  const auto measured = read_measured_run(o.against);
  if (!measured) return measured.why();
  auto compared = compare_with(*measured, run.requests);
  if (!compared) return compared.why();
  made.against = std::move(*compared);
  return made;
}

result<cluster_run> simulated(const serve_options& o, service& s, const workload& asked,
                              app::progress_line& progress) {
  s.cluster.record_steps = !o.chrome_trace.empty();
  s.cluster.watch = [&](double done) {
    progress.show(
        fmt::format("{} {:.0f} % of {} requests", app::bar(done), 100 * done, asked.requests.size()));
    return app::interrupted();
  };
  auto run = simulate_cluster(s.cluster, asked);
  progress.clear();
  return run;
}

int print_answer(const app::context& context, const serve_options& o, const service_choice& choice,
                 const service& s, const plan_report::serve_view& view) {
  auto how = s.derivation;
  std::ranges::move(plan_report::serve_derivation(view, !o.service.profile.empty()), std::back_inserter(how));
  auto page = plan_report::serve_page(view);
  add_doubts(page, s.doubts);
  std::ranges::move(facts_of(choice), std::back_inserter(page.facts));
  const bool fits = view.summary->too_long < view.summary->requests;
  const int code = print_plan(context, o.output, std::move(page), how, fits);
  return view.run->stopped && code == app::exit_code::good ? app::exit_code::interrupted : code;
}

// Searches the step limits instead of simulating one choice of them.
int tune(const app::context& context, const serve_options& o, const service_choice& choice, workload asked,
         std::span<const plan::serve::objective> objectives) {
  const app::interrupt_guard guard;
  app::progress_line progress(context.err);
  const tuning_question question{.service = choice,
                                 .load = o.load,
                                 .asked = std::move(asked),
                                 .objectives = objectives,
                                 .seed = o.seed,
                                 .threads = o.thread_count()};
  const auto tuned = tune_service(
      question, [&](std::string_view text) { progress.show(text); }, [] { return app::interrupted(); });
  progress.clear();
  if (!tuned)
    return context.refuse(tuned.why(),
                          lacks_memory(choice) ? app::exit_code::does_not_fit : app::exit_code::usage);
  const auto service = service_of(choice, o.seed);
  plan_report::tuning_view view{.tuning = &*tuned,
                                .service = service ? service->text : "",
                                .load = question.asked.source,
                                .closed_loop = question.asked.clients > 0};
  for (const auto& one : objectives) view.objectives.push_back(one.text());
  auto page = plan_report::tuning_page(view);
  const auto& best = tuned->tried[tuned->best.value_or(0)].limits;
  std::ranges::move(facts_of(with_limits(choice, best)), std::back_inserter(page.facts));
  const int code = print_plan(context, o.output, std::move(page), {}, tuned->best.has_value());
  return app::interrupted() ? app::exit_code::interrupted : code;
}

// What does not fit is an answer, too: JSON and CSV say it beside the error.
int print_misfit(const app::context& context, const serve_options& o, const service_choice& choice,
                 const error& why) {
  if (o.output.json || o.output.csv) {
    report::document page{.schema = "ridge.plan.serve/1",
                          .facts = {{"fits", false}, {"reason", why.message}, {"remedy", why.remedy}}};
    std::ranges::move(facts_of(choice), std::back_inserter(page.facts));
    (void)print_plan(context, o.output, std::move(page), {}, false);
  }
  return context.refuse(why, app::exit_code::does_not_fit);
}

int serve(const app::context& context, const serve_options& o) {
  if (!(o.lora_zipf >= 0 && o.lora_zipf <= 100))
    return context.refuse(
        {fmt::format("--lora-zipf {} is out of range", o.lora_zipf), "give 0 (all are as popular) to 100"},
        app::exit_code::usage);
  const auto objectives = objectives_of(o.slo);
  if (!objectives) return context.refuse(objectives.why(), app::exit_code::usage);
  auto asked = workload_of(o.load, o.seed);
  if (!asked) return context.refuse(asked.why(), app::exit_code::usage);
  auto choice = o.service;
  take_block_size(choice, *asked);
  if (o.tune) return tune(context, o, choice, std::move(*asked), *objectives);
  auto service = service_of(choice, o.seed);
  if (!service && !lacks_memory(choice)) return context.refuse(service.why(), app::exit_code::usage);
  if (!service) return print_misfit(context, o, choice, service.why());
  if (const auto some = name_too_long(*asked, service->cluster.longest_request); !some)
    return context.refuse(some.why(), app::exit_code::usage);
  if (const auto good = take_additions(o, *service, *asked, o.seed); !good)
    return context.refuse(good.why(), app::exit_code::usage);
  const app::interrupt_guard guard;
  app::progress_line progress(context.err);
  const auto run = simulated(o, *service, *asked, progress);
  if (!run) return context.refuse(run.why(), app::exit_code::usage);
  const auto summary = summarize(*asked, *run, *objectives);
  const auto side = side_results_of(o, *service, *asked, *run, *objectives, progress);
  if (!side) return context.refuse(side.why(), app::exit_code::usage);
  plan_report::serve_view view{.asked = &*asked,
                               .run = &*run,
                               .summary = &summary,
                               .service = service->text,
                               .times = service->times,
                               .bands = service->bands,
                               .gpus = service->gpus,
                               .usd_per_gpu_hour = service->usd_per_gpu_hour,
                               .show_timeline = o.timeline,
                               .max_rate = side->fastest ? &*side->fastest : nullptr,
                               .against = side->against ? &*side->against : nullptr,
                               .without_tiers = side->without_tiers ? &*side->without_tiers : nullptr,
                               .notes = asked->notes};
  if (const auto& engine = service->cluster.pools.front().engine; has_tiers(engine)) view.tiers = &engine;
  if (asked->hash_tokens > 0) view.prefix_reuse = count_sharing(table_of(*asked)).share();
  take_results_out(o, *run, *asked);
  save_serving_plot(o.plot, view);
  return print_answer(context, o, choice, *service, view);
}

}  // namespace

void add_plan_serve(app::command& command, app::context& context) {
  auto& verb = command.add(
      "serve",
      "Simulate a service under a trace or a generated load: latencies, goodput and the greatest rate");
  auto o = std::make_shared<serve_options>();
  add_workload_choice(verb, o->load);
  add_service_choice(verb, o->service);
  verb.option("--slo", o->slo, "OBJECTIVE",
              "\"ttft:p95<500ms\", \"tpot<40ms\", ttft:500 (ms), or a preset as mlperf-llama2-70b (repeats)")
      .flag("--max-rate", o->max_rate,
            "Search the greatest rate that meets the objectives, with its interval")
      .flag(
          "--tune", o->tune,
          "Search --max-sequences, --max-batched-tokens and chunked prefill for the greatest rate that meets "
          "the objectives")
      .option("--samples", o->samples, "N", "Number of workloads behind the interval (4)")
      .option("--lora-zipf", o->lora_zipf, "EXPONENT",
              "Popularity of the adapters: the k-th has 1/k^EXPONENT of the first's requests (1)")
      .option("--seed", o->seed, "N", "Seed of all random numbers (0)")
      .option("--threads", o->threads, "N",
              "Number of threads for the search; results do not depend on it (all)")
      .flag("--timeline", o->timeline,
            "With --json or --csv: also requests, cache and replicas over time, at most 800 points")
      .option("--requests-out", o->requests_out, "FILE", "Write a CSV line for each request")
      .option("--chrome-trace", o->chrome_trace, "FILE",
              "Write the run as a trace that `ridge trace` and Perfetto open")
      .option("--plot", o->plot, "FILE", "Draw requests over time as .svg or .png")
      .option("--against", o->against, "FILE",
              "Compare with a measured run of the same requests: errors and correlation");
  add_plan_output(verb, o->output);
  verb.notes(
          std::string(
              "Step times come from fitted efficiencies of the GPU's kernels, from --tables, --profile or a "
              "--calibration. "
              "A metric without a statistic (tpot<40ms) must hold for 90 % of all requests; goodput counts "
              "those "
              "below "
              "every limit. docs/design/plan/serving.md describes what is simulated. ") +
          rule_of_times)
      .runs([&context, o] { return serve(context, *o); });
}

}  // namespace ridge::app_plan
