// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/foot_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ulna/core/assert.h"
#include "ulna/draw/detail/bones.h"
#include "ulna/draw/detail/canvas.h"
#include "ulna/draw/plot.h"

namespace ulna::draw {
namespace {

using detail::Anchor;
using detail::Canvas;
using detail::PageBox;

constexpr Color kInk = {85, 85, 85, 255}, kGrid = {227, 223, 211, 255}, kTitle = {34, 34, 34, 255};
constexpr Color kLow = {176, 0, 32, 255}, kLimit = {122, 94, 160, 255};
// Of heel and ball, as in other plots.
constexpr std::array<Color, 2> kParts = {{{0, 114, 178, 255}, {213, 94, 0, 255}}};
constexpr std::uint8_t kShade = 38, kFaint = 170;  // alpha of contacts, and of the source
constexpr double kThin = 1.0, kThick = 2.2;
constexpr double kText = 11.0, kLarge = 12.5;
constexpr double kLeft = 56.0, kRight = 14.0, kBetween = 56.0;  // beside the panels
constexpr double kHead = 26.0, kPanelTitle = 20.0, kPanel = 120.0, kGapBelow = 18.0, kLane = 34.0;
constexpr double kAxis = 22.0, kRow = 18.0;

Color withAlpha(Color color, std::uint8_t alpha) {
    color.a = alpha;
    return color;
}

// What one panel shows, and how: values from `low` at its lower edge to `high`.
struct PlotAxis {
    double low = 0.0, high = 1.0;
    std::vector<double> ticks = {};
};

class Plotter {
  public:
    Plotter(const FootPlot& plot, double width) : plot_(plot) {
        frames_ = plot.result[0][0].height.size();
        panel_ = (width - kLeft - kBetween - kRight) / 2.0;
        limits_ = std::any_of(plot.at_limit.begin(), plot.at_limit.end(),
                              [](std::uint32_t n) { return n > 0; });
    }

    [[nodiscard]] double height() const {
        return kHead + 2.0 * (kPanelTitle + kPanel + kGapBelow) +
               (limits_ ? kPanelTitle + kLane + kGapBelow : 0.0) + kAxis +
               kRow * static_cast<double>(1 + plot_.notes.size()) + 12.0;
    }

    void draw(Canvas& canvas) const {
        const PlotAxis heights = axisOf([](const FootCurve& c) { return &c.height; }, false);
        const PlotAxis speeds = axisOf([](const FootCurve& c) { return &c.speed; }, true);
        for (std::size_t side = 0; side < 2; ++side) {
            const double left = side == 0 ? kLeft : kLeft + panel_ + kBetween;
            const detail::SideColor& which = detail::kSideColors[side];
            canvas.text({left, kHead - 8.0}, Anchor::Start, kLarge, which.color,
                        fmt::format("{} foot", which.name));
            double top = kHead;
            drawPanel(side, left, top, heights, named("height of the sole", ""), false, canvas);
            top += kPanelTitle + kPanel + kGapBelow;
            drawPanel(side, left, top, speeds, named("speed over the ground", "/s"), true, canvas);
            top += kPanelTitle + kPanel + kGapBelow;
            if (limits_) {
                drawLimits(left, top, canvas);
                top += kPanelTitle + kLane + kGapBelow;
            }
            drawTimes(left, top - kGapBelow, canvas);
        }
        drawLegend(height() - kRow * static_cast<double>(1 + plot_.notes.size()), canvas);
    }

  private:
    using Values = std::function<const std::vector<double>*(const FootCurve&)>;

    [[nodiscard]] std::string named(const std::string& what, const std::string& per) const {
        if (plot_.unit.empty()) return what;
        return what + " (" + plot_.unit + per + ")";
    }
    [[nodiscard]] double end() const {
        return std::max(1e-9, static_cast<double>(frames_ > 0 ? frames_ - 1 : 0)) *
               plot_.frame_time;
    }
    [[nodiscard]] double pageX(double left, double time) const {
        return left + std::clamp(time / end(), 0.0, 1.0) * panel_;
    }
    [[nodiscard]] double timeOf(double frame) const { return frame * plot_.frame_time; }

