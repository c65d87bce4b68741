// SPDX-License-Identifier: Apache-2.0

// Drags: one joint pulled by a hand, frame by frame.
#include <utility>

#include "bindings/wasm/native/protocol.h"

namespace ulna::engine {

/// In the input: the pose that the drag begins in, then the request.
DragObject* dragMake(StageObject& stage) {
    readPose(0, stage.pose);
    const auto request = readRequest<DragRequest>(numbersOf(stage.pose));
    Result<Drag> drag = Drag::make(*stage.stage, stage.pose, request.grab, request.pins,
                                   request.poles, request.options);
    if (!drag) {
        fail(drag.error());
        return nullptr;
    }
    clearReply();
    put(DragReply{.note = drag->note()});
    return new DragObject{stage.stage, *std::move(drag), stage.pose};
}

/// In the input: as of dragMake.
JointsReply dragHindrances(StageObject& stage, double x, double y, double z) {
    readPose(0, stage.pose);
    const auto request = readRequest<DragRequest>(numbersOf(stage.pose));
    return {.joints = hinderingPins(*stage.stage, stage.pose, request.grab, {x, y, z}, request.pins,
                                    request.poles, request.options)};
}

/// From the pose in the input, which becomes the answer; the reply is what became of it.
void dragSolve(DragObject& object, double x, double y, double z) {
    readPose(0, object.pose);
    const DragStep step = object.drag.solve({x, y, z}, object.pose);
    writePose(object.pose, 0);
    clearReply();
    put(step);
}

/// From the pose in the input, which stays.
DragTrace dragTrace(DragObject& object, double x, double y, double z, std::size_t iterations) {
    readPose(0, object.pose);
    return object.drag.trace(object.pose, {x, y, z}, static_cast<int>(iterations));
}

/// In the pose in the input.
PointReply dragHeldPoint(DragObject& object) {
    readPose(0, object.pose);
    return {.point = object.drag.heldPoint(object.pose)};
}

/// In the input: the pose in which the hand let go, then the pin.
DragPin dragMovedPin(DragObject& object, double x, double y, double z) {
    readPose(0, object.pose);
    const auto pin = readRequest<DragPin>(numbersOf(object.pose));
    return object.drag.movedPin(pin, {x, y, z}, object.pose);
}

}  // namespace ulna::engine
