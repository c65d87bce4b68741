// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "ulna/draw/detail/bones.h"
#include "ulna/draw/detail/labels.h"
#include "ulna/draw/detail/projection.h"
#include "ulna/draw/detail/scale_bar.h"
#include "ulna/draw/detail/svg.h"
#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"

namespace ulna::draw {
namespace {

using detail::Bone;
using detail::PageBox;
using detail::Projection;

constexpr double kNameSize = 9.0, kNameHeight = 11.0;
constexpr double kCaptionSize = 13.0, kLegendSize = 11.0, kTitleSize = 18.0;
constexpr double kMargin = 16.0;
constexpr double kFooter = 20.0;   // scale bar and legend
constexpr double kCaption = 44.0;  // below each row: the caption, and air
constexpr const char* kMarkColour = "#c2185b";

// ---- what to draw

struct Figure {
    const Skeleton* skeleton = nullptr;
    std::vector<FigureDot> dots;
    std::vector<Bone> bones;   // projected, farthest first
    std::vector<Vec3> joints;  // projected, by joint
    std::vector<Vec3> marks;   // projected
    Box box;
    std::string caption;
};

double depthOf(const Bone& bone) {
    return (bone.from.z + bone.to.z) / 2.0;
}

Figure projectFigure(const Skeleton& common, const FigurePose& pose, const Projection& projection,
                     UpAxis up, double size) {
    Figure out;
    out.skeleton = pose.skeleton != nullptr ? pose.skeleton : &common;
    out.caption = pose.caption;
    out.dots = pose.dots;
    const Skeleton& skeleton = *out.skeleton;
    Vec3 ground = pose.spot.value_or(detail::groundPosition(pose.model, up));
    (up == UpAxis::Z ? ground.z : ground.y) = 0.0;
    const auto onFilm = [&](const Vec3& p) { return projection(p - ground); };
    for (const JointId j : skeleton.joints()) {
        out.joints.push_back(onFilm(pose.model.position(j)));
        out.box.add(out.joints.back());
    }
    out.bones = detail::bonesOf(skeleton, pose.model, size);
    for (Bone& bone : out.bones) {
        bone.from = onFilm(bone.from);
        bone.to = onFilm(bone.to);
        out.box.add(bone.to);
    }
    // A mark far away would leave the figure itself too small to see.
    const Box body = out.box;
    for (const Vec3& mark : pose.marks) {
        const Vec3 p = onFilm(mark);
        if (distance(p, (body.low + body.high) * 0.5) > 1.5 * size) continue;
        out.marks.push_back(p);
        out.box.add(p);
    }
    std::stable_sort(out.bones.begin(), out.bones.end(),
                     [](const Bone& a, const Bone& b) { return depthOf(a) < depthOf(b); });
    return out;
}

// ---- where it is on the page

struct Page {
    double scale = 1.0;  // pixels per length
    double size = 1.0;   // of a figure in the model
    double low = 0.0;    // of the lowest point of all figures, projected
    double top = 0.0;    // of the first row
    double body = 0.0;   // the height of a row without its caption
    double cell = 0.0;   // the width of one figure
    std::size_t columns = 1, rows = 1;

