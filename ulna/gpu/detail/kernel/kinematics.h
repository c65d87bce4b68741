// SPDX-License-Identifier: Apache-2.0

// Forward kinematics and Jacobians of many poses: a thread is a pose.
//
// Users' arrays have one pose after the other, so that what neighbouring threads need is far apart.
// A warp therefore reads and writes the values of 32 poses together, in portions of a few joints,
// by way of a tile of memory that its threads share: every access to the card's memory is a row of
// consecutive values. A joint whose parent is not the joint before it reads the parent's frame back
// from where it was written.
#pragma once

#include "ulna/gpu/detail/kernel/group.h"

namespace ulna::gpu::kernel {

/// What one step does to a frame.
enum class Move : int {
    Place,    // the frame, times a constant one
    Shift,    // along a constant vector of the frame
    RotateX,  // about its own axis
    RotateY,
    RotateZ,
    Slide,   // along a constant vector, times the coordinate
    Vector,  // by a rotation vector of three coordinates
};
struct Step {
    Move move;
    int coordinate;      // among those of its portion
    float factor;        // of its angle: 1 or -1
    float constant[12];  // Place: the images of the axes, then the position; Slide and Shift: first
                         // the vector
};

constexpr int kPortionJoints = 5;
constexpr int kPortionCoordinates = 15;

/// A joint: most are an offset and up to three rotations about axes, which are in its record; what
/// else there is are steps after these.
struct alignas(16) Joint {
    int parent;  // its index; -1: the model's own frame
    int flags;
    int coordinate;  // of the first rotation, among those of its portion
    int step;
    float offset[3];
    int steps;

    /// Its parent is the joint before it.
    ULNA_GPU_FUNCTION bool follows() const { return (flags & 1) != 0; }
    /// Where in the same portion its parent is; -1: it is in an earlier one.
    ULNA_GPU_FUNCTION int place() const { return ((flags >> 1) & 7) - 1; }
    /// The axis of a rotation: 1 to 3 for x, y and z, and 0 where there is none.
    ULNA_GPU_FUNCTION int axis(int k) const { return (flags >> (4 + 2 * k)) & 3; }
};
/// Joints that are computed between two exchanges with the card's memory.
struct Portion {
    int joint, joints;
    int coordinate, coordinates;  // of the skeleton's
};

struct Transforms {
    long long count;
    int width;  // coordinates of a pose
    int joints, portions;
    const Portion* portion;
    const Joint* joint;
    const Step* step;
    const float* angle;        // per coordinate: see Turn
    const float* coordinates;  // count x width
    Four* model_from_joint;    // count x joints x 3: rows of matrices
};

/// A coordinate as steps take it: the sine and the cosine of an angle, times the sign that is its
/// `angle` in the tables; or the coordinate itself where that is 0. They are made where coordinates
/// are read, side by side, so that steps, which wait for one another, have less to do.
struct alignas(8) Turn {
    float value, cosine;
};
ULNA_GPU_FUNCTION Turn turnOf(float coordinate, float angle) {
    Turn out = {coordinate, 0.0f};
    if (angle != 0.0f) exactSineCosine(angle * coordinate, out.value, out.cosine);
    return out;
}

/// How threads share rows of `width` values each: which value of which row is a thread's first, and
/// how many rows on its next one is. Those without a value begin behind the last row.
struct RowShare {
    int row, value, step;
};
ULNA_GPU_FUNCTION RowShare rowShareOf(int lane, int width, int rows) {
    const Divisor divisor = divisorOf(width);
    const int step = divisor.quotient(kTogether), row = divisor.quotient(lane);
    return {width > 0 && row < step ? row : rows, lane - row * width, step};
}

using Frame3 = Frame<float>;

ULNA_GPU_FUNCTION Frame3 identityFrame() {
    return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
}
ULNA_GPU_FUNCTION void putRows(const Frame3& f, Four* rows) {
    rows[0] = {f.x.x, f.y.x, f.z.x, f.p.x};
    rows[1] = {f.x.y, f.y.y, f.z.y, f.p.y};
    rows[2] = {f.x.z, f.y.z, f.z.z, f.p.z};
}
ULNA_GPU_FUNCTION Frame3 frameOf(const Four* rows) {
    const Four a = rows[0], b = rows[1], c = rows[2];
    return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}, {a.w, b.w, c.w}};
}

