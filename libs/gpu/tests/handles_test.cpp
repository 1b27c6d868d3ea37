// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/event.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/gpu/side_stream.hpp>

namespace ridge::gpu {
namespace {

bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

TEST(handles, without_a_gpu_say_so) {
  if (has_gpu()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(event(), unavailable);
  EXPECT_THROW(side_stream(), unavailable);
  EXPECT_THROW(graph([](cudaStream_t) {}), unavailable);
  EXPECT_THROW(managed_memory(1), unavailable);
}

TEST(handles, empty_managed_memory_moves_nowhere) {
  const managed_memory nothing(0);
  EXPECT_EQ(nothing.data(), nullptr);
  EXPECT_NO_THROW(nothing.move_to_host(nullptr));
  EXPECT_NO_THROW(nothing.move_to_device(nullptr));
  EXPECT_NO_THROW(nothing.keep_on_host());
}

TEST(handles, an_empty_graph_launches_nothing) {
  const graph nothing;
  EXPECT_NO_THROW(nothing.launch(nullptr));
  EXPECT_EQ(nothing.nodes(), 0U);
}

class handles_on_gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_gpu()) GTEST_SKIP() << "no GPU here";
    memory = managed_memory(sizeof(int));
    word = memory.as<int>();
    *word = 1;
  }
  void set(int byte, cudaStream_t stream) const {
    check(cudaMemsetAsync(word, byte, sizeof(int), stream), "cudaMemsetAsync");
  }
  managed_memory memory;
  int* word = nullptr;
};

TEST_F(handles_on_gpu, managed_memory_keeps_its_content_wherever_it_is) {
  const side_stream queue;
  for (int i = 0; i < 2; ++i) {
    set(i, queue);
    memory.move_to_host(queue);
    memory.move_to_device(queue);
    queue.synchronize();
    EXPECT_EQ(*word, 0x01010101 * i);
    memory.keep_on_host();
  }
}

TEST_F(handles_on_gpu, a_graph_does_nothing_until_launched) {
  const side_stream on;
  const graph zero([&](cudaStream_t s) { set(0, s); });
  on.synchronize();
  EXPECT_EQ(*word, 1);
  EXPECT_EQ(zero.nodes(), 1U);
  zero.upload(on);
  zero.launch(on);
  on.synchronize();
  EXPECT_EQ(*word, 0);
}

TEST_F(handles_on_gpu, a_capture_that_throws_leaves_the_thread_usable) {
  EXPECT_THROW(graph([](cudaStream_t) { throw std::runtime_error("no"); }), std::runtime_error);
  const graph after([&](cudaStream_t s) { set(0, s); });
  EXPECT_EQ(after.nodes(), 1U);
}

TEST_F(handles_on_gpu, side_work_is_between_fork_and_join) {
  const side_stream queue;
  side_stream beside;
  for (int i = 0; i < 100; ++i) {
    set(1, queue);
    beside.fork_from(queue);
    set(2, beside);
    beside.join(queue);
    set(3, queue);
  }
  queue.synchronize();
  EXPECT_EQ(*word, 0x03030303);
}

TEST_F(handles_on_gpu, time_passes_between_events) {
  const side_stream on;
  event from(timing::on), to(timing::on);
  from.record(on);
  set(0, on);
  to.record(on);
  to.synchronize();
  EXPECT_TRUE(from.reached());
  EXPECT_GT(to.seconds_since(from), 0);
  EXPECT_LT(to.seconds_since(from), 1);
}

}  // namespace
}  // namespace ridge::gpu
