// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/tables.hpp>

#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/kernels/efficiency.hpp>

#include "../measured_data.hpp"
#include "kernels/measured_curve.hpp"
#include "kernels/table_file.hpp"
#include "small_machine.hpp"

namespace ridge::plan::kernels {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A temporary folder of tables for the GPU "Test".
class tables : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("ridge_tables_" + std::to_string(::getpid()) + "_" +
                                          ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder / "test");
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const {
    auto* out = gzopen((folder / "test" / name).c_str(), "wb");
    ASSERT_NE(out, nullptr);
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
  }
  [[nodiscard]] result<std::shared_ptr<const kernel_times>> read() const {
    static const efficiency_catalogue none;
    return table_times({folder, "vllm"}, test::machine(), analytic_times(test::machine(), none));
  }
  fs::path folder;
};

product of(std::int64_t m, std::int64_t n, std::int64_t k) { return {m, n, k, *number_format_named("bf16")}; }

// Milliseconds in the tables.
constexpr const char* gemm =
    "kernel_source,gemm_dtype,m,n,k,latency\n"
    "x,bfloat16,1,1024,1024,0.010\nx,bfloat16,16,1024,1024,0.012\nx,bfloat16,64,1024,1024,0.020\n"
    "x,bfloat16,1,4096,1024,0.020\nx,bfloat16,16,4096,1024,0.024\nx,bfloat16,64,4096,1024,0.030\n";

TEST_F(tables, give_measured_products_as_they_are) {
  write("vllm_0.1.0_gemm_perf.csv.gz", gemm);
  const auto t = read();
  ASSERT_TRUE(t.ok()) << t.why().text();
  EXPECT_NEAR((*t)->of(of(16, 1024, 1024)).seconds(), 12e-6, 1e-15);
  EXPECT_NEAR((*t)->of(of(64, 4096, 1024)).seconds(), 30e-6, 1e-15);
}

