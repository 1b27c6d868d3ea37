// SPDX-License-Identifier: Apache-2.0
#include "rocprof_json.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

constexpr auto root = "rocprofiler-sdk-tool";
constexpr std::uint64_t memory_for_a_byte =
    16;  // about how much memory a document takes per byte of its text

// Returns the whole content; nullopt where it is longer than `most`.
std::optional<std::string> all_of(trace::byte_source& source, std::uint64_t most) {
  std::string text;
  std::vector<char> block(std::size_t{1} << 20);
  for (auto n = source.read(block); n > 0; n = source.read(block)) {
    text.append(block.data(), n);
    if (text.size() > most) return std::nullopt;
  }
  return text;
}

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
    const auto text = all_of(source, limits.memory_bytes / memory_for_a_byte);
    if (!text) return too_large(origin.path, limits);
    const auto document = json::parse(*text, nullptr, false);
    if (document.is_discarded()) {
      if (const auto early = source.ended_early()) return *early;
      return error{origin.path + ": this JSON of rocprofv3 is damaged or cut off",
                   "copy it, or profile, again"};
    }
    return trace_of(document, std::move(origin));
  }

 private:
  static trace::trace trace_of(const json& document, trace::origin origin) {
    trace::trace_builder to;
    to.facts().source = std::move(origin);
    const auto& tools = part(document, root);
    for (const auto& tool : tools.is_array() ? tools : json::array({tools})) {
      rocprof_document in(tool, to);
      read_facts(in);
      read_device_work(in);
      read_calls(in);
      read_counters(in);
    }
    return std::move(to).finish();
  }
};

}  // namespace

const trace::importer& rocprof_json() {
  static const importer the_one;
  return the_one;
}

}  // namespace ridge::backends::trace_rocprof_json
