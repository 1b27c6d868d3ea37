// SPDX-License-Identifier: Apache-2.0
#include "storage/file_probe.hpp"

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>

#include "probe_lists.hpp"
#include "storage/file_under_test.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr int deep_queue = 32;

void add_first_look(const file_under_test& file, std::vector<model::ceiling>& rows) {
  rows.push_back(bandwidth(file, "storage.file.read", "reading a file in order, 1 MiB per request",
                           {.bytes = mib, .depth = deep_queue}));
  rows.push_back(requests_per_second(file, "storage.file.read.random", "random reads of 4 KiB",
                                     {.random = true, .bytes = 4 * kib, .depth = deep_queue}));
  rows.push_back(latency(file, "storage.file.read.latency", "one random read of 4 KiB"));
  rows.push_back(bandwidth(file, "storage.file.write", "writing a file in order, 1 MiB per request",
                           {.writes = true, .bytes = mib, .depth = deep_queue}));
}

void add_the_rest(const file_under_test& file, std::vector<model::ceiling>& rows) {
  rows.push_back(bandwidth(file, "storage.file.read.one", "reading a file in order, one request of 1 MiB",
                           {.bytes = mib, .depth = 1}));
  rows.push_back(bandwidth(file, "storage.file.write.one", "writing a file in order, one request of 1 MiB",
                           {.writes = true, .bytes = mib, .depth = 1}));
  rows.push_back(
      requests_per_second(file, "storage.file.write.random", "random writes of 4 KiB",
                          {.writes = true, .random = true, .bytes = 4 * kib, .depth = deep_queue}));
  add_cached_reads(file, rows);
  rows.push_back(flush_latency(file));  // comes last, since it writes blocks without their stamps
}

}  // namespace

storage_plan plan_of(probe::depth depth) {
  switch (depth) {
    case probe::depth::standard:
      return {1024 * mib, 1.5, 0.3, true};
    case probe::depth::deep:
      return {4096 * mib, 10, 2, true};
    default:
      return {64 * mib, 0.2, 0.08, false};
  }
}

std::vector<model::ceiling> probe_file(const std::filesystem::path& folder, const measure::clock& clock,
                                       const storage_plan& plan, const storage_ways& ways) {
  const file_under_test of(folder, clock, plan, ways);
  std::vector<model::ceiling> found;
  add_first_look(of, found);
  if (plan.everything) add_the_rest(of, found);
  return found;
}

void add_storage_probes(probe_list& list) {
  list.push_back({"storage.file", "a file on storage",
                  "bounds loaders, checkpoints and paging from this folder", probe::depth::quick,
                  [](const probe::request& request) {
                    if (request.scratch.empty())
                      throw unavailable("a scratch folder", "name one with --scratch");
                    return probe_file(request.scratch, request.clock, plan_of(request.depth));
                  }});
}

}  // namespace ridge::backends::probe_host
