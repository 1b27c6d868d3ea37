// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rocpd_extra.hpp"
#include "rocpd_process.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

void read_devices(const rocpd_process& process) {
  auto& devices = process.reading.builder.facts().devices;
  auto rows = process.rows("info_agent", {"id", "product_name", "model_name", "name", "extdata"});
  while (process.next(rows, "info_agent")) {
    const auto number = process.gpu(rows.whole(0));
    if (number < 0 || std::ranges::find(devices, number, &trace::device_facts::id) != devices.end()) continue;
    int column = 1;
    while (column < 3 && rows.text(column).empty()) ++column;
    auto facts = agent_facts(rows.text(4));
    facts.id = number;
    facts.name = rows.text(column);
    devices.push_back(facts);
  }
}

void name_processes(const rocpd_process& process) {
  auto rows = process.rows("info_process", {"pid", "command", "name"});
  while (process.next(rows, "info_process")) {
    for (auto& p : process.reading.builder.facts().processes) {
      if (p.id == rows.whole_or(0, -1)) p.name = rows.text(rows.text(2).empty() ? 1 : 2);
    }
  }
}

void name_threads(const rocpd_process& process) {
  auto rows = process.rows("info_thread", {"pid", "tid", "name"});
  while (process.next(rows, "info_thread")) {
    if (rows.text(2).empty()) continue;
    const auto id = process.process(rows.whole_or(0, 0));
    for (auto& t : process.reading.builder.facts().tracks) {
      if (t.kind == trace::track_kind::thread && t.process == id && t.thread == rows.whole_or(1, -1))
        t.name = rows.text(2);
    }
  }
}

}  // namespace

void read_facts(const rocpd_process& process) {
  read_devices(process);
  name_processes(process);
  name_threads(process);
  auto& source = process.reading.builder.facts().source;
  source.producer = "rocprofv3";
  auto rows = process.rows("info_node", {"hostname", "system_name"});
  if (source.host.empty() && process.next(rows, "info_node"))
    source.host = rows.text(rows.text(0).empty() ? 1 : 0);
}

}  // namespace ridge::backends::trace_rocpd
