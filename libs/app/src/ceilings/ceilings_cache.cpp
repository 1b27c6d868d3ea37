// SPDX-License-Identifier: Apache-2.0
#include "ceilings/ceilings_cache.hpp"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <ridge/app/cache_folder.hpp>
#include <ridge/app/version.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/model/json.hpp>

#include "machine/machine.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;
constexpr double day_s = 24 * 3600, week_s = 7 * day_s;

// Returns the path of one file per machine and version, since several machines may share a home folder.
fs::path file_of(std::string_view kind) {
  return ceilings_folder() /
         fmt::format("{}-{}-{}.json", kind, machine_name(host::read_topology()), version());
}

// Returns the peak in a file younger than `oldest_s`; nothing for any other file.
std::optional<model::peak> read_peak(const fs::path& path, double oldest_s) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto read = model::peak_from_json(text);
  if (!read || read->ceilings.empty()) return std::nullopt;
  const auto at = seconds_of_utc(read->measured_at);
  const double age = at ? static_cast<double>(std::time(nullptr)) - *at : oldest_s;
  return age >= 0 && age < oldest_s ? std::optional(std::move(*read)) : std::nullopt;
}

// Writes a file completely or not at all, also as seen by a reader at the same moment.
bool write_whole(const fs::path& path, std::string_view text) {
  const fs::path part = path.string() + fmt::format(".{}", getpid());
  std::error_code failed;
  {
    std::ofstream file(part);
    file << text;
    file.close();
    if (!file) {
      fs::remove(part, failed);
      return false;
    }
  }
  fs::rename(part, path, failed);
  if (!failed) return true;
  std::error_code ignored;
  fs::remove(part, ignored);
  return false;
}

// Adds the rows of `other` that `kept` lacks; returns whether there was any.
bool add_missing(model::peak& kept, const model::peak& other) {
  const auto had = kept.ceilings.size();
  for (const auto& row : other.ceilings) {
    if (!kept.find(row.id, row.threads)) kept.ceilings.push_back(row);
  }
  return kept.ceilings.size() > had;
}

// Returns only the rows that can limit code, without sweeps, since every run carries its ceilings along.
model::peak limits_of(model::peak all) {
  std::erase_if(all.ceilings, [](const auto& row) { return row.unit != "FLOP/s" && row.unit != "B/s"; });
  for (auto& row : all.ceilings) row.series.clear();
  return all;
}

}  // namespace

fs::path ceilings_folder() { return cache_folder(); }

std::optional<model::peak> cached_ceilings() {
  auto quick = read_peak(file_of("ceilings"), day_s);
  if (!quick) return std::nullopt;
  if (auto kept = kept_peaks()) add_missing(*quick, limits_of(std::move(*kept)));
  return quick;
}

void cache_ceilings(const model::peak& measured) {
  (void)write_whole(file_of("ceilings"), model::peak_json(measured));
}

std::optional<model::peak> kept_peaks() { return read_peak(file_of("peaks"), week_s); }

fs::path keep_peaks(const model::peak_report& measured) {
  auto all = measured.peak;
  if (const auto before = kept_peaks(); before && add_missing(all, *before))
    all.measured_at = before->measured_at;  // as old as its oldest row
  const auto path = file_of("peaks");
  return write_whole(path, model::peak_json(all)) ? path : fs::path();
}

std::optional<double> seconds_of_utc(std::string_view text) {
  std::tm time{};
  const std::string copy(text);
  const char* end = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<double>(timegm(&time));
}

}  // namespace ridge::app
