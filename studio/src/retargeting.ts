// SPDX-License-Identifier: Apache-2.0

// Clips of other bodies, played by the characters that are open: made on another thread, and made again when a
// switch changes.
import type { Clip, Document } from "@ulna/engine";
import type { Character } from "./character.js";
import { perform } from "./commands/command.js";
import { exchangeClip, takeClips } from "./commands/keys.js";
import { itemAt } from "./lists.js";
import { errorOf, messageOf } from "./messages.js";
import type { Origin, RetargetSettings } from "./origin.js";
import type { RetargetAnswer, RetargetedFrames, RetargetJob, SourceFile } from "./retarget_job.js";
import type { Studio } from "./studio.js";
import { t } from "./language.js";

/** Does jobs elsewhere: null where another job came in between. */
export interface RetargetWork {
  run(job: RetargetJob, progress: (fraction: number) => void): Promise<RetargetAnswer | null>;
}

export class Retargeting {
  #asked: { readonly clip: Clip; readonly settings: RetargetSettings } | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly work: RetargetWork,
    private readonly floorOf: (character: Character) => number,
    private readonly busy: (text: string | false) => void,
  ) {}

  /** What is chosen for the clip shown, done or not; null for one that comes from no other body. */
  get settings(): RetargetSettings | null {
    const clip = this.studio.active?.clip;
    if (!clip) return null;
    return this.#asked?.clip === clip ? this.#asked.settings : (this.studio.originOf(clip)?.settings ?? null);
  }

  /** Makes the clips of a file clips of a character, as one step of the history. The document's meshes are freed. */
  async play(character: Character, file: SourceFile, document: Document): Promise<void> {
    const { skeleton, clips, usualClip } = document;
    for (const mesh of document.meshes) mesh.free();
    const first = itemAt(clips, usualClip);
    const settings: RetargetSettings = {
      ...{ feet: "auto", floor: true, pair: true },
      firstFrame: skeleton.replacesRest(first.sample(0)),
    };
    const made = await this.#make(character, file, [...clips.keys()], settings);
    if (!made) return document.free();
    const named = made.map((frames, index) => {
      const clip = itemAt(clips, index);
      const name = clips.length > 1 ? `${file.name}: ${clip.name}` : file.name;
      return this.#clipOf(character, name, { file, index, skeleton, clip, settings }, frames);
    });
    perform(this.studio, takeClips(t("Play motion"), named, usualClip));
    this.studio.playback.play();
  }

  /** Makes the clip shown anew, with other settings. */
  async change(changes: Partial<RetargetSettings>): Promise<void> {
    const { studio, settings: before } = this;
    const character = studio.active;
    const clip = character?.clip;
    const origin = clip && studio.originOf(clip);
    if (!character || !origin || !before) return;
    const settings = { ...before, ...changes };
    const asked = (this.#asked = { clip, settings });
    studio.bus.emit("clip");
    const made = await this.#make(character, origin.file, [origin.index], settings);
    // A later change is under way, and this one a part of it.
    if (this.#asked !== asked) return;
    this.#asked = null;
    // Layers may have come meanwhile: they are the same above the motion that was made anew.
    const below = clip.base ?? clip;
    const now = character.clips.find((each) => (each.base ?? each) === below);
    if (made && now) {
      const again = this.#clipOf(character, now.name, { ...origin, settings }, itemAt(made, 0));
      perform(studio, exchangeClip(t("Retarget"), now, now.base ? again.layered(now.layers) : again));
    } else {
      studio.bus.emit("clip");
    }
  }

  /** Null where it cannot be done, which is told, or where it is not wanted any more. */
  async #make(
    character: Character,
    file: SourceFile,
    clips: readonly number[],
    settings: RetargetSettings,
  ): Promise<readonly RetargetedFrames[] | null> {
    const { studio } = this;
    const title = t("{name} cannot be played on {name2}", { name: file.name, name2: character.name });
    const rig = character.engine.writeRig(character.skeleton);
    if (!rig.ok) {
      studio.tell(messageOf(rig.error, title));
      return null;
    }
    const { skeleton, meshes, rest, limits } = character;
    const { feet, floor, pair, firstFrame } = settings;
    const target = { rig: rig.value.bytes, rest, soles: character.engine.findSoles({ skeleton, meshes, rest }) };
    const options = { feet, keep: { floor, pair }, limits, floor: this.floorOf(character) };
    const say = (fraction: number) =>
      this.busy(
        t("Playing {name} on {name2} · {round} %", {
          name: file.name,
          name2: character.name,
          round: Math.round(100 * fraction),
        }),
      );
    say(0);
    try {
      const answer = await this.work.run({ source: file, clips, firstFrame, target, options }, say);
      if (answer === null) return null;
      this.busy(false);
      if (!answer.ok) studio.tell(messageOf(answer.error, title, file.name));
      else if (studio.active === character) return answer.value;
      else
        studio.note(t("{name} is not played", { name: file.name }), t("another character was chosen in the meantime"));
    } catch (error) {
      this.busy(false);
      studio.tell(errorOf(title, error instanceof Error ? error.message : String(error), { location: file.name }));
    }
    return null;
  }

  #clipOf(
    { engine, skeleton }: Character,
    name: string,
    origin: Omit<Origin, "report" | "targetFromSource">,
    { frameTime, poses, report, targetFromSource }: RetargetedFrames,
  ): Clip {
    const size = skeleton.restPose().length;
    const list = Array.from({ length: poses.length / size }, (_, i) => poses.subarray(i * size, (i + 1) * size));
    const clip = engine.makeFrames(skeleton, list, { frameTime, name });
    this.studio.noteOrigin(clip, { ...origin, report, targetFromSource });
    return clip;
  }
}
