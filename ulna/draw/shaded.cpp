// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/shaded.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "ulna/core/parallel.h"
#include "ulna/draw/detail/depth_buffer.h"
#include "ulna/draw/detail/ground_lines.h"
#include "ulna/draw/detail/ink.h"
#include "ulna/draw/detail/lighting.h"
#include "ulna/draw/detail/stroke_font.h"
#include "ulna/math/scalar.h"

namespace ulna::draw {
namespace {

using detail::DepthBuffer;
using detail::Light;
using detail::Surface;

constexpr std::size_t kLeastHeight = 16, kMostHeight = 8192, kMostWidth = 32768;
constexpr double kMostPixels = 64e6;  // a quarter of a gigabyte
constexpr std::size_t kBandRows = 16;
constexpr double kLeastTilt = 0.1;  // below, the ground is too flat to see a shadow on

// Sixteen points of a pixel, no two in one row or column: steep edges are as smooth as flat ones.
std::array<Vec2, 16> makeSamples() {
    std::array<Vec2, 16> out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t column = i % 4, row = i / 4;
        out[i] = {(static_cast<double>(4 * column + row) + 0.5) / 16.0,
                  (static_cast<double>(4 * row + column) + 0.5) / 16.0};
    }
    return out;
}
constexpr std::size_t kSamples = 16;

// ---- where things are in the picture

struct Layout {
    std::size_t width = 0, height = 0, cell = 0;  // in pixels
    double scale = 1.0;                           // pixels per length
    double top = 0.0;     // the y of figures at the upper edge of the picture
    double ground = 0.0;  // how high the ground is
    double text = 0.0;    // the size of captions; 0 where there are none
    double size = 1.0;    // of a figure in the model: lengths are in it
    double level = 0.0;   // the height in the model that is 0 for figures
    Box room = {};        // of all figures, where they share it with other pictures
};

double& vertical(Vec3& p, UpAxis up) {
    return up == UpAxis::Z ? p.z : p.y;
}

// Each figure stands over its own spot: where it has walked to is taken away.
Vec3 spotOf(const ShadedFigure& figure, const Box& box, double level, UpAxis up) {
    Vec3 out = figure.spot.value_or(box.center());
    vertical(out, up) = level;
    return out;
}

// What is below the figures.
struct BelowFigures {
    bool captions = false, dots = false;

    // Of the height of a picture.
    [[nodiscard]] double share() const { return (captions ? 0.07 : 0.0) + (dots ? 0.04 : 0.0); }
};

// Sizes in the model, which must be known before anything is measured in them.
Layout measure(std::span<const Box> boxes, UpAxis up) {
    Layout out;
    double size = 0.0;
    Box all;
    for (const Box& box : boxes) {
        size = std::max(size, length(box.size()));
        all.add(box);
    }
    out.size = size > 0.0 ? size : 1.0;
    Vec3 low = all.low, middle = all.center();
    out.level = vertical(middle, up);
    out.ground = (vertical(low, up) - out.level) / out.size;
    return out;
}

Layout measure(const ShadedRoom& room) {
    Layout out;
    out.size = room.size > 0.0 ? room.size : 1.0;
    out.ground = room.ground / out.size;
    out.room.add(room.box.low / out.size);
    out.room.add(room.box.high / out.size);
    return out;
}

void arrange(std::span<const Surface> surfaces, const ShadedOptions& options,
             const BelowFigures& below, Layout& out) {
    Box all = out.room;
    double widest = all.size().x;
    for (const Surface& surface : surfaces) {
        if (!out.room.empty()) break;
        const Box box = surface.box();
        all.add(box);
        widest = std::max(widest, box.size().x);
    }
    const auto figures = static_cast<double>(surfaces.size());
    double height = static_cast<double>(std::clamp(options.height, kLeastHeight, kMostHeight));
    const double tall = std::max({all.size().y, 0.25 * widest, 0.05}) * 1.12;
    const double wide = std::max(widest, 0.05) * 1.10 + 0.10 * std::max(all.size().y, widest);
    const auto share = [&] { return height * (1.0 - below.share()); };
    const double width = std::ceil(wide * share() / tall) * figures;
    height *= std::min(
        {1.0, static_cast<double>(kMostWidth) / width, std::sqrt(kMostPixels / (width * height))});
    height = std::max(height, static_cast<double>(kLeastHeight));
    out.scale = share() / tall;
    const std::size_t most = std::max<std::size_t>(1, kMostWidth / surfaces.size());
    out.cell =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(wide * out.scale)), 1, most);
    out.width = out.cell * surfaces.size();
    out.height = static_cast<std::size_t>(height);
    out.top = all.center().y + tall / 2.0;
    if (below.share() > 0.0) out.text = std::clamp(0.026 * height, 11.0, 48.0);
}

