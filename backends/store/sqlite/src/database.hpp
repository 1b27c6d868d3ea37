// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <ridge/store/store_failure.hpp>

#include "statement.hpp"

struct sqlite3;

namespace ridge::backends::store_sqlite {

// One open SQLite file with a write-ahead log and synchronous=NORMAL, which waits ten seconds for other
// writers. Every failure is a store_failure that names the file.
class database {
 public:
  // Opens the file, and creates it and its folder where they are missing. `for_reading`: creates nothing, and
  // opens a file that cannot be written as it is; of one with a log that cannot be joined, the log is not
  // seen.
  explicit database(const std::string& path, bool for_reading = false);

  // Runs statements that return no rows.
  void run(const std::string& sql);

  // Returns the statement of this text, reset; statements are kept prepared between calls. `sql` must live as
  // long as the database.
  statement& prepared(std::string_view sql);

  [[nodiscard]] std::int64_t last_id() const;
  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns whether the file cannot be written and was opened for reading.
  [[nodiscard]] bool is_read_only() const { return read_only_; }

  // Throws the store_failure for the last error of SQLite; `seen_errno` is used where SQLite keeps no errno
  // of its own.
  [[noreturn]] void fail(std::string_view action, int seen_errno = 0) const;

 private:
  struct closer {
    void operator()(sqlite3* handle) const;
  };
  bool opens(const std::string& name, int flags);
  void open_to_write();
  void open_to_read();
  void set_up();
  void keep_pages();
  void turn_the_log_on();
  friend class statement;

  std::string path_;
  bool read_only_ = false;
  std::unique_ptr<sqlite3, closer> handle_{};
  std::map<std::string_view, statement> prepared_{};
};

// BEGIN IMMEDIATE ... COMMIT: takes the lock of writers at once, so that it never has to give up halfway.
// Leaving the scope without commit() rolls back.
class transaction {
 public:
  explicit transaction(database& connection);
  ~transaction();
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  void commit();

 private:
  database& connection_;
  bool open_ = true;
};

}  // namespace ridge::backends::store_sqlite
