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
        return ownFraction(value);
    }
    [[nodiscard]] double ownFraction(double own) const {
        return std::clamp((own - low) / (high - low), 0.0, 1.0);
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

constexpr std::size_t kTicksX = 8, kTicksY = 6, kTicksLog = 8;

// From a tick to a tick, so that values have numbers around them, unless that would leave much of
// the plot empty.
Axis roundedAxis(Axis axis) {
    const std::vector<double> ticks = roundTicks(axis.low, axis.high, kTicksY);
    if (ticks.size() < 2) return axis;
    const double step = ticks[1] - ticks[0];
    constexpr double kLeastUsed = 0.3;  // of the step that is added
    if (ticks.front() - axis.low > kLeastUsed * step) axis.low = ticks.front() - step;
    if (axis.high - ticks.back() > kLeastUsed * step) axis.high = ticks.back() + step;
    return axis;
}

struct Tick {
    double value;  // in the axis' own coordinates
    std::string label;
};

std::vector<Tick> ticksOf(const Axis& axis, std::size_t count, bool whole) {
    std::vector<Tick> out;
    for (const double tick : roundTicks(axis.low, axis.high, count, whole || axis.log))
        out.push_back(
            {tick, axis.log ? fmt::format("1e{:.0f}", tick) : fmt::format("{:.6g}", tick)});
    return out;
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
    [[nodiscard]] double tickY(const Tick& tick) const {
        return bottom - y.ownFraction(tick.value) * (bottom - top);
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
    void dashed(double x0, double y0, double x1, double y1, std::string_view colour) {
        fmt::format_to(out(),
                       "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
                       "stroke=\"{}\" stroke-width=\"1.2\" stroke-dasharray=\"5 4\"/>\n",
                       x0, y0, x1, y1, colour);
    }
    void title(std::string_view content, double page_width) {
        constexpr double kSize = 16.0, kMargin = 16.0;
        if (content.empty()) return;
        text(kMargin, 28.0, kSize, "start", "#222",
             detail::fittingSvgText(content, kSize, page_width - 2.0 * kMargin));
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

constexpr double kTickSize = 11.0, kSeriesSize = 12.0, kSeriesRow = 19.0;

void drawAxes(const Frame& frame, const PlotOptions& options, PlotWriter& svg) {
    constexpr const char* kGrid = "#e3dfd3";
    constexpr const char* kInk = "#555";
    for (const Tick& tick : ticksOf(frame.y, frame.y.log ? kTicksLog : kTicksY, false)) {
        const double y = frame.tickY(tick);
        svg.line(frame.left, y, frame.right, y, kGrid, 1.0);
        svg.text(frame.left - 6.0, y + 4.0, kTickSize, "end", kInk, tick.label);
    }
    for (const Tick& tick : ticksOf(frame.x, kTicksX, options.whole_x)) {
        const double x = frame.pageX(tick.value);
        svg.line(x, frame.bottom, x, frame.bottom + 4.0, kInk, 1.0);
        svg.text(x, frame.bottom + 17.0, kTickSize, "middle", kInk, tick.label);
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

// What the picture spans.
struct Extent {
    Span x, y, positive;
    bool marks = false;

    void add(double at_x, double at_y) {
        if (!drawable(at_x, at_y)) return;
        x.add(at_x);
        y.add(at_y);
        if (at_y > 0.0) positive.add(at_y);
    }
};

Extent extentOf(std::span<const PlotSeries> series, const PlotOptions& options) {
    Extent out;
    for (const PlotSeries& each : series) {
        ULNA_ASSERT(each.x.size() == each.y.size(), "each point of a series needs an x and a y");
        for (std::size_t i = 0; i < each.x.size(); ++i) out.add(each.x[i], each.y[i]);
        for (const auto& [x, y] : each.marks) out.add(x, y);
        out.marks = out.marks || !each.marks.empty();
    }
    if (out.x.empty()) return out;
    if (options.level && (!options.log_y || *options.level > 0.0)) {
        out.y.add(*options.level);
        out.positive.add(*options.level);
    }
    if (options.zero_y) out.y.add(0.0);
    return out;
}

// One line of the legend per series, and one for the marks.
class PlotLegend {
  public:
    PlotLegend(std::span<const PlotSeries> series, bool marks, const PlotOptions& options)
        : series_(series), mark_name_(marks ? options.mark_name : std::string()) {}

    [[nodiscard]] double width() const {
        double widest = detail::svgTextWidth(mark_name_, kSeriesSize);
        for (const PlotSeries& each : series_)
            widest = std::max(widest, detail::svgTextWidth(each.name, kSeriesSize));
        return kText + widest + 18.0;
    }
    [[nodiscard]] double height() const {
        return kSeriesRow * static_cast<double>(series_.size() + (mark_name_.empty() ? 0 : 1));
    }

    void draw(double left, double top, PlotWriter& svg) const {
        double row = top + 8.0;
        for (std::size_t i = 0; i < series_.size(); ++i, row += kSeriesRow) {
            svg.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", left + kLine, row,
                                 left + kLine + 22.0, row),
                     colourOf(i), dashOf(i));
            svg.text(left + kText, row + 4.0, kSeriesSize, "start", "#333", series_[i].name);
        }
        if (mark_name_.empty()) return;
        svg.dot(left + kLine + 11.0, row, 3.2, "#555");
        svg.text(left + kText, row + 4.0, kSeriesSize, "start", "#333", mark_name_);
    }

  private:
    static constexpr double kLine = 14.0, kText = 42.0;
    std::span<const PlotSeries> series_;
    std::string mark_name_;
};

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
    const Extent extent = extentOf(series, options);
    PlotWriter svg;
    if (extent.x.empty()) {
        svg.open(options.width, options.height);
        svg.title(options.title, options.width);
        svg.text(options.width / 2.0, options.height / 2.0, 16.0, "middle", "#666",
                 "no points to draw");
        return svg.close();
    }
    const PlotLegend legend(series, extent.marks, options);
    Frame frame;
    frame.x = linearAxis(extent.x, options.whole_x);
    frame.y = options.log_y ? logAxis(extent.positive)
                            : (options.zero_y ? roundedAxis(linearAxis(extent.y, false))
                                              : linearAxis(extent.y, false));
    // The label of the axis is left of its numbers.
    frame.left = 78.0;
    for (const Tick& tick : ticksOf(frame.y, frame.y.log ? kTicksLog : kTicksY, false))
        frame.left = std::max(frame.left, 36.0 + detail::svgTextWidth(tick.label, kTickSize));
    frame.right = std::max(frame.left + 120.0, options.width - legend.width());
    frame.top = options.title.empty() ? 20.0 : 46.0;
    frame.bottom = std::max(options.height - 52.0, frame.top + legend.height());
    const double width = std::max(options.width, frame.right + legend.width());
    svg.open(width, frame.bottom + 52.0);
    svg.title(options.title, width);
    drawAxes(frame, options, svg);
    if (options.level) {
        const double at = frame.pageY(*options.level);
        svg.dashed(frame.left, at, frame.right, at, "#555");
        svg.text(frame.right - 4.0, at - 5.0, kTickSize, "end", "#555", options.level_label);
    }
    for (std::size_t i = 0; i < series.size(); ++i) drawSeries(frame, series[i], i, svg);
    legend.draw(frame.right, frame.top, svg);
    return svg.close();
}

double pictureWidth(std::string_view picture) {
    return attribute(picture, "width");
}

std::string stackPictures(std::span<const std::string> pictures) {
    double width = 0.0, height = 0.0;
    for (const std::string& picture : pictures) {
        width = std::max(width, pictureWidth(picture));
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