// The row of dots above a figure's caption.
void drawDots(const std::vector<FigureDot>& dots, double middle, double y, double text,
              const Color& paper, Raster& image) {
    const double radius = 0.32 * text, step = 1.1 * text;
    double x = middle - 0.5 * step * static_cast<double>(dots.size() - 1);
    for (const FigureDot& dot : dots) {
        detail::drawDot({x, y}, radius, dot.color, image);
        if (!dot.on) detail::drawDot({x, y}, radius - std::max(1.0, 0.09 * text), paper, image);
        x += step;
    }
}

// ---- pixels

// One figure's part of the picture.
class Cell {
  public:
    /// @param ground: where lines on the ground are, if there are some.
    Cell(const Surface& surface, const detail::Lighting& lighting, const Layout& layout,
         const ShadedOptions& options, std::size_t left, double middle,
         const detail::GroundLines* ground)
        : surface_(surface),
          layout_(layout),
          options_(options),
          left_(left),
          middle_(middle),
          ground_lines_(ground),
          studio_(lighting),
          up_(lighting.up()),
          front_(lighting.front()) {
        if (options.ground) up_.z < kLeastTilt ? flattenShadow() : spreadShadow();
    }

    void draw(Raster& image) const {
        const std::size_t bands = (layout_.height + kBandRows - 1) / kBandRows;
        parallelFor(bands, 1, options_.threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t band = begin; band < end; ++band) drawBand(band * kBandRows, image);
        });
    }

  private:
    // What the samples of a pixel see that belongs together.
    struct Patch {
        Vec3 position, normal;
        Light light;
        float count = 1.0f;
    };

    [[nodiscard]] Vec3 onFilm(const Vec3& p) const {
        return {(p.x - middle_) * layout_.scale + 0.5 * static_cast<double>(layout_.cell),
                (layout_.top - p.y) * layout_.scale, p.z};
    }
    [[nodiscard]] Vec2 fromFilm(double x, double y) const {
        return {(x - 0.5 * static_cast<double>(layout_.cell)) / layout_.scale + middle_,
                layout_.top - y / layout_.scale};
    }

    void drawBand(std::size_t first_row, Raster& image) const {
        static const std::array<Vec2, kSamples> samples = makeSamples();
        const std::size_t rows = std::min(kBandRows, layout_.height - first_row);
        DepthBuffer buffer(layout_.cell, rows, samples, true);
        const Vec3 lift{0, -static_cast<double>(first_row), 0};
        for (std::size_t i = 0; i < surface_.triangles.size(); ++i) {
            const auto& [a, b, c] = surface_.triangles[i];
            buffer.draw(onFilm(surface_.positions[a]) + lift, onFilm(surface_.positions[b]) + lift,
                        onFilm(surface_.positions[c]) + lift, static_cast<std::uint32_t>(i));
        }
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < layout_.cell; ++column) {
                const std::size_t pixel = (row * layout_.cell + column) * kSamples;
                image.pixels[(first_row + row) * image.width + left_ + column] =
                    resolve(buffer.triangles().subspan(pixel, kSamples), samples,
                            static_cast<double>(column), static_cast<double>(first_row + row));
            }
        }
    }

    // The mean of what sixteen points of a pixel see.
    [[nodiscard]] Color resolve(std::span<const std::uint32_t> triangles,
                                std::span<const Vec2> samples, double x, double y) const {
        std::array<Patch, kSamples> patches;
        std::size_t count = 0;
        float seen = 0.0f;
        for (std::size_t s = 0; s < kSamples; ++s) {
            if (triangles[s] == DepthBuffer::kNothing) continue;
            const Patch patch = look(triangles[s], fromFilm(x + samples[s].x, y + samples[s].y));
            seen += 1.0f;
            const auto end = patches.begin() + static_cast<std::ptrdiff_t>(count);
            const auto with = std::find_if(
                patches.begin(), end, [&](const Patch& other) { return together(patch, other); });
            if (with == end)
                patches[count++] = patch;
            else
                join(patch, *with);
        }
        Light sum{};
        for (std::size_t i = 0; i < count; ++i) {
            const Patch& p = patches[i];
            sum += studio_.shade(p.position / static_cast<double>(p.count),
                                 normalizedOr(p.normal, Vec3{0, 0, 1}), p.light / p.count) *
                   p.count;
        }
        const float open = 1.0f - seen / kSamples;
        const float paper = static_cast<float>(options_.background.a) / 255.0f;
        const float shadow = open > 0.0f ? darkness(x + 0.5, y + 0.5) : 0.0f;
        if (seen == 0.0f && shadow == 0.0f) return options_.background;
        // The shadow lies on the paper as a black glass does.
        const float alpha = seen / kSamples + open * (shadow + paper * (1.0f - shadow));
        if (alpha <= 0.0f) return {0, 0, 0, 0};
        sum = sum / static_cast<float>(kSamples) +
              detail::toLight(options_.background) * (open * paper * (1.0f - shadow));
        return detail::toColor(sum / alpha, alpha);
    }

    // What a triangle is at a point of the picture.
    [[nodiscard]] Patch look(std::uint32_t triangle, const Vec2& at) const {
        const auto& [ia, ib, ic] = surface_.triangles[triangle];
        const Vec3 &a = surface_.positions[ia], &b = surface_.positions[ib],
                   &c = surface_.positions[ic];
        const Vec2 ab{b.x - a.x, b.y - a.y}, ac{c.x - a.x, c.y - a.y}, ap{at.x - a.x, at.y - a.y};
        const double area = cross(ab, ac);
        const double wb = std::clamp(cross(ap, ac) / area, 0.0, 1.0);
        const double wc = std::clamp(cross(ab, ap) / area, 0.0, 1.0 - wb);
        const double wa = 1.0 - wb - wc;
        Patch out;
        out.position = a * wa + b * wb + c * wc;
        out.normal = normalizedOr(
            surface_.normals[ia] * wa + surface_.normals[ib] * wb + surface_.normals[ic] * wc,
            Vec3{0, 0, 1});
        // Seen from inside, an open surface shows its other side.
        if (area < 0.0) out.normal = -out.normal;
        out.light = surface_.lights[ia] * static_cast<float>(wa) +
                    surface_.lights[ib] * static_cast<float>(wb) +
                    surface_.lights[ic] * static_cast<float>(wc);
        return out;
    }

    [[nodiscard]] static bool together(const Patch& a, const Patch& b) {
        constexpr double kDeep = 0.02;  // of the figure: farther apart there is an edge between
        return std::abs(a.position.z - b.position.z / b.count) < kDeep &&
               dot(a.normal, b.normal) > 0.9 * b.count;
    }
    static void join(const Patch& patch, Patch& with) {
        with.position += patch.position;
        with.normal += patch.normal;
        with.light += patch.light;
        with.count += 1.0f;
    }

    // Of the paper: the shadow, and the lines on the ground.
    [[nodiscard]] float darkness(double x, double y) const {
        constexpr float kLine = 0.28f;
        const float shadow = shadowAt(x, y);
        if (ground_lines_ == nullptr) return shadow;
        const float line = kLine * ground_lines_->at(fromFilm(x, y).x, belowGround(y));
        return shadow + line * (1.0f - shadow);
    }

    [[nodiscard]] float shadowAt(double x, double y) const {
        if (!options_.ground) return 0.0f;
        // It ends before the next figure begins.
        const double side = std::min(x, static_cast<double>(layout_.cell) - x);
        const double t = std::clamp(side / (0.08 * static_cast<double>(layout_.cell)), 0.0, 1.0);
        const auto fade = static_cast<float>(t * t * (3.0 - 2.0 * t));
        if (!flat_shadow_.empty()) {
            constexpr double kSpread = 0.008;
            const auto height = static_cast<float>(std::exp(-square(belowGround(y) / kSpread)));
            return fade * height * flat_shadow_[static_cast<std::size_t>(x)];
        }
        const auto column = static_cast<std::size_t>(x / kStep),
                   row = static_cast<std::size_t>(y / kStep);
        const auto fx = static_cast<float>(x / kStep - static_cast<double>(column));
        const auto fy = static_cast<float>(y / kStep - static_cast<double>(row));
        const float* at = ground_shadow_.data() + row * shadow_columns_ + column;
        const float* below = at + shadow_columns_;
        return fade * ((at[0] * (1.0f - fx) + at[1] * fx) * (1.0f - fy) +
                       (below[0] * (1.0f - fx) + below[1] * fx) * fy);
    }
    // How far a row of the film is below the line or point where the ground's middle is.
    [[nodiscard]] double belowGround(double y) const {
        return layout_.ground * up_.y - fromFilm(0.0, y).y;
    }
    [[nodiscard]] Vec3 onGround(double x, double forward) const {
        return Vec3{x, 0, 0} + up_ * layout_.ground + front_ * forward;
    }

    // The shadow is soft, so every few pixels are enough, and lines between.
    static constexpr double kStep = 4.0;
    void spreadShadow() {
        shadow_columns_ = static_cast<std::size_t>(static_cast<double>(layout_.cell) / kStep) + 2;
        const auto rows = static_cast<std::size_t>(static_cast<double>(layout_.height) / kStep) + 2;
        ground_shadow_.resize(shadow_columns_ * rows);
        parallelFor(rows, 4, options_.threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin * shadow_columns_; i < end * shadow_columns_; ++i) {
                const std::size_t column = i % shadow_columns_, row = i / shadow_columns_;
                const double x = kStep * static_cast<double>(column);
                const double y = kStep * static_cast<double>(row);
                ground_shadow_[i] =
                    studio_.groundShadow(onGround(fromFilm(x, y).x, belowGround(y) / up_.z));
            }
        });
    }

    // A view from the side sees the ground as a line: there the shadow is the darkest of each
    // column, and lies along the line.
    void flattenShadow() {
        const Box box = surface_.box();
        constexpr std::size_t kSteps = 64;
        flat_shadow_.assign(layout_.cell, 0.0f);
        for (std::size_t column = 0; column < layout_.cell; ++column) {
            const double x = fromFilm(static_cast<double>(column) + 0.5, 0.0).x;
            for (std::size_t i = 0; i <= kSteps; ++i) {
                const double forward = box.low.z + box.size().z * static_cast<double>(i) / kSteps;
                flat_shadow_[column] =
                    std::max(flat_shadow_[column], studio_.groundShadow(onGround(x, forward)));
            }
        }
    }

    const Surface& surface_;
    const Layout& layout_;
    const ShadedOptions& options_;
    std::size_t left_;
    double middle_;
    const detail::GroundLines* ground_lines_;
    const detail::Lighting& studio_;
    Vec3 up_, front_;
    std::vector<float> ground_shadow_;  // every kStep pixels, by row
    std::size_t shadow_columns_ = 0;
    std::vector<float> flat_shadow_;  // by column, where the ground is seen from the side
};

