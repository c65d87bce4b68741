// SPDX-License-Identifier: Apache-2.0

// Renderer, camera, light and ground. Draws only when something asks for a frame.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { USUAL_LENS } from "../studio.js";
import { t } from "../language.js";
import { AXES, colour, type Colour } from "../theme.js";
import { Ground } from "./ground.js";

export interface Colours {
  readonly background: THREE.Color;
  readonly ink: THREE.Color;
  readonly bone: THREE.Color;
  readonly accent: THREE.Color;
  readonly goal: THREE.Color;
  readonly pin: THREE.Color;
  readonly skin: THREE.Color;
  readonly axes: readonly THREE.Color[]; // x, y, z
}

/** From where one looks, and at what. */
export interface Eye {
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly target: THREE.Vector3;
}

const FILM_HEIGHT = 24; // millimetres
const LONGEST_WARMING = 3000; // milliseconds, for browsers that do not say that they are done
const FRAME_MARGIN = 1.07; // about what is brought into view

/** What three.js keeps of a material. */
interface Program {
  isReady(): boolean;
  getUniforms(): unknown;
  getAttributes(): unknown;
}

/** The vertical angle that a lens of a focal length sees, in degrees. */
function fovOf(lens: number): number {
  return 2 * THREE.MathUtils.radToDeg(Math.atan(FILM_HEIGHT / 2 / lens));
}

