// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/profile_json.hpp>

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridge::profile {
namespace {

constexpr std::uint32_t no_frame = 0xffffffffU;

std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string quoted(const std::string& text) { return text_of(nlohmann::json(text)); }

// Writes microseconds with three decimals, which are exact for times since the machine's start.
std::string us(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

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

void write_name(event_list& events, const char* kind, pid_t process, pid_t thread, const std::string& name) {
  events.add(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", kind, process,
                         thread, quoted(name)));
}

void write_threads(event_list& events, const cpu_profile& cpu) {
  for (const auto& [key, name] : cpu.threads()) {
    const auto [process, thread] = key;
    if (process == thread) write_name(events, "process_name", process, thread, name);
    write_name(events, "thread_name", process, thread, name);
  }
}

// As in Kineto, a device's number takes the place of a process and its streams those of threads.
void write_device_names(event_list& events, const gpu_facts& gpu) {
  for (const auto& [id, device] : gpu.devices) {
    write_name(events, "process_name", id, 0, nlohmann::json::parse(device).value("name", ""));
    events.add(fmt::format(
        R"({{"ph":"M","name":"process_labels","pid":{0},"tid":0,"args":{{"labels":"GPU {0}"}}}})", id));
  }
}

void write_waits(event_list& events, const cpu_profile& cpu) {
  for (const auto& w : cpu.waits()) {
    events.add(fmt::format(R"({{"ph":"X","cat":"off_cpu","name":"{}","pid":{},"tid":{},"ts":{},"dur":{}}})",
                           w.preempted ? "preempted" : "waiting", w.process, w.thread, us(w.start_ns),
                           us(w.end_ns - w.start_ns)));
  }
}

void count(std::string_view event, event_counts& counts) {
  const auto head = event.substr(0, 64);
  const auto is = [head](std::string_view category) { return head.find(category) != std::string_view::npos; };
  if (is("\"cat\":\"kernel\"")) ++counts.kernels;
  if (is("\"cat\":\"gpu_memcpy\"")) ++counts.copies;
  if (is("\"cat\":\"gpu_memset\"")) ++counts.fills;
  if (is("\"cat\":\"cuda_")) counts.calls += is("\"cat\":\"cuda_sync\"") ? 0U : 1U;
  if (is("\"cat\":\"user_annotation\"")) ++counts.ranges;
}

void copy_events(event_list& events, const std::string& path, event_counts& counts) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('{') || !line.ends_with('}') || file.eof()) continue;
    events.add(line);
    count(line, counts);
  }
}

void write_frames(const cpu_profile& cpu, const std::function<void(std::string_view)>& out) {
  out("\"stackFrames\":{");
  for (std::size_t i = 0; i < cpu.frames().size(); ++i) {
    const auto& f = cpu.frames()[i];
    const auto caller = f.caller == no_frame ? "" : fmt::format(R"(,"parent":"{}")", f.caller);
    out(fmt::format("{}\n\"{}\":{{\"name\":{},\"category\":{}{}}}", i == 0 ? "" : ",", i, quoted(f.function),
                    quoted(f.module), caller));
  }
  out("},\n");
}

void write_samples(const cpu_profile& cpu, const std::function<void(std::string_view)>& out) {
  out("\"samples\":[");
  const char* between = "";
  for (const auto& s : cpu.samples()) {
    if (s.stack == no_frame) continue;
    out(fmt::format("{}\n{{\"pid\":{},\"tid\":{},\"ts\":{},\"sf\":\"{}\",\"weight\":{}}}", between, s.process,
                    s.thread, us(s.time_ns), s.stack, s.weight));
    between = ",";
  }
  out("],\n");
}

void write_devices(const gpu_facts& gpu, const std::function<void(std::string_view)>& out) {
  out("\"deviceProperties\":[");
  const char* between = "";
  for (const auto& [id, device] : gpu.devices) {
    out(between);
    out(device);
    between = ",\n";
  }
  out("],\n");
  if (gpu.runtime_version != 0) out(fmt::format("\"cuda_runtime_version\":{},", gpu.runtime_version));
  if (gpu.driver_version != 0) out(fmt::format("\"cuda_driver_version\":{},\n", gpu.driver_version));
}

void write_head(const profile_facts& facts, const profiled_program& seen,
                const std::function<void(std::string_view)>& out) {
  out(fmt::format("{{\"producer\":\"ridge profile\",\"displayTimeUnit\":\"ns\",\"baseTimeNanoseconds\":{},\n",
                  seen.unix_minus_clock_ns));
  out(fmt::format("\"command\":{},\"host_name\":{},\"exitCode\":{},", text_of(nlohmann::json(facts.command)),
                  quoted(facts.host), seen.exit_code));
  out(fmt::format("\"startNanoseconds\":{},\"endNanoseconds\":{},\n", seen.start_ns, seen.end_ns));
  out(fmt::format("\"sampleUnit\":{},\"lostRecords\":{},\n", quoted(seen.sampler_unit),
                  seen.cpu.lost() + facts.gpu.records_lost));
}

}  // namespace

event_counts write_profile(const profile_facts& facts, const profiled_program& seen,
                           const std::function<void(std::string_view)>& out) {
  event_counts counts;
  write_head(facts, seen, out);
  write_devices(facts.gpu, out);
  write_frames(seen.cpu, out);
  write_samples(seen.cpu, out);
  out("\"traceEvents\":[");
  event_list events(out);
  write_threads(events, seen.cpu);
  write_device_names(events, facts.gpu);
  write_waits(events, seen.cpu);
  for (const auto& file : facts.event_files) copy_events(events, file, counts);
  out("\n]}\n");
  return counts;
}

}  // namespace ridge::profile