Raster saySo(const ShadedOptions& options, std::string_view what) {
    const std::size_t height = std::clamp(options.height, kLeastHeight, kMostHeight);
    const double size = std::clamp(0.026 * static_cast<double>(height), 11.0, 48.0);
    Raster out{height, height / 2, {}};
    out.pixels.assign(out.width * out.height, options.background);
    detail::drawText(detail::fittingText(what, size, static_cast<double>(out.width)),
                     static_cast<double>(out.width) / 2.0, static_cast<double>(out.height) / 2.0,
                     size, detail::kTextColor, out);
    return out;
}

}  // namespace

Raster drawShaded(std::span<const ShadedFigure> figures, const ShadedOptions& options) {
    std::vector<Box> boxes;
    bool anything = options.room.has_value();
    BelowFigures below;
    for (const ShadedFigure& figure : figures) {
        boxes.push_back(detail::modelBox(figure));
        anything = anything || !boxes.back().empty();
        below.captions = below.captions || !figure.caption.empty();
        below.dots = below.dots || !figure.dots.empty();
    }
    if (!anything) return saySo(options, "nothing to draw");
    const detail::Projection projection = detail::makeProjection(options.view, options.up);
    Layout layout = options.room ? measure(*options.room) : measure(boxes, options.up);
    std::vector<Surface> surfaces;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        surfaces.push_back(detail::makeSurface(
            figures[i], projection, spotOf(figures[i], boxes[i], layout.level, options.up),
            layout.size));
    }
    arrange(surfaces, options, below, layout);

    Raster out{layout.width, layout.height, {}, layout.scale / layout.size};
    out.pixels.assign(out.width * out.height, options.background);
    const Vec3 up = projection(options.up == UpAxis::Z ? Vec3{0, 0, 1} : Vec3{0, 1, 0});
    // Shadows need not be finer than two pixels.
    const double texels = std::clamp(static_cast<double>(layout.height) / 2.0, 64.0, 512.0);
    std::optional<detail::Lighting> lighting;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const double done = static_cast<double>(i) / static_cast<double>(figures.size());
        if (options.progress && !options.progress(done)) break;
        // Figures that differ in colour only, as pictures of weights do, share their shadows.
        if (i == 0 || !surfaces[i].sameShape(surfaces[i - 1]))
            lighting.emplace(surfaces[i], up, options.ground, texels, options.threads);
        const std::size_t left = i * layout.cell;
        const double middle = (options.room ? layout.room : surfaces[i].box()).center().x;
        std::optional<detail::GroundLines> ground;
        if (options.grid > 0.0)
            ground.emplace(projection, options.up,
                           spotOf(figures[i], boxes[i], layout.level, options.up), options.grid,
                           detail::GroundFrame{
                               .size = layout.size,
                               .pixels = layout.scale,
                               .middle = middle,
                               .half_width = 0.5 * static_cast<double>(layout.cell) / layout.scale,
                               .tilt = up.z < kLeastTilt ? 0.0 : up.z});
        Cell(surfaces[i], *lighting, layout, options, left, middle, ground ? &*ground : nullptr)
            .draw(out);
        const std::string caption = detail::fittingText(figures[i].caption, layout.text,
                                                        0.96 * static_cast<double>(layout.cell));
        const double centre = static_cast<double>(left) + 0.5 * static_cast<double>(layout.cell);
        const double baseline = static_cast<double>(layout.height) - 0.9 * layout.text;
        detail::drawText(caption, centre, baseline, layout.text, detail::kTextColor, out);
        if (!figures[i].dots.empty())
            drawDots(figures[i].dots, centre, baseline - (below.captions ? 1.7 * layout.text : 0.0),
                     layout.text, options.background, out);
    }
    return out;
}

