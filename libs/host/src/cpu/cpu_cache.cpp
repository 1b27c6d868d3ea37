// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_cache.hpp>

#include <unistd.h>

#include <algorithm>
#include <string>

#include <ridge/host/cpu_list.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

std::size_t size_of(long value) { return value > 0 ? static_cast<std::size_t>(value) : 0; }

cache_kind kind_of(std::string_view type) {
  if (type == "Data") return cache_kind::data;
  return type == "Instruction" ? cache_kind::instruction : cache_kind::unified;
}

std::optional<cpu_cache> read_cache(const std::filesystem::path& folder, int cpu) {
  const auto level = read_number(folder / "level");
  const auto bytes = to_bytes(read_text(folder / "size").value_or(""));
  if (!level || !bytes) return std::nullopt;
  cpu_cache c{.level = static_cast<int>(*level), .bytes = *bytes};
  c.kind = kind_of(read_text(folder / "type").value_or(""));
  c.line_bytes =
      static_cast<std::size_t>(std::max(0LL, read_number(folder / "coherency_line_size").value_or(0)));
  c.ways = static_cast<int>(read_number(folder / "ways_of_associativity").value_or(0));
  const auto shared = parse_cpu_list(read_text(folder / "shared_cpu_list").value_or(""));
  c.cpus = shared && !shared->empty() ? *shared : std::vector{cpu};
  return c;
}

bool same_cache(const cpu_cache& a, const cpu_cache& b) {
  return a.level == b.level && a.kind == b.kind && a.cpus == b.cpus;
}

}  // namespace

std::vector<cpu_cache> read_caches(const std::filesystem::path& root, std::span<const int> cpus) {
  std::vector<cpu_cache> caches;
  for (const int cpu : cpus) {
    const auto folder = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "cache";
    for (int index = 0;; ++index) {
      const auto found = read_cache(folder / ("index" + std::to_string(index)), cpu);
      if (!found) break;
      const bool known =
          std::ranges::any_of(caches, [&](const cpu_cache& c) { return same_cache(c, *found); });
      if (!known) caches.push_back(*found);
    }
  }
  std::ranges::stable_sort(caches, {}, &cpu_cache::level);
  return caches;
}

std::vector<cpu_cache> caches_by_sysconf(std::span<const int> cpus) {
  const auto line = size_of(sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
  const std::vector<int> all(cpus.begin(), cpus.end());
  std::vector<cpu_cache> caches;
  const auto add = [&](int level, cache_kind kind, int name, const std::vector<int>& shared) {
    const auto bytes = size_of(sysconf(name));
    if (bytes > 0) caches.push_back({level, kind, bytes, line, 0, shared});
  };
  for (const int cpu : cpus) {
    add(1, cache_kind::data, _SC_LEVEL1_DCACHE_SIZE, {cpu});
    add(2, cache_kind::unified, _SC_LEVEL2_CACHE_SIZE, {cpu});
  }
  add(3, cache_kind::unified, _SC_LEVEL3_CACHE_SIZE, all);
  std::ranges::stable_sort(caches, {}, &cpu_cache::level);
  return caches;
}

}  // namespace ridge::host