    // One axis for both feet. With `jumps` the upper end is where all but jumps are below.
    [[nodiscard]] PlotAxis axisOf(const Values& valuesOf, bool jumps) const {
        std::vector<double> all = {0.0};
        for (const FootCurves* curves : {&plot_.source, &plot_.result})
            for (const auto& side : *curves)
                for (const FootCurve& curve : side)
                    for (const double value : *valuesOf(curve))
                        if (std::isfinite(value)) all.push_back(value);
        std::sort(all.begin(), all.end());
        PlotAxis out{all.front(), all.back(), {}};
        if (jumps) {
            constexpr double kUsual = 0.98, kFar = 2.0;
            const double usual =
                all[static_cast<std::size_t>(kUsual * static_cast<double>(all.size() - 1))];
            if (usual > 0.0) out.high = std::min(out.high, kFar * usual);
        }
        if (!(out.high > out.low)) out.high = out.low + 1.0;
        // A little air, so that the floor is not the edge.
        out.low -= 0.06 * (out.high - out.low);
        out.ticks = roundTicks(0.0, out.high, 4);
        return out;
    }

    void drawPanel(std::size_t side, double left, double top, const PlotAxis& axis,
                   const std::string& title, bool speed, Canvas& canvas) const {
        const PageBox box{left, top + kPanelTitle, left + panel_, top + kPanelTitle + kPanel};
        const auto pageY = [&](double value) {
            const double share = (value - axis.low) / (axis.high - axis.low);
            return box.bottom - std::clamp(share, 0.0, 1.0) * (box.bottom - box.top);
        };
        canvas.text({left, box.top - 6.0}, Anchor::Start, kText, kInk, title);
        shadeContacts(side, box, canvas);
        for (const double tick : axis.ticks) {
            const double y = pageY(tick);
            canvas.line({box.left, y}, {box.right, y}, tick == 0.0 ? 1.2 : 0.8,
                        tick == 0.0 ? kInk : kGrid);
            canvas.text({box.left - 6.0, y + 4.0}, Anchor::End, kText, kInk,
                        fmt::format("{:.6g}", tick));
        }
        for (const bool result : {false, true}) {
            for (std::size_t part = 0; part < 2; ++part) {
                const FootCurve& curve = (result ? plot_.result : plot_.source)[side][part];
                const std::vector<double>& values = speed ? curve.speed : curve.height;
                std::vector<Vec2> points;
                for (std::size_t f = 0; f < values.size(); ++f)
                    points.push_back({pageX(left, timeOf(static_cast<double>(f))),
                                      pageY(std::isfinite(values[f]) ? values[f] : 0.0)});
                canvas.lines(points, result ? kThick : kThin,
                             result ? kParts[part] : withAlpha(kParts[part], kFaint));
            }
        }
        const double bound = speed ? plot_.slide : -plot_.penetration;
        // A line that lies on the floor's says nothing.
        if (std::abs(pageY(bound) - pageY(0.0)) < 1.0) return;
        canvas.dashes({box.left, pageY(bound)}, {box.right, pageY(bound)}, 1.2, kLow);
        canvas.text({box.right - 4.0, pageY(bound) - 4.0}, Anchor::End, kText, kLow,
                    speed ? "fastest in contact" : "lowest");
    }

    void shadeContacts(std::size_t side, const PageBox& box, Canvas& canvas) const {
        for (const Contact& each : plot_.contacts.contacts) {
            if ((each.side == BodySide::Left) != (side == 0)) continue;
            const double from = timeOf(static_cast<double>(each.first) - 0.5);
            const double to = timeOf(static_cast<double>(each.last) + 0.5);
            canvas.fill({pageX(box.left, from), box.top, pageX(box.left, to), box.bottom},
                        withAlpha(kParts[static_cast<std::size_t>(each.part)], kShade));
        }
    }

