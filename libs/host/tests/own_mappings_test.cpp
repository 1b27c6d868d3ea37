// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/own_mappings.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/host/child_process.hpp>
#include <ridge/host/shared_region.hpp>

namespace ridge::host {
namespace {

[[gnu::noinline]] int answer() { return 42; }

// Writes the byte that is there already, as a debugger's breakpoint that is taken back does.
std::string after_writing_code() {
  auto* code = reinterpret_cast<unsigned char*>(&answer);
  auto* page = reinterpret_cast<unsigned char*>(reinterpret_cast<std::uintptr_t>(code) / 4096 * 4096);
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return "refused";
  *static_cast<volatile unsigned char*>(code) = *code;
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  return std::to_string(files_with_changed_code().size());
}

TEST(own_mappings, show_code_that_was_written) {
  const auto before = files_with_changed_code().size();
  const auto seen = run_forked(after_writing_code);
  if (seen.output == "refused") GTEST_SKIP() << "the kernel keeps code from being written";
  EXPECT_GT(std::stoul(seen.output), before);
}

TEST(own_mappings, list_shared_memory_and_hide_it) {
  const shared_region shared(4096);
  const auto* start = shared.bytes().data();
  const auto all = shared_memory();
  const auto found = std::ranges::find_if(
      all, [&](const auto& one) { return one.data() <= start && start < one.data() + one.size(); });
  ASSERT_NE(found, all.end());
  hide_from_children(*found);
  if (sanitized) GTEST_SKIP() << "the sanitizer reports the fault";
  const auto seen = run_forked([&] { return std::string(1, static_cast<char>(*start)); });
  EXPECT_FALSE(succeeded(seen.outcome));
}

}  // namespace
}  // namespace ridge::host
