// SPDX-License-Identifier: Apache-2.0
#include "database.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace ridge::backends::store_sqlite {
namespace {

using store::store_failure;
using store::trouble;

constexpr int patience_ms = 10'000;
constexpr std::string_view elsewhere = "give another place with --store PATH, or none with --no-store";

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

void make_folder_of(const std::filesystem::path& file) {
  std::error_code failed;
  std::filesystem::create_directories(folder_of(file), failed);
  if (!failed) return;
  const bool denied = failed.value() == EACCES || failed.value() == EROFS || failed.value() == EPERM;
  throw store_failure(denied ? trouble::read_only : trouble::unreachable,
                      {fmt::format("cannot make the folder of {}: {}", file.string(), failed.message()),
                       std::string(elsewhere)});
}

bool no_space(int system_errno) {
  return system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG;
}

bool may_write_beside(const std::string& file) {
  return access(folder_of(file).c_str(), W_OK) == 0 || (errno != EACCES && errno != EROFS);
}

trouble kind_of(int code, int system_errno, const std::string& path) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return trouble::full;
    case SQLITE_IOERR:
      return no_space(system_errno) ? trouble::full : trouble::broken;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return trouble::read_only;
    case SQLITE_CANTOPEN:
      if (no_space(system_errno)) return trouble::full;
      return may_write_beside(path) ? trouble::unreachable : trouble::read_only;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return trouble::corrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return trouble::busy;
    default:
      return trouble::broken;
  }
}

std::string remedy(trouble kind, const std::string& path) {
  switch (kind) {
    case trouble::full:
      return fmt::format("free some space, or {}", elsewhere);
    case trouble::read_only:
      return fmt::format("the file and its folder must be writable; {}", elsewhere);
    case trouble::corrupt:
      return fmt::format(
          "move it aside (mv {0} {0}.damaged) and a new one is made; "
          "`sqlite3 {0}.damaged .recover` saves what can be read",
          path);
    case trouble::busy:
      return "another process holds it; wait for that one to end, or give another place with --store PATH";
    default:
      return std::string(elsewhere);
  }
}

}  // namespace

void database::closer::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

database::database(const std::string& path, bool for_reading) : path_(path) {
  if (for_reading && (access(path_.c_str(), W_OK) != 0 || access(folder_of(path_).c_str(), W_OK) != 0)) {
    open_to_read();
  } else {
    open_to_write();
  }
}

bool database::opens(const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  return code == SQLITE_OK;
}

void database::open_to_write() {
  if (path_ != ":memory:") make_folder_of(path_);
  if (!opens(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) fail("open");
  set_up();
}

// A file whose log cannot be joined, because the memory that it shares cannot be made, is read as it stands;
// one that another process holds is waited for.
void database::open_to_read() {
  read_only_ = true;
  const auto readable = [&] {
    return sqlite3_exec(handle_.get(), "SELECT COUNT(*) FROM sqlite_schema", nullptr, nullptr, nullptr) ==
           SQLITE_OK;
  };
  const auto patient = [&] {
    sqlite3_extended_result_codes(handle_.get(), 1);
    sqlite3_busy_timeout(handle_.get(), patience_ms);
    return true;
  };
  if (opens(path_, SQLITE_OPEN_READONLY) && patient() && readable()) return keep_pages();
  const int why = (handle_ ? sqlite3_errcode(handle_.get()) : SQLITE_NOMEM) & 0xff;
  if (why != SQLITE_CANTOPEN && why != SQLITE_READONLY) fail("open");
  std::string name = "file:";
  for (const char letter : path_) {
    const bool special = letter == '?' || letter == '#' || letter == '%';
    name += special ? fmt::format("%{:02x}", static_cast<unsigned char>(letter)) : std::string(1, letter);
  }
  const bool opened = opens(name + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (!opened || !patient() || !readable()) fail("open");
  keep_pages();
}

void database::set_up() {
  sqlite3_extended_result_codes(handle_.get(), 1);
  sqlite3_busy_timeout(handle_.get(), patience_ms);
  if (sqlite3_db_readonly(handle_.get(), "main") == 1) {
    throw store_failure(trouble::read_only,
                        {fmt::format("{} cannot be written", path_), remedy(trouble::read_only, path_)});
  }
  turn_the_log_on();
  // The log grows to 32 MiB before it is moved into the file: a run rarely pays for that, closing the store
  // does.
  run("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192; PRAGMA journal_size_limit = 33554432;"
      "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
  keep_pages();
}

// Rows of one answer lie on many pages of a large store; SQLite keeps 2 MiB of them by itself.
void database::keep_pages() { run("PRAGMA cache_size = -65536"); }

// When two processes turn the log on at once, SQLite tells one of them at once, without waiting, that the
// file is locked.
void database::turn_the_log_on() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
  for (;;) {
    try {
      statement(*this, "PRAGMA journal_mode = WAL").step();
      return;
    } catch (const store_failure& e) {
      if (e.kind() != trouble::busy || std::chrono::steady_clock::now() >= deadline) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void database::run(const std::string& sql) {
  errno = 0;
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("use", errno);
}

statement& database::prepared(std::string_view sql) {
  const auto at = prepared_.find(sql);
  if (at != prepared_.end()) return at->second.reset();
  return prepared_.emplace(sql, statement(*this, sql)).first->second;
}

std::int64_t database::last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }

void database::fail(std::string_view action, int seen_errno) const {
  const int code = handle_ ? sqlite3_extended_errcode(handle_.get()) : SQLITE_NOMEM;
  const int own_errno = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
  const int system_errno = own_errno ? own_errno : seen_errno;
  const auto kind = kind_of(code, system_errno, path_);
  auto what = fmt::format("cannot {} the store {}: {}", action, path_,
                          handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory");
  const int primary = code & 0xff;
  if (system_errno && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL)) {
    what += fmt::format(" ({})", std::strerror(system_errno));
  }
  throw store_failure(kind, {std::move(what), remedy(kind, path_)});
}

transaction::transaction(database& connection) : connection_(connection) {
  connection_.prepared("BEGIN IMMEDIATE").execute();
}

transaction::~transaction() {
  if (!open_) return;
  try {
    connection_.run("ROLLBACK");
  } catch (const store_failure&) {
    // SQLite has already rolled back where the disk was full.
  }
}

void transaction::commit() {
  connection_.prepared("COMMIT").execute();
  open_ = false;
}

}  // namespace ridge::backends::store_sqlite
