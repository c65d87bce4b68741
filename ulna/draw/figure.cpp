// SPDX-License-Identifier: Apache-2.0
#include "ulna/draw/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ulna/draw/detail/projection.h"
#include "ulna/draw/detail/svg.h"
#include "ulna/math/box.h"
#include "ulna/skeleton/forward_kinematics.h"
#include "ulna/skeleton/sides.h"

namespace ulna::draw {
namespace {

using detail::Projection;

// ---- what to draw

struct Rgb {
    double r = 0, g = 0, b = 0;
};

Rgb colourOf(BodySide side) {
    switch (side) {
        case BodySide::Left:
            return {38, 110, 196};
        case BodySide::Right:
            return {211, 84, 52};
        case BodySide::Centre:
            break;
    }
    return {70, 78, 92};
}

// A bone or a joint without one, ready to draw.
struct Bone {
    Vec3 from, to;  // projected
    double radius_from = 0.0, radius_to = 0.0;
    BodySide side = BodySide::Centre;
    [[nodiscard]] double depth() const { return (from.z + to.z) / 2.0; }
};

struct Figure {
    std::vector<Bone> bones;   // farthest first
    std::vector<Vec3> joints;  // projected, by joint
    std::vector<Vec3> marks;   // projected
    Box box;
    std::string caption;
};

// Radii where the rig does not state them: a share of the bone's length, within bounds of the
// whole.
double radiusOf(const Skeleton& skeleton, JointId j, double bone_length, double size) {
    if (skeleton.radius(j) > 0.0) return skeleton.radius(j);
    return std::clamp(0.10 * bone_length, 0.003 * size, 0.018 * size);
}

// Each figure stands over its own spot: where its root has walked to is taken away.
Vec3 groundPosition(const ModelPose& model, UpAxis up) {
    Vec3 out = model.position(jointId(0));
    (up == UpAxis::Z ? out.z : out.y) = 0.0;
    return out;
}

Figure projectFigure(const Skeleton& skeleton, const FigurePose& pose, const Projection& projection,
                     UpAxis up, double size) {
    Figure out;
    out.caption = pose.caption;
    const Vec3 ground = groundPosition(pose.model, up);
    const auto onFilm = [&](const Vec3& p) { return projection(p - ground); };
    for (const JointId j : skeleton.joints()) {
        out.joints.push_back(onFilm(pose.model.position(j)));
        out.box.add(out.joints.back());
        const JointId parent = skeleton.parent(j);
        const JointRange subtree = skeleton.subtree(j);
        // A bone that shares its start with others is as thick as what it leads to.
        const auto addBone = [&](JointId owner, const Vec3& from, const Vec3& to) {
            const double own = skeleton.radius(j);
            const JointRange family = skeleton.subtree(owner);
            const bool shared =
                owner != j &&
                skeleton.subtree(jointId(family.firstIndex() + 1)).endIndex() != family.endIndex();
            double radius = radiusOf(skeleton, owner, distance(from, to), size);
            if (shared && own > 0.0) radius = std::min(radius, own);
            const double end = own > 0.0 ? std::min(radius, own) : 0.6 * radius;
            out.bones.push_back(
                {onFilm(from), onFilm(to), radius, end, sideOfName(skeleton.name(j))});
        };
        if (parent != JointId::None)
            addBone(parent, pose.model.position(parent), pose.model.position(j));
        if (subtree.size() == 1 && skeleton.boneLength(j) > 0.0) {
            const Vec3 tip = pose.model[j] * skeleton.tip(j);
            addBone(j, pose.model.position(j), tip);
            out.box.add(onFilm(tip));
        }
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
                     [](const Bone& a, const Bone& b) { return a.depth() < b.depth(); });
    return out;
}

// ---- how to draw it

class FigureWriter : public detail::SvgPage {
  public:
    FigureWriter(double scale, double near, double far) : scale_(scale), near_(near), far_(far) {}

