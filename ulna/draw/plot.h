// SPDX-License-Identifier: Apache-2.0

// Curves as SVG: one or more named series over a common axis, linear or logarithmic.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ulna::draw {

/// One curve. Points that are not finite are left out, and the curve is broken there.
struct PlotSeries {
    std::string name = {};  ///< in the legend
    std::vector<double> x = {};
    std::vector<double> y = {};  ///< as many as x
    std::vector<std::array<double, 2>> marks =
        {};  ///< points to emphasise, such as keys, as x and y
};

struct PlotOptions {
    std::string title = {};  ///< above the plot; empty for none
    std::string x_label = {};
    std::string y_label = {};
    bool log_y = false;    ///< a logarithmic axis; values not above 0 are drawn at its lower end
    bool whole_x = false;  ///< x is a count: ticks at integers only
    /// The vertical axis, if it is linear, contains 0, so that heights compare as the values do;
    /// otherwise it spans the values only.
    bool zero_y = true;
    std::optional<double> level = {};  ///< a dashed line across the plot, such as a tolerance
    std::string level_label = {};
    std::string mark_name = {};  ///< what the marks of series are, for the legend
    double width = 720.0;        ///< of the picture with its legend, in pixels; a picture whose
    double height = 420.0;       ///< legend needs more is larger
};

/// An SVG picture of the series. If there is nothing to draw, the picture says so.
/// @pre each series has as many x as y.
[[nodiscard]] std::string drawPlot(std::span<const PlotSeries> series,
                                   const PlotOptions& options = {});

/// How wide an SVG picture of this module is, in pixels.
[[nodiscard]] double pictureWidth(std::string_view picture);

/// One picture with several pictures of this module stacked vertically.
[[nodiscard]] std::string stackPictures(std::span<const std::string> pictures);

/// About `count` round values from `low` to `high` for the ticks of an axis; with `whole` only
/// integers. One value if low equals high.
/// @pre low <= high, both finite.
[[nodiscard]] std::vector<double> roundTicks(double low, double high, std::size_t count,
                                             bool whole = false);

}  // namespace ulna::draw
