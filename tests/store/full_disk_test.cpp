// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/mount.h>

#include <ridge/store/store_failure.hpp>

#include "scene.hpp"

namespace ridge::store::tests {
namespace {

// A small disk of its own, where this process may mount one.
class full_disk : public scene {
 protected:
  void SetUp() override {
    mounted_ = mount("tmpfs", folder().c_str(), "tmpfs", 0, "size=2m") == 0;
    if (!mounted_) GTEST_SKIP() << "cannot mount a tmpfs here: " << std::strerror(errno);
  }
  void TearDown() override {
    if (mounted_) umount2(folder().c_str(), MNT_DETACH);
  }

  void fill_the_rest() {
    FILE* other = std::fopen((folder() / "ballast").c_str(), "wb");
    ASSERT_NE(other, nullptr);
    std::setbuf(other, nullptr);
    const std::string block(4096, 'x');
    while (std::fwrite(block.data(), 1, block.size(), other) == block.size()) continue;
    std::fclose(other);
  }

 private:
  bool mounted_ = false;
};

TEST_F(full_disk, says_so_and_keeps_what_was_committed) {
  std::uint64_t stored = 0;
  {
    const auto store = open();
    store->begin({.id = "A"});
    try {
      for (; stored < 1000; ++stored) store->commit("A", family_of(2000));
      FAIL() << "the disk never filled";
    } catch (const store_failure& e) {
      EXPECT_EQ(e.kind(), trouble::full) << e.what();
    }
    EXPECT_EQ(store->counts().families, stored);
  }
  EXPECT_GT(stored, 10u);
  EXPECT_EQ(open()->counts().families, stored);
}

TEST_F(full_disk, writes_again_once_there_is_space) {
  const auto store = open();
  store->begin({.id = "A"});
  fill_the_rest();
  EXPECT_THROW(store->commit("A", family_of(20000)), store_failure);
  std::filesystem::remove(folder() / "ballast");
  store->commit("A", family_of(20000));
  EXPECT_EQ(store->counts().families, 1u);
}

TEST_F(full_disk, a_store_that_finds_no_space_at_all_cannot_be_made) {
  fill_the_rest();
  try {
    (void)open();
    FAIL() << "opened";
  } catch (const store_failure& e) {
    EXPECT_EQ(e.kind(), trouble::full) << e.what();
  }
}

}  // namespace
}  // namespace ridge::store::tests