/// The exponential of a rotation vector: sin(t) / t, (1 - cos(t)) / t^2, and for its derivative
/// (t - sin(t)) / t^3.
struct Exponential {
    float sine, cosine, rest;
};
ULNA_GPU_FUNCTION Exponential exponentialOf(const V3<float>& v) {
    const float t2 = dot(v, v);
    // A fifth of a radian: below, three terms of the series are exact to rounding.
    if (t2 < 0.04f)
        return {1.0f + t2 * (-1.6666667e-1f + t2 * (8.3333333e-3f - t2 * 1.9841270e-4f)),
                0.5f + t2 * (-4.1666667e-2f + t2 * 1.3888889e-3f),
                1.6666667e-1f + t2 * (-8.3333333e-3f + t2 * 1.9841270e-4f)};
    const float inverse = inverseRoot(t2);
    float s, c;
    exactSineCosine(0.5f * t2 * inverse, s, c);
    const float a = 2.0f * s * c * inverse;
    return {a, 2.0f * s * s * inverse * inverse, (1.0f - a) * inverse * inverse};
}

ULNA_GPU_FUNCTION void rotatePair(const Turn& turn, V3<float>& a, V3<float>& b) {
    const V3<float> turned = a * turn.cosine + b * turn.value;
    b = b * turn.cosine - a * turn.value;
    a = turned;
}
ULNA_GPU_FUNCTION V3<float> vector(const Turn* turns) {
    return {turns[0].value, turns[1].value, turns[2].value};
}

ULNA_GPU_FUNCTION void rotateAbout(int axis, const Turn& turn, Frame3& f) {
    if (axis == 1)
        rotatePair(turn, f.y, f.z);
    else if (axis == 2)
        rotatePair(turn, f.z, f.x);
    else
        rotatePair(turn, f.x, f.y);
}

/// Takes a frame through one step; `values` are the coordinates of the portion.
ULNA_GPU_FUNCTION void advance(const Step& step, const Turn* values, Frame3& f) {
    const float* m = step.constant;
    switch (step.move) {
        case Move::Place:
            f = {f.direction(vector(m)), f.direction(vector(m + 3)), f.direction(vector(m + 6)),
                 f.direction(vector(m + 9)) + f.p};
            break;
        case Move::Shift:
            f.p = f.p + f.direction(vector(m));
            break;
        case Move::RotateX:
            rotatePair(values[step.coordinate], f.y, f.z);
            break;
        case Move::RotateY:
            rotatePair(values[step.coordinate], f.z, f.x);
            break;
        case Move::RotateZ:
            rotatePair(values[step.coordinate], f.x, f.y);
            break;
        case Move::Slide:
            f.p = f.p + f.direction(vector(m)) * values[step.coordinate].value;
            break;
        case Move::Vector: {
            const V3<float> v = vector(values + step.coordinate);
            const Exponential e = exponentialOf(v);
            const V3<float> x = {1.0f - e.cosine * (v.y * v.y + v.z * v.z),
                                 e.cosine * v.x * v.y + e.sine * v.z,
                                 e.cosine * v.x * v.z - e.sine * v.y};
            const V3<float> y = {e.cosine * v.x * v.y - e.sine * v.z,
                                 1.0f - e.cosine * (v.x * v.x + v.z * v.z),
                                 e.cosine * v.y * v.z + e.sine * v.x};
            const V3<float> z = {e.cosine * v.x * v.z + e.sine * v.y,
                                 e.cosine * v.y * v.z - e.sine * v.x,
                                 1.0f - e.cosine * (v.x * v.x + v.y * v.y)};
            f = {f.direction(x), f.direction(y), f.direction(z), f.p};
            break;
        }
    }
}

/// How many of a warp's poses there are.
ULNA_GPU_FUNCTION int posesOf(long long count, long long first) {
    return static_cast<int>(least<long long>(kTogether, count - first));
}

// ---- forward kinematics

// Rows are odd numbers of accesses long, so that threads do not meet in one bank.
constexpr int kRowFours = 3 * kPortionJoints;
constexpr int kRowValues = kPortionCoordinates;
static_assert(kRowFours % 2 == 1 && kRowValues % 2 == 1);

struct TransformsTile {
    Four rows[kTogether * kRowFours];
    Turn values[kTogether * kRowValues];
};