void ShadedRoom::add(const ShadedRoom& other) {
    box.add(other.box);
    size = std::max(size, other.size);
    ground = std::min(ground, other.ground);
}

ShadedRoom roomOf(std::span<const ShadedFigure> figures, const ShadedOptions& options) {
    const detail::Projection projection = detail::makeProjection(options.view, options.up);
    ShadedRoom out;
    for (const ShadedFigure& figure : figures) {
        const Box box = detail::modelBox(figure);
        if (box.empty()) continue;
        const Vec3 spot = spotOf(figure, box, 0.0, options.up);
        Vec3 low = box.low;
        out.add({detail::makeSurface(figure, projection, spot, 1.0).box(), length(box.size()),
                 vertical(low, options.up)});
    }
    return out;
}

Raster stackRasters(std::span<const Raster> images, const Color& background) {
    Raster out;
    if (!images.empty()) out.pixels_per_unit = images.front().pixels_per_unit;
    for (const Raster& image : images) {
        if (image.pixels_per_unit != out.pixels_per_unit) out.pixels_per_unit = 0.0;
        out.width = std::max(out.width, image.width);
        out.height += image.height;
    }
    out.pixels.assign(out.width * out.height, background);
    auto row = out.pixels.begin();
    for (const Raster& image : images) {
        for (std::size_t y = 0; y < image.height;
             ++y, row += static_cast<std::ptrdiff_t>(out.width)) {
            const auto from = image.pixels.begin() + static_cast<std::ptrdiff_t>(y * image.width);
            std::copy_n(from, image.width, row);
        }
    }
    return out;
}

}  // namespace ulna::draw
