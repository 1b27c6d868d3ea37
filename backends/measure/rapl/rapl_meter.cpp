// SPDX-License-Identifier: Apache-2.0
#include "rapl_meter.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <optional>

#include <ridge/base/error.hpp>

namespace ridge::backends::measure_rapl {
namespace {

namespace fs = std::filesystem;

std::string read_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::int64_t> read_energy(const fs::path& path) {
  const auto line = read_line(path);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), value);
  return code == std::errc{} && value >= 0 ? std::optional(value) : std::nullopt;
}

// Returns whether a zone counts: cores and graphics are parts of their package and psys contains it, so
// adding them would count twice.
bool counts(std::string_view name) { return name.starts_with("package") || name == "dram"; }

std::vector<fs::path> domain_folders(const fs::path& powercap) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(powercap, ignored)) {
    // The folders are called "intel-rapl:0:2"; a second tree, intel-rapl-mmio, shows the same counters again.
    if (entry.path().filename().string().starts_with("intel-rapl:")) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

rapl_meter::rapl_meter(const fs::path& root) {
  const auto folders = domain_folders(root / "sys/class/powercap");
  for (const auto& folder : folders) {
    if (counts(read_line(folder / "name"))) add_domain(folder);
  }
  if (!domains_.empty()) return;
  reason_ = folders.empty()
                ? "no RAPL energy counters (/sys/class/powercap has none; virtual machines hide them)"
                : "RAPL energy counters are not readable: sudo chmod a+r "
                  "/sys/class/powercap/intel-rapl:*/energy_uj";
}

void rapl_meter::add_domain(const fs::path& folder) {
  const auto now = read_energy(folder / "energy_uj");
  const auto range = read_energy(folder / "max_energy_range_uj");
  if (!now || !range) return;
  domains_.push_back({folder / "energy_uj", *range, *now});
  name_ += (name_.empty() ? "" : ", ") + read_line(folder / "name");
}

double rapl_meter::joules() {
  for (auto& d : domains_) {
    const auto now = read_energy(d.file);
    if (!now) throw io_failure("read", d.file.native(), EIO);
    const auto step = *now >= d.last_uj ? *now - d.last_uj : *now + d.range_uj - d.last_uj;
    d.last_uj = *now;
    joules_ += static_cast<double>(step) * 1e-6;
  }
  return joules_;
}

std::unique_ptr<measure::energy_meter> make() { return std::make_unique<rapl_meter>("/"); }

}  // namespace ridge::backends::measure_rapl
