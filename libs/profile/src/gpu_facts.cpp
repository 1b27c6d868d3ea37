// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/gpu_facts.hpp>

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

namespace ridge::profile {
namespace {

using nlohmann::json;

template <class T>
T number(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer() ? at->get<T>() : T{0};
}

void take_device(const json& line, gpu_facts& facts) {
  const auto device = line.find("device");
  if (device == line.end() || !device->is_object()) return;
  facts.devices.try_emplace(number<int>(*device, "id"),
                            device->dump(-1, ' ', false, json::error_handler_t::replace));
}

void take_failure(const json& line, gpu_facts& facts) {
  const auto failed = line.find("failed");
  if (failed == line.end() || !failed->is_string()) return;
  auto text = failed->get<std::string>();
  if (std::ranges::find(facts.failures, text) == facts.failures.end())
    facts.failures.push_back(std::move(text));
}

void take_line(const std::string& text, gpu_facts& facts) {
  const auto line = json::parse(text, nullptr, false);
  if (!line.is_object()) return;
  take_device(line, facts);
  take_failure(line, facts);
  facts.driver_version = std::max(facts.driver_version, number<int>(line, "cuda_driver_version"));
  facts.runtime_version = std::max(facts.runtime_version, number<int>(line, "cuda_runtime_version"));
  facts.records_lost += number<std::uint64_t>(line, "dropped");
}

}  // namespace

gpu_facts read_gpu_facts(const std::vector<std::string>& files) {
  gpu_facts made{.processes = files.size()};
  for (const auto& path : files) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) take_line(line, made);
  }
  return made;
}

}  // namespace ridge::profile
