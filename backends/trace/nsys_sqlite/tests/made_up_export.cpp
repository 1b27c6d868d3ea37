// SPDX-License-Identifier: Apache-2.0
#include "made_up_export.hpp"

#include <stdexcept>

#include <sqlite3.h>

#include <ridge/trace/byte_source.hpp>

#include "nsys_sqlite.hpp"

namespace ridge::backends::trace_nsys_sqlite {

made_up_export::made_up_export(std::string_view sql) : path_((folder_.path() / "export?.sqlite").string()) {
  sqlite3* db = nullptr;
  sqlite3_open(path_.c_str(), &db);
  char* why = nullptr;
  sqlite3_exec(db, std::string(sql).c_str(), nullptr, nullptr, &why);
  const std::string text = why == nullptr ? "" : why;
  sqlite3_free(why);
  sqlite3_close(db);
  if (!text.empty()) throw std::runtime_error(text);
}

trace::trace made_up_export::read() const {
  const auto source = trace::open_member({.path = path_});
  auto made = nsys_sqlite().read(**source, {.path = path_}, {});
  if (!made) throw std::runtime_error(made.why().text());
  return std::move(*made);
}

const trace::device_work& work_called(const trace::trace& t, std::string_view name) {
  for (const auto& w : t.works) {
    if (t.names[w.name] == name) return w;
  }
  throw std::runtime_error("no work " + std::string(name));
}

trace::event_id event_called(const trace::trace& t, std::string_view name) {
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.name_of(e) == name) return e;
  }
  throw std::runtime_error("no event " + std::string(name));
}

}  // namespace ridge::backends::trace_nsys_sqlite