    [[nodiscard]] double cellsWidth() const { return cell * static_cast<double>(columns); }
    [[nodiscard]] double height() const {
        return top + (body + kCaption) * static_cast<double>(rows) + kFooter;
    }
    // The upper left corner of a figure's cell, for cells that begin at `left`.
    [[nodiscard]] Vec2 corner(std::size_t figure, double left) const {
        const std::size_t row = figure / columns;
        return {left + cell * static_cast<double>(figure % columns),
                top + (body + kCaption) * static_cast<double>(row)};
    }
    // Where in its cell a figure's (0, 0) is.
    [[nodiscard]] Vec2 origin(const Figure& figure) const {
        const double centre = (figure.box.low.x + figure.box.high.x) / 2.0;
        return {cell / 2.0 - centre * scale, body + (low - 0.01 * size) * scale};
    }
    [[nodiscard]] Vec2 onPage(const Vec3& p, const Vec2& origin) const {
        return {origin.x + p.x * scale, origin.y - p.y * scale};
    }
};

Page arrange(const std::vector<Figure>& figures, double size, const FigureOptions& options) {
    Page page;
    Box all;
    double widest = 0.0, caption = 0.0, name = 0.0;
    for (const Figure& figure : figures) {
        all.add(figure.box);
        widest = std::max(widest, figure.box.size().x);
        caption = std::max(caption, detail::svgTextWidth(figure.caption, kCaptionSize));
        if (!options.names) continue;
        for (const JointId j : figure.skeleton->joints())
            name = std::max(name, detail::svgTextWidth(figure.skeleton->name(j), kNameSize));
    }
    const double tall = std::max(all.size().y, 0.25 * widest) + 0.06 * size;
    page.size = size;
    page.low = all.low.y;
    page.top = options.title.empty() ? 24.0 : 56.0;
    page.body = std::max(1.0, options.height - page.top - kCaption - kFooter);
    page.scale = page.body / tall;
    // Names have room on both sides, long ones less.
    constexpr double kMostName = 200.0;
    const double beside = 2.0 * std::min(name, kMostName);
    page.cell = std::max({90.0, (widest + 0.12 * size) * page.scale + beside, caption + 12.0});
    page.columns = figures.size();
    if (options.max_width > 0.0)
        page.columns =
            static_cast<std::size_t>(std::clamp((options.max_width - 2.0 * kMargin) / page.cell,
                                                1.0, static_cast<double>(figures.size())));
    if (options.columns > 0) page.columns = std::min(options.columns, figures.size());
    page.rows = (figures.size() + page.columns - 1) / page.columns;
    // Rows as full as they can be, so that none is nearly empty.
    if (options.columns == 0) page.columns = (figures.size() + page.rows - 1) / page.rows;
    return page;
}

// A joint's name in the cell of its figure.
struct Label {
    JointId joint;
    PageBox box;
};

std::vector<Label> placeNames(const Figure& figure, const Page& page) {
    const Skeleton& skeleton = *figure.skeleton;
    detail::LabelPlacer placer({0.0, -12.0, page.cell, page.body + 8.0});
    const Vec2 origin = page.origin(figure);
    const auto avoid = [&](const Vec2& at, double radius) {
        placer.avoid({at.x - radius, at.y - radius, at.x + radius, at.y + radius});
    };
    constexpr double kDot = 2.0, kStep = 8.0;
    for (const Vec3& joint : figure.joints) avoid(page.onPage(joint, origin), kDot);
    for (const Bone& bone : figure.bones) {
        const Vec2 from = page.onPage(bone.from, origin), to = page.onPage(bone.to, origin);
        const double steps = std::clamp(std::ceil(length(to - from) / kStep), 1.0, 1000.0);
        for (double i = 0.0; i <= steps; i += 1.0)
            avoid(from + (to - from) * (i / steps), 0.5 * bone.radius_to * page.scale);
    }
    // Of thousands of joints most have no room, and each is searched for in vain.
    constexpr std::size_t kMostInVain = 64;
    std::size_t in_vain = 0;
    std::vector<Label> out;
    for (std::size_t j = 0; j < figure.joints.size() && in_vain < kMostInVain; ++j) {
        const double width = detail::svgTextWidth(skeleton.name(jointId(j)), kNameSize);
        const Vec2 at = page.onPage(figure.joints[j], origin);
        // Outwards, where there is more room.
        const auto box = placer.place(at, width, kNameHeight, at.x < page.cell / 2.0);
        in_vain = box ? 0 : in_vain + 1;
        if (box) out.push_back({jointId(j), *box});
    }
    return out;
}

// ---- how to draw it

struct LegendEntry {
    std::string colour, text;
    bool cross = false;
};

std::vector<LegendEntry> legendOf(const std::vector<Figure>& figures,
                                  const FigureOptions& options) {
    std::vector<LegendEntry> out;
    std::vector<Bone> bones;
    for (const Figure& figure : figures)
        bones.insert(bones.end(), figure.bones.begin(), figure.bones.end());
    for (const detail::SideColor& side : detail::sidesShown(bones))
        out.push_back({detail::svgColor(side.color), side.name});
    const bool marks = std::any_of(figures.begin(), figures.end(),
                                   [](const Figure& figure) { return !figure.marks.empty(); });
    if (marks) out.push_back({kMarkColour, options.mark_name, true});
    return out;
}

class FigureWriter : public detail::SvgPage {
  public:
    FigureWriter(const Page& page, double near, double far) : page_(page), near_(near), far_(far) {}

