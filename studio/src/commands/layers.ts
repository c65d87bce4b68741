// SPDX-License-Identifier: Apache-2.0

// Commands that change the layers on a motion. The motion below them is never changed, unless a layer is merged.
import { POSE_STRIDE, type Clip, type Layer, type LayerKey, type LayerPin, type Pose } from "@ulna/engine";
import type { Character } from "../character.js";
import { itemAt } from "../lists.js";
import type { Studio } from "../studio.js";
import { begin, type Change, type Command } from "./command.js";
import { t } from "../language.js";

const FALLOFF = 0.5; // seconds of a new layer's, before its first key and behind its last
const LEAST_WEIGHT = 0.01; // below it, a key would have to be enormous
const SAME_TIME = 1e-6; // seconds

/** Whether keys of a clip are those of a layer: captured motion has too many of its own. */
export function isLayered(clip: Clip | null): boolean {
  return clip !== null && (clip.layers.length > 0 || clip.dense);
}

/** What can be chosen of a layer. */
export type LayerChanges = Partial<Pick<Layer, "name" | "weight" | "muted" | "in" | "out">>;

/** An empty layer on top, into which keys go from now on. */
export const addLayer: Command = {
  name: t("New layer"),
  apply(character) {
    const { clip } = character;
    if (clip) exchange(character, clip, [...clip.layers, newLayer(character, clip)]);
  },
};

export function changeLayer(index: number, changes: LayerChanges): Command {
  const name = changes.muted === undefined ? t("Layer") : changes.muted ? t("Mute layer") : t("Unmute layer");
  return { name, apply: (character) => applyToLayer(character, index, changes) };
}

export function removeLayer(index: number): Command {
  return {
    name: t("Delete layer"),
    apply(character) {
      const { clip } = character;
      if (clip)
        exchange(
          character,
          clip,
          clip.layers.filter((_, i) => i !== index),
        );
    },
  };
}

/** A layer and those below it become part of the motion. */
export function mergeLayers(index: number): Command {
  return {
    name: t("Merge layers"),
    apply(character) {
      const { clip } = character;
      if (!clip) return;
      const below = clip.layered(clip.layers.slice(0, index + 1));
      const merged = below.merged();
      below.free();
      const above = clip.layers.slice(index + 1);
      character.replaceClip(clip, above.length > 0 ? merged.layered(above) : merged);
      showAgain(character);
    },
  };
}

/** A weight or a falloff that is dragged: many changes, one step. */
export class LayerDrag {
  readonly #change: Change | null;

  constructor(
    studio: Studio,
    private readonly index: number,
  ) {
    this.#change = begin(studio, t("Layer"));
  }

  set(changes: LayerChanges) {
    if (this.#change) applyToLayer(this.#change.character, this.index, changes);
  }

  finish() {
    this.#change?.finish();
  }
}

/** A key of the layer on top, such that the motion has a pose at that time; of one joint, or of all. */
export function keyLayer(character: Character, time: number, pose: Pose, joint?: number) {
  const { clip } = character;
  if (!clip) return;
  const wanted = joint === undefined ? pose : withJoint(clip.sample(time), pose, joint);
  const top = clip.layers.at(-1);
  const fits = top && !top.muted && Math.abs(top.weight) >= LEAST_WEIGHT;
  const layers = fits ? clip.layers : [...clip.layers, newLayer(character, clip)];
  const last = layers.length - 1;
  const layer = withPins(itemAt(layers, last), pinsOf(character));
  const staged = clip.layered([...layers.slice(0, last), layer]);
  const keys = staged.layerKeys(last, time, wanted);
  staged.free();
  exchange(character, clip, [...layers.slice(0, last), { ...layer, keys }], false);
}

export function moveLayerKey(character: Character, from: number, to: number) {
  changeTop(character, (keys) => {
    const others = keys.filter(({ time }) => !isAt(time, from) && !isAt(time, to));
    const moved = keys.filter(({ time }) => isAt(time, from)).map((key) => ({ ...key, time: to }));
    return [...others, ...moved].sort((a, b) => a.time - b.time);
  });
}

export function eraseLayerKey(character: Character, at: number) {
  changeTop(character, (keys) => keys.filter(({ time }) => !isAt(time, at)));
}

const isAt = (time: number, other: number) => Math.abs(time - other) <= SAME_TIME;

function changeTop(character: Character, change: (keys: readonly LayerKey[]) => readonly LayerKey[]) {
  const { clip } = character;
  const top = clip?.layers.at(-1);
  if (clip && top) exchange(character, clip, [...clip.layers.slice(0, -1), { ...top, keys: change(top.keys) }]);
}

function applyToLayer(character: Character, index: number, changes: LayerChanges) {
  const { clip } = character;
  if (!clip) return;
  exchange(
    character,
    clip,
    clip.layers.map((layer, i) => (i === index ? { ...layer, ...changes } : layer)),
  );
}

/** The same motion with other layers; without any it is the motion itself. */
function exchange(character: Character, clip: Clip, layers: readonly Layer[], shows = true) {
  const base = clip.base ?? clip;
  character.replaceClip(clip, layers.length > 0 ? base.layered(layers) : base);
  if (shows) showAgain(character);
}

/** The clip as it is now, but for a pose that was edited and not keyed. */
function showAgain(character: Character) {
  if (!character.edited) character.sample(character.time);
}

function newLayer(character: Character, { layers }: Clip): Layer {
  const falloff = character.frameAt(FALLOFF);
  const pins = pinsOf(character);
  const numbers = layers.map(({ name }) => Number(/^Layer (\d+)$/.exec(name)?.[1] ?? 0));
  const name = t("Layer {index}", { index: Math.max(0, ...numbers) + 1 });
  return { name, weight: 1, muted: false, in: falloff, out: falloff, pins, keys: [] };
}

/** What is pinned stays on its way, between keys too. */
function pinsOf({ pins }: Character): readonly LayerPin[] {
  return [...pins].map(([joint, { orientation }]) => ({ joint, orientation: orientation !== null }));
}

function withPins(layer: Layer, pins: readonly LayerPin[]): Layer {
  const others = layer.pins.filter(({ joint }) => !pins.some((pin) => pin.joint === joint));
  return { ...layer, pins: [...others, ...pins] };
}

function withJoint(pose: Pose, from: Pose, joint: number): Pose {
  const [start, end] = [POSE_STRIDE * joint, POSE_STRIDE * (joint + 1)];
  pose.set(from.subarray(start, end), start);
  return pose;
}
