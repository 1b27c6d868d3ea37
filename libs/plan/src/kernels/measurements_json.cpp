// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>

#include "efficiency_json.hpp"

namespace ridge::plan::kernels {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view measurements_schema = "ridge.plan.kernels/1";

ordered_json row_json(const measured_call& r) {
  return {{"kernel", r.call.kernel}, {"format", r.call.format}, {"sizes", r.call.sizes},
          {"seconds", r.seconds},    {"spread", r.spread},      {"implementation", r.implementation}};
}

ordered_json refusal_json(const unmeasured_kernel& r) {
  return {{"kernel", r.kernel}, {"format", r.format}, {"why", r.why}};
}

measured_call read_row(json_members& members, const json& row) {
  measured_call r;
  members.text("kernel", r.call.kernel, true);
  members.text("format", r.call.format);
  members.number("seconds", r.seconds, 1e-9, 1e4);
  members.number("spread", r.spread, 0, 1e9);
  members.text("implementation", r.implementation);
  auto sizes = members.object("sizes");
  if (const auto at = row.find("sizes"); at != row.end() && at->is_object())
    for (const auto& [name, value] : at->items()) sizes.count(name.c_str(), r.call.sizes[name]);
  members.take(sizes);
  return r;
}

unmeasured_kernel read_refusal(json_members& members, const json&) {
  unmeasured_kernel r;
  members.text("kernel", r.kernel, true);
  members.text("format", r.format);
  members.text("why", r.why, true);
  return r;
}

// Reads the objects of an array by `read`; an absent array is empty.
template <class Read, class All>
result<void> read_list(const json& whole, const char* member, const std::string& file, const Read& read,
                       All& all) {
  const auto list = whole.find(member);
  if (list == whole.end()) return {};
  if (!list->is_array()) return error{fmt::format("{}: /{}: is not an array", file, member), "measure again"};
  for (const auto& one : *list) {
    json_members from(one, file, fmt::format("/{}/{}", member, all.size()));
    all.push_back(read(from, one));
    if (from.wrong()) return *from.wrong();
  }
  return {};
}

}  // namespace

std::string measurements_json(const kernel_measurements& m) {
  ordered_json whole{{"schema", measurements_schema},
                     {"gpu", m.gpu},
                     {"generation", m.generation},
                     {"device", m.device},
                     {"driver", m.driver},
                     {"runtime", m.runtime},
                     {"date", m.date}};
  for (const auto* list : {"curves", "refused", "rows"}) whole[list] = ordered_json::array();
  for (const auto& c : m.curves) whole["curves"].push_back(entry_json(c));
  for (const auto& r : m.refused) whole["refused"].push_back(refusal_json(r));
  for (const auto& r : m.rows) whole["rows"].push_back(row_json(r));
  return whole.dump(1) + "\n";
}

std::string hardware_json(const accelerator& host, const kernel_measurements& m) {
  constexpr const auto* source = "measured-here";
  const auto figure = [&](double value) { return ordered_json{{"value", value}, {"source", source}}; };
  const ordered_json peak{{"dtype", "fp32"},
                          {"unit", "vector"},
                          {"dense_flop_per_s", host.peak_flop_per_s("fp32")},
                          {"source", source}};
  const ordered_json gpu{{"name", host.name},
                         {"vendor", std::string(cpu_generation)},
                         {"reported", {m.device}},
                         {"memory_bytes", figure(host.memory_bytes)},
                         {"bandwidth_bytes_per_s", figure(host.bandwidth_bytes_per_s)},
                         {"peaks", ordered_json::array({peak})}};
  const ordered_json whole{
      {"schema", "ridge.hardware/1"},
      {"about", "A CPU as `ridge plan measure --cpu` found it, as a catalogue for --hardware."},
      {"sources",
       {{source,
         {{"what", "greatest rates of fp32 products and of elementwise traffic on all cores"},
          {"where", "ridge plan measure --cpu"},
          {"date", m.date}}}}},
      {"gpus", ordered_json::array({gpu})},
      {"cpus", ordered_json::array()},
      {"prices", ordered_json::array()}};
  return whole.dump(1) + "\n";
}

result<kernel_measurements> parse_measurements(std::string_view text, std::string_view name) {
  const auto whole = parse_document(text, name, measurements_schema);
  if (!whole) return whole.why();
  const std::string file(name);
  kernel_measurements m;
  json_members from(*whole, file, "");
  from.text("gpu", m.gpu, true);
  from.text("generation", m.generation);
  from.text("device", m.device, true);
  from.text("driver", m.driver);
  from.text("runtime", m.runtime);
  from.text("date", m.date, true);
  if (from.wrong()) return *from.wrong();
  const auto entry = [](json_members& members, const json&) { return read_entry(members); };
  if (const auto good = read_list(*whole, "curves", file, entry, m.curves); !good) return good.why();
  if (const auto good = read_list(*whole, "refused", file, read_refusal, m.refused); !good) return good.why();
  if (const auto good = read_list(*whole, "rows", file, read_row, m.rows); !good) return good.why();
  return m;
}

result<kernel_measurements> load_measurements(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return error{text.why().message, "give a file that `ridge plan measure` wrote"};
  return parse_measurements(*text, file.string());
}

}  // namespace ridge::plan::kernels
