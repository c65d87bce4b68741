// SPDX-License-Identifier: Apache-2.0

// The ground: a grid that fades into the distance, and the shadow on it.
import * as THREE from "three";

const VERTEX = `
  varying vec2 place;
  uniform bool upright;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = upright ? world.xy : world.xz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;
const FRAGMENT = `
  varying vec2 place;
  uniform vec3 ink;
  uniform float cell;
  uniform float reach;
  uniform vec2 centre;
  float lines(float step) {
    vec2 at = place / step;
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), vec2(1e-5));
    return 1.0 - min(min(near.x, near.y), 1.0);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.15, 1.0, length(place - centre) / reach);
    float alpha = max(lines(cell) * 0.10, lines(cell * 5.0) * 0.22) * fade;
    gl_FragColor = vec4(ink, alpha);
    #include <colorspace_fragment>
  }`;

export class Ground {
  readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
  readonly shadow: THREE.Mesh<THREE.PlaneGeometry, THREE.ShadowMaterial>;

  readonly #uniforms = {
    ink: { value: new THREE.Color() },
    cell: { value: 0.2 },
    reach: { value: 7 },
    centre: { value: new THREE.Vector2() },
    upright: { value: false },
  };
  #planar = false;
  #height = 0;
  #shadows = true;
  #wanted = true;

  constructor() {
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: this.#uniforms,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(16, 16), material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.renderOrder = -2;
    this.shadow = new THREE.Mesh(
      new THREE.PlaneGeometry(16, 16),
      new THREE.ShadowMaterial({ opacity: 0.2, depthWrite: false }),
    );
    this.shadow.rotation.x = -Math.PI / 2;
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -1;
  }

  /** Whether it stands up behind what is drawn in the plane. */
  get planar(): boolean {
    return this.#planar;
  }

  setColours(ink: THREE.Color, background: THREE.Color) {
    this.#uniforms.ink.value.copy(ink);
    const dark = background.getHSL({ h: 0, s: 0, l: 0 }).l < 0.3;
    this.shadow.material.opacity = dark ? 0.32 : 0.12;
  }

  /** For what is drawn in the plane it stands up behind it. */
  setPlanar(planar: boolean) {
    this.#planar = planar;
    this.#uniforms.upright.value = planar;
    this.mesh.rotation.x = planar ? 0 : -Math.PI / 2;
    this.#showShadow();
  }

  /** Whether the machine draws shadows. */
  setShadows(on: boolean) {
    this.#shadows = on;
    this.#showShadow();
  }

  /** Whether they are to be seen. */
  wantShadow(on: boolean) {
    this.#wanted = on;
    this.#showShadow();
  }

  #showShadow() {
    this.shadow.visible = this.#shadows && this.#wanted && !this.#planar;
  }

  /** How wide a cell is, and how far one sees. */
  setCell(cell: number, reach: number, height: number) {
    this.#uniforms.cell.value = cell;
    this.#uniforms.reach.value = reach;
    this.mesh.scale.setScalar(reach / 7);
    this.#height = height;
    this.shadow.position.y = height - 1e-4 * reach;
  }

  follow(target: THREE.Vector3) {
    const { x, y, z } = target;
    this.#uniforms.centre.value.set(x, this.#planar ? y : z);
    if (this.#planar) this.mesh.position.set(x, y, -0.5);
    else this.mesh.position.set(x, this.#height, z);
    this.shadow.position.set(x, this.shadow.position.y, z);
  }
}
