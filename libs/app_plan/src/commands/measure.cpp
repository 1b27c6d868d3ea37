// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>
#include <ridge/plan_report/measurements_page.hpp>
#include <ridge/probe/kernel_timer.hpp>

#include "commands/plan_commands.hpp"
#include "input/measured_kernels.hpp"
#include "input/plan_input.hpp"
#include "input/today.hpp"

namespace ridge::app_plan {
namespace {

namespace kernels = plan::kernels;
using std::chrono::steady_clock;

struct measure_options {
  int gpu = 0;
  bool cpu = false, again = false;
  double minutes = 10;
  std::string output_file{};
  std::vector<std::string> only{};
  gpu_choice hardware{};
  plan_output output{};
};

result<std::shared_ptr<probe::kernel_timer>> timer_of(const app::context& program, const measure_options& o) {
  try {
    if (o.cpu && program.kernel_timers.cpu) return program.kernel_timers.cpu();
    if (!o.cpu && program.kernel_timers.gpu) return program.kernel_timers.gpu(o.gpu);
  } catch (const unavailable& lacking) {
    return error{
        fmt::format("{} cannot be measured here: {}", o.cpu ? "a CPU" : "a GPU", lacking.why().text()),
        o.cpu ? "" : "see what `ridge doctor` says of the driver, or measure the CPU: --cpu"};
  }
  if (o.cpu) return error{"this build of ridge times no kernels of a CPU", "build it anew with `make run`"};
  return error{"this build of ridge has no CUDA, so that it times no kernels of a GPU",
               "build it where a CUDA toolkit of 12.8 or newer is (`make run`), or measure the CPU: --cpu"};
}

// Measures what is missing, and keeps what is there every few seconds.
class measuring {
 public:
  measuring(const app::context& program, const measure_options& o, probe::kernel_timer& timer,
            std::filesystem::path file)
      : options_(o), timer_(timer), file_(std::move(file)), progress_(program.err) {}

  void run(kernels::kernel_measurements& m, const std::vector<model::kernel_call>& calls) {
    const auto begin = steady_clock::now();
    const auto minutes = std::chrono::duration<double, std::ratio<60>>(options_.minutes);
    auto kept = begin;
    std::size_t done = 0;
    for (const auto& call : calls) {
      ++done;
      if (m.has(call) || hopeless(call)) continue;
      if (app::interrupted() || steady_clock::now() - begin > minutes) break;
      progress_.show(fmt::format("{} {} of {} kernel calls: {} {}",
                                 app::bar(static_cast<double>(done) / static_cast<double>(calls.size())),
                                 done, calls.size(), call.kernel, call.format));
      take(m, call);
      if (steady_clock::now() - kept > std::chrono::seconds(10)) keep(m), kept = steady_clock::now();
    }
    progress_.clear();
  }
  void keep(const kernels::kernel_measurements& m) const {
    app::output_file file(file_.string());
    file.write(kernels::measurements_json(m));
    file.finish();
  }

 private:
  using kernel_and_format = std::pair<std::string, std::string>;

  // After three refusals without a time, no size of the kernel will do.
  [[nodiscard]] bool hopeless(const model::kernel_call& call) const {
    constexpr int most = 3;
    const auto at = refusals_.find({call.kernel, call.format});
    return at != refusals_.end() && at->second >= most;
  }
  void take(kernels::kernel_measurements& m, const model::kernel_call& call) {
    const auto timing = timer_.time(call);
    const kernel_and_format key{call.kernel, call.format};
    if (timing) {
      refusals_.erase(key);
      m.rows.push_back({call, timing->seconds, timing->spread, timing->implementation});
      m.date = today();
      return;
    }
    ++refusals_[key];
    const auto same = [&](const auto& r) { return r.kernel == call.kernel && r.format == call.format; };
    if (std::ranges::none_of(m.refused, same))
      m.refused.push_back({call.kernel, call.format, timing.why().text()});
  }

