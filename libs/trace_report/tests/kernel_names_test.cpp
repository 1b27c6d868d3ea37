// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.hpp"

#include <set>

#include <gmock/gmock.h>

#include <ridge/base/utf8.hpp>

#include <ridge/base/text.hpp>

namespace ridge::trace_report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(kernel_names, are_cut_between_characters) {
  std::string name = "kernel";
  for (int i = 0; i < 40; ++i) name += "µ";
  for (std::size_t columns = 10; columns < 30; ++columns) {
    const auto cut = short_names({name}, columns).front();
    EXPECT_EQ(well_formed_utf8(cut), cut) << columns;
  }
}

TEST(kernel_names, of_frames_keep_file_line_and_function) {
  const std::string save = "/srv/some/folder/of/a/user/train.py(12): save",
                    item = "<built-in method item of Tensor object at 0x7f0000000000>";
  EXPECT_THAT(short_names({save, item}, 200), ElementsAre(save, item));
  EXPECT_THAT(short_names({save}, 24), ElementsAre("train.py(12): save"));
  EXPECT_THAT(short_names({item}, 30).front(), HasSubstr("<built-in"));
  EXPECT_TRUE(is_python_frame("torch/nn/modules/module.py(1501): _call_impl"));
  EXPECT_TRUE(is_python_frame("<frozen importlib._bootstrap>(241): _call"));
  EXPECT_FALSE(is_python_frame("void numpy.py(x)"));
  EXPECT_FALSE(is_python_frame("gemm<float>(int)"));
}

TEST(kernel_names, leave_out_arguments_that_nothing_depends_on) {
  EXPECT_THAT(short_names({"void gemm<float, 4>(float*)", "relu(int)"}, 60), ElementsAre("gemm<..>", "relu"));
}

TEST(kernel_names, show_the_longest_word_of_arguments_that_say_more_than_the_name) {
  EXPECT_THAT(
      short_names(
          {"void cutlass::Kernel<cutlass_80_tensorop_s16816gemm, 4>(Params<a_very_long_word_indeed>)"}, 60),
      ElementsAre("cutlass::Kernel<..cutlass_80_tensorop_s16816gemm..>"));
}

TEST(kernel_names, leave_out_namespaces_first_where_columns_are_few) {
  const std::vector<std::string> names{
      "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 64>(at::native::Data, int, int)"};
  EXPECT_THAT(short_names(names, 70),
              ElementsAre("at::native::(anonymous namespace)::CatArrayBatchedCopy<..>"));
  EXPECT_THAT(short_names(names, 30), ElementsAre("CatArrayBatchedCopy<..>"));
}

TEST(kernel_names, keep_the_arguments_that_tell_kernels_apart) {
  const auto names = short_names(
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
       "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)",
       "void at::native::vectorized_elementwise_kernel<2, at::native::FillFunctor<float>>(int)"},
      70);
  EXPECT_EQ(names[0], "at::native::vectorized_elementwise_kernel<..CUDAFunctor_add..>");
  EXPECT_EQ(names[2], "at::native::vectorized_elementwise_kernel<..2..>");
  EXPECT_THAT(names[1], HasSubstr("FillFunctor"));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 3U);
}

TEST(kernel_names, differ_in_narrow_columns_too_and_fit_them) {
  std::vector<std::string> all;
  for (int i = 0; i < 40; ++i)
    all.push_back("void cutlass::Kernel<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_" +
                  std::to_string(i) + "_with_a_tail_that_is_alike_in_all_of_them>(Params)");
  for (const std::size_t columns : {24U, 40U, 56U}) {
    const auto names = short_names(all, columns);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), all.size()) << columns;
    for (const auto& name : names) EXPECT_LE(display_width(name), columns) << name;
  }
}

TEST(kernel_names, that_are_equal_stay_equal_and_those_of_the_same_words_get_a_number) {
  const auto names = short_names({"k<float, half>", "k<half, float>", "k<float, half>"}, 40);
  EXPECT_EQ(names[0], names[2]);
  EXPECT_NE(names[0], names[1]);
}

}  // namespace
}  // namespace ridge::trace_report