/// The transforms of the poses from `first` on, as many as threads work together.
template <class G>
ULNA_GPU_FUNCTION void computeTransforms(G& group, const Transforms& all, long long first) {
    const int poses = posesOf(all.count, first);
    TransformsTile& tile = group.tile;
    for (int p = 0; p < all.portions; ++p) {
        const Portion portion = all.portion[p];
        group.each([&](int lane, Frame3&) {
            const RowShare own = rowShareOf(lane, portion.coordinates, poses);
            if (own.row >= poses) return;
            const int coordinate = portion.coordinate + own.value;
            const float angle = all.angle[coordinate];
            const float* from = all.coordinates + (first + own.row) * all.width + coordinate;
            Turn* to = tile.values + own.row * kRowValues + own.value;
            // Several are under way at once: each takes as long as all of them.
            constexpr int kAtOnce = 8;
            for (int pose = own.row; pose < poses; pose += kAtOnce * own.step) {
                float read[kAtOnce];
                ULNA_GPU_UNROLL
                for (int k = 0; k < kAtOnce; ++k) {
                    const bool is = pose + k * own.step < poses;
                    read[k] = is ? readOnce(from + k * own.step * all.width) : 0.0f;
                }
                ULNA_GPU_UNROLL
                for (int k = 0; k < kAtOnce; ++k) {
                    if (pose + k * own.step < poses)
                        to[k * own.step * kRowValues] = turnOf(read[k], angle);
                }
                from += kAtOnce * own.step * all.width;
                to += kAtOnce * own.step * kRowValues;
            }
        });
        group.each([&](int lane, Frame3& frame) {
            if (lane >= poses) return;
            const Turn* values = tile.values + lane * kRowValues;
            Four* rows = tile.rows + lane * kRowFours;
            for (int j = 0; j < portion.joints; ++j) {
                const Joint joint = all.joint[portion.joint + j];
                if (joint.parent < 0)
                    frame = identityFrame();
                else if (!joint.follows() && joint.place() >= 0)
                    frame = frameOf(rows + 3 * joint.place());
                else if (!joint.follows())
                    frame = frameOf(all.model_from_joint +
                                    3 * ((first + lane) * all.joints + joint.parent));
                frame.p = frame.p + frame.direction(vector(joint.offset));
                for (int k = 0; k < 3 && joint.axis(k) != 0; ++k)
                    rotateAbout(joint.axis(k), values[joint.coordinate + k], frame);
                for (int s = joint.step; s < joint.step + joint.steps; ++s)
                    advance(all.step[s], values, frame);
                putRows(frame, rows + 3 * j);
            }
        });
        group.each([&](int lane, Frame3&) {
            const RowShare own = rowShareOf(lane, 3 * portion.joints, poses);
            if (own.row >= poses) return;
            const Four* from = tile.rows + own.row * kRowFours + own.value;
            Four* to = all.model_from_joint + 3 * ((first + own.row) * all.joints + portion.joint) +
                       own.value;
            ULNA_GPU_UNROLL_4
            for (int pose = own.row; pose < poses; pose += own.step) {
                writeOnce(*from, to);
                from += own.step * kRowFours;
                to += own.step * 3 * all.joints;
            }
        });
    }
}

// ---- Jacobians

constexpr int kLinkColumns = 8;
constexpr int kLanesOdd = kTogether + 1;

/// Steps on the way to a point that are computed between two exchanges.
struct Stretch {
    int step, steps;
    int column, columns;  // of `Jacobians::column`
};
struct WayColumn {
    int coordinate;  // of the skeleton's
    bool slides;
    float angle;  // see Turn
};
/// The way from the root to a point, and the coordinates that are not on it.
struct Way {
    int stretch, stretches;
    int idle, idles;  // of `Jacobians::idle`
    float point[3];   // in its joint's frame
};
struct Jacobians {
    long long count;
    int width, points;
    const Way* way;
    const Stretch* stretch;
    const Step* step;
    const WayColumn* column;
    const int* idle;
    const float* coordinates;  // count x width
    float* out;                // count x points x 6 x width
};

struct JacobiansTile {
    Turn values[kTogether * (kLinkColumns + 1)];
    float motions[6 * kLinkColumns * kLanesOdd];  // per column: an axis and where it is
    float point[3 * kLanesOdd];
};

ULNA_GPU_FUNCTION V3<float> unitOf(const V3<float>& v) {
    const float length2 = dot(v, v);
    return length2 > 0.0f ? v * inverseRoot(length2) : v;
}

ULNA_GPU_FUNCTION void putMotion(const V3<float>& axis, const V3<float>& origin, int column,
                                 int lane, float* motions) {
    float* to = motions + 6 * column * kLanesOdd + lane;
    to[0] = axis.x, to[kLanesOdd] = axis.y, to[2 * kLanesOdd] = axis.z;
    to[3 * kLanesOdd] = origin.x, to[4 * kLanesOdd] = origin.y, to[5 * kLanesOdd] = origin.z;
}

