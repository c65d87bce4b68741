// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "ulna/core/assert.h"
#include "ulna/draw/detail/svg.h"

namespace ulna::draw {
namespace {

// Distinct for most eyes, also in print (after Okabe and Ito); with more curves than colours the
// dashes change.
constexpr std::array<const char*, 9> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                 "#cc79a7", "#8a6d00", "#56b4e9",
                                                 "#5b3a8e", "#7a7a7a", "#b00020"};
constexpr std::array<const char*, 3> kDashes = {"", "7 4", "2 3"};

const char* colourOf(std::size_t i) {
    return kColours[i % kColours.size()];
}
const char* dashOf(std::size_t i) {
    return kDashes[(i / kColours.size()) % kDashes.size()];
}

struct Span {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] bool empty() const { return low > high; }
};

// An axis in its own coordinates: decades where it is logarithmic.
struct Axis {
    double low = 0.0, high = 1.0;
    bool log = false;

    // 0 at the lower end, 1 at the upper.
    [[nodiscard]] double fraction(double value) const {
        if (log) value = value > 0.0 ? std::log10(value) : low;
        return std::clamp((value - low) / (high - low), 0.0, 1.0);
    }
};

// So many decades fit; below lies noise.
constexpr double kMostDecades = 20.0;

Axis logAxis(const Span& positive) {
    Axis axis{-1.0, 1.0, true};
    if (!positive.empty()) {
        axis.high = std::ceil(std::log10(positive.high));
        axis.low = std::max(std::floor(std::log10(positive.low)), axis.high - kMostDecades);
    }
    if (axis.high - axis.low < 1.0) axis.low = axis.high - 1.0;
    return axis;
}

Axis linearAxis(const Span& span, bool whole) {
    Axis axis{0.0, 1.0, false};
    if (span.empty()) return axis;
    axis.low = span.low;
    axis.high = span.high;
    // One value has no extent; give it some of its own size.
    const double least = whole ? 1.0 : std::max(1e-12, 1e-9 * std::abs(span.high));
    if (axis.high - axis.low < least) axis.high = axis.low + std::max(least, std::abs(axis.low));
    return axis;
}

bool drawable(double x, double y) {
    return std::isfinite(x) && std::isfinite(y);
}

struct Frame {
    double left = 0, right = 0, top = 0, bottom = 0;
    Axis x, y;

    [[nodiscard]] double pageX(double value) const {
        return left + x.fraction(value) * (right - left);
    }
    [[nodiscard]] double pageY(double value) const {
        return bottom - y.fraction(value) * (bottom - top);
    }
};

class PlotWriter : public detail::SvgPage {
  public:
    void path(std::string_view points, std::string_view colour, std::string_view dash) {
        fmt::format_to(out(),
                       "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" "
                       "stroke-linejoin=\"round\"{}/>\n",
                       points, colour, dashAttribute(dash));
    }
    void dot(double x, double y, double radius, std::string_view colour) {
        fmt::format_to(out(), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", x,
                       y, radius, colour);
    }
    void dashed(double x0, double y0, double x1, double y1, std::string_view colour) {
        fmt::format_to(out(),
                       "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
                       "stroke=\"{}\" stroke-width=\"1.2\" stroke-dasharray=\"5 4\"/>\n",
                       x0, y0, x1, y1, colour);
    }
    void upText(double x, double y, std::string_view content) {
        fmt::format_to(out(),
                       "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" "
                       "font-size=\"13.0\" text-anchor=\"middle\" fill=\"#444\">{}</text>\n",
                       x, y, detail::escaped(content));
    }

  private:
    static std::string dashAttribute(std::string_view dash) {
        return dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dash);
    }
};

void drawAxes(const Frame& frame, const PlotOptions& options, PlotWriter& svg) {
    constexpr const char* kGrid = "#e3dfd3";
    constexpr const char* kInk = "#555";
    const auto horizontal = [&](double y, const std::string& label) {
        svg.line(frame.left, y, frame.right, y, kGrid, 1.0);
        svg.text(frame.left - 6.0, y + 4.0, 11.0, "end", kInk, label);
    };
    if (frame.y.log) {
        for (const double decade : roundTicks(frame.y.low, frame.y.high, 8, true)) {
            const double t = (decade - frame.y.low) / (frame.y.high - frame.y.low);
            horizontal(frame.bottom - t * (frame.bottom - frame.top),
                       fmt::format("1e{:.0f}", decade));
        }
    } else {
        for (const double tick : roundTicks(frame.y.low, frame.y.high, 6))
            horizontal(frame.pageY(tick), fmt::format("{:.6g}", tick));
    }
    for (const double tick : roundTicks(frame.x.low, frame.x.high, 8, options.whole_x)) {
        const double x = frame.pageX(tick);
        svg.line(x, frame.bottom, x, frame.bottom + 4.0, kInk, 1.0);
        svg.text(x, frame.bottom + 17.0, 11.0, "middle", kInk, fmt::format("{:.6g}", tick));
    }
    svg.line(frame.left, frame.bottom, frame.right, frame.bottom, kInk, 1.2);
    svg.line(frame.left, frame.top, frame.left, frame.bottom, kInk, 1.2);
    svg.text((frame.left + frame.right) / 2.0, frame.bottom + 36.0, 13.0, "middle", "#444",
             options.x_label);
    if (!options.y_label.empty())
        svg.upText(18.0, (frame.top + frame.bottom) / 2.0, options.y_label);
}

