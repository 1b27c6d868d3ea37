// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/run_file.hpp>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/model/json.hpp>

namespace ridge::app {

namespace {

// Reads a file and passes its text to `read`; an error of `read` gets the name of the file.
template <class T>
result<T> from_file(const std::string& path, const char* written_by, result<T> (*read)(std::string_view)) {
  const auto text = read_file(path);
  if (!text) return error{text.why().message, fmt::format("give a file written by `{}`", written_by)};
  auto made = read(*text);
  if (!made) return error{fmt::format("{}: {}", path, made.why().message), made.why().remedy};
  return made;
}

}  // namespace

result<model::run> run_of_file(const std::string& path) {
  return from_file(path, "ridge run --save", model::run_from_json);
}

result<model::peak_report> peak_report_of_file(const std::string& path) {
  return from_file(path, "ridge peak --save", model::peak_report_from_json);
}

}  // namespace ridge::app
