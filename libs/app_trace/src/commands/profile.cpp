// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/backends.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/profile/gpu_collector.hpp>
#include <ridge/profile/profile_json.hpp>

#include "commands/trace_commands.hpp"

namespace ridge::app_trace {
namespace {

using sampler_maker = result<std::unique_ptr<profile::cpu_sampler>>(pid_t, const profile::sampler_settings&);

struct profile_options {
  std::string target{};
  std::string output{};
  std::string frequency{"999"};
  bool no_cpu = false, no_gpu = false;
};

std::string is_frequency(const std::string& text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = code == std::errc{} && end == text.data() + text.size() && value >= 1 && value <= 20'000;
  return good ? "" : fmt::format("\"{}\" is not a frequency; write 1 to 20000 samples per second", text);
}

// The program to profile, and the name of its profile.
struct chosen_program {
  std::vector<std::string> command{};
  std::string name{};
};

std::filesystem::path own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

result<chosen_program> chosen(const app::context& context, const profile_options& o) {
  if (context.programs.size() > 1)
    return error{"only one program can be profiled at a time",
                 "profile each on its own; `ridge trace diff` compares"};
  if (!context.programs.empty() && !o.target.empty())
    return error{"both an experiment and a program are named", "name one of them"};
  if (!context.programs.empty()) {
    const auto& command = context.programs.front();
    return chosen_program{command, std::filesystem::path(command.front()).filename().string()};
  }
  if (o.target.empty())
    return error{"there is nothing to profile",
                 "write `ridge profile -- PROGRAM ARGS`, or `ridge profile ID` for an experiment"};
  const auto found = app::select(context.experiments, {o.target});
  if (!found) return found.why();
  return chosen_program{{own_program().string(), "run", o.target, "--profile", "minimal", "--no-store"},
                        o.target};
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

struct written_profile {
  std::string path{};
  profile::event_counts counts{};
};

written_profile write(const std::string& path, const profile::profile_facts& facts,
                      const profile::profiled_program& seen) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  written_profile made{.path = path};
  if (file)
    made.counts = write_profile(facts, seen, [&file](std::string_view text) {
      file.write(text.data(), static_cast<std::streamsize>(text.size()));
    });
  if (!file.flush()) throw io_failure("write", path, errno, "name another file with --output");
  return made;
}

std::string cpu_line(const profile::profiled_program& seen) {
  if (seen.not_sampled) return fmt::format("processors: not sampled: {}\n", seen.not_sampled->text());
  if (seen.sampler_unit.empty()) return "";
  return fmt::format(
      "processors: {} samples of {}, {} stack frames, {} threads, {} waits of 50 us or more; {} records "
      "lost\n",
      seen.cpu.samples().size(), seen.sampler_unit, seen.cpu.frames().size(), seen.cpu.threads().size(),
      seen.cpu.waits().size(), seen.cpu.lost());
}

std::string gpu_line(const profile::gpu_facts& gpu, const profile::event_counts& n) {
  std::string text;
  if (gpu.processes > 0)
    text = fmt::format(
        "GPU: {} kernels, {} copies, {} fills, {} calls, {} ranges in {} process{}; {} records lost\n",
        n.kernels, n.copies, n.fills, n.calls, n.ranges, gpu.processes, gpu.processes == 1 ? "" : "es",
        gpu.records_lost);
  for (const auto& why : gpu.failures) text += fmt::format("GPU: not all was collected: {}\n", why);
  return text;
}

void tell_result(const app::context& context, const profile::profile_facts& facts,
                 const profile::profiled_program& seen, const written_profile& made) {
  context.tell(fmt::format("\nridge: the program ended with {} after {:.3f} s; its profile is {}\n",
                           seen.exit_code, static_cast<double>(seen.end_ns - seen.start_ns) * 1e-9,
                           made.path));
  context.tell(cpu_line(seen) + gpu_line(facts.gpu, made.counts));
  context.tell(fmt::format("next: ridge trace {0}; ridge diagnose {0}\n", made.path));
}

int profile_program(const app::context& context, const profile_options& o) {
  const auto what = chosen(context, o);
  if (!what) return context.refuse(what.why(), app::exit_code::usage);
  const auto collector = o.no_gpu ? std::nullopt : profile::find_gpu_collector(own_program().parent_path());
  const profile::events_folder folder;
  profile::session_settings settings{.sampling = {static_cast<std::uint32_t>(std::stoul(o.frequency))}};
  if (!o.no_cpu) settings.sampler = app::find_factory<sampler_maker>(app::profile_backends(), "perf_event");
  profile::program_start start{.command = what->command};
  if (collector) start.variables = profile::collector_variables(*collector, folder.path());
  const auto seen = profile::run_profiled(start, settings);
  if (!seen) return context.refuse(seen.why(), app::exit_code::unavailable);
  const profile::profile_facts facts{what->command, host_name(), profile::read_gpu_facts(folder.facts()),
                                     folder.events()};
  const auto path = o.output.empty() ? "ridge-profile-" + what->name + ".json" : o.output;
  tell_result(context, facts, *seen, write(path, facts, *seen));
  return seen->exit_code;
}

}  // namespace

void add_profile(app::command& command, app::context& context) {
  auto o = std::make_shared<profile_options>();
  command.add("profile", "Profile a program or an experiment into a trace that `ridge trace` opens")
      .option("ID", o->target, "ID", "An experiment; left out where a program follows --")
      .option("--output", o->output, "FILE", "Where the profile is written (ridge-profile-NAME.json)")
      .option("--frequency", o->frequency, "HZ", "Samples of each processor's stack per second (999)")
      .checked(is_frequency)
      .flag("--no-cpu", o->no_cpu, "Do not sample the processors")
      .flag("--no-gpu", o->no_gpu, "Do not collect what runs on NVIDIA GPUs")
      .notes(
          "  ridge profile -- ./train --steps 20\n"
          "The program keeps its input, output and exit code; processes that it starts are followed. Ctrl-C "
          "ends the "
          "program and keeps what was collected. The file is Chrome JSON: ui.perfetto.dev opens it as well.")
      .runs([&context, o] { return profile_program(context, *o); });
}

}  // namespace ridge::app_trace
