// SPDX-License-Identifier: Apache-2.0

// Takes pictures of the characters alone: without handles, marks and ghosts, at any size, on the view's ground or on
// nothing. A renderer of its own draws them, piece by piece, so that the view stays as it is and no size is too large.
import * as THREE from "three";
import type { Viewport } from "../view/viewport.js";

export interface Backdrop {
  readonly clear: boolean; // nothing behind the characters
  readonly grid: boolean;
  readonly shadow: boolean;
}

const PIECE = 1024; // pixels of a picture, drawn at once
const FINER = 2; // each pixel is the mean of so many by so many

export class Photographer {
  /** The picture that was taken last. */
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: THREE.WebGLRenderer;
  readonly #context: CanvasRenderingContext2D;

  constructor(
    private readonly view: Viewport,
    private readonly width: number,
    private readonly height: number,
  ) {
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [width, height];
    // Read back with every picture of a film.
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("the browser cannot draw a picture of this size");
    this.#context = context;
    context.imageSmoothingQuality = "high";
    this.#renderer = new THREE.WebGLRenderer({ alpha: true, antialias: !view.scene.plain });
    this.#renderer.setPixelRatio(1);
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = THREE.PCFSoftShadowMap;
  }

  /** Draws what the view has prepared, as the camera sees it. */
  take(camera: THREE.Camera, backdrop: Backdrop) {
    const { width, height } = this;
    const restore = undress(this.view, backdrop);
    try {
      this.#context.clearRect(0, 0, width, height);
      this.view.scene.lightEdges(camera);
      for (let y = 0; y < height; y += PIECE)
        for (let x = 0; x < width; x += PIECE)
          this.#drawPiece(camera, x, y, Math.min(PIECE, width - x), Math.min(PIECE, height - y));
    } finally {
      restore();
    }
  }

  /** Four bytes a pixel. */
  get pixels(): Uint8ClampedArray {
    return this.#context.getImageData(0, 0, this.width, this.height).data;
  }

  blob(type: string, quality?: number): Promise<Blob> {
    return new Promise((resolve, reject) =>
      this.canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot keep a picture of this size"))),
        type,
        quality,
      ),
    );
  }

  dispose() {
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  #drawPiece(camera: THREE.Camera, x: number, y: number, width: number, height: number) {
    const renderer = this.#renderer;
    if (!(camera instanceof THREE.PerspectiveCamera || camera instanceof THREE.OrthographicCamera)) return;
    renderer.setSize(FINER * width, FINER * height, false);
    camera.setViewOffset(this.width, this.height, x, y, width, height);
    renderer.render(this.view.scene.scene, camera);
    camera.clearViewOffset();
    this.#context.drawImage(renderer.domElement, x, y, width, height);
  }
}

/** Takes away what is no part of a picture; the answer brings it back. */
function undress({ scene, figures, handles }: Viewport, { clear, grid, shadow }: Backdrop): () => void {
  const { ground, key, scene: world } = scene;
  const [background, castShadow] = [world.background, key.castShadow];
  const shown: [THREE.Object3D, boolean][] = [
    [handles.group, false],
    [ground.mesh, grid && !clear],
    [ground.shadow, shadow && !ground.planar],
    ...figures.flatMap(({ marks, skins, contact, skeletonView: { bones } }): [THREE.Object3D, boolean][] => [
      [marks, false],
      ...(contact ? [[contact.mesh, shadow] as [THREE.Object3D, boolean]] : []),
      [bones, skins.length === 0 || !skins.some(({ object, wire }) => object.visible || wire.visible)],
    ]),
  ];
  const before = shown.map(([object]) => object.visible);
  for (const [object, visible] of shown) object.visible = visible;
  world.background = clear ? null : background;
  key.castShadow = shadow;
  return () => {
    shown.forEach(([object], i) => (object.visible = before[i] ?? true));
    world.background = background;
    key.castShadow = castShadow;
  };
}