    // Where a projected point is on the page, for a figure whose (0, 0) is at `origin`.
    [[nodiscard]] Vec2 onPage(const Vec3& p, const Vec2& origin) const {
        return {origin.x + p.x * scale_, origin.y - p.y * scale_};
    }
    // The outline of two circles and all between them.
    void bone(const Bone& bone, const Vec2& origin) {
        const Vec2 a = onPage(bone.from, origin);
        const Vec2 b = onPage(bone.to, origin);
        const double ra = std::max(0.6, bone.radius_from * scale_);
        const double rb = std::max(0.4, bone.radius_to * scale_);
        const Vec2 d = b - a;
        const double len = length(d);
        const std::string fill = shade(colourOf(bone.side), bone.depth());
        const std::string edge = shade({35, 38, 46}, bone.depth());
        if (len <= std::abs(ra - rb) + 1e-9) {
            const Vec2 c = ra > rb ? a : b;
            fmt::format_to(out(),
                           "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n", c.x,
                           c.y, std::max(ra, rb), fill);
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
        const Vec2 c = onPage(p, origin);
        fmt::format_to(
            out(),
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#fff\" stroke=\"{}\" "
            "stroke-width=\"0.8\"/>\n",
            c.x, c.y, radius, shade({35, 38, 46}, p.z));
    }

    void mark(const Vec3& p, const Vec2& origin) {
        constexpr double kArm = 6.0;
        const Vec2 c = onPage(p, origin);
        line(c.x - kArm, c.y, c.x + kArm, c.y, "#c2185b", 2.0);
        line(c.x, c.y - kArm, c.x, c.y + kArm, "#c2185b", 2.0);
    }

  private:
    // Paler with distance.
    [[nodiscard]] std::string shade(const Rgb& c, double depth) const {
        const double range = far_ < near_ ? near_ - far_ : 1.0;
        const double away = std::clamp((near_ - depth) / range, 0.0, 1.0) * 0.45;
        const auto mix = [&](double v, double paper) {
            return static_cast<int>(v + (paper - v) * away);
        };
        return fmt::format("#{:02x}{:02x}{:02x}", mix(c.r, 251), mix(c.g, 250), mix(c.b, 247));
    }

    double scale_, near_, far_;
};

std::string saySo(const FigureOptions& options, std::string_view what) {
    FigureWriter svg(1.0, 1.0, 0.0);
    svg.open(options.height, options.height / 2.0);
    svg.text(options.height / 2.0, options.height / 4.0, 18.0, "middle", "#666", what);
    return svg.close();
}

}  // namespace

std::string drawFigures(const Skeleton& skeleton, std::span<const FigurePose> poses,
                        const FigureOptions& options) {
    if (skeleton.jointCount() == 0) return saySo(options, "a skeleton without joints");
    if (poses.empty()) return saySo(options, "no poses to draw");
    const Projection projection = detail::makeProjection(options.view, options.up);

    // The size of a figure in the model, for radii and margins.
    Box first;
    for (const Affine& a : poses[0].model.model_from_joint) first.add(a.translation());
    const double size = std::max(length(first.size()), 1e-9);
    std::vector<Figure> figures;
    Box all;  // heights and depths of all; widths of each by itself
    double widest = 0.0;
    for (const FigurePose& pose : poses) {
        figures.push_back(projectFigure(skeleton, pose, projection, options.up, size));
        all.add(figures.back().box.low);
        all.add(figures.back().box.high);
        widest = std::max(widest, figures.back().box.size().x);
    }

    const double top = options.title.empty() ? 24.0 : 56.0;
    const double bottom = 64.0;
    const double tall = std::max(all.size().y, 0.25 * widest) + 0.06 * size;
    const double scale = std::max(1.0, options.height - top - bottom) / tall;
    const double cell = std::max(90.0, (widest + 0.12 * size) * scale);
    const double width = std::max(240.0, cell * static_cast<double>(figures.size()) + 32.0);
    const double ground = options.height - bottom;

    FigureWriter svg(scale, all.high.z, all.low.z);
    svg.open(width, options.height);
    if (!options.title.empty()) svg.text(16.0, 32.0, 18.0, "start", "#222", options.title);
    svg.line(16.0, ground + 3.0, width - 16.0, ground + 3.0, "#d9d5c9", 2.0);
    const double used = cell * static_cast<double>(figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const Figure& figure = figures[i];
        const double middle = (width - used) / 2.0 + cell * (static_cast<double>(i) + 0.5);
        const double centre = (figure.box.low.x + figure.box.high.x) / 2.0;
        const Vec2 origin{middle - centre * scale, ground + (all.low.y - 0.01 * size) * scale};
        for (const Bone& bone : figure.bones) svg.bone(bone, origin);
        for (std::size_t j = 0; j < figure.joints.size(); ++j) {
            if (skeleton.isEndSite(jointId(j))) continue;
            const double own = skeleton.radius(jointId(j));
            const double dot_radius = own > 0.0 ? std::min(0.006 * size, 0.4 * own) : 0.006 * size;
            svg.joint(figure.joints[j], origin, std::clamp(dot_radius * scale, 0.8, 3.0));
        }
        for (const Vec3& mark : figure.marks) svg.mark(mark, origin);
        for (std::size_t j = 0; options.names && j < figure.joints.size(); ++j) {
            const Vec2 at = svg.onPage(figure.joints[j], origin);
            svg.text(at.x + 4.0, at.y - 3.0, 9.0, "start", "#222", skeleton.name(jointId(j)));
        }
        svg.text(middle, ground + 24.0, 13.0, "middle", "#555", figure.caption);
    }
    const double bar = detail::niceLength(std::max(60.0 / scale, 1e-12));
    svg.line(20.0, options.height - 14.0, 20.0 + bar * scale, options.height - 14.0, "#777", 2.0);
    svg.text(26.0 + bar * scale, options.height - 10.0, 11.0, "start", "#777",
             fmt::format("{:g}", bar));
    return svg.close();
}

}  // namespace ulna::draw
