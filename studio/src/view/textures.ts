// SPDX-License-Identifier: Apache-2.0

// Images of materials on their way to three.js: the browser decodes them while the page goes on.
import * as THREE from "three";
import type { Image, Texture } from "@ulna/engine";

const WRAPS = { repeat: THREE.RepeatWrapping, clamp: THREE.ClampToEdgeWrapping, mirror: THREE.MirroredRepeatWrapping };
/** As glTF numbers them. */
const FILTERS: Record<number, THREE.MagnificationTextureFilter | THREE.MinificationTextureFilter> = {
  9728: THREE.NearestFilter,
  9729: THREE.LinearFilter,
  9984: THREE.NearestMipmapNearestFilter,
  9985: THREE.LinearMipmapNearestFilter,
  9986: THREE.NearestMipmapLinearFilter,
  9987: THREE.LinearMipmapLinearFilter,
};

export class Textures {
  waiting = 0; // images that are being decoded
  readonly #pictures = new WeakMap<Image, Promise<THREE.Source>>();

  constructor(private readonly failed: (image: Image) => void) {}

  /** The texture as soon as its image is decoded, or null where that fails. */
  async load(source: Texture): Promise<THREE.Texture | null> {
    ++this.waiting;
    try {
      return makeTexture(source, await this.#decode(source.image));
    } catch {
      this.failed(source.image);
      return null;
    } finally {
      --this.waiting;
    }
  }

  /** Once for all textures that share it: three.js hands a source over once. */
  #decode(image: Image): Promise<THREE.Source> {
    const known = this.#pictures.get(image);
    if (known) return known;
    const blob = new Blob([image.bytes], { type: image.mime });
    // Colours and alpha stay as they are in the file; the card makes light of them.
    const made = createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" }).then(
      (picture) => new THREE.Source(picture),
    );
    this.#pictures.set(image, made);
    return made;
  }
}

function makeTexture(source: Texture, picture: THREE.Source): THREE.Texture {
  const texture = new THREE.Texture();
  texture.source = picture;
  texture.flipY = false; // v grows downwards
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = WRAPS[source.wrapS];
  texture.wrapT = WRAPS[source.wrapT];
  texture.magFilter = (FILTERS[source.magFilter] ?? THREE.LinearFilter) as THREE.MagnificationTextureFilter;
  texture.minFilter = (FILTERS[source.minFilter] ?? THREE.LinearMipmapLinearFilter) as THREE.MinificationTextureFilter;
  // Scaled, then rotated, as glTF has it; three.js would rotate first.
  const [cos, sin] = [Math.cos(source.rotation), Math.sin(source.rotation)];
  const [[u, v], [x, y]] = [source.offset, source.scale];
  texture.matrixAutoUpdate = false;
  texture.matrix.set(x * cos, y * sin, u, -x * sin, y * cos, v, 0, 0, 1);
  texture.needsUpdate = true;
  return texture;
}
