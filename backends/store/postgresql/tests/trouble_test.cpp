// SPDX-License-Identifier: Apache-2.0
// What a store reports when its server is absent, ends, refuses, or is used by others.
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postgresql_store.hpp"
#include "test_database.hpp"

namespace ridge::backends::store_postgresql {
namespace {

using store::trouble;

class in_trouble : public in_a_database {
 protected:
  // Runs `work` in a process of its own, which ends without the destructors of this one.
  static pid_t in_a_child(const std::function<void()>& work) {
    const auto child = fork();
    if (child == 0) {
      try {
        work();
        _exit(0);
      } catch (const std::exception& e) {
        std::fputs(e.what(), stderr);
        _exit(1);
      }
    }
    return child;
  }
  static int status_of(pid_t child) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  }
};

TEST(no_server, is_unreachable_and_no_message_shows_the_password) {
  std::string text;
  for (const auto* url : {"postgresql://me:s3cr%65t@127.0.0.1:1/db", "postgresql://me:s3cret@h/db?bad",
                          "postgresql:///db?host=/nowhere&user=me&password=s3cret",
                          "postgresql://me:s3cret@[::1/db", "postgresql://me:s3cret@h/%zz"}) {
    EXPECT_EQ(met([&] { postgresql_store({.location = url}); }, &text), trouble::unreachable) << url;
    EXPECT_EQ(text.find("s3cr"), std::string::npos) << text;
    EXPECT_NE(text.find("postgresql://"), std::string::npos) << text;
    EXPECT_NE(text.find("--store"), std::string::npos) << text;
  }
}

TEST_F(in_trouble, a_database_or_role_that_there_is_not_is_unreachable) {
  std::string text;
  auto other = url();
  other.replace(other.find("/ridge?"), 7, "/other?");
  EXPECT_EQ(met([&] { postgresql_store({.location = other}); }, &text), trouble::unreachable);
  EXPECT_NE(text.find("other"), std::string::npos) << text;
  EXPECT_EQ(met([&] { postgresql_store({.location = url_as("nobody_here")}); }), trouble::unreachable);
}

TEST_F(in_trouble, a_role_that_may_only_read_reads_and_is_told_that_it_cannot_write) {
  postgresql_store owner({.location = url()});
  owner.begin({.id = "01A"});
  owner.commit("01A", family_of(10));
  connection(url()).write([](session& s) {
    s.run(
        "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA ridge TO reader;"
        "GRANT SELECT ON ALL TABLES IN SCHEMA ridge TO reader");
  });
  postgresql_store reader({.location = url_as("reader"), .for_reading = true});
  EXPECT_EQ(reader.load("01A")->families.size(), 1u);
  EXPECT_EQ(reader.latest({}).size(), 1u);
  std::string text;
  EXPECT_EQ(met([&] { reader.begin({.id = "01B"}); }, &text), trouble::read_only);
  EXPECT_NE(text.find("permission denied"), std::string::npos) << text;
  EXPECT_EQ(met([&] { reader.commit("01A", family_of(1)); }), trouble::read_only);
  EXPECT_EQ(reader.counts().runs, 1u) << "the connection is of use afterwards";
  connection(url()).write([](session& s) { s.run("DROP OWNED BY reader; DROP ROLE reader"); });
}

TEST_F(in_trouble, a_server_that_takes_no_writes_says_so) {
  const postgresql_store made({.location = url()});
  auto standby = url() + "&options=-c%20default_transaction_read_only%3Don";
  postgresql_store store({.location = standby});
  EXPECT_EQ(store.counts().runs, 0u);
  EXPECT_EQ(met([&] { store.begin({.id = "01A"}); }), trouble::read_only);
}

TEST_F(in_trouble, a_writer_that_never_ends_is_reported_as_busy) {
  postgresql_store store({.location = url()});
  store.begin({.id = "01A"});
  pqxx::connection other(url());
  pqxx::work held(other);
  held.exec("LOCK TABLE ridge.family IN EXCLUSIVE MODE");
  connection impatient(url());
  std::string text;
  EXPECT_EQ(
      met(
          [&] {
            impatient.write([](session& s) { s.run("SET LOCAL lock_timeout = '20ms'; DELETE FROM family"); });
          },
          &text),
      trouble::busy);
  EXPECT_NE(text.find("others"), std::string::npos) << text;
}

TEST_F(in_trouble, a_connection_that_was_lost_is_made_anew_for_what_comes_next) {
  postgresql_store store({.location = url()});
  store.begin({.id = "01A"});
  store.commit("01A", family_of(10));
  connection(url()).write([](session& s) {
    s.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
        "AND application_name = 'ridge'");
  });
  EXPECT_EQ(met([&] { store.commit("01A", family_of(10)); }), trouble::unreachable);
  EXPECT_EQ(met([&] { store.commit("01A", family_of(10)); }), std::nullopt);
  EXPECT_EQ(store.counts().families, 2u);
  EXPECT_EQ(store.counts().samples, 20u);
}

