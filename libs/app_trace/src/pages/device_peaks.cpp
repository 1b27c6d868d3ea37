// SPDX-License-Identifier: Apache-2.0
#include "pages/device_peaks.hpp"

#include <fmt/format.h>

#include <ridge/app/run_file.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::app_trace {
trace::device_peaks peaks_of(const hardware::gpu& gpu) {
  trace::device_peaks peaks{.name = gpu.name, .source = "datasheet"};
  if (gpu.bandwidth_bytes_per_s) peaks.bytes_per_s = gpu.bandwidth_bytes_per_s->value;
  if (gpu.multiprocessors) peaks.sms = static_cast<int>(gpu.multiprocessors->value);
  if (gpu.max_clock_hz) peaks.clock_hz = gpu.max_clock_hz->value;
  for (const auto& p : gpu.peaks) {
    const auto type = static_cast<std::size_t>(trace::number_type_of(p.dtype));
    auto& rates = p.unit == hardware::unit::matrix ? peaks.matrix_flop_per_s : peaks.vector_flop_per_s;
    if (p.dense_flop_per_s) rates.at(type) = *p.dense_flop_per_s;
  }
  return peaks;
}

namespace {

// Returns the architecture's name: "9.0" gives "sm_90".
std::string architecture_of(const hardware::gpu& gpu) {
  if (!gpu.architecture.empty() || gpu.vendor != "nvidia") return gpu.architecture;
  std::string digits;
  for (const char c : gpu.compute_capability) {
    if (c != '.') digits += c;
  }
  return digits.empty() ? "" : "sm_" + digits;
}

double value_of(const model::peak& peak, const std::string& id) {
  const auto* row = peak.find(id);
  return row == nullptr ? 0 : row->value;
}

trace::device_peaks measured_peaks(const model::peak_report& report) {
  trace::device_peaks peaks{.name = report.environment.machine,
                            .source = "measured " + report.peak.measured_at.substr(0, 10)};
  peaks.bytes_per_s = value_of(report.peak, "cuda.read");
  for (int t = 0; t < trace::number_type_count; ++t) {
    const auto type = std::string(name(static_cast<trace::number_type>(t)));
    const auto at = static_cast<std::size_t>(t);
    peaks.vector_flop_per_s.at(at) = value_of(report.peak, "cuda.fma." + type);
    peaks.matrix_flop_per_s.at(at) = value_of(report.peak, "cuda.mma." + (type == "i8" ? "int8" : type));
  }
  return peaks;
}

result<trace::known_device> measured_device(const std::string& file) {
  const auto report = app::peak_report_of_file(file);
  if (!report) return report.why();
  trace::known_device made{.peaks = measured_peaks(*report),
                           .reported = {""}};  // matches every device of the trace
  made.link_bytes_per_s = value_of(report->peak, "cuda.h2d.pinned");
  if (made.peaks.bytes_per_s == 0)
    return error{file + " does not hold the peaks of a GPU",
                 "measure them on that machine: ridge peak --backend cuda --save FILE"};
  return made;
}

result<const hardware::gpu*> gpu_named(const std::string& wanted) {
  const auto& catalogue = hardware::catalogue::embedded();
  if (const auto* named = catalogue.gpu_named(wanted)) return named;
  std::vector<std::string> names;
  for (const auto& g : catalogue.data().gpus) names.push_back(g.name);
  return app::unknown_name("GPU", wanted, names, "the catalogue knows " + join(names, ", "));
}

}  // namespace

void add_peaks_choice(app::command& command, peaks_choice& choice) {
  command
      .option("--gpu", choice.gpu, "NAME",
              "The GPU whose specified peaks count (\"H200 SXM\"); by default the one that the trace names")
      .option("--peaks", choice.file, "FILE",
              "Use the measured peaks that `ridge peak --save FILE` wrote on that machine");
}

trace::known_device known(const hardware::gpu& gpu) {
  trace::known_device made{
      .peaks = peaks_of(gpu), .reported = gpu.reported, .architecture = architecture_of(gpu)};
  if (const auto* pcie = gpu.link_of("pcie")) made.link_bytes_per_s = pcie->bytes_per_s;
  if (const auto* nvlink = gpu.link_of("nvlink")) made.bus_bytes_per_s = nvlink->bytes_per_s;
  if (gpu.memory_bytes) made.memory_bytes = gpu.memory_bytes->value;
  return made;
}

std::vector<trace::known_device> catalogued_devices() {
  std::vector<trace::known_device> all;
  for (const auto& gpu : hardware::catalogue::embedded().data().gpus) all.push_back(known(gpu));
  return all;
}

result<trace::known_device> chosen_device(const peaks_choice& choice) {
  if (!choice.file.empty()) return measured_device(choice.file);
  const auto gpu = gpu_named(choice.gpu);
  if (!gpu) return gpu.why();
  auto made = known(**gpu);
  made.reported = {""};  // matches every device of the trace
  return made;
}

result<trace::device_peaks> peaks_for(const trace::trace& t, const peaks_choice& choice) {
  if (choice.gpu.empty() && choice.file.empty()) {
    const auto devices = t.working_devices();
    const auto* facts = t.facts_of(devices.empty() ? 0 : devices.front());
    const auto all = catalogued_devices();
    const auto* device = facts == nullptr ? nullptr : trace::recognised(all, *facts);
    return device == nullptr ? trace::device_peaks{} : device->peaks;
  }
  const auto chosen = chosen_device(choice);
  return chosen ? result(chosen->peaks) : result<trace::device_peaks>(chosen.why());
}

}  // namespace ridge::app_trace