export class Scene {
  readonly scene = new THREE.Scene();
  readonly renderer: THREE.WebGLRenderer;
  readonly perspective = new THREE.PerspectiveCamera(fovOf(USUAL_LENS), 1, 0.01, 400);
  readonly orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, -50, 400);
  readonly ground = new Ground();
  readonly canvas: HTMLCanvasElement;
  readonly plain: boolean; // drawn by the processor
  controls: OrbitControls;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;
  colours = currentColours();
  warmed: Promise<unknown> = Promise.resolve(); // once all that was there is ready to be drawn
  uploaded = 0; // milliseconds that the last frame took to be handed over

  readonly key = new THREE.DirectionalLight(0xffffff, 2.1);

  #flat = false; // without perspective
  #planar = false;
  #frame: (seconds: number) => void = () => {};
  #asked = false;
  #preparing = false;
  #last = 0;
  #slowFrames = 0;
  #warming = 0;
  #late = false; // whether a frame was not drawn
  readonly #sky = new THREE.HemisphereLight(0xffffff, 0x8a8478, 1.3);
  readonly #rims = [new THREE.DirectionalLight(0xe6efff, 0.9), new THREE.DirectionalLight(0xfff1de, 0.5)] as const;

  constructor(readonly host: HTMLElement) {
    const canvas = document.createElement("canvas");
    // Refused where the processor has to draw: then it draws less.
    const context = canvas.getContext("webgl2", {
      antialias: true,
      powerPreference: "high-performance",
      failIfMajorPerformanceCaveat: true,
    });
    this.renderer = new THREE.WebGLRenderer(
      context ? { canvas, context, antialias: true } : { canvas, antialias: false },
    );
    this.plain = context === null || isSoftware(context);
    this.renderer.setPixelRatio(this.plain ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = !this.plain;
    this.ground.setShadows(!this.plain);
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    // Asking whether a shader compiled waits until it has; the tests ask by looking.
    this.renderer.debug.checkShaderErrors = false;
    this.canvas = this.renderer.domElement;
    this.canvas.classList.add("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", t("The character. Drag a joint to pose it."));
    host.append(this.canvas);
    this.controls = this.#makeControls();
    this.#light();
    this.scene.add(this.ground.mesh, this.ground.shadow);
    this.readColours();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  get eye(): Eye {
    return { camera: this.camera, target: this.controls.target };
  }

  /** What to do at each frame, before it is drawn. */
  onFrame(frame: (seconds: number) => void) {
    this.#frame = frame;
  }

  /** Asks for a frame, since something is to be drawn. What changes while a frame is prepared is in that one. */
  readonly ask = () => {
    if (!this.#preparing) this.askNext();
  };

  /** Asks for another frame after the one that is being prepared: something goes on by itself. */
  askNext() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(this.#tick);
  }

  readonly #tick = (now: number) => {
    this.#asked = false;
    const seconds = Math.min((now - this.#last) / 1000, 0.1);
    this.#last = now;
    this.#preparing = true;
    try {
      this.#frame(seconds);
    } finally {
      this.#preparing = false;
    }
    // What is new cannot be drawn yet; where everything is, is known all the same.
    if (this.#warming > 0) this.#late = true;
    else this.uploaded = this.draw();
  };

  /** Draws, and returns the milliseconds until the commands were handed over, arrays uploaded. */
  draw(): number {
    const start = performance.now();
    this.lightEdges(this.camera);
    this.renderer.render(this.scene, this.camera);
    const milliseconds = performance.now() - start;
    this.#watchSpeed(milliseconds);
    return milliseconds;
  }

  /** Shadows go where drawing is by software or a weak machine. */
  #watchSpeed(milliseconds: number) {
    this.#slowFrames = milliseconds > 25 ? this.#slowFrames + 1 : Math.max(0, this.#slowFrames - 1);
    if (this.#slowFrames < 4 || !this.renderer.shadowMap.enabled) return;
    this.renderer.shadowMap.enabled = false;
    this.ground.setShadows(false);
    this.key.castShadow = false;
    this.renderer.setPixelRatio(1);
    this.ask();
  }

  /** Gets ready what is not drawn yet, so that nothing waits for it later. */
  warm() {
    return this.renderer.compile(this.scene, this.camera);
  }

  /** The same for what is new, and draws nothing until browsers have done it, which they do on other threads. */
  warmFirst(): void {
    this.warmed = Promise.all([this.warmed, this.#warmFirst()]);
  }

  async #warmFirst() {
    ++this.#warming;
    const late = performance.now() + LONGEST_WARMING;
    const until = async (ready: () => boolean) => {
      while (!ready() && performance.now() < late) await new Promise((done) => setTimeout(done, 10));
    };
    const { properties, info } = this.renderer;
    try {
      const programs = [...(this.warm() as unknown as Set<THREE.Material>)].map(
        (material) => (properties.get(material) as { currentProgram?: Program }).currentProgram,
      );
      // Those that are still there: what they belong to may go meanwhile.
      const present = () =>
        [...new Set(programs)].filter(
          (program): program is Program => (info.programs as unknown[] | null)?.includes(program) ?? false,
        );
      await until(() => present().every((program) => program.isReady()));
      // What is asked of a program waits for all that was to be drawn before.
      await until(this.#drawn());
      for (const program of present()) {
        program.getUniforms();
        program.getAttributes();
      }
    } finally {
      --this.#warming;
      if (this.#warming === 0 && this.#late) {
        this.#late = false;
        this.askNext();
      }
    }
  }

  /** Tells whether all is drawn that was handed over by now. */
  #drawn(): () => boolean {
    const context = this.renderer.getContext() as WebGL2RenderingContext;
    const fence = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0);
    context.flush();
    return () => fence === null || context.getSyncParameter(fence, context.SYNC_STATUS) === context.SIGNALED;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    const half = this.orthographic.top;
    this.orthographic.left = (-half * width) / height;
    this.orthographic.right = (half * width) / height;
    this.orthographic.updateProjectionMatrix();
    this.ask();
  }

  readColours() {
    this.colours = currentColours();
    this.scene.background = this.colours.background;
    this.ground.setColours(this.colours.ink, this.colours.background);
    this.ask();
  }

  /** Looks at a box from the front and a little above; in the plane straight on. */
  frameBox(box: THREE.Box3, planar: boolean) {
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 0.05);
    this.#planar = planar;
    this.#use(planar || this.#flat ? this.orthographic : this.perspective, centre);
    if (planar) {
      this.#setHalf(radius * 1.25);
      this.orthographic.position.set(centre.x, centre.y, 20);
    } else {
      // What is seen of a box from a little aside, in its height and its breadth; its near side needs room too.
      const size = box.getSize(new THREE.Vector3());
      const deep = Math.hypot(size.x, size.z);
      const half = FRAME_MARGIN * Math.max(size.y / 2, deep / 2 / this.perspective.aspect, 0.05);
      const distance = half / Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2)) + deep / 2;
      const from = new THREE.Vector3(0.42, 0.16, 1).normalize().multiplyScalar(distance);
      this.camera.position.copy(centre).add(from);
      this.#setHalf(half);
      this.#setDepth(distance);
    }
    this.controls.update();
    this.ask();
  }

  /** Looks along the opposite of a direction at what it looks at now, from as far away. */
  lookFrom(direction: THREE.Vector3) {
    const { target } = this.controls;
    const distance = this.camera.position.distanceTo(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.ask();
  }

  /** Another lens, or none at all: what is looked at stays as large as it is. */
  setLens({ lens, orthographic }: { lens: number; orthographic: boolean }) {
    const fov = fovOf(lens);
    if (this.#planar || (this.#flat === orthographic && Math.abs(this.perspective.fov - fov) < 1e-6)) return;
    const { target } = this.controls;
    const direction = this.camera.position.clone().sub(target);
    const half =
      this.camera === this.orthographic
        ? this.orthographic.top / this.orthographic.zoom
        : direction.length() * Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2));
    this.#flat = orthographic;
    this.perspective.fov = fov;
    const distance = half / Math.tan(THREE.MathUtils.degToRad(fov / 2));
    this.#use(orthographic ? this.orthographic : this.perspective, target.clone());
    this.camera.position.copy(this.controls.target).add(direction.setLength(distance));
    this.#setHalf(half);
    this.#setDepth(distance);
    this.controls.update();
    this.ask();
  }

  #use(camera: THREE.PerspectiveCamera | THREE.OrthographicCamera, target: THREE.Vector3) {
    this.camera = camera;
    this.controls.dispose();
    this.controls = this.#makeControls();
    this.controls.enableRotate = !this.#planar;
    this.controls.mouseButtons.LEFT = this.#planar ? THREE.MOUSE.PAN : THREE.MOUSE.ROTATE;
    this.controls.touches.ONE = this.#planar ? THREE.TOUCH.PAN : THREE.TOUCH.ROTATE;
    this.controls.target.copy(target);
  }

  /** Half the height that is seen without perspective. */
  #setHalf(half: number) {
    this.orthographic.top = half;
    this.orthographic.bottom = -half;
    this.orthographic.zoom = 1;
    this.resize();
  }

  #setDepth(distance: number) {
    this.perspective.near = distance / 200;
    this.perspective.far = distance * 60;
    this.perspective.updateProjectionMatrix();
  }

  /** Moves camera, its target and the light along with what it follows. */
  shift(by: THREE.Vector3) {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.key.position.add(by);
    this.key.target.position.add(by);
    this.key.target.updateMatrixWorld();
    this.ground.follow(this.controls.target);
    this.controls.update();
  }

  lightOn(centre: THREE.Vector3, size: number) {
    this.key.position.copy(centre).add(new THREE.Vector3(size * 1.1, size * 2.2, size * 1.3));
    this.key.target.position.copy(centre);
    this.key.target.updateMatrixWorld();
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -size * 1.3;
    camera.right = camera.top = size * 1.3;
    camera.near = size * 0.2;
    camera.far = size * 6;
    camera.updateProjectionMatrix();
  }

  #makeControls() {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.zoomToCursor = true;
    controls.minDistance = 0.05;
    controls.maxDistance = 150;
    controls.addEventListener("change", () => {
      this.ground.follow(controls.target);
      this.ask();
    });
    return controls;
  }

  #light() {
    this.key.castShadow = this.renderer.shadowMap.enabled;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.bias = -0.0008;
    this.key.shadow.normalBias = 0.01;
    for (const rim of this.#rims) this.scene.add(rim, rim.target);
    this.scene.add(this.key, this.key.target, this.#sky);
  }

  /** Light from behind, on both sides of whoever looks, so that a body stands out from its ground. */
  lightEdges(camera: THREE.Camera) {
    const back = camera.getWorldDirection(new THREE.Vector3()).setY(0).normalize();
    const aside = new THREE.Vector3(-back.z, 0, back.x);
    this.#rims.forEach((rim, i) => {
      rim.position
        .copy(back)
        .multiplyScalar(4)
        .addScaledVector(aside, i === 0 ? -3.2 : 3.6)
        .setY(i === 0 ? 1 : 0.6); // low: tops have light enough
      rim.target.position.set(0, 0, 0);
    });
  }
}

function currentColours(): Colours {
  const of = (name: Colour) => new THREE.Color(colour(name));
  return {
    ...{ background: of("stage"), ink: of("ink"), bone: of("bone"), accent: of("accent"), goal: of("goal") },
    ...{ pin: of("pin"), skin: of("skin"), axes: AXES.map(of) },
  };
}

/** Some browsers do not refuse, but say what draws. */
function isSoftware(context: WebGL2RenderingContext): boolean {
  let name = String(context.getParameter(context.RENDERER));
  const more = name === "WebKit WebGL" ? context.getExtension("WEBGL_debug_renderer_info") : null;
  if (more) name = String(context.getParameter(more.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|software/i.test(name);
}
