// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/stage_layers.hpp>

#include <gtest/gtest.h>

namespace ridge::plan::train {
namespace {

TEST(layers_of_chunk, divides_evenly) {
  EXPECT_EQ(layers_of_chunk(80, 4, 0), (layer_range{0, 20}));
  EXPECT_EQ(layers_of_chunk(80, 4, 3), (layer_range{60, 80}));
}

// Llama 3 405B: 126 layers on 16 stages, one less on the first and the last (Llama 3 herd, section 3.3.2).
TEST(layers_of_chunk, counts_embedding_and_head_as_layers) {
  EXPECT_EQ(layers_of_chunk(126, 16, 0), (layer_range{0, 7}));
  EXPECT_EQ(layers_of_chunk(126, 16, 1), (layer_range{7, 15}));
  EXPECT_EQ(layers_of_chunk(126, 16, 15), (layer_range{119, 126}));
}

TEST(layers_of_chunk, counts_the_head_alone_where_that_is_enough) {
  EXPECT_EQ(layers_of_chunk(31, 8, 0), (layer_range{0, 4}));
  EXPECT_EQ(layers_of_chunk(31, 8, 7), (layer_range{28, 31}));
}

TEST(layers_of_chunk, covers_every_layer_once_however_it_divides) {
  for (std::int64_t layers = 1; layers <= 70; ++layers) {
    for (std::int64_t chunks = 1; chunks <= layers + 2; ++chunks) {
      std::int64_t next = 0, most = 0, least = layers;
      for (std::int64_t c = 0; c < chunks; ++c) {
        const auto range = layers_of_chunk(layers, chunks, c);
        ASSERT_EQ(range.first, next) << layers << " layers, chunk " << c << " of " << chunks;
        next = range.last;
        most = std::max(most, range.count());
        least = std::min(least, range.count());
      }
      EXPECT_EQ(next, layers);
      EXPECT_LE(most - least, 2) << layers << " layers in " << chunks;
    }
  }
}

TEST(chunks_in_flight, is_the_distance_to_the_end_of_the_pipeline) {
  EXPECT_EQ(chunks_in_flight(4, 1, 0, 100), 4);
  EXPECT_EQ(chunks_in_flight(4, 1, 3, 100), 1);
  EXPECT_EQ(chunks_in_flight(4, 1, 0, 2), 2);
}

// Korthikanti et al. (2022): interleaving keeps 1 + (p - 1)/(p v) times a stage's micro-batches: p v + p - 1
// chunks.
TEST(chunks_in_flight, is_more_where_stages_are_interleaved) {
  EXPECT_EQ(chunks_in_flight(8, 3, 0, 64), 8 * 3 + 7);
  EXPECT_EQ(chunks_in_flight(8, 3, 7, 64), 8 * 2 + 1);
  EXPECT_EQ(chunks_in_flight(8, 3, 0, 8), 24);
}

}  // namespace
}  // namespace ridge::plan::train
