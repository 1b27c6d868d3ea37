// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/profile_session.hpp>

#include <ctime>
#include <memory>

#include <ridge/host/child_process.hpp>

#include "passed_signals.hpp"

namespace ridge::profile {
namespace {

constexpr int look_every_ms = 20;

std::int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Takes the one of several tries in which the two clocks were read closest together.
std::int64_t unix_minus_clock_ns() {
  std::int64_t best = 0, closest = -1;
  for (int i = 0; i < 8; ++i) {
    const auto before = now_ns(CLOCK_MONOTONIC), unix_ns = now_ns(CLOCK_REALTIME),
               after = now_ns(CLOCK_MONOTONIC);
    if (closest >= 0 && after - before >= closest) continue;
    closest = after - before;
    best = unix_ns - (before + closest / 2);
  }
  return best;
}

std::unique_ptr<cpu_sampler> sampler_for(pid_t process, const session_settings& settings,
                                         profiled_program& program) {
  if (!settings.sampler) return nullptr;
  auto made = settings.sampler(process, settings.sampling);
  if (!made) {
    program.not_sampled = made.why();
    return nullptr;
  }
  program.sampler_unit = (*made)->unit();
  return std::move(*made);
}

void follow(host::child_process& child, cpu_sampler* sampler, profiled_program& program) {
  const record_sink take = [&program](const sampler_record& r) { program.cpu.add(r); };
  if (sampler != nullptr) {
    while (!child.ended()) sampler->drain(look_every_ms, take);
    sampler->finish(take);
  }
  program.exit_code = shell_status(child.wait().outcome);
  program.end_ns = now_ns(CLOCK_MONOTONIC);
}

}  // namespace

result<profiled_program> run_profiled(const program_start& start, const session_settings& settings) {
  profiled_program made;
  made.unix_minus_clock_ns = unix_minus_clock_ns();
  host::child_process child(host::program{.command = start.command,
                                          .variables = start.variables,
                                          .output = host::child_output::pass,
                                          .errors = host::child_output::pass,
                                          .own_input = false,
                                          .own_group = false,
                                          .held = true});
  const passed_signals signals(child.id());
  const auto sampler = sampler_for(child.id(), settings, made);
  made.start_ns = now_ns(CLOCK_MONOTONIC);
  if (auto started = child.release(); !started) return started.why();
  follow(child, sampler.get(), made);
  return made;
}

}  // namespace ridge::profile
