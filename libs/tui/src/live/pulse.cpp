// SPDX-License-Identifier: Apache-2.0
#include "live/pulse.hpp"

#include <charconv>
#include <exception>
#include <fstream>
#include <sstream>

namespace ridge::tui {
namespace {

using std::chrono::steady_clock;
constexpr auto period = std::chrono::milliseconds(250);
constexpr auto patience = std::chrono::seconds(3);
constexpr std::size_t most_pulses = 240;

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns the bytes of a line of /proc/meminfo, which states kibibytes.
std::optional<double> meminfo_bytes(const std::string& text, std::string_view name) {
  const auto place = text.find(name);
  if (place == std::string::npos) return std::nullopt;
  const auto digits = text.find_first_of("0123456789", place);
  if (digits == std::string::npos) return std::nullopt;
  double number = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), number);
  return number * 1024;
}

std::string whole_file(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

cpu_ticks cpu_ticks_of(std::string_view proc_stat) {
  std::istringstream line{std::string(proc_stat)};
  std::string name;
  line >> name;
  if (name != "cpu") return {};
  // user nice system idle iowait irq softirq steal
  constexpr std::size_t idle = 3, waiting = 4, steal = 7, known = 8;
  cpu_ticks ticks;
  double number = 0;
  for (std::size_t i = 0; i < known && line >> number; ++i) {
    ticks.all += number;
    if (i == steal) ticks.stolen += number;
    if (i != idle && i != waiting && i != steal) ticks.busy += number;
  }
  return ticks;
}

pulse_meter::~pulse_meter() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

pulse_report pulse_meter::report() {
  pulse_report known;
  {
    const std::scoped_lock lock(mutex_);
    asked_ = steady_clock::now();
    if (!watcher_.joinable()) watcher_ = std::thread([this] { watch(); });
    known.pulses.assign(pulses_.begin(), pulses_.end());
    known.no_gpu = no_gpu_;
  }
  changed_.notify_all();
  return known;
}

void pulse_meter::watch() {
  std::unique_ptr<measure::gpu_monitor> gpus;
  std::string missing = "this build reads no GPU";
  try {
    if (open_gpus_) gpus = open_gpus_();
    if (gpus) missing = gpus->unavailable_because();
  } catch (const std::exception& why) {
    missing = why.what();
    gpus.reset();
  }
  cpu_ticks before{};
  std::unique_lock lock(mutex_);
  no_gpu_ = missing;
  while (!ending_) {
    if (steady_clock::now() - asked_ > patience) {
      pulses_.clear();  // a gap would look as if nothing had happened meanwhile
      before = {};
      changed_.wait(lock, [&] { return ending_ || steady_clock::now() - asked_ <= patience; });
      continue;
    }
    lock.unlock();
    take(missing.empty() ? gpus.get() : nullptr, before);
    lock.lock();
    changed_.wait_for(lock, period, [&] { return ending_; });
  }
}

void pulse_meter::take(measure::gpu_monitor* gpus, cpu_ticks& before) {
  pulse now{.taken = steady_clock::now()};
  const auto ticks = cpu_ticks_of(first_line("/proc/stat"));
  if (before.all > 0 && ticks.all > before.all) {
    now.cpu_busy = (ticks.busy - before.busy) / (ticks.all - before.all);
    now.cpu_stolen = (ticks.stolen - before.stolen) / (ticks.all - before.all);
  }
  before = ticks;
  const auto memory = whole_file("/proc/meminfo");
  now.memory_bytes = meminfo_bytes(memory, "MemTotal:");
  const auto available = meminfo_bytes(memory, "MemAvailable:");
  if (now.memory_bytes && available) now.memory_used_bytes = *now.memory_bytes - *available;
  if (gpus != nullptr) now.gpus = gpus->read();
  const std::scoped_lock lock(mutex_);
  pulses_.push_back(std::move(now));
  while (pulses_.size() > most_pulses) pulses_.pop_front();
}

}  // namespace ridge::tui
