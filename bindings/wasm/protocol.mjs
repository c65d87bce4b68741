// SPDX-License-Identifier: Apache-2.0

// The protocol between JavaScript and C++: every message and every call, once.
//
// generate.mjs makes three files of this table: native/protocol.h and native/protocol.cpp (readers
// and writers in C++), lib/protocol.js (the same in JavaScript), and the parts of engine.d.ts
// between its marks. After a change run `node bindings/wasm/generate.mjs`; a test compares.
//
// A *request* goes from JavaScript to C++ as numbers, a *reply* comes back as bytes. Both consist of
// fields in the order of this table. What a field has:
//   name     in JavaScript; in C++ the same in snake_case, unless `cpp` names a member or a call
//   type     number (finite), real (any number), count (whole, from 0 on), integer, flag, text, vec3,
//            quat, pair, joint, pose, numbers (a list), floats (a reply's Float64Array), handle (an
//            object of the engine's memory), view (the address and size of bytes that stay there),
//            or the name of an enum or a record below; `x[]` is a list of x, `x?` may be missing
//   default  of a request: what is sent where the caller says nothing; without one it is required
//   doc      of engine.d.ts; {default} stands for `default` and its value, {value} for the value alone
//   hidden   not in engine.d.ts: lib/ fills it in
//   local    in engine.d.ts alone, as the TypeScript type that is given: lib/ makes something of it
//   missing  may be missing in engine.d.ts: lib/ fills it in before it is sent, or takes it out
//   label    what messages call it: "a tolerance"
// What a record has: `cpp`, the library's type that it is read into or written from; without one, or
// with `own`, the C++ struct is made here too. `section` is where engine.d.ts has it, `base` what it
// extends there, `tag` its kind in a union. `parts` are fields of a union alone.

/** Headers that have the C++ types. */
export const includes = [
  "ulna/character/drag.h",
  "ulna/character/fitting.h",
  "ulna/character/handles.h",
  "ulna/character/hindrance.h",
  "ulna/character/layered_clip.h",
  "ulna/character/open.h",
  "ulna/character/retarget.h",
  "ulna/character/save.h",
  "ulna/character/stage.h",
  "ulna/character/tie.h",
  "ulna/ik/solver.h",
  "ulna/io/bvh.h",
  "ulna/io/gltf.h",
  "ulna/io/materials.h",
  "ulna/io/mesh_files.h",
  "ulna/motion/reduce.h",
  "ulna/skeleton/handle_ranks.h",
  "ulna/skeleton/hands.h",
  "ulna/skeleton/movements.h",
  "ulna/skin/edit_weights.h",
  "ulna/skin/paint.h",
];

/** Words and the C++ values that they stand for. With a section they are a type of engine.d.ts. */
export const enums = {
  Method: {
    list: "METHODS",
    label: "a method",
    section: "goals",
    cpp: "IkMethod",
    words: {
      auto: "Auto",
      "two-bone": "TwoBone",
      ccd: "Ccd",
      fabrik: "Fabrik",
      transpose: "Transpose",
      gradient: "Gradient",
      "projected-gradient": "ProjectedGradient",
      pinv: "Pinv",
      dls: "Dls",
    },
  },
  SolverStatus: {
    list: "SOLVER_STATUSES",
    label: "a status",
    section: "reports",
    cpp: "IkStatus",
    words: {
      reached: "Reached",
      out_of_reach: "OutOfReach",
      stalled: "Stalled",
      max_iterations: "MaxIterations",
      bad_goal: "BadGoal",
    },
  },
  PlaneSide: {
    list: "PLANE_SIDES",
    label: "a side",
    cpp: "PlaneSide",
    words: { on: "On", above: "Above" },
  },
  DistanceBound: {
    list: "DISTANCE_BOUNDS",
    label: "a bound",
    cpp: "DistanceBound",
    words: { exactly: "Exactly", "at-least": "AtLeast", "at-most": "AtMost" },
  },
  CcdDirection: {
    list: "CCD_DIRECTIONS",
    label: "a direction",
    cpp: "CcdDirection",
    words: { "end-to-root": "EndToRoot", "root-to-end": "RootToEnd" },
  },
  Limits: {
    list: "LIMITS",
    label: "limits",
    cpp: "LimitSource",
    words: { own: "Own", none: "None", anatomical: "Anatomical", borrowed: "Borrowed" },
  },
  JointKind: {
    list: "JOINT_KINDS",
    label: "the kind of a joint",
    section: "joints",
    cpp: "JointKind",
    words: {
      fixed: "Fixed",
      hinge: "Hinge",
      universal: "Universal",
      ball: "Ball",
      free: "Free",
      prismatic: "Prismatic",
    },
  },
  EulerOrder: {
    list: "EULER_ORDERS",
    label: "an order",
    cpp: "EulerOrder",
    ts: "string",
    words: Object.fromEntries(
      ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"].map((word) => [
        word,
        word[0].toUpperCase() + word.slice(1),
      ]),
    ),
  },
  Interpolation: {
    list: "INTERPOLATIONS",
    label: "an interpolation",
    section: "keys",
    cpp: "Interpolation",
    words: {
      step: "Step",
      linear: "Linear",
      "catmull-rom": "CatmullRom",
      "uniform-catmull-rom": "UniformCatmullRom",
      hermite: "Hermite",
    },
  },
  Part: {
    list: "PARTS",
    label: "a part",
    section: "keys",
    doc:
      "What a track moves: the three coordinates of a translation or scale, the rotation as a quaternion, or one angle " +
      'of a joint whose rotation is keyed by angles ("angle0", "angle1", "angle2").',
    own: true,
    cpp: "Part",
    words: {
      translation: "Translation",
      rotation: "Rotation",
      scale: "Scale",
      angle0: "Angle0",
      angle1: "Angle1",
      angle2: "Angle2",
    },
  },
  Blend: {
    list: "BLENDS",
    label: "a blend",
    section: "meshes",
    cpp: "SkinBlend",
    words: { linear: "Linear", "dual-quaternion": "DualQuaternion" },
  },
  Twist: {
    list: "TWISTS",
    label: "a twist",
    section: "meshes",
    doc:
      'Where the arms and legs of a human body twist: at a joint, as the weights and glTF say ("joint"), or evenly over ' +
      'the limb, so that no skin wrings ("limb").',
    cpp: "Twist",
    words: { joint: "Joint", limb: "Limb" },
  },
  BodySide: {
    list: "BODY_SIDES",
    label: "a side",
    cpp: "BodySide",
    words: { left: "Left", right: "Right" },
  },
  HandleRank: {
    list: "HANDLE_RANKS",
    label: "the rank of a handle",
    section: "joints",
    doc:
      "How much a body is posed by a joint: by the ends of its limbs, by its major joints, by minor ones when somebody " +
      "looks closer, and never by hidden ones, such as eyes.",
    cpp: "HandleRank",
    words: { hidden: "Hidden", minor: "Minor", major: "Major", end: "End" },
  },
  Movement: {
    list: "MOVEMENTS",
    label: "a movement",
    section: "joints",
    doc: "What a degree of freedom does, whatever a file calls it; a root twists about the vertical.",
    cpp: "Movement",
    words: { bend: "Bend", side: "Side", twist: "Twist", slide: "Slide" },
  },
  HandShape: {
    list: "HAND_SHAPES",
    label: "the shape of a hand",
    section: "joints",
    cpp: "HandShape",
    words: {
      flat: "Flat",
      relaxed: "Relaxed",
      open: "Open",
      grip: "Grip",
      fist: "Fist",
      point: "Point",
      pinch: "Pinch",
    },
  },
  WeightMethod: {
    list: "WEIGHT_METHODS",
    label: "a method",
    cpp: "WeightMethod",
    words: { heat: "Heat", distance: "Distance" },
  },
  FittingPose: {
    list: "FITTING_POSES",
    label: "a pose",
    cpp: "FittingPose",
    words: { rest: "Rest", present: "Present", raised: "Raised" },
  },
  PaintMode: {
    list: "PAINT_MODES",
    label: "a mode",
    cpp: "PaintMode",
    words: { add: "Add", subtract: "Subtract", replace: "Replace", smooth: "Smooth" },
  },
  AlphaMode: {
    list: "ALPHA_MODES",
    label: "an alpha mode",
    cpp: "io::AlphaMode",
    words: { opaque: "Opaque", mask: "Mask", blend: "Blend" },
  },
  Wrap: {
    list: "WRAPS",
    label: "a wrap",
    cpp: "int",
    words: { repeat: "io::kWrapRepeat", clamp: "io::kWrapClamp", mirror: "io::kWrapMirror" },
  },
  FitLoss: {
    list: "FIT_LOSSES",
    label: "a loss",
    cpp: "FitLoss",
    words: { squares: "Squares", huber: "Huber", "geman-mcclure": "GemanMcClure" },
  },
  FitStatus: {
    list: "FIT_STATUSES",
    label: "a status",
    cpp: "FitStatus",
    words: {
      converged: "Converged",
      stalled: "Stalled",
      max_iterations: "MaxIterations",
      bad_target: "BadTarget",
    },
  },
  PositionChannels: {
    list: "POSITION_CHANNELS",
    label: "what position channels do",
    cpp: "io::PositionChannels",
    words: { replace: "Replace", add: "Add" },
  },
  MeshFormat: {
    list: "MESH_FORMATS",
    label: "a format",
    cpp: "FileFormat",
    words: { obj: "Obj", ply: "Ply" },
  },
  GltfForm: {
    list: "GLTF_FORMS",
    label: "a form",
    cpp: "io::GltfForm",
    words: { binary: "Binary", text: "Text" },
  },
  Side: {
    list: "SIDES",
    label: "a side",
    cpp: "MirrorSide",
    words: { left: "LeftToRight", right: "RightToLeft" },
  },
  RetargetFeet: {
    list: "RETARGET_FEET",
    label: "what feet do",
    cpp: "RetargetFeet",
    words: { auto: "Auto", lock: "Lock", keep: "Keep" },
  },
  SoleSide: {
    list: "SOLE_SIDES",
    label: "a side",
    cpp: "BodySide",
    words: { left: "Left", right: "Right" },
  },
  SolePart: {
    list: "SOLE_PARTS",
    label: "a part of a sole",
    cpp: "SolePart",
    words: { heel: "Heel", ball: "Ball" },
  },
  DocumentFormat: {
    list: "DOCUMENT_FORMATS",
    label: "a format",
    cpp: "FileFormat",
    words: { bvh: "Bvh", gltf: "Gltf", rig: "Rig" },
  },
};