  const measure_options& options_;
  probe::kernel_timer& timer_;
  std::filesystem::path file_;
  app::progress_line progress_;
  std::map<kernel_and_format, int> refusals_{};
};

kernels::kernel_measurements nothing_measured(const probe::timed_machine& machine,
                                              const plan::accelerator& gpu) {
  kernels::kernel_measurements m;
  m.gpu = gpu.name, m.generation = gpu.generation;
  m.device = machine.name, m.driver = machine.driver, m.runtime = machine.runtime;
  m.date = today();
  return m;
}

// What the file holds already; a file of another machine is refused, rows under another driver are dropped.
result<kernels::kernel_measurements> begun(const app::context& program, const std::filesystem::path& file,
                                           kernels::kernel_measurements empty, bool again) {
  if (again || !std::filesystem::exists(file)) return empty;
  auto found = kernels::load_measurements(file);
  if (!found) return found.why();
  if (found->gpu != empty.gpu)
    return error{
        fmt::format("{} holds the kernels of {}, and this is {}", file.string(), found->gpu, empty.gpu),
        "give another --output, or --again to replace them"};
  if (found->driver != empty.driver || found->runtime != empty.runtime) {
    program.tell(fmt::format("{} was measured under {}, {}; it is measured again under {}, {}\n",
                             file.string(), found->driver, found->runtime, empty.driver, empty.runtime));
    return empty;
  }
  found->refused.clear();
  return found;
}

kernels::measurement_scope scope_of(const probe::timed_machine& machine, const plan::accelerator& gpu) {
  return {.gpu = machine.is_gpu,
          .fp8 = machine.has_fp8,
          .gpus = machine.gpus,
          .memory_bytes = std::min(gpu.memory_bytes / 8, machine.is_gpu ? 4e9 : 2.5e8)};
}

bool wanted(const measure_options& o, const std::string& kernel) {
  return o.only.empty() || std::ranges::find(o.only, kernel) != o.only.end();
}

constexpr const auto* kernels_of_gpu =
    "product, decode_attention, experts, elementwise, launch, all_reduce, all_gather, reduce_scatter, "
    "all_to_all";
constexpr const auto* kernels_of_cpu = "product, decode_attention, elementwise";

// A CPU before its limits are measured.
plan::accelerator host_before(const probe::timed_machine& machine) {
  return {.name = machine.name,
          .generation = std::string(kernels::cpu_generation),
          .memory_bytes = machine.memory_bytes};
}

// Sets the limits of a CPU by what was measured, and writes them beside its kernels as a catalogue; returns
// what the page says of them.
std::vector<std::string> found_limits(const kernels::kernel_measurements& m,
                                      const probe::timed_machine& machine,
                                      const std::filesystem::path& kernel_file, plan::accelerator& host) {
  auto found = kernels::measured_host(m, machine.memory_bytes);
  if (!found) return {fmt::format("Nothing is fitted: {}; {}.", found.why().message, found.why().remedy)};
  host = std::move(*found);
  auto path = kernel_file;
  path.replace_filename(kernel_file.stem().string() + "-hardware.json");
  app::output_file file(path.string());
  file.write(kernels::hardware_json(host, m));
  file.finish();
  return {
      fmt::format(
          "Shares are of the greatest rates measured: {:.3g} GFLOP/s of fp32 products, {:.3g} GB/s of "
          "elementwise traffic.",
          host.peak_flop_per_s("fp32") / 1e9, host.bandwidth_bytes_per_s / 1e9),
      fmt::format(
          "The catalogue of GPUs has no CPU. These commands take it as a GPU by --hardware {} --gpu \"{}\": "
          "with --kernels {} they use its products, attention and traffic; prefill attention and the "
          "engine's own time stay those of GPUs, so that the answer is rough.",
          path.string(), host.name, kernel_file.string())};
}

int measure(const app::context& program, const measure_options& o) {
  if (!(o.minutes > 0))
    return program.refuse({fmt::format("--minutes {} is out of range", o.minutes), "give more than 0"},
                          app::exit_code::usage);
  const auto timer = timer_of(program, o);
  if (!timer) return program.refuse(timer.why(), app::exit_code::unavailable);
  const auto& machine = (*timer)->machine();
  auto gpu = machine.is_gpu ? gpu_of({.name = machine.name, .hardware = o.hardware.hardware})
                            : result(host_before(machine));
  if (!gpu) return program.refuse(gpu.why(), app::exit_code::usage);
  const auto file = o.output_file.empty() ? kept_kernels_of(gpu->name) : std::filesystem::path(o.output_file);
  auto m = begun(program, file, nothing_measured(machine, *gpu), o.again);
  if (!m) return program.refuse(m.why(), app::exit_code::usage);
  app::expect_writable(file.string());
  auto calls = kernels::calls_to_measure(scope_of(machine, *gpu));
  std::erase_if(calls, [&](const auto& call) { return !wanted(o, call.kernel); });
  if (calls.empty())
    return program.refuse({fmt::format("no kernel is called \"{}\"", join(o.only, "\" or \"")),
                           fmt::format("choose among {}", machine.is_gpu ? kernels_of_gpu : kernels_of_cpu)},
                          app::exit_code::usage);
  const auto before = m->rows.size();
  const app::interrupt_guard guard;
  measuring work(program, o, **timer, file);
  work.run(*m, calls);
  std::vector<std::string> notes;
  if (!machine.is_gpu) notes = found_limits(*m, machine, file, *gpu);
  if ((m->rows.size() > before || m->curves.empty()) && gpu->bandwidth_bytes_per_s > 0)
    if (const auto good = kernels::fit_curves(*m, *gpu); !good)
      return program.refuse(good.why(), app::exit_code::file);
  work.keep(*m);
  auto page = plan_report::measurements_page(*m, *gpu, calls);
  page.notes.insert(page.notes.end(), notes.begin(), notes.end());
  if (m->rows.size() == before && before > 0)
    page.notes.push_back("Nothing was left to measure: --again measures everything anew.");
  page.notes.push_back(fmt::format(
      "Kept in {}{}", file.string(),
      machine.is_gpu
          ? fmt::format("; `ridge plan serve`, `cluster`, `whatif` and `cost-per-token` use it for {}.",
                        gpu->name)
          : "."));
  const int code = print_plan(program, o.output, std::move(page), {});
  if (app::interrupted()) return app::exit_code::interrupted;
  return m->rows.empty() ? app::exit_code::unavailable : code;
}

}  // namespace

void add_plan_measure(app::command& command, app::context& context) {
  auto o = std::make_shared<measure_options>();
  auto& verb = command.add(
      "measure", "Time the kernels of serving steps on this machine, for the answers about its GPU");
  verb.option("--gpu", o->gpu, "INDEX", "GPU to measure, as CUDA counts them (0)")
      .flag("--cpu", o->cpu, "Measure the CPU instead")
      .option("--minutes", o->minutes, "N",
              "Time to measure for; what is missing then, a later call adds (10)")
      .option("--output", o->output_file, "FILE",
              "File to keep the times in (one for each GPU in the cache folder)")
      .option("--only", o->only, "KERNEL",
              "Measure this kernel alone: product, decode_attention, experts, elementwise, launch, "
              "all_reduce, ... "
              "(repeats)")
      .flag("--again", o->again, "Measure everything anew");
  add_hardware_file(verb, o->hardware);
  add_plan_output(verb, o->output);
  verb.notes(
          "Products by cuBLASLt, attention of decoding, elementwise traffic, launches and, among several "
          "GPUs, "
          "NCCL's collectives are timed in CUDA graphs with operands that no cache holds; of a CPU, fp32 "
          "products, "
          "attention of decoding and elementwise traffic on all cores. Clocks and power limits are left as "
          "they "
          "are: stop other programs first. docs/design/plan/kernels.md")
      .runs([&context, o] { return measure(context, *o); });
}

}  // namespace ridge::app_plan
