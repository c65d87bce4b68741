// SPDX-License-Identifier: Apache-2.0
#include "tools/character/gait.h"

#include <cmath>

#include "tools/character/body.h"

namespace ulna::maker {

double smooth(double from, double to, double t) {
    const double u = std::fmin(1.0, std::fmax(0.0, (t - from) / (to - from)));
    return u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
}

Vec3 stanceAnkle(double heel_z, double pitch) {
    const Quat turn = quatAboutAxis(0, pitch);
    if (pitch <= 0.0) {
        return Vec3{0, 0, heel_z} - rotate(turn, kHeel);
    }
    const Vec3 ball{0, kAnkleHeight + kToe.y, heel_z - kHeel.z + kToe.z};
    return ball - rotate(turn, kToe);
}

}  // namespace ulna::maker
