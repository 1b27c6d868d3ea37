// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan {

// How an image of any size becomes patches.
enum class image_sizing : std::uint8_t {
  any,              // sides rounded to whole tokens, within least and most pixels (Qwen2-VL)
  fixed,            // scaled to one square (Gemma 3, LLaVA)
  canvas_of_tiles,  // fitted into the canvas of square tiles that scales it least (Llama 3.2 Vision)
  ratio_of_tiles    // stretched to the grid of square tiles of the nearest aspect ratio (InternVL)
};

// A product behind the tower, which brings its rows to the width of the language model.
struct projection {
  std::int64_t inputs = 0, outputs = 0;
};

// The tower that encodes images for a decoder.
struct vision_shape {
  std::string family{};  // "qwen2_vl"; empty: the model has none that is understood
  std::int64_t layers = 0, hidden = 0, heads = 0, intermediate = 0;
  bool gated = false;               // three matrices in the feed-forward block
  std::int64_t window_layers = 0;   // of the layers: those that attend within windows alone
  std::int64_t window_patches = 0;  // patches in a window
  std::int64_t patch = 0;           // pixels on a side
  std::int64_t patch_inputs = 0;    // numbers of one patch: channels, frames and pixels
  std::int64_t class_rows = 0;      // rows beside the patches of an image or tile
  image_sizing sizing{image_sizing::fixed};
  std::int64_t side = 0;                           // pixels on a side of the square or tile
  std::int64_t merge = 1;                          // any: patches on a side of what becomes one token
  std::int64_t least_pixels = 0, most_pixels = 0;  // any
  std::int64_t least_tiles = 1, most_tiles = 1;    // of tiles
  bool thumbnail = false;            // where there are several tiles, the whole image is one more
  std::int64_t tokens = 0;           // of a fixed image or a tile in the prompt
  std::int64_t boundary_tokens = 0;  // around each image in the prompt
  bool cross_attention = false;      // rows do not stand in the prompt: layers of the decoder attend to them
  std::vector<projection> projections{};  // of each token, or of each row with cross-attention
  std::int64_t parameters = 0;            // of the tower and the projections

  // Whether the model has a tower that is understood.
  [[nodiscard]] bool known() const { return !family.empty(); }
};

// One image as the tower sees it.
struct image_patches {
  std::int64_t width = 0, height = 0;  // pixels after scaling, thumbnail not included
  std::int64_t tiles = 1;
  std::int64_t rows = 0;           // of the tower: patches and rows beside them
  double pairs = 0;                // rows attended to, in a layer without windows
  double window_pairs = 0;         // the same in a layer with windows
  std::int64_t tokens = 0;         // that stand for it in the prompt, boundary tokens not included
  std::int64_t prompt_tokens = 0;  // with them
  std::int64_t cross_rows = 0;     // rows for cross-attention
};

// An image of that size before the tower, by the rule of its family: Qwen2VLImageProcessor.smart_resize,
// MllamaImageProcessor.get_optimal_tiled_canvas, InternVL's dynamic_preprocess, Gemma 3's model card. The
// error says which size is out of range, or that the model encodes no images that are understood.
[[nodiscard]] result<image_patches> patches_of(const vision_shape& v, std::int64_t width,
                                               std::int64_t height);

// FLOP to encode one image: products and attention of all layers, and projections.
[[nodiscard]] double encode_flop(const vision_shape& v, const image_patches& image);

}  // namespace ridge::plan
