// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/trace/trace.hpp>

#include "fixtures/scratch_folder.hpp"

namespace ridge::backends::trace_nsys_sqlite {

// A small export, made of SQL; removed at the end.
class made_up_export {
 public:
  explicit made_up_export(std::string_view sql);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] trace::trace read() const;  // throws where the importer gives an error

 private:
  trace::fixtures::scratch_folder folder_{};
  std::string path_;
};

// The first row of works with that name; throws where there is none.
[[nodiscard]] const trace::device_work& work_called(const trace::trace& t, std::string_view name);
[[nodiscard]] trace::event_id event_called(const trace::trace& t, std::string_view name);

}  // namespace ridge::backends::trace_nsys_sqlite