// ------------------------------------------------------------------------------------ requests

const weight = {
  name: "weight",
  type: "real?",
  doc: "of the squared error; of a pin 1000, of others 1",
};
const pointOf = (name) => ({ name, type: "vec3", default: [0, 0, 0] });

export const requests = {
  OpenOptions: {
    section: "documents",
    cpp: "OpenOptions",
    fields: [
      {
        name: "files",
        local: "Readonly<Record<string, BufferSource>>",
        doc: "Files beside a .gltf that hold its buffers and images, by the names the file has for them.",
      },
      { name: "strict", type: "flag", default: false, doc: "every warning is an error; {default}" },
      {
        name: "lenient",
        type: "flag",
        default: false,
        doc: "of BVH: rows of the wrong length are dropped with a warning; {default}",
      },
      {
        name: "positionChannels",
        type: "PositionChannels",
        default: "replace",
        doc: "of BVH: what position channels mean; {default}",
      },
    ],
  },
  BvhOptions: {
    section: "documents",
    cpp: "SaveOptions",
    fields: [
      {
        name: "fps",
        type: "number",
        default: 0,
        cpp: "frame_rate",
        doc: "frames per second of keyed clips; by default a rate that has all keys",
      },
      {
        name: "order",
        type: "EulerOrder?",
        doc: 'of the rotation channels, such as "zxy"; by default each joint\'s own',
      },
      {
        name: "rootOnlyPositions",
        type: "flag",
        default: false,
        doc: "position channels on the roots alone: the stretch of other joints is lost, with a warning; {default}",
      },
    ],
  },

  GoalBase: {
    section: "goals",
    parts: true,
    fields: [
      weight,
      {
        name: "level",
        type: "integer",
        ts: "1 | 2",
        default: 1,
        doc: "2 moves only as level 1 allows, whatever its weight; {default}",
      },
      { name: "enabled", type: "flag", default: true, doc: "{default}" },
    ],
  },
  PositionGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "position",
    cpp: "PositionGoal",
    doc: "A point fixed to a joint reaches a position.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "target", type: "vec3" },
      { ...pointOf("point"), doc: "in the joint's coordinates; the joint itself by default" },
    ],
  },
  PinGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "pin",
    doc:
      "A position that holds the joint where it is in SolverOptions.pose, unless `target` says where. It weighs a " +
      "thousand times as much as other goals: whoever pulls, it gives way by a thousandth.",
    cpp: "PinRequest",
    own: true,
    fields: [{ name: "joint", type: "joint" }, { name: "target", type: "vec3?" }, pointOf("point")],
  },
  OrientationGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "orientation",
    cpp: "OrientationRequest",
    own: true,
    doc: "A joint's orientation in the model; by default the one it has in SolverOptions.pose.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "target", type: "quat?", doc: "x y z w" },
    ],
  },
  AimGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "aim",
    cpp: "AimGoal",
    doc: "A direction fixed to a joint points at a position.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "target", type: "vec3" },
      { name: "axis", type: "vec3", default: [0, 0, 1], doc: "in the joint's coordinates; z by default" },
      { ...pointOf("eye"), doc: "where the axis starts, in the joint's coordinates; the joint itself by default" },
    ],
  },
  PoleGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "pole",
    cpp: "PoleGoal",
    doc: "A limb bends towards a point.",
    fields: [
      { name: "start", type: "joint" },
      { name: "mid", type: "joint" },
      { name: "end", type: "joint" },
      { name: "target", type: "vec3", cpp: "pole" },
    ],
  },
  PlaneGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "plane",
    cpp: "PlaneGoal",
    doc: "A point on a plane, or not below it: normal . x = offset.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "normal", type: "vec3", default: [0, 1, 0], doc: "y by default" },
      { name: "offset", type: "number", default: 0, doc: "{default}" },
      { name: "side", type: "PlaneSide", default: "above", doc: "{default}" },
      { ...pointOf("point"), doc: "in the joint's coordinates; the joint itself by default" },
    ],
  },
  DistanceGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "distance",
    cpp: "DistanceGoal",
    doc: "Two points keep a distance.",
    fields: [
      { name: "jointA", type: "joint" },
      { name: "jointB", type: "joint" },
      { name: "distance", type: "number" },
      { name: "bound", type: "DistanceBound", default: "exactly", doc: "{default}" },
      { ...pointOf("pointA"), doc: "in the coordinates of its joint; the joint itself by default" },
      { ...pointOf("pointB"), doc: "likewise" },
    ],
  },
  RelativePositionGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "relative_position",
    cpp: "RelativePositionGoal",
    doc: "A point fixed to a joint reaches a position that moves with another joint.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "base", type: "joint", doc: "what the target is fixed to" },
      { name: "target", type: "vec3", doc: "in the coordinates of `base`" },
      { ...pointOf("point"), doc: "in the joint's coordinates; the joint itself by default" },
    ],
  },
  RelativeOrientationGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "relative_orientation",
    cpp: "RelativeOrientationGoal",
    doc: "A joint's orientation as seen from another joint.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "base", type: "joint", doc: "what the target is relative to" },
      { name: "target", type: "quat", doc: "x y z w" },
    ],
  },
  KeepApartGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "keep_apart",
    cpp: "KeepApartGoal",
    doc: "Two capsules, each fixed to a joint, keep their surfaces apart.",
    fields: [
      { name: "jointA", type: "joint", cpp: "a.joint" },
      { name: "jointB", type: "joint", cpp: "b.joint" },
      { ...pointOf("startA"), cpp: "a.start", doc: "of a capsule's segment, in the coordinates of its joint" },
      { ...pointOf("endA"), cpp: "a.end", doc: "likewise" },
      { name: "radiusA", type: "number", default: 0, cpp: "a.radius", doc: "{default}" },
      { ...pointOf("startB"), cpp: "b.start", doc: "likewise" },
      { ...pointOf("endB"), cpp: "b.end", doc: "likewise" },
      { name: "radiusB", type: "number", default: 0, cpp: "b.radius", doc: "{default}" },
      { name: "margin", type: "number", default: 0, doc: "at least this much between the surfaces; {default}" },
    ],
  },
  ContactPoint: {
    section: "goals",
    cpp: "ContactPoint",
    doc: "A point fixed to a joint, which rests on the ground.",
    fields: [
      { name: "joint", type: "joint" },
      { ...pointOf("point"), doc: "in the joint's coordinates; the joint itself by default" },
    ],
  },
  JointMass: {
    section: "goals",
    cpp: "JointMass",
    doc: "A mass that moves with a joint.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "mass", type: "number", doc: "in any unit" },
      { ...pointOf("centre"), doc: "in the joint's coordinates; the joint itself by default" },
    ],
  },
  BalanceGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "balance",
    cpp: "BalanceGoal",
    doc: "The centre of mass stays over the contact points.",
    fields: [
      { name: "contacts", type: "ContactPoint[]", doc: "1 to 32" },
      { name: "masses", type: "JointMass[]", default: [], doc: "those of a human body by default" },
      { name: "up", type: "vec3", default: [0, 1, 0], doc: "a unit vector; {default}" },
      { name: "margin", type: "number", default: 0, doc: "how far inside the contacts; {default}" },
    ],
  },
  PostureGoal: {
    section: "goals",
    base: "GoalBase",
    tag: "posture",
    cpp: "PostureRequest",
    own: true,
    doc: "Stay near a pose: what a body does with the freedom that the other goals leave it.",
    fields: [
      { name: "pose", type: "pose?", doc: "to be near to; the rest pose by default" },
      { name: "joints", type: "joint[]", default: [], doc: "all by default" },
    ],
  },
  SolverOptions: {
    section: "goals",
    cpp: "IkOptions",
    fields: [
      { name: "method", type: "Method", default: "auto", doc: "{default}" },
      { name: "pose", local: "Pose", doc: "where pins hold; the rest pose by default" },
      {
        name: "freeRoot",
        local: "boolean",
        doc: "Whether free and sliding roots may move. By default they do where something is pinned.",
      },
      {
        name: "continuity",
        type: "flag",
        default: false,
        doc:
          "For dragging: never leave the neighbourhood of the start. With maxIterations of 20 or so every solve is " +
          "quick, out of reach too: the next one goes on from there. By default {value}.",
      },
      { name: "positionTolerance", type: "number", default: 0, doc: "1e-4 of the skeleton's height by default" },
      { name: "angleTolerance", type: "number", default: 1e-4, doc: "{default}" },
      { name: "maxIterations", type: "count", default: 0, doc: "by default what suits the method" },
      { name: "restarts", type: "count", default: 0, doc: "of auto alone; {default}" },
      { name: "seed", type: "count", default: 1, doc: "of the restarts; {default}" },
      { name: "history", type: "flag", default: false, cpp: "record_history", doc: "keep Report.history; {default}" },
      {
        name: "fabrikFirst",
        type: "flag",
        default: true,
        doc: "auto may hand a free chain to FABRIK first; {default}",
      },
      { name: "chain", type: "joint?", doc: "only this joint and those below it move" },
      {
        name: "step",
        type: "number",
        default: 1,
        doc: "this and what follows is used by some methods alone; docs/ik says which; {default}",
      },
      { name: "damping", type: "number", default: 0.1, doc: "{default}" },
      { name: "jointDamping", type: "number", default: 0, doc: "{default}" },
      { name: "lineSearch", type: "flag", default: true, doc: "{default}" },
      { name: "ccdDirection", type: "CcdDirection", default: "end-to-root", doc: "{default}" },
      { name: "locked", type: "joint[]", default: [], doc: "these stay as they are" },
      {
        name: "stiffness",
        type: "JointStiffness[]",
        default: [],
        ts: "Readonly<Record<string, number>>",
        doc: "by joint name: moved 1 / (1 + stiffness) as willingly",
      },
    ],
  },
  SolverRequest: {
    own: true,
    fields: [
      { name: "options", type: "SolverOptions" },
      { name: "freeRoot", type: "flag?" },
    ],
  },
  JointStiffness: {
    cpp: "JointStiffness",
    fields: [
      { name: "joint", type: "joint" },
      { name: "stiffness", type: "number" },
    ],
  },

  DragGrab: {
    section: "drags",
    cpp: "DragGrab",
    doc: "What the hand of a drag holds.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "start", type: "vec3", doc: "where the held point is when the drag begins, in model space" },
      { ...pointOf("point"), doc: "the held point in the joint's coordinates; the joint itself by default" },
    ],
  },
  DragPin: {
    section: "drags",
    cpp: "DragPin",
    doc: "A joint that stays where it is.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "target", type: "vec3", doc: "in model space" },
      { name: "orientation", type: "quat?", doc: "x y z w in model space; without it the joint may rotate" },
      {
        name: "reached",
        type: "flag",
        default: true,
        doc: "whether the target could be reached when the pin was put there: others come before one that could not; {default}",
      },
    ],
  },
  DragPole: {
    section: "drags",
    cpp: "DragPole",
    doc: "A limb that bends towards a point.",
    fields: [
      { name: "start", type: "joint" },
      { name: "mid", type: "joint" },
      { name: "end", type: "joint" },
      { name: "target", type: "vec3", doc: "in model space" },
    ],
  },
  NaturalRules: {
    section: "drags",
    cpp: "NaturalRules",
    doc: "What a human body keeps beside its pins, as far as it does when the drag begins.",
    fields: [
      { name: "balance", type: "flag", default: true, doc: "its weight over the feet that stand; {default}" },
      {
        name: "floor",
        type: "flag",
        default: true,
        doc: "nothing below the floor, and standing feet flat; {default}",
      },
      { name: "bulk", type: "flag", default: true, doc: "limbs out of each other; {default}" },
      { name: "pairs", type: "flag", default: true, doc: "angles of limbs together as people's; {default}" },
    ],
  },
  DragOptions: {
    section: "drags",
    cpp: "DragOptions",
    fields: [
      { name: "pins", local: "readonly DragPin[]" },
      { name: "poles", local: "readonly DragPole[]" },
      { name: "method", type: "Method", default: "auto", doc: "{default}" },
      {
        name: "maxIterations",
        type: "count",
        default: 0,
        doc: "of a solve; by default what suits the method in a drag",
      },
      {
        name: "continuity",
        type: "flag",
        default: true,
        doc: "each frame goes on where the last one ended; false for a drag that is only traced; {default}",
      },
      {
        name: "natural",
        type: "flag",
        default: true,
        doc: "a human body moves as people do, and the same target gives the same pose; {default}",
      },
      { name: "rules", type: "NaturalRules", default: {}, doc: "of a natural drag; by default it keeps all" },
      { name: "locked", type: "joint[]", default: [], doc: "these stay as they are" },
      { name: "size", type: "number", default: 0, doc: "of the character; by default the skeleton's" },
    ],
  },
  DragRequest: {
    own: true,
    fields: [
      { name: "grab", type: "DragGrab" },
      { name: "options", type: "DragOptions" },
      { name: "pins", type: "DragPin[]", default: [] },
      { name: "poles", type: "DragPole[]", default: [] },
    ],
  },

  LayerPin: {
    section: "layers",
    cpp: "LayerPin",
    doc: "A joint that a layer keeps on the path that it has below the layer, between keys too.",
    fields: [
      { name: "joint", type: "joint" },
      { name: "orientation", type: "flag", default: false, doc: "whether its orientation is kept as well; {default}" },
    ],
  },
  LayerKeyRequest: {
    own: true,
    fields: [
      { name: "time", type: "number" },
      { name: "rotations", type: "numbers" },
      { name: "translations", type: "numbers" },
    ],
  },
  LayerOptions: {
    section: "layers",
    cpp: "LayerRequest",
    own: true,
    doc: "What is added to a clip around a few keys.",
    fields: [
      { name: "name", local: "string", doc: "for people" },
      { name: "weight", type: "number", default: 1, doc: "of what it adds; {default}" },
      { name: "muted", type: "flag", default: false, doc: "{default}" },
      { name: "in", type: "number", default: 0.5, doc: "seconds before the first key in which it fades in; {default}" },
      {
        name: "out",
        type: "number",
        default: 0.5,
        doc: "seconds behind the last key in which it fades out; {default}",
      },
      { name: "pins", type: "LayerPin[]", default: [], ts: "readonly LayerPin[]" },
      { name: "keys", type: "LayerKeyRequest[]", default: [], ts: "readonly LayerKey[]", doc: "by time" },
    ],
  },
  LayersRequest: { own: true, fields: [{ name: "layers", type: "LayerOptions[]" }] },

  ReduceOptions: {
    section: "keys",
    cpp: "ReduceRequest",
    own: true,
    fields: [
      {
        name: "progress",
        local: "(fraction: number) => boolean | void",
        doc: "Called now and then with the part that is done, from 0 to 1; false cancels. It must not use the engine.",
      },
      { name: "tolerance", type: "real?", doc: "a thousandth of the skeleton's height by default" },
      {
        name: "interpolation",
        type: "Interpolation",
        ts: '"linear" | "catmull-rom"',
        default: "linear",
        doc: "{default}",
      },
    ],
  },

  HeatOptions: {
    section: "weights",
    cpp: "WeightOptions",
    fields: [
      { name: "method", type: "WeightMethod", default: "heat", doc: "{default}" },
      {
        name: "stiffness",
        type: "number",
        default: 1,
        doc: "of the heat: larger keeps weights closer to their bone; {default}",
      },
      { name: "most", type: "count", default: 4, doc: "influences a vertex keeps; {default}" },
    ],
  },
  TieOptions: {
    section: "weights",
    base: "HeatOptions",
    cpp: "TieRequest",
    own: true,
    fields: [
      { name: "weights", type: "HeatOptions", hidden: true },
      {
        name: "pose",
        type: "pose?",
        doc: "that the character is in: the surface may be made for it, or for the rest pose",
      },
      { name: "zUp", type: "flag", hidden: true },
    ],
  },
  PaintOptions: {
    section: "weights",
    cpp: "PaintRequest",
    own: true,
    fields: [
      { name: "centre", type: "vec3", hidden: true, label: "a position" },
      { name: "radius", type: "real" },
      { name: "mode", type: "PaintMode", default: "add", doc: "{default}" },
      { name: "strength", type: "real", default: 1, doc: "at the centre, from 0 to 1; {default}" },
      { name: "value", type: "real", default: 1, doc: "of replace; {default}" },
      { name: "locked", type: "joint[]", default: [], doc: "these keep their weights" },
    ],
  },

  FitOptions: {
    section: "fitting",
    cpp: "FitRequest",
    own: true,
    fields: [
      {
        name: "loss",
        type: "FitLoss",
        default: "squares",
        doc: "How the distances of vertices to their targets count; the robust ones leave outliers aside. By default {value}.",
      },
      { name: "lossScale", type: "number", default: 0, doc: "a length; 0 chooses it by the residuals; {default}" },
      { name: "tolerance", type: "number", default: 1e-9, doc: "as a share of the size; {default}" },
      {
        name: "maxIterations",
        type: "count",
        default: 100,
        doc: "of each round: robust losses and pins take several rounds; {default}",
      },
      {
        name: "smoothness",
        type: "number",
        default: 0,
        doc: "pull towards the pose that a fit starts from; {default}",
      },
      { name: "locked", type: "joint[]", default: [], doc: "joints that stay as they are" },
      {
        name: "pinned",
        type: "joint[]",
        default: [],
        doc: "joints held where the pose that a fit starts from has them",
      },
      {
        name: "masses",
        type: "numbers",
        default: [],
        doc: "how much each vertex counts; 1 each by default",
      },
      {
        name: "missingNaN",
        type: "flag",
        default: false,
        cpp: "missing_nan",
        doc: "targets that are not numbers are missing; by default they are refused",
      },
    ],
  },

  ContactOptions: {
    section: "retargeting",
    cpp: "ContactOptions",
    doc: "When a sole is in contact. Heights are in leg lengths (thigh and shin), speeds in leg lengths per second.",
    fields: [
      {
        name: "floor",
        type: "real?",
        doc: "the height of the source's floor, in its unit; found by itself by default",
      },
      { name: "beginHeight", type: "number", default: 0.04, doc: "a contact begins below this height; {default}" },
      { name: "beginSpeed", type: "number", default: 0.3, doc: "and this speed; {default}" },
      { name: "endHeight", type: "number", default: 0.05, doc: "it ends above this height; {default}" },
      { name: "endSpeed", type: "number", default: 0.45, doc: "or this speed; {default}" },
      {
        name: "shortest",
        type: "number",
        default: 0.04,
        doc: "in seconds: shorter contacts, and gaps, are none; {default}",
      },
    ],
  },
  RetargetKeep: {
    section: "retargeting",
    cpp: "RetargetKeep",
    doc: "What hands keep besides the directions of their arms.",
    fields: [
      { name: "floor", type: "flag", default: true, doc: "heights of hands near the floor; {default}" },
      { name: "pair", type: "flag", default: true, doc: "where hands near each other are to each other; {default}" },
      {
        name: "body",
        type: "flag",
        default: false,
        doc: "where hands are to the shoulders, by lengths of arms; {default}",
      },
    ],
  },
  ContactRequest: {
    cpp: "Contact",
    fields: [
      { name: "side", type: "SoleSide" },
      { name: "part", type: "SolePart" },
      { name: "first", type: "count" },
      { name: "last", type: "count" },
    ],
  },
  RetargetOptions: {
    section: "retargeting",
    cpp: "RetargetRequest",
    own: true,
    fields: [
      {
        name: "feet",
        type: "RetargetFeet",
        default: "auto",
        doc:
          '"lock": feet in contact stay where they are, on the floor. "keep": feet go where their legs point. "auto", ' +
          "the default: lock, but for bodies of the same proportions, which get the motion as it is.",
      },
      { name: "keep", type: "RetargetKeep", default: {} },
      {
        name: "limits",
        type: "Limits",
        ts: '"own" | "none" | "anatomical"',
        default: "own",
        doc: "that the target keeps; {default}",
      },
      { name: "floor", type: "number", default: 0, doc: "the height of the result's floor, in its unit; {default}" },
      {
        name: "speed",
        type: "number",
        default: 1.5,
        doc: "hinges move at most this many times as fast as the fastest joint of the source; {default}",
      },
      { name: "contact", type: "ContactOptions", default: {} },
      { name: "contacts", local: "Contacts", doc: "used instead of those that would be found" },
      {
        name: "progress",
        local: "(fraction: number) => boolean | void",
        doc: "Called now and then with the part that is done, from 0 to 1; false cancels. It must not use the engine.",
      },
      { name: "hasContacts", type: "flag", default: false, hidden: true },
      { name: "contactFloor", type: "real", default: 0, hidden: true, label: "the floor of contacts" },
      { name: "spans", type: "ContactRequest[]", default: [], hidden: true },
    ],
  },
  BodyRequest: {
    own: true,
    fields: [
      { name: "rest", type: "pose?" },
      { name: "hasSoles", type: "flag", default: false },
      { name: "left", type: "numbers", default: [] },
      { name: "right", type: "numbers", default: [] },
    ],
  },
};