    // The outline of two circles and all between them.
    void bone(const Bone& bone, const Vec2& origin) {
        const Vec2 a = page_.onPage(bone.from, origin);
        const Vec2 b = page_.onPage(bone.to, origin);
        const double ra = std::max(0.6, bone.radius_from * page_.scale);
        const double rb = std::max(0.4, bone.radius_to * page_.scale);
        const Vec2 d = b - a;
        const double len = length(d);
        const std::string fill = shade(detail::colorOf(bone.side), depthOf(bone));
        const std::string edge = shade(kEdge, depthOf(bone));
        if (len <= std::abs(ra - rb) + 1e-9) {
            const Vec2 c = ra > rb ? a : b;
            dot(c.x, c.y, std::max(ra, rb), fill);
            return;
        }
        const double angle = std::atan2(d.y, d.x);
        const double open = std::acos((ra - rb) / len);
        const auto at = [](const Vec2& c, double r, double t) {
            return Vec2{c.x + r * std::cos(t), c.y + r * std::sin(t)};
        };
        const Vec2 a0 = at(a, ra, angle + open), a1 = at(a, ra, angle - open);
        const Vec2 b0 = at(b, rb, angle + open), b1 = at(b, rb, angle - open);
        fmt::format_to(out(),
                       "<path d=\"M{:.1f} {:.1f}A{:.1f} {:.1f} 0 {} 1 {:.1f} {:.1f}L{:.1f} {:.1f}"
                       "A{:.1f} {:.1f} 0 {} 1 {:.1f} {:.1f}Z\" fill=\"{}\" stroke=\"{}\" "
                       "stroke-width=\"0.6\"/>\n",
                       a0.x, a0.y, ra, ra, ra >= rb ? 1 : 0, a1.x, a1.y, b1.x, b1.y, rb, rb,
                       rb > ra ? 1 : 0, b0.x, b0.y, fill, edge);
    }
    void joint(const Vec3& p, const Vec2& origin, double radius) {
        const Vec2 c = page_.onPage(p, origin);
        fmt::format_to(
            out(),
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#fff\" stroke=\"{}\" "
            "stroke-width=\"0.8\"/>\n",
            c.x, c.y, radius, shade(kEdge, p.z));
    }
    void mark(const Vec2& c) {
        constexpr double kArm = 6.0;
        line(c.x - kArm, c.y, c.x + kArm, c.y, kMarkColour, 2.0);
        line(c.x, c.y - kArm, c.x, c.y + kArm, kMarkColour, 2.0);
    }
    // A name in its box, with a line to its point where that is not beside it.
    void name(const PageBox& box, const Vec2& point, std::string_view content) {
        const bool right = box.left > point.x;
        const Vec2 end{right ? box.left - 1.0 : box.right + 1.0, (box.top + box.bottom) / 2.0};
        if (length(end - point) > 8.0) line(point.x, point.y, end.x, end.y, "#b9b4a6", 0.6);
        // Readable over a bone too.
        fmt::format_to(out(),
                       "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"{}\" "
                       "fill=\"#222\" stroke=\"#fbfaf7\" stroke-width=\"2\" "
                       "paint-order=\"stroke\">{}</text>\n",
                       right ? box.left : box.right, box.bottom - 2.5, kNameSize,
                       right ? "start" : "end", detail::escaped(content));
    }

  private:
    static constexpr Color kEdge = {35, 38, 46, 255};

    // Paler with distance.
    [[nodiscard]] std::string shade(const Color& c, double depth) const {
        const double range = far_ < near_ ? near_ - far_ : 1.0;
        const double away = std::clamp((near_ - depth) / range, 0.0, 1.0) * 0.45;
        const auto mix = [&](double v, double paper) {
            return static_cast<std::uint8_t>(v + (paper - v) * away);
        };
        return detail::svgColor({mix(c.r, 251), mix(c.g, 250), mix(c.b, 247), 255});
    }

    const Page& page_;
    double near_, far_;
};

// What explains the picture, in one line: the scale, the colours, and what is missing.
class Footer {
  public:
    Footer(const Page& page, std::vector<LegendEntry> legend, std::size_t names_left_out,
           const FigureOptions& options)
        : legend_(std::move(legend)),
          bar_(detail::scaleBarOf(page.scale, 60.0, options.unit)),
          said_(options.note) {
        if (names_left_out > 0)
            note_ = fmt::format("{} name{} left out for lack of room", names_left_out,
                                names_left_out == 1 ? "" : "s");
    }

    [[nodiscard]] double width() const {
        double out = kLeft + bar_.pixels + kTextGap + detail::svgTextWidth(bar_.text, kLegendSize);
        for (const LegendEntry& entry : legend_)
            out += kEntryGap + detail::svgTextWidth(entry.text, kLegendSize);
        for (const std::string& note : {said_, note_})
            if (!note.empty()) out += kEntryGap + detail::svgTextWidth(note, kLegendSize);
        return out + kMargin;
    }

    void draw(double page_height, FigureWriter& svg) const {
        const double middle = page_height - 14.0, baseline = page_height - 10.0;
        svg.line(kLeft, middle, kLeft + bar_.pixels, middle, "#777", 2.0);
        double x = kLeft + bar_.pixels + kTextGap;
        const auto say = [&](const std::string& what, const char* colour) {
            svg.text(x, baseline, kLegendSize, "start", colour, what);
            x += detail::svgTextWidth(what, kLegendSize);
        };
        say(bar_.text, "#555");
        for (const LegendEntry& entry : legend_) {
            x += kEntryGap;
            const Vec2 swatch{x - 10.0, middle};
            entry.cross ? svg.mark(swatch) : svg.dot(swatch.x, swatch.y, 5.0, entry.colour);
            say(entry.text, "#444");
        }
        x += kEntryGap;
        if (!said_.empty()) {
            say(said_, "#444");
            x += kEntryGap;
        }
        if (!note_.empty()) say(note_, "#a33");
    }

