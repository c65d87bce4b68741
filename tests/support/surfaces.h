// SPDX-License-Identifier: Apache-2.0

// Surfaces made for tests: tubes, spheres, sheets, and a person of smooth limbs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ulna/skeleton/skeleton.h"
#include "ulna/skin/mesh.h"

namespace ulna::test {

/// A closed surface around where `inside` is negative, out of cubes of this edge with a corner at
/// the origin (surface nets). Quads are split at their middle: what is symmetric about a plane of
/// the axes comes out so.
Mesh implicitSurface(const std::function<double(const Vec3&)>& inside, const Vec3& low,
                     const Vec3& high, double edge);

/// The distance to a capsule's surface, negative inside.
double capsule(const Vec3& p, const Vec3& a, const Vec3& b, double radius);

/// A closed tube along x from `from` to `to`, with round ends left out: rings of `sides` vertices
/// and a vertex in the middle of each end. Rings are evenly spaced.
Mesh tube(double from, double to, double radius, std::uint32_t rings, std::uint32_t sides);

/// A sphere of rings and two poles.
Mesh ball(const Vec3& centre, double radius, std::uint32_t rings, std::uint32_t sides);

/// A square of n by n vertices in the plane z = 0, centred, counter-clockwise from above.
Mesh sheet(double size, std::uint32_t n);

/// Appends another mesh's vertices and triangles.
void append(const Mesh& more, Mesh& mesh);

/// Two bones along x: "lower" from -length to 0, "upper" from 0 to an End Site at length.
Skeleton twoBones(double length);

/// A torso with two arms hanging close to it, in metres, y up: joints Hips, Chest, and of each side
/// Shoulder, Arm, ForeArm, Hand.
Skeleton armsDownSkeleton();
Mesh armsDownBody(double edge);

/// Whether a vertex of the body at this place belongs to an arm: the gap is between.
bool isArm(const Vec3f& p);

}  // namespace ulna::test