TEST_F(tables, blend_between_and_hold_utilisation_beyond) {
  write("vllm_0.1.0_gemm_perf.csv.gz", gemm);
  const auto t = read();
  ASSERT_TRUE(t.ok());
  EXPECT_NEAR((*t)->of(of(40, 1024, 1024)).seconds(), 16e-6, 1e-12);
  // Bound by the units from some hundred rows on: ten times the rows, ten times as long.
  const double far = (*t)->of(of(64'000, 1024, 1024)).seconds();
  EXPECT_NEAR((*t)->of(of(640'000, 1024, 1024)).seconds(), 10 * far, 1e-9);
  // Another width lies between its neighbours.
  const double between = (*t)->of(of(16, 2048, 1024)).seconds();
  EXPECT_GT(between, 12e-6);
  EXPECT_LT(between, 24e-6);
}

TEST_F(tables, take_the_shortest_product_of_all_engines) {
  write("vllm_0.1.0_gemm_perf.csv.gz", gemm);
  write(
      "trtllm_1.0.0_gemm_perf.csv.gz",
      "kernel_source,gemm_dtype,m,n,k,latency\nx,bfloat16,16,1024,1024,0.008\nx,bfloat16,64,1024,1024,0.5\n");
  const auto t = read();
  ASSERT_TRUE(t.ok());
  EXPECT_NEAR((*t)->of(of(16, 1024, 1024)).seconds(), 8e-6, 1e-15);
  EXPECT_NEAR((*t)->of(of(64, 1024, 1024)).seconds(), 20e-6, 1e-15);
}

TEST_F(tables, count_messages_in_elements_of_two_bytes) {
  write("nccl_2.0_nccl_perf.csv.gz",
        "op_name,kernel_source,nccl_dtype,num_gpus,message_size,latency\n"
        "all_reduce,NCCL,half,4,1024,0.010\nall_reduce,NCCL,half,4,2048,0.014\nall_reduce,NCCL,int8,4,1024,"
        "9\n");
  const auto t = read();
  ASSERT_TRUE(t.ok());
  EXPECT_NEAR((*t)->of(exchange{collective::all_reduce, 2048, 4}).seconds(), 10e-6, 1e-15);
  EXPECT_NEAR((*t)->of(exchange{collective::all_reduce, 3072, 4}).seconds(), 12e-6, 1e-15);
  EXPECT_EQ((*t)->of(exchange{collective::all_reduce, 2048, 1}).seconds(), 0);
}

TEST_F(tables, prefer_all_reduces_inside_graphs) {
  write("vllm_0.1.0_custom_allreduce_perf.csv.gz",
        "kernel_source,allreduce_dtype,num_gpus,message_size,latency,backend\n"
        "a,bfloat16,2,128,0.004,vllm_graph\nb,bfloat16,2,128,0.001,vllm_eager\n");
  const auto t = read();
  ASSERT_TRUE(t.ok());
  EXPECT_NEAR((*t)->of(exchange{collective::all_reduce, 256, 2}).seconds(), 4e-6, 1e-15);
}

TEST_F(tables, time_decoding_along_a_line_in_the_context) {
  std::string text =
      "kernel_source,batch_size,isl,num_heads,num_key_value_heads,head_dim,beam_width,attn_dtype,kv_cache_"
      "dtype,step,window_size,latency\n";
  for (const auto* row :
       {"8,1,8,2,128,1,bfloat16,bfloat16,999,0,0.010", "8,1,8,2,128,1,bfloat16,bfloat16,1999,0,0.018",
        "16,1,8,2,128,1,bfloat16,bfloat16,999,0,0.018", "16,1,8,2,128,1,bfloat16,bfloat16,1999,0,0.034"})
    text += std::string("x,") + row + "\n";
  write("vllm_0.1.0_generation_attention_perf.csv.gz", text);
  const auto t = read();
  ASSERT_TRUE(t.ok()) << t.why().text();
  const head_shape h{8, 2, 128, 128, 2};
  EXPECT_NEAR((*t)->of(decode_attention{h, 8, 8 * 1000}).seconds(), 10e-6, 1e-12);
  EXPECT_NEAR((*t)->of(decode_attention{h, 8, 8 * 1500}).seconds(), 14e-6, 1e-12);
  EXPECT_NEAR((*t)->of(decode_attention{h, 12, 12 * 1000}).seconds(), 14e-6, 1e-12);
}

TEST_F(tables, name_file_line_and_column_of_what_is_wrong) {
  write("vllm_0.1.0_gemm_perf.csv.gz",
        "kernel_source,gemm_dtype,m,n,k,latency\nx,bfloat16,1,2,3,0.1\nx,bfloat16,1,two,3,0.1\n");
  EXPECT_THAT(read().why().message, HasSubstr("gemm_perf.csv.gz: line 3: n: \"two\" is not a number"));
  write("vllm_0.1.0_gemm_perf.csv.gz", "kernel_source,gemm_dtype,m,n,k,latency\nx,bfloat16,1,2\n");
  EXPECT_THAT(read().why().message, HasSubstr("line 2: 4 cells where the header has 6"));
  write("vllm_0.1.0_gemm_perf.csv.gz", "kernel_source,gemm_dtype,m,n,latency\nx,bfloat16,1,2,1\n");
  EXPECT_THAT(read().why().message, HasSubstr("no column \"k\""));
  write("vllm_0.1.0_gemm_perf.csv.gz", "kernel_source,gemm_dtype,m,n,k,latency\nx,bfloat16,1,2,3,\"0\".5\n");
  EXPECT_THAT(read().why().message, HasSubstr("line 2: text behind a closing quote"));
  write("vllm_0.1.0_gemm_perf.csv.gz", "");
  EXPECT_THAT(read().why().message, HasSubstr("empty"));
}

TEST_F(tables, name_the_line_of_the_file_after_empty_lines_and_cells_of_several_lines) {
  const auto table =
      table_file::parse("\nname,n\n\"two\nlines\",1\n\n\"three\n\nlines\",2\nx,two\n", "t.csv");
  ASSERT_TRUE(table.ok()) << table.why().text();
  EXPECT_EQ(table->numbers("n").why().message, "t.csv: line 9: n: \"two\" is not a number");
  EXPECT_EQ(table->texts("m").why().message, "t.csv: line 2: no column \"m\"");
}

TEST_F(tables, refuse_a_broken_stream) {
  write("vllm_0.1.0_gemm_perf.csv.gz", std::string(gemm) + std::string(gemm).substr(40));
  const auto path = folder / "test" / "vllm_0.1.0_gemm_perf.csv.gz";
  fs::resize_file(path, fs::file_size(path) / 2);
  const auto t = read();
  ASSERT_FALSE(t.ok());
  EXPECT_THAT(t.why().message, HasSubstr("gemm_perf.csv.gz"));
}

TEST_F(tables, say_which_gpus_there_are) {
  auto other = test::machine();
  other.name = "H900 SXM";
  static const efficiency_catalogue none;
  const auto t = table_times({folder, "vllm"}, other, analytic_times(other, none));
  ASSERT_FALSE(t.ok());
  EXPECT_THAT(t.why().message, HasSubstr("H900 SXM"));
  EXPECT_THAT(t.why().remedy, HasSubstr("test"));
}

TEST(measured_curve, is_exact_at_what_was_measured_and_never_outside_its_neighbours) {
  measured_curve c;
  for (const auto& [x, t] : {std::pair{8.0, 5.0}, {1.0, 2.0}, {4.0, 3.0}, {4.0, 4.0}}) c.add(x, t);
  c.finish();
  ASSERT_EQ(c.size(), 3U);  // of the same size the shortest
  const light ideal = [](double x) { return x; };
  EXPECT_EQ(c.at(1, ideal), 2);
  EXPECT_EQ(c.at(4, ideal), 3);
  EXPECT_EQ(c.at(8, ideal), 5);
  for (double x = 1; x <= 8; x += 0.25) {
    EXPECT_GE(c.at(x, ideal), x <= 4 ? 2 : 3);
    EXPECT_LE(c.at(x, ideal), x <= 4 ? 3 : 5);
  }
  EXPECT_EQ(c.at(0.5, ideal), 2);
  EXPECT_EQ(c.at(16, ideal), 10);
  EXPECT_EQ(c.without(1, ideal), 2 + 3.0 * 3 / 7);
}

TEST(measured_tables_of_h100, are_read_where_the_data_is) {
  const auto folder = measured_data("serving/kernels");
  if (folder.empty()) GTEST_SKIP() << "no serving/kernels in RIDGE_DATA";
  const auto gpu = accelerator_named(hardware::catalogue::embedded(), "H100 SXM");
  ASSERT_TRUE(gpu.ok());
  const auto t = table_times({folder, "vllm"}, *gpu, analytic_times(*gpu));
  ASSERT_TRUE(t.ok()) << t.why().text();
  // A product at near the peak: 8192 x 10240 x 8192 in 16 bit takes between 989 and 600 TFLOP/s.
  const double seconds = (*t)->of(of(8192, 10240, 8192)).seconds(), flop = 2.0 * 8192 * 10240 * 8192;
  EXPECT_GT(flop / seconds, 600e12);
  EXPECT_LT(flop / seconds, 989e12);
  const auto near = (*t)->of(of(8192, 10241, 8192)).seconds();
  EXPECT_NEAR(near, seconds, 0.15 * seconds);
}

}  // namespace
}  // namespace ridge::plan::kernels
