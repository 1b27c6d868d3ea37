// SPDX-License-Identifier: Apache-2.0
#include "nsys_sqlite.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>

#include "nsys_reading.hpp"
#include "unpacked_file.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using namespace std::string_view_literals;

bool is_nsys(const nsys_file& file) {
  const auto tables = file.tables();
  return file.has("META_DATA_EXPORT") || file.has("NVTX_EVENTS") ||
         std::ranges::any_of(tables, [](const auto& t) { return t.starts_with("CUPTI_ACTIVITY_KIND_"); });
}

error not_nsys(const nsys_file& file, const std::string& path) {
  const auto tables = file.tables();
  if (std::ranges::any_of(tables, [](const auto& t) { return t.starts_with("rocpd_"); }))
    return {
        path + " is a database of rocprofv3 whose first 64 KiB do not say so",
        fmt::format("write it anew, `sqlite3 {} \"VACUUM INTO 'results.db'\"`, and name results.db", path)};
  return {path + " is a SQLite file, but no export of Nsight Systems",
          "name a file that `nsys export --type sqlite` wrote"};
}

class importer final : public trace::importer {
 public:
  std::string_view format() const override { return "nsys_sqlite"; }
  // Databases of rocprofv3 name their tables in their first pages.
  bool recognises(std::string_view head) const override {
    return head.starts_with("SQLite format 3\0"sv) && head.find("rocpd_") == std::string_view::npos;
  }

  result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                            const trace::read_limits& limits) const override {
    const trace_sqlite_tables::unpacked_file unpacked(source);
    try {
      const nsys_file file(unpacked.path(), "export it again: `nsys export --type sqlite REPORT.nsys-rep`");
      if (!is_nsys(file)) return not_nsys(file, origin.path);
      return read_tables(file, std::move(origin), limits);
    } catch (const failure& f) {
      return f.why();
    }
  }

 private:
  static trace::trace read_tables(const nsys_file& file, trace::origin origin,
                                  const trace::read_limits& limits) {
    nsys_reading in(file, limits);
    in.builder.facts().source = std::move(origin);
    for (auto* part : {&read_device_work, &read_host_calls, &read_ranges, &read_synchronization,
                       &read_counters, &read_samples, &read_facts})
      part(in);
    return std::move(in.builder).finish();
  }
};

}  // namespace

const trace::importer& nsys_sqlite() {
  static const importer the_one;
  return the_one;
}

}  // namespace ridge::backends::trace_nsys_sqlite