  private:
    static constexpr double kLeft = 20.0, kTextGap = 6.0, kEntryGap = 36.0;
    std::vector<LegendEntry> legend_;
    detail::ScaleBarShape bar_;
    std::string said_, note_;
};

std::string saySo(const FigureOptions& options, std::string_view what) {
    detail::SvgPage svg;
    svg.open(options.height, options.height / 2.0);
    svg.text(options.height / 2.0, options.height / 4.0, 18.0, "middle", "#666", what);
    return svg.close();
}

void drawFigure(const Figure& figure, const std::vector<Label>& labels, const Page& page,
                const Vec2& corner, FigureWriter& svg) {
    const Skeleton& skeleton = *figure.skeleton;
    const Vec2 origin = corner + page.origin(figure);
    for (const Bone& bone : figure.bones) svg.bone(bone, origin);
    for (std::size_t j = 0; j < figure.joints.size(); ++j) {
        if (skeleton.isEndSite(jointId(j))) continue;
        const double own = skeleton.radius(jointId(j)), usual = 0.006 * page.size;
        const double radius = own > 0.0 ? std::min(usual, 0.4 * own) : usual;
        svg.joint(figure.joints[j], origin, std::clamp(radius * page.scale, 0.8, 3.0));
    }
    for (const Vec3& mark : figure.marks) svg.mark(page.onPage(mark, origin));
    for (const Label& label : labels) {
        const PageBox box{label.box.left + corner.x, label.box.top + corner.y,
                          label.box.right + corner.x, label.box.bottom + corner.y};
        svg.name(box, page.onPage(figure.joints[index(label.joint)], origin),
                 skeleton.name(label.joint));
    }
    const double middle = corner.x + page.cell / 2.0;
    constexpr double kDot = 3.6, kDotStep = 11.0, kDotRow = 13.0;
    double x = middle - 0.5 * kDotStep * static_cast<double>(figure.dots.size());
    for (const FigureDot& dot : figure.dots) {
        x += 0.5 * kDotStep;
        svg.dot(x, corner.y + page.body + kDotRow, kDot, detail::svgColor(dot.color));
        if (!dot.on) svg.dot(x, corner.y + page.body + kDotRow, kDot - 1.2, detail::kPaper);
        x += 0.5 * kDotStep;
    }
    const double caption = figure.dots.empty() ? 24.0 : 31.0;
    svg.text(middle, corner.y + page.body + caption, kCaptionSize, "middle", "#555",
             figure.caption);
}

}  // namespace

std::string drawFigures(const Skeleton& skeleton, std::span<const FigurePose> poses,
                        const FigureOptions& options) {
    if (skeleton.jointCount() == 0) return saySo(options, "a skeleton without joints");
    if (poses.empty()) return saySo(options, "no poses to draw");
    const Projection projection = detail::makeProjection(options.view, options.up);
    const double size = detail::poseSize(poses[0].model);
    std::vector<Figure> figures;
    Box all;
    for (const FigurePose& pose : poses) {
        figures.push_back(projectFigure(skeleton, pose, projection, options.up, size));
        all.add(figures.back().box);
    }
    const Page page = arrange(figures, size, options);
    std::vector<std::vector<Label>> labels(figures.size());
    std::size_t left_out = 0;
    for (std::size_t i = 0; options.names && i < figures.size(); ++i) {
        labels[i] = placeNames(figures[i], page);
        left_out += figures[i].joints.size() - labels[i].size();
    }
    const Footer footer(page, legendOf(figures, options), left_out, options);

    const double width = std::max({240.0, page.cellsWidth() + 2.0 * kMargin, footer.width()});
    FigureWriter svg(page, all.high.z, all.low.z);
    svg.open(width, page.height());
    if (!options.title.empty())
        svg.text(kMargin, 32.0, kTitleSize, "start", "#222",
                 detail::fittingSvgText(options.title, kTitleSize, width - 2.0 * kMargin));
    const double left = (width - page.cellsWidth()) / 2.0;
    for (std::size_t row = 0; row < page.rows; ++row) {
        const double ground = page.corner(row * page.columns, left).y + page.body + 3.0;
        svg.line(kMargin, ground, width - kMargin, ground, "#d9d5c9", 2.0);
        if (row < options.row_titles.size())
            svg.text(kMargin, page.corner(row * page.columns, left).y + 10.0, kCaptionSize, "start",
                     "#222", options.row_titles[row]);
    }
    for (std::size_t i = 0; i < figures.size(); ++i)
        drawFigure(figures[i], labels[i], page, page.corner(i, left), svg);
    footer.draw(page.height(), svg);
    return svg.close();
}

}  // namespace ulna::draw
