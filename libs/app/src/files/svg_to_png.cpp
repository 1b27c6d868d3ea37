// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/svg_to_png.hpp>

#include <cerrno>
#include <cmath>

#include <ridge/base/error.hpp>
#include <ridge/host/shared_library.hpp>

namespace ridge::app {
namespace {

// The few functions that are called, by the public documentation of the libraries (librsvg 2.52, cairo 1.16);
// their own types stay behind the pointers.
struct rectangle {
  double x = 0, y = 0, width = 0, height = 0;
};
constexpr const char* remedy = "apt install librsvg2-2 fonts-dejavu-core, or write an .svg";

struct drawing_libraries {
  host::shared_library rsvg{{"librsvg-2.so.2"}, "librsvg", remedy};
  host::shared_library cairo{{"libcairo.so.2"}, "cairo", remedy};
  host::shared_library objects{{"libgobject-2.0.so.0"}, "GObject", remedy};
};

// An object of these libraries, released when its owner ends.
class owned {
 public:
  owned(void* object, void (*release)(void*)) : object_(object), release_(release) {}
  ~owned() {
    if (object_ != nullptr) release_(object_);
  }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  [[nodiscard]] void* get() const { return object_; }

 private:
  void* object_;
  void (*release_)(void*);
};

owned read_svg(const drawing_libraries& libraries, std::string_view svg) {
  const auto make = libraries.rsvg.function<void*(const unsigned char*, unsigned long, void**)>(
      "rsvg_handle_new_from_data");
  void* handle = make(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), nullptr);
  if (handle == nullptr) throw failure({"librsvg cannot read this drawing", "write an .svg instead"});
  return {handle, libraries.objects.function<void(void*)>("g_object_unref")};
}

rectangle size_of(const drawing_libraries& libraries, const owned& drawing) {
  rectangle size;
  const auto ask =
      libraries.rsvg.function<int(void*, double*, double*)>("rsvg_handle_get_intrinsic_size_in_pixels");
  if (ask(drawing.get(), &size.width, &size.height) == 0)
    throw failure({"the drawing has no size", "write an .svg instead"});
  return size;
}

}  // namespace

void save_png(std::string_view svg, const std::string& path, double scale) {
  const drawing_libraries with;
  const auto drawing = read_svg(with, svg);
  const auto size = size_of(with, drawing);
  const rectangle page{0, 0, std::ceil(scale * size.width), std::ceil(scale * size.height)};
  constexpr int argb32 = 0;
  const owned surface(with.cairo.function<void*(int, int, int)>("cairo_image_surface_create")(
                          argb32, static_cast<int>(page.width), static_cast<int>(page.height)),
                      with.cairo.function<void(void*)>("cairo_surface_destroy"));
  const owned brush(with.cairo.function<void*(void*)>("cairo_create")(surface.get()),
                    with.cairo.function<void(void*)>("cairo_destroy"));
  const auto draw =
      with.rsvg.function<int(void*, void*, const rectangle*, void**)>("rsvg_handle_render_document");
  if (draw(drawing.get(), brush.get(), &page, nullptr) == 0)
    throw failure({"librsvg cannot draw this", "write an .svg instead"});
  errno = 0;
  if (with.cairo.function<int(void*, const char*)>("cairo_surface_write_to_png")(surface.get(),
                                                                                 path.c_str()) != 0)
    throw io_failure("write", path, errno != 0 ? errno : EIO, "name a file in a folder that can be written");
}

}  // namespace ridge::app
