// SPDX-License-Identifier: Apache-2.0
#include "rocprof_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <ridge/trace/json_walk.hpp>

#include "rocprof_document.hpp"

namespace ridge::backends::trace_rocprof_json {
namespace {

using trace::json_piece;
using trace::json_walk;

constexpr std::string_view root = "\"rocprofiler-sdk-tool\"";

record_function function_for(std::string_view list) {
  if (list == "\"kernel_dispatch\"") return add_kernel;
  if (list == "\"memory_copy\"") return add_copy;
  if (list == "\"hip_api\"" || list == "\"hsa_api\"") return add_call;
  if (list == "\"rccl_api\"") return add_communication_call;
  return list == "\"marker_api\"" ? add_marker : nullptr;
}

// Calls `take` with the key and the place of each member's value, and goes on where it says; nullptr where
// the text is damaged. `position` is at the opening brace.
template <class Take>
const char* each_member(json_walk& walk, const char* position, Take take) {
  json_piece key;
  for (++position; walk.next(position, '}');) {
    const auto* value = walk.past_key(position, key);
    if (value == nullptr || value >= walk.end) return nullptr;
    position = take(key.text(), value);
    if (position == nullptr) return nullptr;
  }
  return position;
}

// The same for the elements of a list.
template <class Take>
const char* each_element(json_walk& walk, const char* position, Take take) {
  for (++position; walk.next(position, ']');) {
    position = take(position);
    if (position == nullptr) return nullptr;
  }
  return position;
}

const char* read_records(json_walk& walk, const char* lists, rocprof_document& document) {
  return each_member(walk, lists, [&](std::string_view key, const char* value) -> const char* {
    const auto add = function_for(key);
    if (add == nullptr || *value != '[') return walk.past_value(value);
    rocprof_record record;
    record_reader reader;
    return each_element(walk, value, [&](const char* element) {
      if (*element != '{') return walk.past_value(element);
      const auto* behind = reader.read(walk, element, record);
      if (behind != nullptr) add(document, record);
      return behind;
    });
  });
}

const char* read_callbacks(json_walk& walk, const char* lists, rocprof_document& document) {
  return each_member(walk, lists, [&](std::string_view key, const char* value) -> const char* {
    if (key != "\"counter_collection\"" || *value != '[') return walk.past_value(value);
    return each_element(walk, value, [&](const char* element) -> const char* {
      const auto* behind = walk.past_value(element);
      if (behind == nullptr) return nullptr;
      const auto collected = json::parse(element, behind, nullptr, false);
      if (collected.is_discarded()) return nullptr;
      add_counters(document, collected);
      return behind;
    });
  });
}

// What explains records; it may stand before or behind them. Counters explain callbacks alone, and files
// without counters may lack them.
bool explains_all(const json& members) {
  constexpr std::array keys{"metadata", "agents", "strings", "kernel_symbols"};
  return std::ranges::all_of(keys, [&](const char* key) { return members.contains(key); });
}

// One process's part of a document, read member by member.
class tool_reader {
 public:
  tool_reader(json_walk& walk, trace::trace_builder& builder) : walk_(walk), builder_(builder) {}

  const char* read(const char* position) {
    const auto* behind = each_member(
        walk_, position, [&](std::string_view key, const char* value) { return read_member(key, value); });
    if (behind == nullptr) return nullptr;
    if (!document_) explain();
    if (records_ != nullptr && read_records(walk_, records_, *document_) == nullptr) return nullptr;
    if (callbacks_ != nullptr && add_callbacks(callbacks_) == nullptr) return nullptr;
    return behind;
  }

 private:
  const char* read_member(std::string_view key, const char* value) {
    const bool records = key == "\"buffer_records\"", callbacks = key == "\"callback_records\"";
    if ((records || callbacks) && *value == '{') {
      if (!document_ && explains_all(explains_)) explain();
      if (document_ && records) return read_records(walk_, value, *document_);
      if (document_ && explains_.contains("counters")) return add_callbacks(value);
      (records ? records_ : callbacks_) = value;
      return walk_.past_value(value);
    }
    const auto* end = walk_.past_value(value);
    if (end == nullptr || (document_ && key != "\"counters\"")) return end;
    auto parsed = json::parse(value, end, nullptr, false);
    if (parsed.is_discarded()) return nullptr;
    explains_[std::string(key.substr(1, key.size() - 2))] = std::move(parsed);
    return end;
  }

  const char* add_callbacks(const char* lists) {
    document_->name_counters(list(explains_, "counters"));
    return read_callbacks(walk_, lists, *document_);
  }

  void explain() {
    document_.emplace(explains_, builder_);
    read_facts(*document_);
  }

  json_walk& walk_;
  trace::trace_builder& builder_;
  json explains_ = json::object();
  std::optional<rocprof_document> document_{};
  const char *records_ = nullptr, *callbacks_ = nullptr;  // where they stood before what explains them
};

const char* read_tool(json_walk& walk, const char* position, trace::trace_builder& builder) {
  return *position == '{' ? tool_reader(walk, builder).read(position) : walk.past_value(position);
}

}  // namespace

bool read_document(std::string_view text, trace::trace_builder& builder) {
  json_walk walk{.end = text.data() + text.size()};
  const auto* position = walk.past_space(text.data());
  if (position >= walk.end || *position != '{') return false;
  return each_member(walk, position, [&](std::string_view key, const char* value) -> const char* {
           if (key != root) return walk.past_value(value);
           if (*value != '[') return read_tool(walk, value, builder);
           return each_element(walk, value,
                               [&](const char* element) { return read_tool(walk, element, builder); });
         }) != nullptr;
}

}  // namespace ridge::backends::trace_rocprof_json
