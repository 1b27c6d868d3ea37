// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/run_file.hpp>

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

namespace ridge::app {

namespace {

// Reads a file and passes its text to `read`; an error of `read` gets the name of the file.
template <class T>
result<T> from_file(const std::string& path, const char* written_by, result<T> (*read)(std::string_view)) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return error{fmt::format("cannot read {}", path), fmt::format("give a file written by `{}`", written_by)};
  auto made = read(std::string{std::istreambuf_iterator<char>(file), {}});
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
