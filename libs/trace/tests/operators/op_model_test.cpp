// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_model.hpp>

#include <gtest/gtest.h>

namespace ridge::trace {
namespace {

op_model model(std::string_view name, std::string_view dims, std::string_view types,
               std::string_view values = "") {
  const auto m = model_of({name, dims, types, values});
  EXPECT_TRUE(m.has_value()) << name;
  return m.value_or(op_model{});
}

constexpr auto two_bf16 = R"(["c10::BFloat16", "c10::BFloat16"])";
constexpr auto three_bf16 = R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16"])";

TEST(gemm_model, mm_multiplies_and_moves_three_matrices) {
  const auto m = model("aten::mm", "[[1024, 2048], [2048, 4096]]", two_bf16, R"(["",""])");
  EXPECT_EQ(m.family, op_family::gemm);
  EXPECT_EQ(m.flops, 17'179'869'184);  // 2 x 1024 x 4096 x 2048
  EXPECT_EQ(m.bytes, 29'360'128);      // 2 (1024 x 2048 + 2048 x 4096 + 1024 x 4096)
  EXPECT_EQ(m.written, 8'388'608);
  EXPECT_EQ(m.gemm, (gemm_shape{1, 1024, 4096, 2048}));
  EXPECT_TRUE(m.matrix);
  EXPECT_EQ(m.type, number_type::bf16);
}

TEST(gemm_model, addmm_reads_its_bias_and_takes_the_product_from_the_arguments_after_it) {
  const auto m = model("aten::addmm", "[[8], [4, 16], [16, 8], [], []]",
                       R"(["float","float","float","Scalar","Scalar"])");
  EXPECT_EQ(m.flops, 2 * 4 * 8 * 16);
  EXPECT_EQ(m.bytes, 4 * (8 + 64 + 128 + 32));
}

TEST(gemm_model, linear_has_its_weights_by_row_and_counts_all_leading_rows) {
  const auto m = model("aten::linear", "[[2, 3, 8], [5, 8], [5]]", three_bf16);
  EXPECT_EQ(m.gemm, (gemm_shape{1, 6, 5, 8}));
  EXPECT_EQ(m.flops, 2 * 6 * 5 * 8);
}

TEST(gemm_model, batches_multiply) {
  EXPECT_EQ(model("aten::bmm", "[[96,3137,64],[96,64,3137]]", two_bf16).flops, 2.0 * 96 * 3137 * 3137 * 64);
  EXPECT_EQ(model("aten::baddbmm", "[[2,3,5],[2,3,4],[2,4,5],[],[]]", three_bf16).gemm,
            (gemm_shape{2, 3, 5, 4}));
}

TEST(gemm_model, matmul_broadcasts_as_numpy) {
  EXPECT_EQ(model("aten::matmul", "[[4,1,3,8],[5,8,2]]", two_bf16).gemm, (gemm_shape{20, 3, 2, 8}));
  EXPECT_EQ(model("aten::matmul", "[[4,3,8],[8,2]]", two_bf16).gemm, (gemm_shape{1, 12, 2, 8}));
  EXPECT_EQ(model("aten::matmul", "[[8],[8]]", two_bf16).gemm, (gemm_shape{1, 1, 1, 8}));
}

TEST(gemm_model, fp8_products_write_two_bytes) {
  const auto m = model("aten::_scaled_mm", "[[16,32],[32,64],[],[]]",
                       R"(["c10::Float8_e4m3fn","c10::Float8_e4m3fn","float","float"])");
  EXPECT_EQ(m.type, number_type::fp8);
  EXPECT_EQ(m.bytes, 16 * 32 + 32 * 64 + 2 * 16 * 64);
}

TEST(gemm_model, grouped_rows_are_shared_out) {
  const auto m =
      model("aten::_grouped_mm", "[[100,32],[4,32,64],[4]]", R"(["c10::BFloat16","c10::BFloat16","int"])");
  EXPECT_EQ(m.flops, 2.0 * 100 * 64 * 32);
  EXPECT_EQ(m.gemm->groups, 4);
}

TEST(gemm_model, a_product_of_another_library_is_read_by_its_shapes) {
  EXPECT_EQ(model("vllm::rocm_unquantized_gemm", "[[32, 2880], [201088, 2880], []]", two_bf16).gemm,
            (gemm_shape{1, 32, 201088, 2880}));
}

TEST(op_model, what_is_not_told_has_no_model) {
  EXPECT_FALSE(model_of({.name = "aten::mm"}));
  EXPECT_FALSE(model_of({"aten::mm", "[[2, 3], [4, 5]]", two_bf16, ""}));  // shapes that do not fit
  EXPECT_FALSE(model_of({"aten::mm", "[[2, 3], [3, 5]]", R"(["Scalar","Scalar"])", ""}));
  EXPECT_FALSE(model_of({"aten::view", "[[2, 3], []]", two_bf16, ""}));
  EXPECT_FALSE(model_of({"aten::cat", "[[[2, 3], [2, 4]], []]", R"(["TensorList","Scalar"])", ""}));
  EXPECT_FALSE(model_of({"aten::mm", "[[2, 3", two_bf16, ""}));
}

// Whatever a damaged trace claims, no figure overflows (the sanitizers watch).
TEST(op_model, impossible_sizes_are_no_tensors) {
  EXPECT_FALSE(model_of({"aten::mm", "[[-2, 3], [3, 5]]", two_bf16, ""}));
  EXPECT_FALSE(model_of({"aten::mm", "[[9223372036854775807, 3], [3, 5]]", two_bf16, ""}));
  const auto large = "[[2000000000,1000,2],[1000,2000000000,2]]";
  for (const auto* const name :
       {"aten::matmul", "aten::add", "aten::convolution", "aten::conv_transpose1d"}) {
    const auto m =
        model_of({name, large, two_bf16, R"(["","","","[2000000000]","[0]","[2000000000]","True"])"});
    EXPECT_TRUE(!m || m->flops >= 0) << name;
  }
}

TEST(convolution_model, forward_counts_output_pixels) {
  const auto m = model("aten::convolution", "[[4,256,56,56],[512,256,3,3],[]]", three_bf16,
                       R"(["","","","[1, 1]","[1, 1]","[1, 1]","False","[0, 0]","1"])");
  EXPECT_EQ(m.flops, 29'595'009'024);  // 2 x 4 x 512 x 56 x 56 x 256 x 9
  EXPECT_EQ(m.bytes, 2.0 * (4 * 256 * 3136 + 512 * 256 * 9 + 4 * 512 * 3136));
  EXPECT_EQ(m.gemm, (gemm_shape{1, 4 * 3136, 512, 2304}));
  EXPECT_TRUE(m.assumed.empty());
}

TEST(convolution_model, stride_padding_and_dilation_give_the_output) {
  const auto m = model("aten::convolution", "[[1,3,2048,2048],[64,3,7,7]]", R"(["Float","Float"])",
                       R"x(["","","","(2,2)","(3,3)","(1,1)","False","(0,0)","1"])x");
  EXPECT_EQ(m.convolution->out_pixels, 1024 * 1024);
  EXPECT_EQ(m.flops, 2.0 * 64 * 1024 * 1024 * 3 * 49);
  EXPECT_TRUE(m.convolution->strided);
  const auto dilated = model("aten::conv1d", "[[1,1,10],[1,1,3],[1]]", R"(["float","float","float"])",
                             R"(["","","","[1]","[0]","[2]","1"])");
  EXPECT_EQ(dilated.convolution->out_pixels, 6);  // 10 - 2 x 2
}

TEST(convolution_model, groups_divide_the_work) {
  const auto m = model("aten::conv2d", "[[1,32,8,8],[32,1,3,3],[32]]", R"(["float","float","float"])",
                       R"(["","","","[1, 1]","[1, 1]","[1, 1]","32"])");
  EXPECT_EQ(m.flops, 2.0 * 32 * 64 * 9);
  EXPECT_TRUE(m.convolution->depthwise());
}

TEST(convolution_model, transposed_counts_input_pixels) {
  const auto m = model("aten::convolution", "[[4,512,8,8],[512,256,4,4]]", R"(["Float","Float"])",
                       R"x(["","","","(2,2)","(1,1)","(1,1)","True","(0,0)","1"])x");
  EXPECT_EQ(m.convolution->out_pixels, 256);  // (8 - 1) 2 - 2 + 4 = 16 a side
  EXPECT_EQ(m.convolution->out_channels, 256);
  EXPECT_EQ(m.flops, 2.0 * 4 * 512 * 64 * 256 * 16);
  EXPECT_EQ(m.bytes, 4.0 * (4 * 512 * 64 + 512 * 256 * 16 + 4 * 256 * 256));
}

TEST(convolution_model, backward_computes_the_gradients_asked_for) {
  const auto dims = "[[10,512,7,7],[10,512,7,7],[512,512,3,3],[],[],[],[],[],[],[],[]]";
  const auto values = [](const char* mask) {
    return std::string(R"(["","","","[0]","[1, 1]","[1, 1]","[1, 1]","False","[0, 0]","1",")") + mask + "\"]";
  };
  const auto one = 2.0 * 10 * 49 * 512 * 512 * 9;
  EXPECT_EQ(model("aten::convolution_backward", dims, three_bf16, values("[True, True, False]")).flops,
            2 * one);
  EXPECT_EQ(model("aten::convolution_backward", dims, three_bf16, values("[False, True, False]")).flops, one);
}

TEST(convolution_model, without_values_it_says_what_it_took) {
  const auto m = model("aten::convolution", "[[4,256,56,56],[512,256,3,3],[]]", three_bf16);
  EXPECT_EQ(m.flops, 29'595'009'024);
  EXPECT_EQ(m.assumed, "stride 1, same padding");
}

constexpr auto flash_values = R"(["","","","","","128","128","0.","False","False"])";

TEST(attention_model, forward_is_two_products_a_head) {
  const auto m = model("aten::_flash_attention_forward", "[[16,128,32,64],[16,128,32,64],[16,128,32,64]]",
                       three_bf16, flash_values);
  EXPECT_EQ(m.attention->heads, 32);
  EXPECT_EQ(m.attention->queries, 128);
  EXPECT_EQ(m.flops, 4.0 * 16 * 32 * 128 * 128 * 64);
  EXPECT_EQ(m.bytes, 2.0 * 4 * 16 * 128 * 32 * 64 + 4.0 * 16 * 32 * 128);
}

TEST(attention_model, a_causal_mask_leaves_the_triangle) {
  const auto m = model("aten::_scaled_dot_product_flash_attention", "[[1,1,4,8],[1,1,4,8],[1,1,4,8],[],[]]",
                       three_bf16, R"(["","","","0.","True","False"])");
  EXPECT_EQ(m.flops, 4.0 * 10 * 8);  // 1 + 2 + 3 + 4 pairs
}

TEST(attention_model, decoding_one_token_sees_all_keys) {
  const auto m = model("aten::scaled_dot_product_attention", "[[2,8,1,64],[2,2,100,64],[2,2,100,64]]",
                       three_bf16, R"(["","","","","0.","True","",""])");
  EXPECT_EQ(m.flops, 4.0 * 2 * 8 * 100 * 64);
  EXPECT_EQ(m.attention->kv_heads, 2);
  // q and output, k and v of the fewer heads, and the logarithms of sums.
  EXPECT_EQ(m.bytes, 2.0 * (2 * 2 * 8 * 64 + 2 * 2 * 2 * 100 * 64) + 4 * 2 * 8);
}

TEST(attention_model, backward_is_five_products) {
  const auto forward = model("aten::_flash_attention_forward", "[[1,8,2,4],[1,8,2,4],[1,8,2,4]]", three_bf16);
  const auto backward =
      model("aten::_flash_attention_backward", "[[1,8,2,4],[1,8,2,4],[1,8,2,4],[1,8,2,4],[1,8,2,4]]",
            R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16"])");
  EXPECT_EQ(backward.flops, forward.flops * 2.5);
  EXPECT_TRUE(backward.attention->backward);
}

TEST(attention_model, of_varying_lengths_the_mean_is_taken_and_told) {
  const auto m = model("flash_attn::_flash_attn_varlen_forward", "[[100,4,8],[100,4,8],[100,4,8],[6],[6]]",
                       R"(["c10::Half","c10::Half","c10::Half","int","int"])");
  EXPECT_EQ(m.attention->batch, 5);
  EXPECT_EQ(m.attention->queries, 20);
  EXPECT_FALSE(m.assumed.empty());
}

TEST(moe_model, fused_experts_do_three_projections) {
  const auto m =
      model("vllm::rocm_aiter_fused_moe", "[[16, 4096], [64, 22016, 4096], [64, 4096, 11008], [16, 2]]",
            R"(["BFloat16", "BFloat16", "BFloat16", "Float"])");
  EXPECT_EQ(m.moe->top_k, 2);
  EXPECT_TRUE(m.moe->gated);
  EXPECT_EQ(m.moe->intermediate, 11008);
  EXPECT_EQ(m.moe->projections, 3);
  EXPECT_EQ(m.moe->active_experts, 32);  // 16 x 2 of 64
  EXPECT_EQ(m.flops, 6.0 * 32 * 4096 * 11008);
  EXPECT_EQ(m.bytes, 2.0 * (32.0 * 3 * 4096 * 11008 + 2 * 16 * 4096));
  EXPECT_DOUBLE_EQ(m.moe->tokens_per_expert(), 0.5);
}

TEST(moe_model, one_stage_is_one_projection_and_routing_is_none) {
  const auto dims = "[[4096, 8192], [8, 8192, 22016]]";
  const auto m = model("aiter::ck_moe_stage1", dims, two_bf16);
  EXPECT_EQ(m.flops, 2.0 * 4096 * 8192 * 22016);
  EXPECT_EQ(m.assumed, "one expert a token");
  EXPECT_FALSE(model_of({"aiter::moe_sorting_fwd", dims, two_bf16, ""}));
  EXPECT_FALSE(model_of({"moe_layer", dims, two_bf16, ""}));
}

TEST(memory_models, elementwise_reads_each_input_once_and_broadcasts) {
  const auto m =
      model("aten::add", "[[128,197,768],[1,197,768],[]]", R"(["c10::BFloat16","float","Scalar"])");
  const auto n = 128.0 * 197 * 768;
  EXPECT_EQ(m.flops, n);
  EXPECT_EQ(m.bytes, n * 2 + 197 * 768 * 4 + n * 4);  // the wider type is the result's
  const auto in_place = model("aten::add_", "[[4,4],[4,4],[]]", two_bf16);
  EXPECT_EQ(in_place.bytes, 3 * 16 * 2);
  EXPECT_EQ(model("aten::eq", "[[10],[]]", R"(["long int","Scalar"])").bytes, 10 * 8 + 10);
}

TEST(memory_models, softmax_and_norms_move_their_input_twice) {
  EXPECT_EQ(model("aten::_softmax", "[[8,12,100,100],[],[]]", two_bf16).bytes, 2.0 * 2 * 8 * 12 * 10000);
  const auto norm = model("aten::native_layer_norm", "[[10,768],[],[768],[768],[]]",
                          R"(["float","ScalarList","float","float","Scalar"])");
  EXPECT_EQ(norm.bytes, 4.0 * (2 * 7680 + 2 * 768));
}

TEST(memory_models, reductions_write_what_their_axes_leave) {
  EXPECT_EQ(model("aten::sum", "[[10,1000],[],[],[]]", two_bf16, R"(["","[0]","True",""])").bytes,
            2.0 * (10000 + 1000));
  EXPECT_EQ(model("aten::mean", "[[4,8]]", R"(["float"])").bytes, 4.0 * 33);
  EXPECT_EQ(
      model("aten::argmax", "[[32,100],[],[]]", R"(["float","Scalar","Scalar"])", R"(["","-1","False"])")
          .written,
      8.0 * 32);  // positions
}

TEST(memory_models, embeddings_read_only_the_rows_picked) {
  const auto m =
      model("aten::embedding", "[[30522,512],[1,141],[],[],[]]", R"(["c10::BFloat16","long int"])");
  EXPECT_EQ(m.bytes, 141 * 8 + 2 * 141 * 512 * 2);
}

TEST(memory_models, copies_read_the_one_type_and_write_the_other) {
  const auto m = model("aten::copy_", "[[10,10],[10,10],[]]", R"(["c10::BFloat16","float","Scalar"])");
  EXPECT_EQ(m.bytes, 100 * 4 + 100 * 2);
  EXPECT_EQ(m.flops, 0);
}

TEST(memory_models, adam_moves_seven_lists) {
  const auto m =
      model("aten::_fused_adamw_", "[[[10,10],[28]],[[10,10],[28]]]", R"(["TensorList","TensorList"])");
  EXPECT_EQ(m.bytes, 7 * 128 * 4);
  EXPECT_FALSE(m.assumed.empty());
}

}  // namespace
}  // namespace ridge::trace
