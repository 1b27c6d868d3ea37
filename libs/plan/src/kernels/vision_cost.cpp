// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/vision_cost.hpp>

#include <algorithm>

#include "as_real.hpp"
#include "divided_up.hpp"
#include "step_cost.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr double row_element_bytes = 2;

// The kernels of one encoding on one rank.
class tower {
 public:
  tower(const step_request& request, const kernel_times& kernels, const image_patches& image,
        std::int64_t images)
      : request_(request),
        kernels_(kernels),
        v_(request.model.vision),
        ranks_(request.layout.tensor),
        rows_(image.rows * images),
        sequences_(image.tiles * images),
        images_(as_real(images)) {}

  [[nodiscard]] double seconds(const image_patches& image) {
    product(1, rows_, v_.hidden, v_.patch_inputs);
    attention(as_real(v_.layers - v_.window_layers), image.pairs * images_);
    attention(as_real(v_.window_layers), image.window_pairs * images_);
    layers(as_real(v_.layers));
    project(image);
    return std::max(seconds_, launches_ * request_.engine.kernel_launch_s);
  }

 private:
  void add(double times, const kernel_time& t) {
    seconds_ += times * scaled_s(t, request_.scaling);
    launches_ += times;
  }
  void product(double times, std::int64_t m, std::int64_t n, std::int64_t k) {
    static constexpr number_format sixteen_bit{"bf16", 2, 2, "bf16", "16 bit"};
    if (m > 0 && n > 0 && k > 0) add(times, kernels_.of(plan::kernels::product{m, n, k, sixteen_bit}));
  }
  void attention(double layers, double pairs) {
    const auto heads = divided_up(v_.heads, ranks_), dim = v_.hidden / v_.heads;
    if (layers > 0)
      add(layers, kernels_.of(prefill_attention{{heads, heads, dim, dim, 2}, sequences_, rows_, pairs}));
  }
  void layers(double layers) {
    const auto h = v_.hidden, own = divided_up(h, ranks_), inside = divided_up(v_.intermediate, ranks_);
    product(layers, rows_, 3 * own, h);
    product(layers, rows_, h, own);
    product(layers, rows_, inside * (v_.gated ? 2 : 1), h);
    product(layers, rows_, h, inside);
    const double row = row_element_bytes * as_real(rows_);
    add(2 * layers, kernels_.elementwise(4 * row * as_real(h)));
    add(layers, kernels_.elementwise((v_.gated ? 3 : 2) * row * as_real(inside)));
    if (ranks_ > 1)
      add(2 * layers,
          kernels_.of(exchange{collective::all_reduce, row * as_real(h), request_.layout.tensor}));
  }
  void project(const image_patches& image) {
    const auto images = static_cast<std::int64_t>(images_);
    const auto rows = (image.cross_rows > 0 ? image.cross_rows : image.tokens) * images;
    for (const auto& p : v_.projections) product(1, rows, divided_up(p.outputs, ranks_), p.inputs);
    for (std::size_t kind = 0; image.cross_rows > 0 && kind < request_.model.kinds.size(); ++kind) {
      const auto& l = request_.model.kinds[kind];
      const auto& a = l.attention;
      if (l.cross_kv_tokens == 0) continue;
      product(as_real(request_.model.layers_of(kind)), rows,
              divided_up(a.kv_heads * (a.head_dim + a.value_head_dim), ranks_), request_.model.hidden);
    }
  }

  const step_request& request_;
  const kernel_times& kernels_;
  const vision_shape& v_;
  std::int64_t ranks_, rows_, sequences_;
  double images_, seconds_ = 0, launches_ = 0;
};

}  // namespace

double encode_seconds(const step_request& request, const kernel_times& kernels, const image_patches& image,
                      std::int64_t images) {
  if (images <= 0) return 0;
  return tower(request, kernels, image, images).seconds(image);
}

}  // namespace ridge::plan::kernels
