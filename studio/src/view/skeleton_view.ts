// SPDX-License-Identifier: Apache-2.0

// Bones as slim octahedra and joints as dots, drawn over everything else.
import * as THREE from "three";
import type { Skeleton } from "@ulna/engine";
import type { Colours } from "./scene.js";

const DOT_VERTEX = `
  attribute float size;
  attribute vec4 tint;
  varying vec4 colour;
  uniform float ratio;
  uniform float nearer; // how far in front of its joint a dot is for the depth test: joints lie inside the skin
  void main() {
    colour = tint;
    gl_PointSize = size * ratio;
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    vec4 shifted = projectionMatrix * (seen + vec4(0.0, 0.0, nearer, 0.0));
    gl_Position = projectionMatrix * seen;
    gl_Position.z = shifted.z / shifted.w * gl_Position.w;
  }`;
const DOT_FRAGMENT = `
  varying vec4 colour;
  uniform vec3 rim;
  uniform float opacity;
  void main() {
    float away = length(gl_PointCoord - 0.5) * 2.0;
    float edge = fwidth(away) * 1.2;
    float inside = 1.0 - smoothstep(1.0 - edge, 1.0, away);
    if (inside <= 0.0) discard;
    float middle = 1.0 - smoothstep(0.64 - edge, 0.64, away);
    gl_FragColor = vec4(mix(rim, colour.rgb, middle), inside * colour.a * opacity);
    #include <colorspace_fragment>
  }`;

const BEHIND = 0.35; // opacity of dots that the body hides
const THICKNESS = 0.16; // of a body, in the scene: what is farther behind a surface is hidden by it
const SIZES = { hidden: 6, minor: 8, major: 12, end: 15 }; // pixels

/** What a dot says of its joint. */
export interface JointMarks {
  selected: (joint: number) => boolean;
  hovered: number;
  pinned: (joint: number) => boolean;
  locked: (joint: number) => boolean;
  shown: (joint: number) => boolean;
}

export class SkeletonView {
  readonly bones: THREE.InstancedMesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;
  readonly dots = new THREE.Group(); // all of them faintly, and over these the ones that nothing hides
  readonly #points: readonly THREE.Points<THREE.BufferGeometry, THREE.ShaderMaterial>[];
  readonly #uniforms = { ratio: { value: 1 }, rim: { value: new THREE.Color() } };
  readonly #pairs: readonly (readonly [number, number])[]; // joints at the ends of each bone
  readonly #position: THREE.BufferAttribute;
  readonly #size: THREE.BufferAttribute;
  readonly #tint: THREE.BufferAttribute;

  constructor(
    private readonly skeleton: Skeleton,
    colours: Colours,
  ) {
    this.#pairs = skeleton.joints
      .filter(({ parent }) => parent >= 0)
      .map(({ index, parent }) => [parent, index] as const);
    this.bones = new THREE.InstancedMesh(
      boneShape(skeleton.planar ? 0.16 : 0.085),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.62, depthTest: false, depthWrite: false }),
      this.#pairs.length,
    );
    this.bones.frustumCulled = false;
    this.bones.renderOrder = 10;
    const geometry = new THREE.BufferGeometry();
    this.#position = new THREE.BufferAttribute(new Float32Array(3 * skeleton.jointCount), 3);
    this.#size = new THREE.BufferAttribute(new Float32Array(skeleton.jointCount), 1);
    this.#tint = new THREE.BufferAttribute(new Float32Array(4 * skeleton.jointCount), 4);
    geometry.setAttribute("position", this.#position);
    geometry.setAttribute("size", this.#size);
    geometry.setAttribute("tint", this.#tint);
    this.#points = [false, true].map((tested) => {
      const material = new THREE.ShaderMaterial({
        vertexShader: DOT_VERTEX,
        fragmentShader: DOT_FRAGMENT,
        transparent: true,
        depthTest: tested,
        depthWrite: false,
        uniforms: {
          ...this.#uniforms,
          nearer: { value: tested ? THICKNESS : 0 },
          opacity: { value: tested ? 1 : BEHIND },
        },
      });
      const points = new THREE.Points(geometry, material);
      points.frustumCulled = false;
      points.renderOrder = tested ? 12 : 11;
      return points;
    });
    this.dots.add(...this.#points);
    this.setColours(colours);
  }

  setColours(colours: Colours) {
    this.bones.material.color.copy(colours.bone);
    this.#uniforms.rim.value.copy(colours.background);
  }

  /** Positions of joints in the model, three coordinates each. */
  update(positions: Float32Array) {
    this.#position.copyArray(positions);
    this.#position.needsUpdate = true;
    const matrix = this.bones.instanceMatrix.array as Float32Array;
    this.#pairs.forEach(([from, to], i) => writeBone(positions, 3 * from, 3 * to, matrix, 16 * i));
    this.bones.instanceMatrix.needsUpdate = true;
  }

  mark(marks: JointMarks, colours: Colours, pixelRatio: number) {
    const { skeleton } = this;
    this.#uniforms.ratio.value = pixelRatio;
    for (const { index, rank } of skeleton.joints) {
      const special = marks.selected(index) || index === marks.hovered;
      let colour = colours.accent;
      let size = SIZES[rank];
      if (marks.locked(index)) colour = colours.ink;
      if (marks.pinned(index)) [colour, size] = [colours.pin, Math.max(size, 13)];
      if (special) [colour, size] = [colours.goal, index === marks.hovered ? 18 : 15];
      this.#size.setX(index, size);
      this.#tint.setXYZW(index, colour.r, colour.g, colour.b, special || marks.shown(index) ? 1 : 0);
    }
    this.#size.needsUpdate = this.#tint.needsUpdate = true;
  }

  dispose() {
    this.bones.geometry.dispose();
    this.bones.material.dispose();
    this.bones.dispose();
    for (const { geometry, material } of this.#points) {
      geometry.dispose();
      material.dispose();
    }
  }
}

/** An octahedron from the origin to (0, 1, 0), thickest near its start. */
function boneShape(wide: number): THREE.BufferGeometry {
  const at = 0.16;
  const corners = [
    [0, 0, 0],
    [wide, at, 0],
    [0, at, wide],
    [-wide, at, 0],
    [0, at, -wide],
    [0, 1, 0],
  ];
  const faces = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 5, 2, 1, 5, 3, 2, 5, 4, 3, 5, 1, 4];
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners.flat(), 3));
  geometry.setIndex(faces);
  return geometry;
}

const along = new THREE.Vector3();
const upwards = new THREE.Vector3(0, 1, 0);
const rotation = new THREE.Quaternion();
const start = new THREE.Vector3();
const size = new THREE.Vector3();
const bone = new THREE.Matrix4();

function writeBone(positions: Float32Array, from: number, to: number, out: Float32Array, at: number) {
  start.fromArray(positions, from);
  along.fromArray(positions, to).sub(start);
  const length = along.length();
  rotation.setFromUnitVectors(upwards, length > 1e-12 ? along.divideScalar(length) : upwards);
  bone.compose(start, rotation, size.setScalar(length)).toArray(out, at);
}