void drawSeries(const Frame& frame, const PlotSeries& series, std::size_t number, PlotWriter& svg) {
    // Dots tell iterations apart while there are few of them.
    constexpr std::size_t kMostDots = 60;
    std::string path;
    bool pen_down = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!drawable(series.x[i], series.y[i])) {
            pen_down = false;
            continue;
        }
        path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", frame.pageX(series.x[i]),
                            frame.pageY(series.y[i]));
        pen_down = true;
    }
    if (path.empty()) return;
    svg.path(path, colourOf(number), dashOf(number));
    const bool dots = series.marks.empty() && series.x.size() <= kMostDots;
    for (std::size_t i = 0; dots && i < series.x.size(); ++i) {
        if (drawable(series.x[i], series.y[i]))
            svg.dot(frame.pageX(series.x[i]), frame.pageY(series.y[i]), 2.2, colourOf(number));
    }
    for (const auto& [x, y] : series.marks)
        if (drawable(x, y)) svg.dot(frame.pageX(x), frame.pageY(y), 3.6, colourOf(number));
}

// The width of text in pixels, roughly: fonts differ.
double textWidth(std::string_view text, double size) {
    return 0.58 * size * static_cast<double>(text.size());
}

// A number attribute of a picture's first tag.
double attribute(std::string_view picture, std::string_view name) {
    const std::size_t at = picture.find(fmt::format(" {}=\"", name));
    if (at == std::string_view::npos) return 0.0;
    return std::strtod(std::string(picture.substr(at + name.size() + 3, 24)).c_str(), nullptr);
}

}  // namespace

std::vector<double> roundTicks(double low, double high, std::size_t count, bool whole) {
    ULNA_ASSERT(low <= high, "an axis goes from its lower end to its upper");
    if (!(high > low)) return {low};
    const double wanted = (high - low) / static_cast<double>(std::max<std::size_t>(count, 1));
    // Of 1, 2 and 5 times powers of ten, the smallest step that is not too small.
    double step = detail::niceLength(wanted);
    while (step < wanted * (1.0 - 1e-9)) step = detail::niceLength(step * 2.6);
    if (whole) step = std::max(1.0, step);
    std::vector<double> ticks;
    // Counted, not summed, so that 0.1 + 0.1 + 0.1 is not 0.30000000000000004.
    const double first = std::ceil(low / step - 1e-9);
    const double last = std::floor(high / step + 1e-9);
    for (double i = first; i <= last && ticks.size() < 1000; i += 1.0) {
        ticks.push_back(i == 0.0 ? 0.0 : i * step);
    }
    return ticks;
}

std::string drawPlot(std::span<const PlotSeries> series, const PlotOptions& options) {
    Span x, y, positive;
    double legend = 0.0;
    for (const PlotSeries& each : series) {
        ULNA_ASSERT(each.x.size() == each.y.size(), "each point of a series needs an x and a y");
        legend = std::max(legend, textWidth(each.name, 12.0) + 44.0);
        for (std::size_t i = 0; i < each.x.size(); ++i) {
            if (!drawable(each.x[i], each.y[i])) continue;
            x.add(each.x[i]);
            y.add(each.y[i]);
            if (each.y[i] > 0.0) positive.add(each.y[i]);
        }
        for (const auto& [mark_x, mark_y] : each.marks) {
            if (!drawable(mark_x, mark_y)) continue;
            x.add(mark_x);
            y.add(mark_y);
        }
    }
    PlotWriter svg;
    svg.open(options.width, options.height);
    if (!options.title.empty()) svg.text(16.0, 28.0, 16.0, "start", "#222", options.title);
    if (x.empty()) {
        svg.text(options.width / 2.0, options.height / 2.0, 16.0, "middle", "#666",
                 "no points to draw");
        return svg.close();
    }
    if (options.level && (!options.log_y || *options.level > 0.0)) {
        y.add(*options.level);
        positive.add(*options.level);
    }
    Frame frame;
    frame.left = 78.0;
    frame.right = std::max(frame.left + 120.0, options.width - legend - 18.0);
    frame.top = options.title.empty() ? 20.0 : 46.0;
    frame.bottom = options.height - 52.0;
    frame.x = linearAxis(x, options.whole_x);
    frame.y = options.log_y ? logAxis(positive) : linearAxis(y, false);
    drawAxes(frame, options, svg);
    if (options.level) {
        const double at = frame.pageY(*options.level);
        svg.dashed(frame.left, at, frame.right, at, "#555");
        svg.text(frame.right - 4.0, at - 5.0, 11.0, "end", "#555", options.level_label);
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
        drawSeries(frame, series[i], i, svg);
        const double row = frame.top + 8.0 + 19.0 * static_cast<double>(i);
        const double start = frame.right + 14.0;
        svg.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", start, row, start + 22.0, row),
                 colourOf(i), dashOf(i));
        svg.text(start + 28.0, row + 4.0, 12.0, "start", "#333", series[i].name);
    }
    return svg.close();
}

std::string stackPictures(std::span<const std::string> pictures) {
    double width = 0.0, height = 0.0;
    for (const std::string& picture : pictures) {
        width = std::max(width, attribute(picture, "width"));
        height += attribute(picture, "height");
    }
    PlotWriter svg;
    svg.open(width, height);
    std::string out = svg.close();
    out.erase(out.rfind("</svg>"));
    double y = 0.0;
    for (const std::string& picture : pictures) {
        // A picture is an element itself; it only needs to know its place.
        constexpr std::string_view kTag = "<svg ";
        out += fmt::format("<svg y=\"{:.0f}\" ", y);
        out += picture.substr(kTag.size());
        y += attribute(picture, "height");
    }
    return out + "</svg>\n";
}

}  // namespace ulna::draw
