// SPDX-License-Identifier: Apache-2.0
#include "input/plan_serve_answer.hpp"

#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app_plan {
namespace {

using nlohmann::json;

// The settings of a service by their names in an answer, by type.
template <class Choice>
auto texts(Choice& c) {
  return std::tuple{std::pair("model", &c.model.name),
                    std::pair("config", &c.model.config),
                    std::pair("gpu", &c.gpu.name),
                    std::pair("hardware", &c.gpu.hardware),
                    std::pair("engine", &c.engine),
                    std::pair("kv_dtype", &c.kv_dtype),
                    std::pair("weights_dtype", &c.weights_dtype),
                    std::pair("speculative", &c.speculative),
                    std::pair("lora_targets", &c.adapters.targets),
                    std::pair("draft_model", &c.draft_model),
                    std::pair("disaggregate", &c.disaggregate),
                    std::pair("prefill", &c.prefill),
                    std::pair("decode", &c.decode),
                    std::pair("link", &c.link),
                    std::pair("autoscale", &c.autoscale),
                    std::pair("failures", &c.failures),
                    std::pair("token_bucket", &c.admission),
                    std::pair("reject_ttft", &c.reject_ttft)};
}
template <class Choice>
auto counts(Choice& c) {
  return std::tuple{std::pair("tp", &c.tp),
                    std::pair("pp", &c.pp),
                    std::pair("dp", &c.dp),
                    std::pair("ep", &c.ep),
                    std::pair("replicas", &c.replicas),
                    std::pair("max_batched_tokens", &c.max_batched_tokens),
                    std::pair("max_sequences", &c.max_sequences),
                    std::pair("block_size", &c.block_size),
                    std::pair("blocks", &c.blocks),
                    std::pair("lora_adapters", &c.adapters.adapters),
                    std::pair("lora_rank", &c.adapters.rank),
                    std::pair("lora_resident", &c.adapters.resident)};
}
template <class Choice>
auto flags(Choice& c) {
  return std::tuple{std::pair("no_prefix_caching", &c.no_prefix_caching),
                    std::pair("no_chunked_prefill", &c.no_chunked_prefill),
                    std::pair("priorities", &c.priorities),
                    std::pair("async_scheduling", &c.async_scheduling)};
}
template <class Choice>
auto numbers(Choice& c) {
  return std::tuple{std::pair("utilization", &c.utilization), std::pair("kv_cpu_gib", &c.kv_cpu_gib),
                    std::pair("kv_ssd_gib", &c.kv_ssd_gib), std::pair("draft_share", &c.draft_share)};
}

template <class Members, class Function>
void each(const Members& members, Function f) {
  std::apply([&](const auto&... member) { (f(member.first, *member.second), ...); }, members);
}

// Reads members and keeps the first complaint.
class answer_reader {
 public:
  answer_reader(const json& question, std::string file) : question_(question), file_(std::move(file)) {}

  service_choice read() {
    service_choice c;
    each(texts(c), [&](const char* name, std::string& value) {
      if (const auto* at = member(name, "a text"); at != nullptr && good(at->is_string(), name, "a text"))
        value = at->get<std::string>();
    });
    each(counts(c), [&](const char* name, auto& value) {
      const auto* at = member(name, "a count");
      if (at != nullptr &&
          good(at->is_number_unsigned() && at->get<std::uint64_t>() <= most, name, "a count"))
        value = static_cast<std::remove_reference_t<decltype(value)>>(at->get<std::int64_t>());
    });
    each(flags(c), [&](const char* name, bool& value) {
      if (const auto* at = member(name, "true or false");
          at != nullptr && good(at->is_boolean(), name, "true or false"))
        value = at->get<bool>();
    });
    each(numbers(c), [&](const char* name, double& value) {
      if (const auto* at = member(name, "a number"); at != nullptr && good(at->is_number(), name, "a number"))
        value = at->get<double>();
    });
    if (const auto* at = member("pools", "a text"); at != nullptr && good(at->is_string(), "pools", "a text"))
      if (!at->get<std::string>().empty()) c.pools = {at->get<std::string>()};
    return c;
  }
  [[nodiscard]] const std::optional<error>& wrong() const { return wrong_; }

 private:
  static constexpr std::uint64_t most = std::numeric_limits<int>::max();

  const json* member(const char* name, std::string_view kind) {
    const auto at = question_.find(name);
    return good(at != question_.end(), name, kind) ? &*at : nullptr;
  }
  bool good(bool holds, std::string_view name, std::string_view kind) {
    if (!holds && !wrong_)
      wrong_ = error{fmt::format("{}: question/{} is missing or not {}", file_, name, kind),
                     "give an answer that this version of `ridge plan serve --json` printed"};
    return holds;
  }

  const json& question_;
  std::string file_;
  std::optional<error> wrong_{};
};

result<service_choice> read_answer(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return text.why();
  const auto all = json::parse(*text, nullptr, false);
  const auto at = all.is_object() ? all.find("question") : all.end();
  if (!all.is_object() || at == all.end() || !at->is_object())
    return error{file + " is not an answer of `ridge plan serve --json`", "print it again with --json"};
  answer_reader reader(*at, file);
  auto choice = reader.read();
  if (reader.wrong()) return *reader.wrong();
  return choice;
}

}  // namespace

std::vector<std::pair<std::string, report::value>> facts_of(const service_choice& c) {
  std::vector<std::pair<std::string, report::value>> facts;
  const auto add = [&](const char* name, report::value value) {
    facts.emplace_back(fmt::format("question.{}", name), std::move(value));
  };
  each(texts(c), [&](const char* name, const std::string& value) { add(name, value); });
  each(counts(c), [&](const char* name, auto value) { add(name, static_cast<std::int64_t>(value)); });
  each(flags(c), [&](const char* name, bool value) { add(name, value); });
  each(numbers(c), [&](const char* name, double value) { add(name, value); });
  add("pools", join(c.pools, " "));
  return facts;
}

service_choice nothing_chosen() {
  service_choice c;
  each(texts(c), [](const char*, std::string& value) { value.clear(); });
  each(counts(c), [](const char*, auto& value) { value = 0; });
  return c;
}

result<void> complete(service_choice& choice, const std::string& answer) {
  service_choice other;
  if (!answer.empty()) {
    auto read = read_answer(answer);
    if (!read) return read.why();
    other = std::move(*read);
  }
  if (choice.pools.empty()) choice.pools = other.pools;
  // A model or a GPU of one's own takes the place of both ways to name it.
  if (choice.model.given()) other.model = {};
  if (!choice.gpu.hardware.empty()) other.gpu.hardware.clear();
  const auto take = [](auto& to, const auto& from) {
    if (to == std::remove_reference_t<decltype(to)>{}) to = from;
  };
  const auto merge = [&](auto list_of) {
    const auto mine = list_of(choice);
    const auto theirs = list_of(other);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (take(*std::get<I>(mine).second, *std::get<I>(theirs).second), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(mine)>>{});
  };
  merge([](service_choice& c) { return texts(c); });
  merge([](service_choice& c) { return counts(c); });
  merge([](service_choice& c) { return flags(c); });
  merge([](service_choice& c) { return numbers(c); });
  return {};
}

}  // namespace ridge::app_plan
