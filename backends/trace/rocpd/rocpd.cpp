// SPDX-License-Identifier: Apache-2.0
#include "rocpd.hpp"

#include <string>
#include <utility>
#include <vector>

#include <ridge/base/error.hpp>

#include "rocpd_process.hpp"
#include "unpacked_file.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

using namespace std::string_view_literals;

// The ends of the names of the tables that hold events: one a process.
std::vector<std::string> guids_in(const sqlite_file& file) {
  constexpr auto stem = "rocpd_event"sv;
  std::vector<std::string> guids;
  for (const auto& table : file.tables()) {
    const bool whole =
        table.size() == stem.size() || (table.size() > stem.size() && table[stem.size()] == '_');
    if (table.starts_with(stem) && whole) guids.push_back(table.substr(stem.size()));
  }
  return guids;
}

// The numbers of GPUs: those of the first node first, each node's by their place in it.
void number_gpus(rocpd_reading& reading, const std::vector<std::string>& guids) {
  for (const auto& guid : guids) {
    auto rows = reading.file.rows("rocpd_info_agent" + guid, {"nid", "absolute_index", "id", "type"});
    while (rows.next()) {
      if (rows.text(3) == "GPU")
        reading.gpus.try_emplace({rows.whole_or(0, 0), rows.whole_or(1, rows.whole_or(2, 0))});
    }
  }
  std::int32_t number = 0;
  for (auto& [place, given] : reading.gpus) given = number++;
}

void read_process(const rocpd_process& process) {
  for (auto* part : {&read_kernels, &read_copies, &read_regions, &read_marks, &read_allocations,
                     &read_counters, &read_facts})
    part(process);
}

class importer final : public trace::importer {
 public:
  std::string_view format() const override { return "rocpd"; }
  bool recognises(std::string_view head) const override {
    return head.starts_with("SQLite format 3\0"sv) && head.find("rocpd_") != std::string_view::npos;
  }

  result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                            const trace::read_limits& limits) const override {
    constexpr std::uint64_t row_bytes = 256;
    const trace_sqlite_tables::unpacked_file unpacked(source);
    try {
      const sqlite_file file(unpacked.path(),
                             "copy it, or profile with `rocprofv3 --sys-trace -- CMD`, again");
      const auto guids = guids_in(file);
      if (guids.empty())
        return error{origin.path + " is a SQLite file, but no database of rocprofv3",
                     "name a file that `rocprofv3 --sys-trace -- CMD` wrote (NAME_results.db)"};
      rocpd_reading reading{.file = file, .rows_left = limits.memory_bytes / row_bytes};
      reading.builder.facts().source = std::move(origin);
      number_gpus(reading, guids);
      for (const auto& guid : guids) read_process(rocpd_process(reading, guid));
      return std::move(reading.builder).finish();
    } catch (const failure& f) {
      return f.why();
    }
  }
};

}  // namespace

const trace::importer& rocpd() {
  static const importer the_one;
  return the_one;
}

}  // namespace ridge::backends::trace_rocpd
