// SPDX-License-Identifier: Apache-2.0

// An FBX as text, written by hand: three joints in centimetres, a triangle on the second, which turns by 90 degrees
// about z in a second.

const SECOND = 46186158000;
const list = (name, numbers) => `${name}: *${numbers.length} {\na: ${numbers.join(",")}\n}\n`;
const model = (id, name, kind, [x, y, z]) => `Model: ${id}, "Model::${name}", "${kind}" {
Version: 232
Properties70:  {
P: "Lcl Translation", "Lcl Translation", "", "A",${x},${y},${z}
}
}
`;
const curve = (id, values) => `AnimationCurve: ${id}, "AnimCurve::", "" {
Default: 0
KeyVer: 4008
${list("KeyTime", [0, SECOND])}${list("KeyValueFloat", values)}}
`;

const TEXT = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
FBXHeaderVersion: 1003
FBXVersion: 7400
}
GlobalSettings:  {
Version: 1000
Properties70:  {
P: "UpAxis", "int", "Integer", "",1
P: "UnitScaleFactor", "double", "Number", "",1
}
}
Objects:  {
${model(1, "rig:Root", "LimbNode", [0, 100, 0])}${model(2, "rig:Mid", "LimbNode", [0, 50, 0])}${model(3, "rig:End", "LimbNode", [30, 0, 0])}${model(4, "Body", "Mesh", [0, 0, 0])}Geometry: 10, "Geometry::", "Mesh" {
${list("Vertices", [0, 150, 0, 30, 150, 0, 30, 160, 0])}${list("PolygonVertexIndex", [0, 1, -3])}GeometryVersion: 124
}
Deformer: 30, "Deformer::", "Skin" {
Version: 101
}
Deformer: 31, "SubDeformer::", "Cluster" {
Version: 100
${list("Indexes", [0, 1, 2])}${list("Weights", [1, 1, 1])}${list("Transform", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -150, 0, 1])}${list("TransformLink", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 150, 0, 1])}}
AnimationStack: 20, "AnimStack::swing", "" {
}
AnimationLayer: 21, "AnimLayer::Base", "" {
}
AnimationCurveNode: 22, "AnimCurveNode::R", "" {
Properties70:  {
P: "d|X", "Number", "", "A",0
P: "d|Y", "Number", "", "A",0
P: "d|Z", "Number", "", "A",0
}
}
${curve(23, [0, 0])}${curve(24, [0, 0])}${curve(25, [0, 90])}}
Connections:  {
C: "OO",1,0
C: "OO",2,1
C: "OO",3,2
C: "OO",4,0
C: "OO",10,4
C: "OO",30,10
C: "OO",31,30
C: "OO",2,31
C: "OO",21,20
C: "OO",22,21
C: "OP",22,2, "Lcl Rotation"
C: "OP",23,22, "d|X"
C: "OP",24,22, "d|Y"
C: "OP",25,22, "d|Z"
}
`;

/** With a tab for every brace that is open, as programs write it and readers expect it. */
function indented(text) {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("}")) --depth;
      const out = "\t".repeat(depth) + line;
      if (line.endsWith("{")) ++depth;
      return out;
    })
    .join("\n");
}

export const FBX = indented(TEXT);
