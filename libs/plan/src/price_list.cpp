// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/price_list.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/csv_reader.hpp>
#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/gpu_name.hpp>

namespace ridge::plan {
namespace {

constexpr double mib = 1048576.0;
constexpr std::uintmax_t largest_file = 256U << 20U;

std::optional<double> number_in(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failed == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

// Mebibytes per GPU when GpuInfo states them:: "{'Gpus': [{..., 'MemoryInfo': {'SizeInMiB': 40960}}], ...}".
std::optional<double> size_told(std::string_view info) {
  constexpr std::string_view key = "SizeInMiB";
  const auto at = info.find(key);
  if (at == std::string_view::npos) return {};
  const auto from = info.find_first_of("0123456789", at + key.size());
  if (from == std::string_view::npos) return {};
  return number_in(info.substr(from, info.find_first_not_of("0123456789.", from) - from));
}

std::vector<std::string> values_of(const csv_reader& reader) {
  std::vector<std::string> values(reader.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = reader.value(i);
  return values;
}

// Positions of the columns, which may be in any order.
class columns {
 public:
  explicit columns(const std::vector<std::string>& header) : header_(header) {}
  [[nodiscard]] bool has(std::string_view name) const { return place(name) < header_.size(); }
  [[nodiscard]] std::string_view cell(const std::vector<std::string>& row, std::string_view name) const {
    const auto at = place(name);
    return at < row.size() ? trim(row[at]) : std::string_view();
  }

 private:
  [[nodiscard]] std::size_t place(std::string_view name) const {
    const auto at = std::ranges::find_if(header_, [&](const auto& cell) { return trim(cell) == name; });
    return static_cast<std::size_t>(at - header_.begin());
  }
  const std::vector<std::string>& header_;
};

class importer {
 public:
  importer(const hardware::catalogue& catalogue, const columns& header, std::string_view file,
           std::string_view date)
      : catalogue_(catalogue), columns_(header), file_(file), date_(date) {}

  result<void> add(const std::vector<std::string>& row, std::size_t number) {
    const auto accelerator = columns_.cell(row, "AcceleratorName");
    if (accelerator.empty()) return {};
    const auto* gpu = meant(accelerator, columns_.cell(row, "GpuInfo"));
    if (gpu == nullptr) return add_unknown(accelerator);
    const auto count = columns_.cell(row, "AcceleratorCount");
    const auto gpus = count.empty() ? std::optional(1.0) : number_in(count);
    if (!gpus || *gpus <= 0) return bad(number, "AcceleratorCount", count, "a number above 0");
    const auto before = list.prices.size();
    for (const std::string_view column : {"Price", "SpotPrice"}) {
      const auto text = columns_.cell(row, column);
      if (text.empty()) continue;
      const auto price = number_in(text);
      if (!price || *price < 0) return bad(number, column, text, "US dollars per hour");
      if (*price > 0) list.prices.push_back(price_of(row, *gpu, *price / *gpus, column == "SpotPrice"));
    }
    if (list.prices.size() == before) ++list.without_price;
    return {};
  }

  price_list list{};

 private:
  // Lookups are cached: price lists have many thousands of rows for few GPUs.
  const hardware::gpu* meant(std::string_view accelerator, std::string_view info) {
    const std::pair key{std::string(accelerator), size_told(info)};
    const auto known = meant_.find(key);
    return known != meant_.end() ? known->second : meant_[key] = found(accelerator, key.second);
  }

  // The GPU of that family with so much memory.
  const hardware::gpu* found(std::string_view accelerator, std::optional<double> size) const {
    const auto sized = [&](double value) { return fmt::format("{} {:.0f}GB", accelerator, value); };
    for (const auto& name :
         {size ? sized(*size * mib / 1073741824.0) : std::string(),
          accelerator == "A100" && !size ? sized(40) : std::string(), std::string(accelerator)}) {
      const auto called = gpu_called(catalogue_, name);
      if (!name.empty() && called) return *called;
    }
    return nullptr;
  }

  result<void> add_unknown(std::string_view accelerator) {
    if (std::ranges::find(list.unknown, accelerator) == list.unknown.end())
      list.unknown.emplace_back(accelerator);
    return {};
  }

  [[nodiscard]] error bad(std::size_t row, std::string_view column, std::string_view cell,
                          std::string_view wanted) const {
    return {fmt::format("{}, row {}: {} is \"{}\"", file_, row, column, cell),
            fmt::format("write {}, or leave it empty", wanted)};
  }

  [[nodiscard]] gpu_price price_of(const std::vector<std::string>& row, const hardware::gpu& gpu,
                                   double usd_per_hour, bool spot) const {
    const auto zone = columns_.cell(row, "AvailabilityZone"), region = columns_.cell(row, "Region");
    const auto dated = columns_.cell(row, "Date");
    return {.gpu = gpu.name,
            .usd_per_hour = usd_per_hour,
            .spot = spot,
            .terms = spot ? "spot" : "on demand",
            .instance = std::string(columns_.cell(row, "InstanceType")),
            .region = std::string(spot && !zone.empty() ? zone : region),
            .source = std::string(file_),
            .date = std::string(dated.empty() ? date_ : dated)};
  }

  const hardware::catalogue& catalogue_;
  const columns& columns_;
  std::string_view file_, date_;
  std::map<std::pair<std::string, std::optional<double>>, const hardware::gpu*> meant_{};
};

std::optional<std::chrono::sys_days> day_of(std::string_view date) {
  const auto parts = split(date, '-');
  if (parts.size() != 3) return {};
  const auto y = number_in(parts[0]), m = number_in(parts[1]), d = number_in(parts[2]);
  if (!y || !m || !d || *m < 1 || *m > 12 || *d < 1 || *d > 31 || *y < 1970 || *y > 9999) return {};
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(*y)),
                                        std::chrono::month(static_cast<unsigned>(*m)),
                                        std::chrono::day(static_cast<unsigned>(*d))};
  return day.ok() ? std::optional(std::chrono::sys_days(day)) : std::nullopt;
}

}  // namespace

const gpu_price* price_list::lowest(std::string_view gpu, bool spot) const {
  const gpu_price* best = nullptr;
  for (const auto& p : prices) {
    if (p.gpu == gpu && p.spot == spot && (best == nullptr || p.usd_per_hour < best->usd_per_hour)) best = &p;
  }
  return best;
}

std::size_t price_list::count_of(std::string_view gpu) const {
  return static_cast<std::size_t>(std::ranges::count(prices, gpu, &gpu_price::gpu));
}

price_list prices_in(const hardware::catalogue& catalogue) {
  price_list list;
  for (const auto& p : catalogue.data().prices) {
    if (p.currency != "USD" || catalogue.gpu_named(p.hardware) == nullptr) continue;
    const bool spot = p.terms.find("spot") != std::string::npos;
    list.prices.push_back({.gpu = p.hardware,
                           .usd_per_hour = p.per_hour,
                           .spot = spot,
                           .terms = p.terms,
                           .use = p.use,
                           .source = p.source,
                           .date = p.date});
  }
  return list;
}

result<price_list> parse_prices(std::string_view csv, std::string_view name,
                                const hardware::catalogue& catalogue, std::string_view date) {
  csv_reader reader(csv);
  const auto header = reader.next() ? values_of(reader) : std::vector<std::string>();
  const auto behind_a_quote = [&] {
    return error{fmt::format("{}: line {}: text behind a closing quote", name, reader.line()),
                 "put the whole cell between quotes"};
  };
  if (!reader.whole()) return behind_a_quote();
  const columns in(header);
  if (!in.has("AcceleratorName") || !(in.has("Price") || in.has("SpotPrice")))
    return error{fmt::format("{}: the first line names no columns AcceleratorName and Price", name),
                 "give a table like SkyPilot's vms.csv"};
  importer from(catalogue, in, name, date);
  for (std::size_t number = 2; reader.next(); ++number) {
    if (!reader.whole()) return behind_a_quote();
    if (const auto added = from.add(values_of(reader), number); !added) return added.why();
  }
  if (!reader.closed())
    return error{fmt::format("{}: line {}: a quoted cell is not closed", name, reader.line()),
                 "close the quote"};
  if (from.list.prices.empty())
    return error{fmt::format("{}: no row has a price of a GPU of the catalogue", name),
                 from.list.unknown.empty()
                     ? "give a table like SkyPilot's vms.csv"
                     : fmt::format("it has {}; `ridge plan gpus --all` lists what is known",
                                   join(from.list.unknown, ", "))};
  return std::move(from.list);
}

result<price_list> read_prices(const std::filesystem::path& file, const hardware::catalogue& catalogue,
                               std::string_view date) {
  const auto text = read_file(file, largest_file);
  if (!text) return error{text.why().message, "give a CSV file of prices of at most 256 MiB"};
  return parse_prices(*text, file.string(), catalogue, date);
}

std::optional<int> days_between(std::string_view first, std::string_view last) {
  const auto a = day_of(first), b = day_of(last);
  if (!a || !b) return {};
  return static_cast<int>((*b - *a).count());
}

}  // namespace ridge::plan
