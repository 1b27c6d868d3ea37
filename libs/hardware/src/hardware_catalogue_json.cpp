// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>

#include "object_reader.hpp"

namespace ridge::hardware {
namespace {

constexpr const char* remedy = "libs/hardware/data/hardware.json shows every field";

class reading {
 public:
  explicit reading(const node& top) { read_all(top); }
  catalogue_data data{};

 private:
  void read_all(const node& top) {
    object_reader in(top, "");
    static_cast<void>(in.optional_text("about"));  // for people
    if (const auto schema = in.text("schema"); schema != "ridge.hardware/1")
      throw refused{"/schema", fmt::format("\"ridge.hardware/1\" is expected, not \"{}\"", schema)};
    in.each_member("sources", [&](const std::string& id, object_reader& s) {
      data.sources.push_back({id, s.text("what"), s.text("where"), s.text("date")});
    });
    in.each("gpus", [&](object_reader& g) { data.gpus.push_back(read_gpu(g)); });
    in.each("cpus", [&](object_reader& p) { data.processors.push_back(read_processor(p)); });
    in.each("prices", [&](object_reader& p) { data.prices.push_back(read_price(p)); });
    in.finish();
  }

  std::string source_of(object_reader& in) {
    auto id = in.text("source");
    const auto known = std::ranges::find(data.sources, id, &source::id);
    if (known == data.sources.end())
      throw refused{in.below("source"), fmt::format("\"{}\" is not among /sources", id)};
    return id;
  }

  // Names of hardware are keys of everything else.
  std::string new_name(object_reader& in) {
    auto name = in.text("name");
    if (!names_.insert(name).second)
      throw refused{in.below("name"), fmt::format("\"{}\" is there twice", name)};
    return name;
  }

  void read_figure(object_reader& in, const std::string& name, std::optional<figure>& x) {
    in.part(name, [&](object_reader& f) { x = figure{f.number("value"), source_of(f)}; });
  }

  compute_peak read_peak(object_reader& in) {
    compute_peak x;
    x.dtype = in.one_of("dtype", dtypes_);
    x.unit = in.one_of("unit", {"vector", "matrix"}) == "matrix" ? unit::matrix : unit::vector;
    x.dense_flop_per_s = in.optional_number("dense_flop_per_s");
    x.sparse_flop_per_s = in.optional_number("sparse_flop_per_s");
    x.clock_hz = in.optional_number("clock_hz");
    x.flop_per_clock = in.optional_number("flop_per_clock");
    x.source = source_of(in);
    if (x.dense_flop_per_s && x.sparse_flop_per_s && *x.sparse_flop_per_s < *x.dense_flop_per_s)
      throw refused{in.where(), "the sparse peak is below the dense one: were they exchanged?"};
    return x;
  }

  gpu read_gpu(object_reader& in) {
    gpu x;
    x.name = new_name(in);
    x.vendor = in.text("vendor");
    x.reported = in.texts("reported");
    x.pattern = in.optional_text("pattern");
    x.compute_capability = in.optional_text("compute_capability");
    read_figure(in, "multiprocessors", x.multiprocessors);
    read_figure(in, "memory_bytes", x.memory_bytes);
    read_figure(in, "bandwidth_bytes_per_s", x.bandwidth_bytes_per_s);
    read_figure(in, "attribute_bandwidth_bytes_per_s", x.attribute_bandwidth_bytes_per_s);
    read_figure(in, "l2_bytes", x.l2_bytes);
    read_figure(in, "max_clock_hz", x.max_clock_hz);
    read_figure(in, "power_w", x.power_w);
    read_figure(in, "shared_bytes_per_clock", x.shared_bytes_per_clock);
    in.each("peaks", [&](object_reader& p) { x.peaks.push_back(read_peak(p)); });
    in.each("links", [&](object_reader& l) {
      x.links.push_back({l.text("kind"), l.number("bytes_per_s"), source_of(l)});
    });
    return x;
  }

  void read_memory(object_reader& in, memory_channels& x) {
    x.channels = in.count("channels");
    x.transfers_per_s = in.optional_number("transfers_per_s").value_or(0);
    x.bytes_per_transfer = in.optional_number("bytes_per_transfer").value_or(8);
    x.bandwidth_bytes_per_s = in.optional_number("bandwidth_bytes_per_s");
    x.source = source_of(in);
  }

  processor read_processor(object_reader& in) {
    processor x;
    x.name = new_name(in);
    x.vendor = in.text("vendor");
    x.models = in.texts("models");
    in.each("identities", [&](object_reader& i) {
      x.identities.push_back({i.count("family"), i.count("model")});
    });
    in.part("memory", [&](object_reader& m) { read_memory(m, x.memory); });
    in.each("rates", [&](object_reader& r) {
      core_rate rate{.isa = r.text("isa"), .dtype = r.one_of("dtype", dtypes_)};
      rate.flop_per_clock = r.number("flop_per_clock");
      rate.source = source_of(r);
      x.rates.push_back(std::move(rate));
    });
    return x;
  }

  price read_price(object_reader& in) {
    price x;
    x.hardware = in.text("hardware");
    if (!names_.contains(x.hardware))
      throw refused{in.below("hardware"), fmt::format("\"{}\" is no GPU or CPU of this file", x.hardware)};
    x.per_hour = in.number("per_hour");
    x.currency = in.text("currency");
    x.terms = in.optional_text("terms");
    x.use = in.optional_text("use");
    x.source = source_of(in);
    x.date = in.text("date");
    return x;
  }

  const std::vector<std::string> dtypes_{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4"};
  std::set<std::string, std::less<>> names_{};
};

std::string place_of(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, std::min(text.size(), byte ? byte - 1 : 0));
  const auto start = before.rfind('\n');
  return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1,
                     before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1);
}

}  // namespace

result<catalogue> catalogue::parse(std::string_view text, std::string_view name) {
  try {
    return catalogue(reading(node::parse(text)).data);
  } catch (const node::parse_error& e) {
    return error{fmt::format("{}, {}: this is not JSON", name, place_of(text, e.byte)),
                 "write it as libs/hardware/data/hardware.json is written"};
  } catch (const refused& r) {
    return error{fmt::format("{}: {}{}{}", name, r.where, r.where.empty() ? "" : ": ", r.what), remedy};
  } catch (const node::exception& e) {
    return error{fmt::format("{}: {}", name, e.what()), remedy};
  }
}

result<catalogue> catalogue::load(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream in(file);
  if (!in.is_open() || std::filesystem::is_directory(file, ignored))
    return error{fmt::format("{} cannot be read", file.string()),
                 "give a catalogue of hardware (ridge.hardware/1)"};
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse(text, file.string());
}

}  // namespace ridge::hardware
