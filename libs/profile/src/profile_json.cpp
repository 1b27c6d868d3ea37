// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/profile_json.hpp>

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridge::profile {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Microseconds with three decimals: exact.
std::string us(std::int64_t ns) {
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

class event_list {
 public:
  explicit event_list(const std::function<void(std::string_view)>& out) : out_(out) {}
  void add(std::string_view event) {
    out_(first_ ? "\n" : ",\n");
    out_(event);
    first_ = false;
  }

 private:
  const std::function<void(std::string_view)>& out_;
  bool first_ = true;
};

void write_threads(event_list& to, const cpu_profile& cpu) {
  for (const auto& [key, name] : cpu.threads()) {
    const auto [process, thread] = key;
    const auto* what = process == thread ? "process_name" : "thread_name";
    to.add(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what, process, thread, quoted(name)));
    if (process == thread)
      to.add(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process, thread, quoted(name)));
  }
}

void write_waits(event_list& to, const cpu_profile& cpu) {
  for (const auto& w : cpu.waits())
    to.add(fmt::format(R"({{"ph":"X","cat":"off_cpu","name":"{}","pid":{},"tid":{},"ts":{},"dur":{}}})",
                       w.preempted ? "preempted" : "waiting", w.process, w.thread, us(w.start_ns), us(w.end_ns - w.start_ns)));
}

// Lines that are whole: a collector that was killed may have left the last one cut.
void copy_events(event_list& to, const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('{') && line.ends_with('}')) to.add(line);
  }
}

void write_frames(const cpu_profile& cpu, const std::function<void(std::string_view)>& out) {
  out("\"stackFrames\":{");
  for (std::size_t i = 0; i < cpu.frames().size(); ++i) {
    const auto& f = cpu.frames()[i];
    const auto parent = f.caller == 0xffffffffU ? "" : fmt::format(R"(,"parent":"{}")", f.caller);
    out(fmt::format("{}\n\"{}\":{{\"name\":{},\"category\":{}{}}}", i == 0 ? "" : ",", i, quoted(f.function), quoted(f.module), parent));
  }
  out("},\n\"samples\":[");
  bool first = true;
  for (const auto& s : cpu.samples()) {
    if (s.stack == 0xffffffffU) continue;
    out(fmt::format("{}\n{{\"pid\":{},\"tid\":{},\"ts\":{},\"sf\":\"{}\",\"weight\":{}}}", first ? "" : ",", s.process, s.thread, us(s.time_ns), s.stack, s.weight));
    first = false;
  }
  out("],\n");
}

}  // namespace

void write_profile(const profile_facts& facts, const cpu_profile& cpu, const std::vector<std::string>& event_files,
                   const std::function<void(std::string_view)>& out) {
  out(fmt::format("{{\"schemaVersion\":1,\"producer\":\"ridge profile\",\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":{},\n", facts.unix_minus_clock_ns));
  out(fmt::format("\"command\":{},\"host\":{},\"exitCode\":{},\"samplerUnit\":{},\"lostSamples\":{},\n", nlohmann::json(facts.command).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), quoted(facts.host), facts.exit_code,
                  quoted(facts.sampler_unit), cpu.lost()));
  write_frames(cpu, out);
  out("\"traceEvents\":[");
  event_list events(out);
  write_threads(events, cpu);
  write_waits(events, cpu);
  for (const auto& file : event_files) copy_events(events, file);
  out("\n]}\n");
}

}  // namespace ridge::profile