/** Requests that are one of several kinds: the base's fields, the kind, then its own fields. */
export const unions = {
  Goal: {
    section: "goals",
    label: "the kind of a goal",
    base: "GoalBase",
    cpp: "GoalRequest",
    members: [
      "PositionGoal",
      "PinGoal",
      "OrientationGoal",
      "AimGoal",
      "PoleGoal",
      "PlaneGoal",
      "DistanceGoal",
      "RelativePositionGoal",
      "RelativeOrientationGoal",
      "KeepApartGoal",
      "BalanceGoal",
      "PostureGoal",
    ],
  },
};

// ------------------------------------------------------------------------------------ replies

export const replies = {
  Diagnostic: {
    section: "diagnostics",
    cpp: "Diagnostic",
    doc: "One error or warning about something that came from outside.",
    fields: [
      { name: "what", type: "text", doc: "a sentence without its full stop" },
      { name: "file", type: "text", cpp: "location.file", doc: 'as it was named; "" when there was no name' },
      { name: "line", type: "count", cpp: "location.line", doc: "from 1; 0 when unknown" },
      { name: "column", type: "count", cpp: "location.column", doc: "in bytes, from 1; 0 when unknown" },
      {
        name: "path",
        type: "text",
        cpp: "location.json_path",
        doc: 'inside JSON, such as `joints[3].limits`; "" elsewhere',
      },
      { name: "text", type: "text", doc: 'the offending text; may be ""' },
      { name: "advice", type: "text", doc: 'what to do; may be ""' },
      {
        name: "message",
        type: "text",
        expression: "describe(value)",
        doc: "all of it on one line: `location: what: 'text' (advice)`",
      },
    ],
  },

  DocumentReply: {
    own: true,
    fields: [
      { name: "format", type: "DocumentFormat" },
      { name: "skeleton", type: "handle" },
      { name: "clips", type: "handle[]" },
      { name: "meshes", type: "handle[]" },
      { name: "size", type: "real" },
      { name: "usualClip", type: "integer" },
      { name: "warnings", type: "Diagnostic[]" },
    ],
  },
  MaterialSet: {
    cpp: "io::MaterialSet",
    fields: [
      { name: "images", type: "Image[]" },
      { name: "materials", type: "Material[]" },
    ],
  },
  MeshFileReply: {
    own: true,
    fields: [
      { name: "positionCount", type: "count" },
      { name: "warnings", type: "Diagnostic[]" },
    ],
  },
  WrittenReply: {
    own: true,
    fields: [
      { name: "warnings", type: "Diagnostic[]" },
      { name: "bytes", type: "bytes" },
    ],
  },

  Cone: {
    section: "joints",
    cpp: "ConeLimit",
    doc: "Bounds of a rotation split as swing * twist about `axis`, in the joint's rest frame.",
    fields: [
      { name: "axis", type: "vec3" },
      { name: "swingMax", type: "real", doc: "half the opening angle" },
      { name: "twistMin", type: "real" },
      { name: "twistMax", type: "real" },
    ],
  },
  Rest: {
    cpp: "Trs",
    fields: [
      { name: "translation", type: "vec3" },
      { name: "rotation", type: "quat" },
      { name: "scale", type: "vec3" },
    ],
  },
  Joint: {
    section: "joints",
    cpp: "JointReply",
    own: true,
    doc: "What there is to know about a joint. Plain data.",
    fields: [
      { name: "index", local: "number" },
      { name: "name", type: "text" },
      { name: "parent", type: "joint", doc: "-1 for a root" },
      { name: "children", local: "readonly number[]" },
      { name: "kind", type: "JointKind" },
      {
        name: "rest",
        type: "Rest",
        ts: "{ readonly translation: Vec3; readonly rotation: Quat; readonly scale: Vec3 }",
      },
      {
        name: "axes",
        type: "vec3[]",
        ts: "readonly [Vec3, Vec3]",
        doc: "of hinges, universal and sliding joints, in the rest frame",
      },
      { name: "order", type: "text", doc: 'of balls and free joints: "xyz", ..., or "rotation-vector"' },
      { name: "tip", type: "vec3", doc: "far end of the bone, in the joint's frame; zero when there is no bone" },
      { name: "radius", type: "real", doc: "of the bone; 0 when not known" },
      { name: "endSite", type: "flag", doc: "marks a bone's tip, moves nothing" },
      { name: "locked", type: "flag", doc: "inverse kinematics leaves it as it is" },
      { name: "stiffness", type: "real" },
      { name: "firstDof", type: "count", doc: "its first coordinate in Dofs" },
      { name: "dofCount", type: "count" },
      { name: "cone", type: "Cone?", doc: "instead of limits on the angles" },
      { name: "rank", type: "HandleRank" },
    ],
  },
  Dof: {
    section: "joints",
    cpp: "DofReply",
    own: true,
    doc: "One degree of freedom: a numeric field.",
    fields: [
      { name: "name", type: "text", doc: '"LeftKnee", "Hips.tx", "Hips.rz"' },
      { name: "joint", type: "joint" },
      { name: "isAngle", type: "flag", doc: "otherwise a length" },
      { name: "movement", type: "Movement" },
      { name: "min", type: "real", doc: "-Infinity without a bound" },
      { name: "max", type: "real" },
    ],
  },
  SkeletonReply: {
    own: true,
    fields: [
      { name: "planar", type: "flag" },
      { name: "zUp", type: "flag" },
      { name: "height", type: "real" },
      { name: "facing", type: "vec3" },
      { name: "joints", type: "Joint[]" },
      { name: "dofs", type: "Dof[]" },
    ],
  },

  HandState: {
    section: "joints",
    own: true,
    doc: "How a hand is held.",
    fields: [
      { name: "shape", type: "HandShape?", doc: "null where it is in none of them" },
      { name: "curl", type: "real", doc: "of the fingers, on average: 0 is straight, 1 a fist" },
      { name: "spread", type: "real", doc: "-1 together, 1 apart" },
      { name: "oppose", type: "real", doc: "of the thumb: 0 beside the hand, 1 opposite the index finger" },
      { name: "joints", type: "joint[]", doc: "of its fingers" },
    ],
  },
  Recognised: {
    cpp: "RecognisedJoint",
    fields: [
      { name: "joint", type: "joint" },
      { name: "part", type: "text" },
    ],
  },
  StageReply: {
    own: true,
    fields: [
      { name: "limits", type: "Limits" },
      { name: "warnings", type: "Diagnostic[]" },
      { name: "recognised", type: "Recognised[]" },
      { name: "feet", type: "joint[]" },
    ],
  },
  ClampReply: { own: true, fields: [{ name: "joints", type: "joint[]" }] },

  Arc: {
    section: "handles",
    cpp: "ArcHandle",
    doc: "A degree of freedom: rotate `zero` about `axis` by `value` to be where the joint is now.",
    fields: [
      { name: "dof", type: "count" },
      { name: "isAngle", type: "flag", doc: "otherwise a slide along `axis`" },
      { name: "axis", type: "vec3", doc: "a unit vector" },
      { name: "zero", type: "vec3", doc: "a unit vector perpendicular to axis: where the value is 0" },
      { name: "value", type: "real" },
      { name: "min", type: "real", cpp: "limit.min", doc: "-Infinity without a bound" },
      { name: "max", type: "real", cpp: "limit.max" },
    ],
  },
  ConeHandle: {
    section: "handles",
    cpp: "ConeHandle",
    fields: [
      { name: "axis", type: "vec3", doc: "of the cone, a unit vector: where the twist axis points at rest" },
      {
        name: "pointer",
        type: "vec3",
        doc: "where it points now; inside the cone while within swingMax of `axis`",
      },
      { name: "swing", type: "real", doc: "the angle between them" },
      { name: "swingMax", type: "real", cpp: "limit.swing_max" },
      { name: "zero", type: "vec3", doc: "a unit vector perpendicular to pointer: where the twist is 0" },
      { name: "twist", type: "real" },
      { name: "twistMin", type: "real", cpp: "limit.twist_min" },
      { name: "twistMax", type: "real", cpp: "limit.twist_max" },
    ],
  },
  JointHandles: {
    section: "handles",
    cpp: "JointHandles",
    doc: "The degrees of freedom of a joint as they lie in the model.",
    fields: [
      { name: "origin", type: "vec3" },
      { name: "arcs", type: "Arc[]", doc: "one per degree of freedom of the joint" },
      { name: "cone", type: "ConeHandle?" },
    ],
  },

  SolverReply: {
    own: true,
    fields: [
      { name: "positionTolerance", type: "real" },
      { name: "reach", type: "real" },
      { name: "targetSizes", type: "numbers", doc: "how many numbers each goal's target has; 0 where it has none" },
    ],
  },
  Report: {
    section: "reports",
    cpp: "IkReport",
    doc: "What became of a solve. The solver's own object: it changes with the next solve.",
    fields: [
      { name: "status", type: "SolverStatus" },
      { name: "iterations", type: "count" },
      { name: "attempts", type: "count" },
      { name: "cost", type: "real", doc: "half the weighted sum of squared errors" },
      { name: "gradient", type: "real", doc: "how far from stationary the answer is" },
      { name: "errors", type: "floats", cpp: "goal_errors", doc: "one per goal: a length or an angle" },
      {
        name: "history",
        type: "floats",
        doc: "The largest error at the start and after every iteration, in units of its tolerance.",
      },
    ],
  },
  Trace: {
    section: "reports",
    cpp: "DragTrace",
    doc: "The way of a method, iteration by iteration.",
    fields: [
      { name: "poses", type: "pose[]", doc: "the start, then the pose after each iteration" },
      { name: "costs", type: "floats", doc: "after each iteration: one fewer than poses" },
      { name: "errors", type: "floats", doc: "of each pose the largest, in units of its tolerance" },
      { name: "status", type: "SolverStatus", doc: "of the last" },
    ],
  },

  JointsReply: { own: true, fields: [{ name: "joints", type: "joint[]" }] },
  DragReply: { own: true, fields: [{ name: "note", type: "text" }] },
  DragStep: {
    section: "drags",
    cpp: "DragStep",
    doc: "What became of one frame of a drag. The drag's own object: it changes with the next solve.",
    fields: [
      { name: "report", type: "Report", doc: "of the last pull" },
      { name: "more", type: "flag", doc: "another solve with the same target would go on" },
      {
        name: "status",
        type: "SolverStatus",
        doc: "the report's, but out_of_reach where iterations ended and further ones would come no nearer",
      },
    ],
  },
  PinReply: {
    cpp: "DragPin",
    fields: [
      { name: "target", type: "vec3" },
      { name: "reached", type: "flag" },
    ],
  },
  Pole: {
    section: "drags",
    cpp: "DragPole",
    doc: "A limb, and the point that it is to bend towards.",
    fields: [
      { name: "start", type: "joint" },
      { name: "mid", type: "joint" },
      { name: "end", type: "joint" },
      { name: "target", type: "vec3" },
    ],
  },
  PoleReply: { own: true, fields: [{ name: "pole", type: "Pole?" }] },
  PointReply: { own: true, fields: [{ name: "point", type: "vec3" }] },

  ClipReply: {
    own: true,
    fields: [
      { name: "isFrames", type: "flag" },
      { name: "duration", type: "real" },
      { name: "frameTime", type: "real" },
      { name: "frameCount", type: "count" },
      { name: "keyCount", type: "count" },
      { name: "dense", type: "flag" },
      { name: "name", type: "text" },
    ],
  },
  LayerKey: {
    section: "layers",
    cpp: "LayerKeyReply",
    own: true,
    doc: "How much a pose differs from the clip at a moment: three numbers for each joint, relative to its parent.",
    fields: [
      { name: "time", type: "real" },
      { name: "rotations", type: "floats", doc: "rotation vectors, in the joints' frames" },
      { name: "translations", type: "floats" },
    ],
  },
  LayerKeysReply: { own: true, fields: [{ name: "keys", type: "LayerKey[]" }] },
  ReduceReport: {
    section: "keys",
    cpp: "ReduceReport",
    fields: [
      { name: "keys", type: "count" },
      {
        name: "ratio",
        type: "real",
        cpp: "ratio()",
        doc: "numbers stored plainly at 30 frames a second to numbers kept",
      },
      { name: "worstError", type: "real", doc: "never above the tolerance" },
      { name: "worstJoint", type: "joint" },
      { name: "worstTime", type: "real" },
    ],
  },
  Key: {
    section: "keys",
    cpp: "KeyReply",
    own: true,
    doc: 'A key. Tangents (per second) are used by "hermite" alone.',
    fields: [
      { name: "time", type: "real" },
      { name: "value", type: "numbers", doc: "3, 4 or 1 coordinates, as the part has" },
      { name: "in", type: "numbers", missing: true },
      { name: "out", type: "numbers", missing: true },
    ],
  },
  Track: {
    section: "keys",
    cpp: "TrackReply",
    own: true,
    fields: [
      { name: "joint", type: "joint" },
      { name: "part", type: "Part" },
      { name: "interpolation", type: "Interpolation" },
      { name: "keys", type: "Key[]" },
    ],
  },
  TracksReply: { own: true, fields: [{ name: "tracks", type: "Track[]" }] },

  Image: {
    section: "meshes",
    cpp: "io::Image",
    doc: "A picture as its file has it, for `new Blob([bytes], { type: mime })`. Its colours are sRGB.",
    fields: [
      { name: "name", type: "text" },
      { name: "mime", type: "text", cpp: "mime_type", doc: "image/png or image/jpeg" },
      { name: "bytes", type: "view" },
    ],
  },
  Texture: {
    section: "meshes",
    cpp: "io::Texture",
    doc: "An image spread over a surface by Mesh.texcoords, moved first: offset + rotated(scale * texcoord).",
    fields: [
      { name: "image", type: "count", ts: "Image", doc: "one object for all that share it" },
      { name: "wrapS", type: "Wrap" },
      { name: "wrapT", type: "Wrap" },
      { name: "magFilter", type: "integer", doc: "as glTF numbers them; 0 where it is left to the viewer" },
      { name: "minFilter", type: "integer" },
      { name: "offset", type: "pair" },
      { name: "rotation", type: "real", doc: "(1, 0) becomes (cos, -sin)" },
      { name: "scale", type: "pair" },
    ],
  },
  Material: {
    section: "meshes",
    cpp: "io::Material",
    doc: "How a surface looks. Plain data; writeGltf keeps it with the mesh.",
    fields: [
      { name: "name", type: "text" },
      {
        name: "baseColor",
        type: "numbers",
        ts: "readonly [number, number, number, number]",
        doc: "red, green, blue as light (linear), alpha",
      },
      { name: "texture", type: "Texture?", doc: "times the base colour" },
      { name: "metallic", type: "real" },
      { name: "roughness", type: "real" },
      { name: "alphaMode", type: "AlphaMode" },
      { name: "alphaCutoff", type: "real", doc: 'of "mask": nothing is seen below' },
      { name: "doubleSided", type: "flag" },
      { name: "unlit", type: "flag", doc: "shown in its colour, whatever the light" },
    ],
  },
  MeshPart: {
    section: "meshes",
    cpp: "MeshPart",
    doc: "Triangles in a row that look alike.",
    fields: [
      { name: "first", local: "number", doc: "triangle" },
      { name: "triangles", type: "count" },
      {
        name: "material",
        type: "integer",
        ts: "Material | null",
        expression: "value.material == kNoMaterial ? -1.0 : static_cast<double>(value.material)",
      },
    ],
  },
  MeshReply: {
    own: true,
    fields: [
      { name: "vertexCount", type: "count" },
      { name: "triangleCount", type: "count" },
      { name: "hasTexcoords", type: "flag" },
      { name: "hasColors", type: "flag" },
      { name: "name", type: "text" },
      { name: "parts", type: "MeshPart[]" },
    ],
  },
  HeatReport: {
    section: "weights",
    cpp: "MadeWeights",
    fields: [
      {
        name: "hidden",
        type: "count",
        cpp: "heat.hidden.size()",
        doc: "vertices that see no bone: weighted by their neighbours",
      },
      {
        name: "loose",
        type: "count",
        cpp: "heat.loose.size()",
        doc: "vertices of parts that see none at all: they go with the nearest bone",
      },
      { name: "idle", type: "joint[]", cpp: "heat.idle", doc: "joints with bones that got no vertex" },
    ],
  },
  TieReport: {
    section: "weights",
    cpp: "TiedSurface",
    doc: "How a surface was tied to the skeleton.",
    fields: [
      { name: "how", type: "FittingPose", cpp: "fit.how", doc: "which pose has the skeleton inside the surface" },
      { name: "pose", type: "pose", cpp: "fit.pose", doc: "that pose: the mesh is bound in it" },
      { name: "rise", type: "real", cpp: "fit.rise", doc: "by how much the rest pose was raised; below 0: lowered" },
      { name: "outside", type: "count", cpp: "fit.outside", doc: "joints that lie outside the surface all the same" },
      { name: "hadWeights", type: "flag", doc: "it was tied already and is left as it was" },
      { name: "hidden", type: "count", cpp: "heat.hidden.size()", doc: "as HeatReport" },
      { name: "loose", type: "count", cpp: "heat.loose.size()", doc: "as HeatReport" },
      { name: "idle", type: "joint[]", cpp: "heat.idle", doc: "as HeatReport" },
      { name: "warnings", type: "Diagnostic[]" },
    ],
  },
  MirrorReply: { own: true, fields: [{ name: "unmatched", type: "count" }] },

  FitterReply: {
    own: true,
    fields: [
      { name: "vertexCount", type: "count" },
      { name: "size", type: "real" },
      { name: "warnings", type: "Diagnostic[]" },
    ],
  },
  NotesReply: { own: true, fields: [{ name: "notes", type: "text[]" }] },
  FitReport: {
    section: "fitting",
    cpp: "FitReport",
    fields: [
      { name: "status", type: "FitStatus" },
      { name: "rms", type: "real", doc: "of the distances of vertices to targets" },
      { name: "worstVertex", type: "count", doc: "or the bad target" },
      { name: "worstDistance", type: "real" },
      { name: "iterations", type: "count" },
      { name: "gradient", type: "real", doc: "how far from stationary" },
      { name: "rank", type: "count", doc: "degrees of freedom that the shape determines," },
      { name: "freedoms", type: "count", doc: "of those there are" },
      { name: "undetermined", type: "numbers", doc: "joints that take part in what is not determined" },
    ],
  },
  PointCacheReply: {
    own: true,
    fields: [
      { name: "pointCount", type: "count" },
      { name: "sampleCount", type: "count" },
      { name: "start", type: "real" },
      { name: "step", type: "real" },
      { name: "warnings", type: "Diagnostic[]" },
    ],
  },

  Contact: {
    section: "retargeting",
    cpp: "Contact",
    doc: "A time during which a part of a sole rests on the ground, by frames of the clip.",
    fields: [
      { name: "side", type: "SoleSide" },
      { name: "part", type: "SolePart" },
      { name: "first", type: "count" },
      { name: "last", type: "count", doc: "is in contact too" },
    ],
  },
  Contacts: {
    section: "retargeting",
    cpp: "Contacts",
    fields: [
      { name: "floor", type: "real", doc: "the height of the ground, in the clip's unit" },
      { name: "contacts", type: "Contact[]", doc: "by first frame" },
    ],
  },
  RetargetReport: {
    section: "retargeting",
    cpp: "RetargetReport",
    doc: "What became of a retargeting, in the unit of the result; speeds are per second.",
    fields: [
      { name: "scale", type: "real", doc: "of the path: legs of the target over legs of the source" },
      { name: "floor", type: "real", doc: "of the result" },
      { name: "slideMean", type: "real", doc: "horizontal speed of soles in contact: mean" },
      { name: "slideMost", type: "real", doc: "and the largest" },
      { name: "penetration", type: "real", doc: "how far soles are below the floor, at most" },
      { name: "directionMean", type: "real", doc: "between limbs of the source and the result, in radians" },
      { name: "directionMost", type: "real" },
      { name: "fastestSource", type: "real", doc: "the largest angular speed of a joint, without jumps" },
      { name: "fastest", type: "real", doc: "of the result likewise" },
      { name: "fastestJoint", type: "joint", doc: "-1 where nothing moves" },
      { name: "lowered", type: "count", doc: "frames in which the pelvis was lowered for a leg to reach" },
    ],
  },
  RetargetReply: {
    own: true,
    fields: [
      { name: "report", type: "RetargetReport" },
      { name: "contacts", type: "Contacts" },
      { name: "targetFromSource", type: "numbers" },
      { name: "warnings", type: "Diagnostic[]" },
    ],
  },
  SolesReply: {
    own: true,
    fields: [
      { name: "left", type: "floats" },
      { name: "right", type: "floats" },
    ],
  },
};