TEST_F(in_trouble, a_killed_server_has_every_family_whose_commit_returned_and_no_part_of_another) {
  std::mt19937 random(20251120);
  for (int round = 0; round < 2; ++round) {
    const auto id = "01A" + std::to_string(round);
    std::atomic<std::uint64_t> returned = 0;
    std::thread killer;
    {
      postgresql_store store({.location = url()});
      store.begin({.id = id});
      const auto delay = std::chrono::microseconds(random() % 60'000);
      killer = std::thread([&, delay] {
        for (int waits = 0; returned < 3 && waits < 20'000; ++waits)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(delay);
        server().kill_at_once();
      });
      EXPECT_EQ(met([&] {
                  for (;; ++returned) store.commit(id, family_of(2000, static_cast<double>(returned.load())));
                }),
                trouble::unreachable);
      killer.join();
    }
    ASSERT_TRUE(server().restart());
    postgresql_store store({.location = url()});
    const auto run = store.load(id);
    ASSERT_TRUE(run.ok()) << run.why().text();
    EXPECT_GE(run->families.size(), returned);
    EXPECT_LE(run->families.size(), returned + 1) << "one may have been in doubt";
    for (std::size_t i = 0; i < run->families.size(); ++i) {
      EXPECT_EQ(run->families[i].measurements[1].samples.at(0).value,
                std::vector<double>(2000, static_cast<double>(i)));
    }
    const auto series = store.series({.variant = "b"});
    ASSERT_EQ(series.size(), 1u);
    EXPECT_EQ(series[0].points, store.points({.series = series[0].id}).size());
    EXPECT_EQ(store.counts().families, series[0].points);
  }
}

TEST_F(in_trouble, two_writers_make_the_store_at_once_and_write_the_same_series) {
  constexpr int families = 60;
  const auto writer = [&](const std::string& id) {
    return in_a_child([id] {
      postgresql_store store({.location = url()});
      model::run run{.id = id, .wall_s = 1};
      store.begin(run);
      for (int i = 0; i < families; ++i) store.commit(id, family_of(100));
      store.finish(run);
    });
  };
  const auto a = writer("A"), b = writer("B"), c = writer("C");
  EXPECT_EQ(status_of(a), 0);
  EXPECT_EQ(status_of(b), 0);
  EXPECT_EQ(status_of(c), 0);
  postgresql_store store({.location = url()});
  EXPECT_EQ(store.counts().families, 3u * families);
  EXPECT_EQ(store.counts().samples, 300u * families);
  ASSERT_EQ(store.series({.variant = "b"}).size(), 1u);
  EXPECT_EQ(store.series({.variant = "b"})[0].points, 3u * families);
  EXPECT_EQ(store.load("A")->families.size(), static_cast<std::size_t>(families));
}

// Whole runs touch the same workloads in opposite order: the server ends one of two that wait for each other.
TEST_F(in_trouble, runs_that_wait_for_each_other_are_both_entered) {
  const auto writer = [&](const std::string& id, bool reversed) {
    return in_a_child([id, reversed] {
      postgresql_store store({.location = url()});
      model::run run{.id = id};
      for (int i = 0; i < 40; ++i) {
        run.families.push_back(family_of(1));
        run.families.back().experiment = "ch01." + std::to_string(reversed ? 39 - i : i);
      }
      for (int i = 0; i < 5; ++i) {
        run.id = id + std::to_string(i);
        store.enter(run, true);
      }
    });
  };
  postgresql_store store({.location = url()});
  const auto a = writer("A", false), b = writer("B", true);
  EXPECT_EQ(status_of(a), 0);
  EXPECT_EQ(status_of(b), 0);
  EXPECT_EQ(store.counts().runs, 10u);
  EXPECT_EQ(store.counts().families, 400u);
}

// A small disk for the tables alone: a server whose own log finds no space ends instead.
class small_disk {
 public:
  explicit small_disk(std::string folder) : folder_(std::move(folder)) {
    struct stat server {};
    const auto above = folder_.substr(0, folder_.rfind('/'));
    mounted_ = mkdir(folder_.c_str(), 0700) == 0 && stat(above.c_str(), &server) == 0 &&
               mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=3m,mode=0700") == 0 &&
               chown(folder_.c_str(), server.st_uid, server.st_gid) == 0;
  }
  ~small_disk() { umount2(folder_.c_str(), MNT_DETACH); }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }

 private:
  std::string folder_;
  bool mounted_ = false;
};

TEST_F(in_trouble, a_full_disk_loses_the_family_that_did_not_fit_and_no_other) {
  const auto folder = server().folder() + "/small";
  const small_disk disk(folder);
  if (!disk.mounted()) GTEST_SKIP() << "cannot mount a tmpfs here";
  connection database(url());
  database.ask("CREATE TABLESPACE small LOCATION '" + folder + "'");
  {
    postgresql_store store({.location = url() + "&options=-c%20default_tablespace%3Dsmall"});
    store.begin({.id = "01A"});
    std::uint64_t stored = 0;
    std::string text;
    EXPECT_EQ(met(
                  [&] {
                    for (; stored < 1000; ++stored) store.commit("01A", family_of(10'000));
                  },
                  &text),
              trouble::full);
    EXPECT_NE(text.find("free some space"), std::string::npos) << text;
    EXPECT_GT(stored, 2u);
    EXPECT_EQ(store.counts().families, stored);
    EXPECT_EQ(store.load("01A")->families.size(), stored);
  }
  database.ask("DROP SCHEMA ridge CASCADE");
  database.ask("DROP TABLESPACE small");
}

}  // namespace
}  // namespace ridge::backends::store_postgresql
