// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/response.hpp>

#include <utility>

#include <ridge/model/json_writer.hpp>
#include <ridge/server/service.hpp>

namespace ridge::server {

response json_response(std::string document) {
  response made;
  made.body = std::move(document);
  return made;
}

response problem(int status, const error& why) {
  model::json_writer json;
  json.begin_object()
      .field("type", "about:blank")
      .field("title", status_words(status))
      .field("status", status)
      .field("detail", why.message);
  if (!why.remedy.empty()) json.field("remedy", why.remedy);
  json.end_object();
  response made;
  made.status = status;
  made.content_type = "application/problem+json";
  made.body = std::move(json).take();
  return made;
}

std::string status_words(int status) {
  struct row {
    int status;
    const char* words;
  };
  static constexpr row rows[] = {{200, "OK"},
                                 {201, "Created"},
                                 {202, "Accepted"},
                                 {204, "No Content"},
                                 {304, "Not Modified"},
                                 {400, "Bad Request"},
                                 {401, "Unauthorized"},
                                 {403, "Forbidden"},
                                 {404, "Not Found"},
                                 {405, "Method Not Allowed"},
                                 {408, "Request Timeout"},
                                 {409, "Conflict"},
                                 {411, "Length Required"},
                                 {413, "Content Too Large"},
                                 {415, "Unsupported Media Type"},
                                 {417, "Expectation Failed"},
                                 {421, "Misdirected Request"},
                                 {422, "Unprocessable Content"},
                                 {429, "Too Many Requests"},
                                 {431, "Request Header Fields Too Large"},
                                 {500, "Internal Server Error"},
                                 {501, "Not Implemented"},
                                 {503, "Service Unavailable"},
                                 {505, "HTTP Version Not Supported"}};
  for (const auto& one : rows)
    if (one.status == status) return one.words;
  return "Error";
}

std::string content_type_of(std::string_view path) {
  struct row {
    std::string_view end, type;
  };
  static constexpr row rows[] = {{".html", "text/html; charset=utf-8"},
                                 {".js", "text/javascript; charset=utf-8"},
                                 {".mjs", "text/javascript; charset=utf-8"},
                                 {".css", "text/css; charset=utf-8"},
                                 {".json", "application/json"},
                                 {".map", "application/json"},
                                 {".webmanifest", "application/manifest+json"},
                                 {".svg", "image/svg+xml"},
                                 {".png", "image/png"},
                                 {".ico", "image/x-icon"},
                                 {".woff2", "font/woff2"},
                                 {".txt", "text/plain; charset=utf-8"}};
  for (const auto& one : rows)
    if (path.ends_with(one.end)) return std::string(one.type);
  return "application/octet-stream";
}

}  // namespace ridge::server