    void drawLimits(double left, double top, Canvas& canvas) const {
        const double bottom = top + kPanelTitle + kLane;
        const std::uint32_t most = *std::max_element(plot_.at_limit.begin(), plot_.at_limit.end());
        canvas.text({left, top + kPanelTitle - 6.0}, Anchor::Start, kText, kInk,
                    fmt::format("joints at a limit (up to {})", most));
        canvas.line({left, bottom}, {left + panel_, bottom}, 1.2, kInk);
        const auto high = [&](std::size_t f) {
            return bottom - kLane * static_cast<double>(plot_.at_limit[f]) / most;
        };
        // One box for each run of frames with as many joints.
        for (std::size_t f = 0; f < plot_.at_limit.size();) {
            std::size_t last = f;
            while (last + 1 < plot_.at_limit.size() &&
                   plot_.at_limit[last + 1] == plot_.at_limit[f])
                ++last;
            if (plot_.at_limit[f] > 0)
                canvas.fill({pageX(left, timeOf(static_cast<double>(f) - 0.5)), high(f),
                             pageX(left, timeOf(static_cast<double>(last) + 0.5)), bottom},
                            kLimit);
            f = last + 1;
        }
    }

    void drawTimes(double left, double bottom, Canvas& canvas) const {
        for (const double tick : roundTicks(0.0, end(), 5)) {
            const double x = pageX(left, tick);
            canvas.line({x, bottom}, {x, bottom + 4.0}, 1.0, kInk);
            canvas.text({x, bottom + 16.0}, Anchor::Middle, kText, kInk,
                        fmt::format("{:.6g}{}", tick, tick == 0.0 ? " s" : ""));
        }
    }

    void drawLegend(double top, Canvas& canvas) const {
        double x = kLeft;
        const double y = top - 4.0;
        const auto entry = [&](std::string_view text, const std::function<void()>& sample) {
            sample();
            canvas.text({x + 28.0, y + 4.0}, Anchor::Start, kText, kTitle, text);
            x += 28.0 + canvas.widthOf(text, kText) + 24.0;
        };
        const auto stroke = [&](double width, const Color& color) {
            return [&, width, color] { canvas.line({x, y}, {x + 20.0, y}, width, color); };
        };
        entry("heel", stroke(kThick, kParts[0]));
        entry("ball", stroke(kThick, kParts[1]));
        entry("source", stroke(kThin, kInk));
        entry("result", stroke(kThick, kInk));
        entry("in contact", [&] {
            canvas.fill({x, y - 6.0, x + 14.0, y + 6.0}, withAlpha(kParts[0], kShade));
            canvas.fill({x + 6.0, y - 6.0, x + 20.0, y + 6.0}, withAlpha(kParts[1], kShade));
        });
        double row = y + 4.0;
        for (const std::string& note : plot_.notes)
            canvas.text({kLeft, row += kRow}, Anchor::Start, kText, kInk, note);
    }

    const FootPlot& plot_;
    double panel_ = 0.0;
    std::size_t frames_ = 0;
    bool limits_ = false;
};

}  // namespace

FootCurve footCurve(const std::vector<Vec3>& path, double floor, double frame_time) {
    ULNA_ASSERT(frame_time > 0.0, "frames are some time apart");
    FootCurve out;
    for (std::size_t f = 0; f < path.size(); ++f) {
        out.height.push_back(path[f].y - floor);
        Vec3 step = f > 0 ? path[f] - path[f - 1] : Vec3{};
        step.y = 0.0;
        out.speed.push_back(length(step) / frame_time);
    }
    // Nothing is known of the first frame: it continues as it begins.
    if (path.size() > 1) out.speed[0] = out.speed[1];
    return out;
}

std::string drawFootPlot(const FootPlot& plot, double width) {
    const Plotter plotter(plot, width);
    detail::SvgCanvas canvas(width, plotter.height());
    plotter.draw(canvas);
    return canvas.close();
}

Raster shadeFootPlot(const FootPlot& plot, double width, double scale, const Color& background) {
    const Plotter plotter(plot, width);
    Raster out{static_cast<std::size_t>(std::ceil(width * scale)),
               static_cast<std::size_t>(std::ceil(plotter.height() * scale)),
               {}};
    out.pixels.assign(out.width * out.height, background);
    detail::RasterCanvas canvas(out, scale);
    plotter.draw(canvas);
    return out;
}

}  // namespace ulna::draw
