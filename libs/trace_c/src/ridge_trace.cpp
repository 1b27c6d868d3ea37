// SPDX-License-Identifier: Apache-2.0
#include <ridge_trace.h>

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "refused.hpp"
#include "table.hpp"
#include "tables.hpp"
#include "trace_set.hpp"

#ifndef RIDGE_VERSION
#define RIDGE_VERSION "unknown"
#endif

// What the handles of the C interface stand for.
struct ridge_traces {
  ridge::trace_c::trace_set set{};
  const char* error = "";  // a literal, or the text of `thrown`
  std::string thrown{};
};
struct ridge_trace_table {
  ridge::trace_c::table content{};
};

namespace {

namespace c = ridge::trace_c;

int told(ridge_traces* traces, int status, const std::exception& why) noexcept {
  try {
    traces->thrown = why.what();
    traces->error = traces->thrown.c_str();
  } catch (...) {
    traces->error = "there is no memory left";
  }
  return status;
}

// Runs `body` and turns what it throws into a status and a sentence.
template <class Body>
int guarded(ridge_traces* traces, Body body) noexcept {
  if (traces == nullptr) return ridge_trace_wrong_use;
  traces->error = "";
  try {
    body();
    return ridge_trace_ok;
  } catch (const c::refused& why) {
    return told(traces, why.status(), why);
  } catch (const std::bad_alloc&) {
    traces->error = "there is no memory left";
    return ridge_trace_no_memory;
  } catch (const ridge::failure& why) {
    return told(traces, ridge_trace_unreadable, why);
  } catch (const std::exception& why) {
    return told(traces, ridge_trace_internal, why);
  } catch (...) {
    traces->error = "a defect of Ridge: something was thrown that is no std::exception";
    return ridge_trace_internal;
  }
}

std::string wanted_text(const char* text, const char* role) {
  if (text == nullptr) throw c::wrong_use(std::string(role) + " is null", "give a text");
  return text;
}

c::table answer_to(const c::trace_set& traces, const std::string& question, const c::arguments& given) {
  const auto& all = c::all_answers();
  const auto at = all.find(question);
  if (at == all.end()) {
    std::string names;
    for (const auto& [name, answer] : all) names += (names.empty() ? "" : ", ") + name;
    throw c::wrong_use("there is no table " + question, "there are " + names);
  }
  if (traces.ranks().empty())
    throw c::wrong_use("no trace is open", "add a file, a folder or an archive first");
  auto made = at->second(traces, given);
  given.expect_all_used(question);
  return made;
}

const c::column* column_of(const ridge_trace_table* table, std::size_t column) {
  if (table == nullptr || column >= table->content.columns().size()) return nullptr;
  return &table->content.columns()[column];
}

template <class Values>
Values* values_of(ridge_trace_table* table, std::size_t column) {
  if (column_of(table, column) == nullptr) return nullptr;
  return std::get_if<Values>(&table->content.columns()[column].values);
}

template <class Values>
const Values* values_of(const ridge_trace_table* table, std::size_t column) {
  const auto* found = column_of(table, column);
  return found == nullptr ? nullptr : std::get_if<Values>(&found->values);
}

}  // namespace

uint32_t ridge_trace_api_version(void) { return RIDGE_TRACE_API_VERSION; }
const char* ridge_trace_version(void) { return RIDGE_VERSION; }

ridge_traces* ridge_trace_new(void) {
  try {
    return std::make_unique<ridge_traces>().release();
  } catch (...) {
    return nullptr;
  }
}
void ridge_trace_close(ridge_traces* traces) { std::unique_ptr<ridge_traces>{traces}.reset(); }
const char* ridge_trace_error(const ridge_traces* traces) { return traces == nullptr ? "" : traces->error; }

int ridge_trace_set(ridge_traces* traces, const char* option, const char* value) {
  return guarded(traces, [&] {
    traces->set.set(wanted_text(option, "an option"), wanted_text(value, "an option's value"));
  });
}

int ridge_trace_add(ridge_traces* traces, const char* path, int64_t rank) {
  return guarded(traces, [&] { traces->set.add(wanted_text(path, "a path"), rank); });
}

int ridge_trace_ask(ridge_traces* traces, const char* question, size_t count, const char* const* names,
                    const char* const* values, ridge_trace_table** table) {
  if (table == nullptr) return ridge_trace_wrong_use;
  *table = nullptr;
  return guarded(traces, [&] {
    std::map<std::string, std::string> given;
    if (count > 0 && (names == nullptr || values == nullptr))
      throw c::wrong_use("the arguments are null", "give names and values");
    for (std::size_t i = 0; i < count; ++i)
      given[wanted_text(names[i], "an argument's name")] = wanted_text(values[i], "an argument's value");
    auto made = std::make_unique<ridge_trace_table>();
    made->content =
        answer_to(traces->set, wanted_text(question, "a question"), c::arguments(std::move(given)));
    *table = made.release();
  });
}
void ridge_trace_table_close(ridge_trace_table* table) { std::unique_ptr<ridge_trace_table>{table}.reset(); }

size_t ridge_trace_rows(const ridge_trace_table* table) {
  return table == nullptr ? 0 : table->content.rows();
}
size_t ridge_trace_columns(const ridge_trace_table* table) {
  return table == nullptr ? 0 : table->content.columns().size();
}
const char* ridge_trace_column_name(const ridge_trace_table* table, size_t column) {
  const auto* found = column_of(table, column);
  return found == nullptr ? nullptr : found->name.c_str();
}
int ridge_trace_column_type(const ridge_trace_table* table, size_t column) {
  const auto* found = column_of(table, column);
  return found == nullptr ? -1 : static_cast<int>(found->values.index());
}

int64_t* ridge_trace_integers(ridge_trace_table* table, size_t column) {
  auto* found = values_of<c::integers>(table, column);
  return found == nullptr ? nullptr : found->data();
}
double* ridge_trace_doubles(ridge_trace_table* table, size_t column) {
  auto* found = values_of<c::doubles>(table, column);
  return found == nullptr ? nullptr : found->data();
}
const int64_t* ridge_trace_text_offsets(const ridge_trace_table* table, size_t column) {
  const auto* found = values_of<c::text_values>(table, column);
  return found == nullptr ? nullptr : found->offsets.data();
}
const char* ridge_trace_text_bytes(const ridge_trace_table* table, size_t column) {
  const auto* found = values_of<c::text_values>(table, column);
  return found == nullptr ? nullptr : found->bytes.data();
}