/// How a step's coordinates move what is below it, before it is taken.
ULNA_GPU_FUNCTION void putMotions(const Step& step, const Turn* values, const Frame3& f, int lane,
                                  float* motions) {
    const int c = step.coordinate;
    switch (step.move) {
        case Move::Place:
        case Move::Shift:
            break;
        case Move::RotateX:
            putMotion(unitOf(f.x) * step.factor, f.p, c, lane, motions);
            break;
        case Move::RotateY:
            putMotion(unitOf(f.y) * step.factor, f.p, c, lane, motions);
            break;
        case Move::RotateZ:
            putMotion(unitOf(f.z) * step.factor, f.p, c, lane, motions);
            break;
        case Move::Slide:
            putMotion(f.direction(vector(step.constant)), f.p, c, lane, motions);
            break;
        case Move::Vector: {
            // The columns of the exponential's left Jacobian: a + b [v] + c v v'.
            const V3<float> v = vector(values + c);
            const Exponential e = exponentialOf(v);
            const Frame3 axes = {unitOf(f.x), unitOf(f.y), unitOf(f.z), f.p};
            const V3<float> x = {e.sine, e.cosine * v.z, -e.cosine * v.y};
            const V3<float> y = {-e.cosine * v.z, e.sine, e.cosine * v.x};
            const V3<float> z = {e.cosine * v.y, -e.cosine * v.x, e.sine};
            putMotion(axes.direction(x + v * (e.rest * v.x)), f.p, c, lane, motions);
            putMotion(axes.direction(y + v * (e.rest * v.y)), f.p, c + 1, lane, motions);
            putMotion(axes.direction(z + v * (e.rest * v.z)), f.p, c + 2, lane, motions);
            break;
        }
    }
}

/// Goes the way to a point once, without or with its columns written.
template <bool Columns, class G>
ULNA_GPU_FUNCTION void goTo(G& group, const Jacobians& all, const Way& way, int point,
                            long long first, int poses) {
    JacobiansTile& tile = group.tile;
    group.each([&](int, Frame3& frame) { frame = identityFrame(); });
    for (int i = 0; i < way.stretches; ++i) {
        const Stretch stretch = all.stretch[way.stretch + i];
        const Divisor columns = divisorOf(stretch.columns);
        const WayColumn* column = all.column + stretch.column;
        group.each([&](int lane, Frame3&) {
            for (int k = lane; k < poses * stretch.columns; k += kTogether) {
                const int pose = columns.quotient(k), c = k - pose * stretch.columns;
                tile.values[pose * (kLinkColumns + 1) + c] =
                    turnOf(all.coordinates[(first + pose) * all.width + column[c].coordinate],
                           column[c].angle);
            }
        });
        group.each([&](int lane, Frame3& frame) {
            if (lane >= poses) return;
            const Turn* values = tile.values + lane * (kLinkColumns + 1);
            for (int s = stretch.step; s < stretch.step + stretch.steps; ++s) {
                if (Columns) putMotions(all.step[s], values, frame, lane, tile.motions);
                advance(all.step[s], values, frame);
            }
        });
        if (!Columns) continue;
        group.each([&](int lane, Frame3&) {
            for (int k = lane; k < poses * stretch.columns; k += kTogether) {
                const int pose = columns.quotient(k), c = k - pose * stretch.columns;
                const float* m = tile.motions + 6 * c * kLanesOdd + pose;
                const float* p = tile.point + pose;
                const V3<float> axis = {m[0], m[kLanesOdd], m[2 * kLanesOdd]};
                const V3<float> arm = {p[0] - m[3 * kLanesOdd], p[kLanesOdd] - m[4 * kLanesOdd],
                                       p[2 * kLanesOdd] - m[5 * kLanesOdd]};
                const bool slides = column[c].slides;
                const V3<float> linear = slides ? axis : cross(axis, arm);
                const V3<float> angular = slides ? V3<float>{0, 0, 0} : axis;
                float* to = all.out + ((first + pose) * all.points + point) * 6 * all.width +
                            column[c].coordinate;
                to[0] = linear.x;
                to[all.width] = linear.y;
                to[2 * all.width] = linear.z;
                to[3 * all.width] = angular.x;
                to[4 * all.width] = angular.y;
                to[5 * all.width] = angular.z;
            }
        });
    }
}

/// The Jacobian of one point for the poses from `first` on.
template <class G>
ULNA_GPU_FUNCTION void computeJacobians(G& group, const Jacobians& all, int point,
                                        long long first) {
    const int poses = posesOf(all.count, first);
    const Way way = all.way[point];
    goTo<false>(group, all, way, point, first, poses);
    group.each([&](int lane, Frame3& frame) {
        const V3<float> p = frame.direction(vector(way.point)) + frame.p;
        float* to = group.tile.point + lane;
        to[0] = p.x, to[kLanesOdd] = p.y, to[2 * kLanesOdd] = p.z;
    });
    goTo<true>(group, all, way, point, first, poses);
    group.each([&](int lane, Frame3&) {
        for (int pose = 0; pose < poses; ++pose) {
            float* to = all.out + ((first + pose) * all.points + point) * 6 * all.width;
            for (int k = lane; k < way.idles; k += kTogether) {
                for (int row = 0; row < 6; ++row)
                    to[row * all.width + all.idle[way.idle + k]] = 0.0f;
            }
        }
    });
}

}  // namespace ulna::gpu::kernel
