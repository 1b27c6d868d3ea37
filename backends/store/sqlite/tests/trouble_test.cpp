// SPDX-License-Identifier: Apache-2.0
// What a store reports when its file, folder or disk is damaged, full or not accessible.
#include <array>
#include <csignal>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sqlite_store.hpp"
#include "test_folder.hpp"

namespace ridge::backends::store_sqlite {
namespace {

using store::store_failure;
using store::trouble;

model::family family_of(std::size_t samples) {
  model::family f{.experiment = "ch01.x"};
  f.measurements.emplace_back().samples.push_back({.value = std::vector<double>(samples, 1e-3)});
  return f;
}

// Returns the trouble that `work` meets; nothing when it meets none.
std::optional<trouble> met(const std::function<void()>& work, std::string* text = nullptr) {
  try {
    work();
  } catch (const store_failure& e) {
    if (text) *text = e.why().text();
    return e.kind();
  }
  return std::nullopt;
}

// Runs the test body in a child, so that the limits and identities it takes stay there; its own failures
// count.
void in_a_child(const std::function<void()>& body) {
  const auto child = fork();
  if (child == 0) {
    body();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

class in_trouble : public in_a_folder {
 protected:
  void fill() {
    sqlite_store store({.location = file()});
    store.begin({.id = "01A"});
    for (int i = 0; i < 20; ++i) store.commit("01A", family_of(1000));
  }
};

TEST_F(in_trouble, a_file_that_is_no_database_is_named_with_its_remedy) {
  std::ofstream(file()) << std::string(8192, 'x');
  std::string text;
  EXPECT_EQ(met([&] { sqlite_store({.location = file()}); }, &text), trouble::corrupt);
  EXPECT_NE(text.find(file()), std::string::npos);
  EXPECT_NE(text.find("mv "), std::string::npos);
}

TEST_F(in_trouble, pages_overwritten_in_the_middle_are_found_when_read) {
  fill();
  {
    std::fstream damage(file(), std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(4096);
    damage << std::string(12 * 4096, '\xff');
  }
  EXPECT_EQ(met([&] {
              sqlite_store store({.location = file()});
              (void)store.counts();
              (void)store.load("01A");
            }),
            trouble::corrupt);
}

TEST_F(in_trouble, a_truncated_file_is_corrupt) {
  fill();
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) / 2);
  EXPECT_EQ(met([&] {
              sqlite_store store({.location = file()});
              (void)store.load("01A");
            }),
            trouble::corrupt);
}

TEST_F(in_trouble, a_folder_in_place_of_the_file_cannot_be_opened) {
  EXPECT_EQ(met([&] { sqlite_store({.location = folder()}); }), trouble::unreachable);
}

TEST_F(in_trouble, a_path_through_a_file_is_unreachable) {
  std::ofstream(file("plain")) << "x";
  EXPECT_EQ(met([&] { sqlite_store({.location = file("plain/below/ridge.db")}); }), trouble::unreachable);
}

TEST_F(in_trouble, missing_folders_are_made) {
  EXPECT_EQ(met([&] { sqlite_store({.location = file("a/b/ridge.db")}); }), std::nullopt);
}

// Root may write anywhere, so root becomes nobody first.
void become_nobody() {
  const bool root = geteuid() == 0;
  ASSERT_TRUE(!root || setuid(65534) == 0);
}

TEST_F(in_trouble, a_read_only_folder_says_so) {
  chmod(folder().c_str(), 0555);
  in_a_child([&] {
    become_nobody();
    EXPECT_EQ(met([&] { sqlite_store({.location = file()}); }), trouble::read_only);
    EXPECT_EQ(met([&] { sqlite_store({.location = file("deeper/ridge.db")}); }), trouble::read_only);
  });
  chmod(folder().c_str(), 0755);
}

TEST_F(in_trouble, a_store_that_cannot_be_written_can_be_read) {
  fill();
  ASSERT_EQ(chmod(file().c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder().c_str(), 0555), 0);
  in_a_child([&] {
    become_nobody();
    sqlite_store store({.location = file(), .for_reading = true});
    ASSERT_EQ(store.runs({}).size(), 1u);
    EXPECT_EQ(store.load("01A")->families.size(), 20u);
    EXPECT_EQ(met([&] { store.begin({.id = "01B"}); }), trouble::read_only);
  });
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 1)
      << "no file is made beside it";
}

// Another process holds the file for a third of a second, and removes the run in it.
void remove_run_slowly(const std::string& path, int held) {
  sqlite3* handle = nullptr;
  const bool done = sqlite3_open(path.c_str(), &handle) == SQLITE_OK &&
                    sqlite3_exec(handle, "PRAGMA foreign_keys = ON; BEGIN EXCLUSIVE; DELETE FROM run",
                                 nullptr, nullptr, nullptr) == SQLITE_OK;
  (void)!write(held, "", 1);
  usleep(300'000);
  const bool kept = sqlite3_exec(handle, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK;
  sqlite3_close(handle);
  _exit(done && kept ? 0 : 1);
}

TEST_F(in_trouble, a_store_that_cannot_be_written_is_waited_for_where_another_process_holds_it) {
  fill();
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);
  std::array<int, 2> held{};
  ASSERT_EQ(pipe(held.data()), 0);
  const auto writer = fork();
  if (writer == 0) remove_run_slowly(file(), held[1]);
  char byte = 0;
  ASSERT_EQ(read(held[0], &byte, 1), 1);
  in_a_child([&] {
    // Nobody may write here; the folder itself stays writable for the process that does.
    become_nobody();
    if (access(file().c_str(), W_OK) == 0) chmod(file().c_str(), 0444);
    sqlite_store store({.location = file(), .for_reading = true});
    EXPECT_TRUE(store.runs({}).empty()) << "it was read as it stood before";
  });
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_EQ(status, 0);
  close(held[0]);
  close(held[1]);
}

TEST_F(in_trouble, a_read_only_file_says_so) {
  fill();
  chmod(file().c_str(), 0444);
  chmod(folder().c_str(), 0555);
  in_a_child([&] {
    become_nobody();
    EXPECT_EQ(met([&] { sqlite_store({.location = file()}); }), trouble::read_only);
  });
  chmod(folder().c_str(), 0755);
}

TEST_F(in_trouble, a_full_disk_loses_the_family_that_did_not_fit_and_no_other) {
  in_a_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    sqlite_store store({.location = file()});
    store.begin({.id = "01A"});
    std::uint64_t stored = 0;
    std::string text;
    const auto fill_up = [&] {
      for (; stored < 1000; ++stored) store.commit("01A", family_of(10000));
    };
    EXPECT_EQ(met(fill_up, &text), trouble::full);
    EXPECT_NE(text.find("free some space"), std::string::npos) << text;
    EXPECT_GT(stored, 2u);
    EXPECT_LT(stored, 50u);
    EXPECT_EQ(store.counts().families, stored);
    EXPECT_EQ(sqlite_store({.location = file()}).counts().families, stored);
  });
}

TEST_F(in_trouble, a_writer_that_never_ends_is_reported_as_busy) {
  sqlite_store store({.location = file()});
  database other(file());
  other.run("PRAGMA busy_timeout = 0");
  store.begin({.id = "01A"});
  transaction held(other);
  database impatient(file());
  impatient.run("PRAGMA busy_timeout = 20");
  std::string text;
  EXPECT_EQ(met([&] { transaction second(impatient); }, &text), trouble::busy);
  EXPECT_NE(text.find("another process"), std::string::npos);
}

}  // namespace
}  // namespace ridge::backends::store_sqlite