// ------------------------------------------------------------------------------------ calls

/** Objects that live in the engine's memory, and their types in C++ (native/objects.h). */
export const objects = {
  Skeleton: "SkeletonObject",
  Clip: "ClipObject",
  Mesh: "MeshObject",
  Stage: "StageObject",
  Solver: "SolverObject",
  Drag: "DragObject",
  Fitter: "FitterObject",
  PointCache: "PointCacheObject",
};

/**
 * Calls from JavaScript to C++: arguments and, behind the arrow, what comes back. Arguments are
 * objects, joints by index, or number, time, real, count, flag and words of an enum; with a question
 * mark they may be missing. An answer is number, count, integer, flag, address (of memory to be read at
 * once), an object (`Clip!`: or an error as the reply), `reply X`, or `result X` (X or an error). What
 * else a call takes is in the input: see its implementation.
 */
export const calls = {
  engineOpen: "size: count, nameSize: count -> flag",
  engineReadMesh: "skeleton: Skeleton, size: count, nameSize: count -> Mesh!",

  skeletonDescribe: "skeleton: Skeleton -> reply SkeletonReply",
  skeletonRest: "skeleton: Skeleton",
  skeletonMatrices: "skeleton: Skeleton -> address",
  skeletonOrientations: "skeleton: Skeleton",
  skeletonTurn: "skeleton: Skeleton, joint: joint",
  skeletonEuler: "skeleton: Skeleton, joint: joint, order: EulerOrder",
  skeletonSetEuler: "skeleton: Skeleton, joint: joint, order: EulerOrder",
  skeletonMirror: "skeleton: Skeleton -> flag",
  skeletonMirrorPart: "skeleton: Skeleton, joint: joint -> flag",
  skeletonPart: "skeleton: Skeleton, joint: joint -> reply JointsReply",
  skeletonPole: "skeleton: Skeleton, joint: joint -> reply PoleReply",
  skeletonBlend: "skeleton: Skeleton",
  skeletonHand: "skeleton: Skeleton, side: BodySide -> result HandState",
  skeletonPoseHand:
    "skeleton: Skeleton, side: BodySide, shape: HandShape?, curl: number, spread: number, oppose: number -> result HandState",
  skeletonSoles: "skeleton: Skeleton -> reply SolesReply",
  skeletonReplacesRest: "skeleton: Skeleton -> flag",

  stageMake: "skeleton: Skeleton, limits: Limits, other: Skeleton?, meshes: count -> Stage!",
  stageMakeUsual: "skeleton: Skeleton, meshes: count -> Stage",
  stageSkeleton: "stage: Stage -> Skeleton",
  stageDofs: "stage: Stage",
  stageApply: "stage: Stage",
  stageSetDof: "stage: Stage, dof: count -> number",
  stageClamp: "stage: Stage -> reply ClampReply",
  stageExcess: "stage: Stage -> number",
  stageHandles: "stage: Stage, joint: joint -> reply JointHandles",

  solverMake: "stage: Stage, goals: count -> Solver!",
  solverTarget: "solver: Solver, goal: count, x: real, y: real, z: real, w: real",
  solverWeight: "solver: Solver, goal: count, weight: real",
  solverEnable: "solver: Solver, goal: count, enabled: flag",
  solverSolve: "solver: Solver",
  solverTrace: "solver: Solver, iterations: count -> reply Trace",

  dragMake: "stage: Stage -> Drag!",
  dragHindrances: "stage: Stage, x: real, y: real, z: real -> reply JointsReply",
  dragSolve: "drag: Drag, x: real, y: real, z: real",
  dragTrace: "drag: Drag, x: real, y: real, z: real, iterations: count -> reply Trace",
  dragHeldPoint: "drag: Drag -> reply PointReply",
  dragMovedPin: "drag: Drag, x: real, y: real, z: real -> reply PinReply",

  clipMake: "skeleton: Skeleton -> Clip",
  clipOfPoses: "skeleton: Skeleton, count: count, frameTime: number -> Clip",
  clipDescribe: "clip: Clip -> reply ClipReply",
  clipRename: "clip: Clip, size: count",
  clipSample: "clip: Clip, time: time",
  clipTrail: "clip: Clip, joint: joint, from: time, to: time, count: count",
  clipDofCurves: "clip: Clip, stage: Stage?, joint: joint, from: time, to: time, count: count",
  clipClone: "clip: Clip -> Clip",
  clipKeyed: "clip: Clip -> Clip",
  clipEditable: "clip: Clip, skeleton: Skeleton -> Clip",
  clipSampled: "clip: Clip, fps: number -> Clip!",
  clipTrimmed: "clip: Clip, from: real, to: real -> Clip!",
  clipReduced: "clip: Clip, skeleton: Skeleton -> Clip!",
  clipSetRate: "clip: Clip, fps: number",
  clipBytes: "clip: Clip",
  clipOfBytes: "skeleton: Skeleton, size: count -> Clip!",
  clipLayered: "clip: Clip -> Clip",
  clipLayerKeys: "clip: Clip, layer: count, time: time -> reply LayerKeysReply",
  clipCompose: "clip: Clip, frames: count -> count",
  clipMerged: "clip: Clip -> Clip",
  clipTracks: "clip: Clip, joint: joint? -> reply TracksReply",
  clipKeyTimes: "clip: Clip, joint: joint?",
  clipSampleTrack: "clip: Clip, joint: joint, part: Part, from: time, to: time, count: count",
  clipSetKey: "clip: Clip, joint: joint, part: Part, time: time -> integer",
  clipKeyPose: "clip: Clip, time: time",
  clipMoveKey: "clip: Clip, joint: joint, part: Part, key: count, time: time -> integer",
  clipEraseKey: "clip: Clip, joint: joint, part: Part, key: count -> flag",
  clipMoveKeysAt: "clip: Clip, joint: joint?, time: time, epsilon: number, to: time -> integer",
  clipEraseKeysAt: "clip: Clip, joint: joint?, time: time, epsilon: number -> integer",
  clipInterpolate: "clip: Clip, joint: joint?, part: Part?, interpolation: Interpolation",

  clipRetarget: "clip: Clip, source: Skeleton, target: Skeleton -> Clip!",
  clipContacts: "clip: Clip, skeleton: Skeleton -> result Contacts",

  meshDescribe: "mesh: Mesh -> reply MeshReply",
  meshHasWeights: "mesh: Mesh -> flag",
  meshPositions: "mesh: Mesh -> address",
  meshNormals: "mesh: Mesh -> address",
  meshTexcoords: "mesh: Mesh -> address",
  meshColors: "mesh: Mesh -> address",
  meshIndices: "mesh: Mesh -> address",
  meshDeform: "mesh: Mesh, blend: Blend, twist: Twist, normals: flag -> address",
  meshBind: "mesh: Mesh",
  meshWeightsOf: "mesh: Mesh, joint: joint -> address",
  meshWeights: "mesh: Mesh",
  meshSetWeights: "mesh: Mesh, rows: count, count: count",
  meshMakeWeights: "mesh: Mesh -> result HeatReport",
  meshTie: "mesh: Mesh -> result TieReport",
  meshPaint: "mesh: Mesh, joint: joint -> count",
  meshSmooth: "mesh: Mesh, amount: number, rounds: count",
  meshPrune: "mesh: Mesh, most: count, least: number -> number",
  meshMirror: "mesh: Mesh, from: Side, tolerance: real -> result MirrorReply",

  fitterMake: "skeleton: Skeleton, stage: Stage, meshes: count -> Fitter!",
  fitterFit: "fitter: Fitter, cold: flag",
  fitterNotes: "fitter: Fitter -> reply NotesReply",
  pointCacheRead: "size: count, nameSize: count -> PointCache!",
  pointCacheSample: "cache: PointCache, sample: count -> address",

  writeBvhFile: "skeleton: Skeleton, clip: Clip? -> result WrittenReply",
  writeGltfFile: "skeleton: Skeleton, form: GltfForm -> result WrittenReply",
  writeRigFile: "skeleton: Skeleton, fps: real, nameSize: count -> result WrittenReply",
  writeMeshFile: "mesh: Mesh, format: MeshFormat, posed: flag, blend: Blend, twist: Twist -> result WrittenReply",
};
