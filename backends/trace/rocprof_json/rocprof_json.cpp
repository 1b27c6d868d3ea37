// SPDX-License-Identifier: Apache-2.0
#include "rocprof_json.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/trace/whole_content.hpp>

#include "rocprof_text.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

// The text and the trace, which takes less than its text.
constexpr std::uint64_t memory_for_a_byte = 2;

error too_large(const std::string& path, const trace::read_limits& limits) {
  return {
      fmt::format("{}: this JSON of rocprofv3 needs more memory than {} bytes", path, limits.memory_bytes),
      "raise --max-memory, or profile a shorter time"};
}

class importer final : public trace::importer {
 public:
  std::string_view format() const override { return "rocprof_json"; }
  bool recognises(std::string_view head) const override {
    return head.substr(0, 4096).find("\"rocprofiler-sdk-tool\"") != std::string_view::npos;
  }

  result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                            const trace::read_limits& limits) const override {
    const auto text = trace::whole_content(source, limits.memory_bytes / memory_for_a_byte);
    if (!text) return too_large(origin.path, limits);
    trace::trace_builder builder;
    const auto path = origin.path;
    builder.facts().source = std::move(origin);
    if (!read_document(text->view(), builder)) {
      if (const auto early = source.ended_early()) return *early;
      return error{path + ": this JSON of rocprofv3 is damaged or cut off", "copy it, or profile, again"};
    }
    return std::move(builder).finish();
  }
};

}  // namespace

const trace::importer& rocprof_json() {
  static const importer the_one;
  return the_one;
}

}  // namespace ridge::backends::trace_rocprof_json
