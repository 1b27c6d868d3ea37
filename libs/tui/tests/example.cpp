// SPDX-License-Identifier: Apache-2.0
#include "example.hpp"

namespace ridge::tui::tests {
namespace {

using namespace model;

measurement timed(std::string variant, role is, double median) {
  measurement m{.variant = std::move(variant), .role = is};
  m.metrics = {{{}, median, {median * 0.98, median * 1.02}}};
  m.of_ceiling = 0.5;
  m.flop = 1e6;
  m.bytes_moved = 8e6;
  m.flop_per_s = 1e6 / median;
  m.bytes_per_s = 8e6 / median;
  m.memory = {.peak_bytes = 8 << 20, .allocated_bytes = 8 << 20, .reserved_bytes = 8 << 20};
  m.bound = bound::memory;
  return m;
}

comparison judged(std::string candidate, double ratio, verdict v) {
  return {.reference = "strided",
          .candidate = std::move(candidate),
          .ratio = ratio,
          .ci = {ratio * 0.97, ratio * 1.03},
          .verdict = v,
          .assurance = 2,
          .pairs = 412};
}

}  // namespace

run example_run(const std::string& id, const std::string& started, double faster) {
  run r{.id = id,
        .started = started,
        .command = {"ridge", "run", "ch01"},
        .profile = "minimal",
        .wall_s = 12.3};
  r.environment = {.machine = "intel-xeon-x2",
                   .host = "lab",
                   .cpu = "Intel Xeon",
                   .kernel = "Linux 6.1.0",
                   .compiler = faster > 2 ? "GCC 12.2.0" : "GCC 13.1.0",
                   .build = "0.1.0",
                   .cores = 2};
  r.peak.ceilings = {{.id = "cpu.read",
                      .description = "read bandwidth of memory",
                      .unit = "B/s",
                      .value = 2e10,
                      .threads = 1},
                     {.id = "cpu.fma.fp32",
                      .description = "fp32 multiply-adds",
                      .unit = "FLOP/s",
                      .value = 1.4e11,
                      .threads = 1}};
  for (const std::int64_t stride : {8, 64}) {
    family f{.experiment = "ch01.coalescing",
             .title = "Coalesced loads",
             .problem = {{"stride", stride}},
             .flop = 1e6,
             .bytes_read = 4e6,
             .bytes_written = 4e6,
             .items = 1e6,
             .rounds = 400};
    f.measurements = {timed("strided", role::baseline, 4e-3),
                      timed("contiguous", role::optimized, 4e-3 / faster),
                      timed("ti\x1b[2Jled", role::optimized, 4.2e-3)};
    f.comparisons = {judged("contiguous", faster, verdict::better),
                     judged("ti\x1b[2Jled", 0.95, verdict::worse)};
    r.families.push_back(std::move(f));
  }
  return r;
}

example::example()
    : store_(backends::store_sqlite::make({.location = (folder_.path() / "results.db").string()})) {
  for (const auto& run : {example_run("01JD3K8Z5W0000000000000001", "2026-11-20T10:00:00Z", 1.9),
                          example_run("01JD3K8Z5W0000000000000002", "2026-11-21T11:30:00Z", 2.5)}) {
    store_->begin(run);
    for (const auto& family : run.families) store_->commit(run.id, family);
    store_->finish(run);
  }
}

services example::lent() const {
  services made;
  made.open_store = [store = store_] { return result(store); };
  made.read_machine = [] {
    machine_node machine{.kind = "machine", .name = "intel-xeon-x2"};
    machine.children.push_back({.kind = "package", .name = "Intel Xeon"});
    return machine;
  };
  made.read_audit = [] {
    return audit{.checks = {{.id = "cpu.turbo", .title = "Turbo", .severity = severity::ok, .seen = "off"},
                            {.id = "cpu.governor",
                             .title = "Frequency governor",
                             .severity = severity::warning,
                             .seen = "powersave",
                             .why = "clocks move"}}};
  };
  return made;
}

}  // namespace ridge::tui::tests
