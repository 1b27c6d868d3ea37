// SPDX-License-Identifier: Apache-2.0
// Any text is a model that can be counted and cached, or an error that says what is wrong.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace {

using namespace ridge::plan;

void must(bool holds) {
  if (!holds) std::abort();
}

void use(const model_shape& m) {
  const auto counts = count_parameters(m);
  must(counts.total() >= 0 && counts.active() <= counts.total());
  must(weight_bytes(m) >= 0);
  kv_question q{.tokens = 1000, .batch = 3, .format = *number_format_named("fp8")};
  q.layout.tensor = 8;
  const auto cache = size_kv_cache(m, q);
  must(cache.ok() && cache->total_bytes >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto model = parse_model_config(text, "config.json");
  if (model)
    use(*model);
  else
    must(!model.why().message.empty() && !model.why().remedy.empty());
  return 0;
}
