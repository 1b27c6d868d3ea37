// SPDX-License-Identifier: Apache-2.0
#include "image_plan.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/kernels/vision_cost.hpp>

#include "as_real.hpp"

namespace ridge::plan::serve {
namespace {

result<void> check(const image_choice& i) {
  constexpr std::int64_t most = 1024;
  if (i.count >= 0 && i.count <= most) return {};
  return error{fmt::format("--images {} is out of range", i.count), fmt::format("give 0 to {}", most)};
}

std::string size_text(const image_choice& i) { return fmt::format("{}x{}", i.width, i.height); }

void explain(replica_plan& plan, const replica_question& q, const image_patches& image,
             const kernels::kernel_times& times) {
  const auto& v = q.model.vision;
  const auto add = [&](const char* id, const char* label, double value, const char* unit, std::string formula,
                       std::vector<input> inputs, basis origin, std::string source) {
    plan.derivation.push_back({.id = id,
                               .label = label,
                               .value = value,
                               .unit = unit,
                               .formula = std::move(formula),
                               .inputs = std::move(inputs),
                               .basis = origin,
                               .source = std::move(source)});
  };
  const std::string rule = fmt::format("the image processor of {}", v.family);
  add("image_tokens", "Tokens of an image in the prompt", as_real(image.prompt_tokens), "",
      v.cross_attention ? "one; layers attend to its rows" : "tokens of the tower + those around them",
      {{"size", size_text(q.images)},
       {"scaled", fmt::format("{}x{}", image.width, image.height)},
       {"tiles", fmt::format("{}", image.tiles)},
       {"around", fmt::format("{}", v.boundary_tokens)}},
      basis::derived, rule);
  add("image_rows", "Rows of an image in the tower", as_real(image.rows), "",
      "patches and class rows of all tiles", {{"patch", fmt::format("{0}x{0}", v.patch)}}, basis::derived,
      rule);
  add("image_encode_flop", "Work to encode an image", encode_flop(v, image), "FLOP",
      "Σ layers 2 rows (4 h² + matrices · h i) + 4 h pairs + projections", {}, basis::derived, "");
  add("image_encode_ms", "To encode an image alone", 1e3 * plan.pool.engine.images.encode_s[1], "ms",
      "max(Σ kernels, launches · time of one)", {}, basis::fitted,
      times.source() + "; kernels of language models, not fitted to towers; without the CPU's preprocessing");
}

}  // namespace

result<void> take_cross_rows(replica_question& q) {
  if (auto good = check(q.images); !good) return good;
  if (q.images.count == 0 || !q.model.vision.cross_attention) return {};
  const auto image = patches_of(q.model.vision, q.images.width, q.images.height);
  if (!image) return image.why();
  for (auto& kind : q.model.kinds)
    if (kind.cross_kv_tokens > 0) kind.cross_kv_tokens = q.images.count * image->cross_rows;
  return {};
}

result<void> take_images(replica_plan& plan, const replica_question& q, const kernels::step_request& step,
                         const kernels::kernel_times& times) {
  if (q.images.count == 0) return {};
  const auto image = patches_of(q.model.vision, q.images.width, q.images.height);
  if (!image) return image.why();
  auto& images = plan.pool.engine.images;
  images.count = static_cast<std::uint32_t>(q.images.count);
  images.tokens = static_cast<std::uint32_t>(image->prompt_tokens);
  constexpr std::int64_t most_together = 16;  // beyond, time grows with the number
  for (std::int64_t n = 0; n <= most_together; ++n)
    images.encode_s.push_back(kernels::encode_seconds(step, times, *image, n));
  explain(plan, q, *image, times);
  return {};
}

}  // namespace ridge::plan::serve
