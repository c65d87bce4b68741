// SPDX-License-Identifier: Apache-2.0

// Few keys for the motion shown, made on another thread while the page goes on.
import { perform } from "./commands/command.js";
import { exchangeClip } from "./commands/keys.js";
import { must } from "./lists.js";
import { errorOf, messageOf } from "./messages.js";
import type { ReduceAnswer, ReduceJob } from "./reduce_job.js";
import type { Studio } from "./studio.js";
import { t } from "./language.js";

/** Does the job elsewhere: null where it was cancelled. */
export interface ReduceWork {
  run(job: ReduceJob, progress: (fraction: number) => void): Promise<ReduceAnswer | null>;
  cancel(): void;
}

/** Shows that something is being done, which `cancel` ends; false when it is over. */
export type Busy = (text: string | false, cancel?: () => void) => void;

const TITLE = t("The keys were not reduced");

export async function reduceKeys(studio: Studio, work: ReduceWork, busy: Busy): Promise<void> {
  const character = studio.active;
  const clip = character?.clip;
  if (!character || !clip) return;
  const rig = character.engine.writeRig(character.skeleton);
  if (!rig.ok) return studio.tell(messageOf(rig.error, TITLE));
  const say = (fraction: number) =>
    busy(
      t("Reducing {value} · {round} %", { value: clip.name || "the motion", round: Math.round(100 * fraction) }),
      () => work.cancel(),
    );
  say(0);
  try {
    const answer = await work.run({ rig: rig.value.bytes, clip: clip.bytes() }, say);
    if (answer === null) return;
    if (!answer.ok) return studio.tell(messageOf(answer.error, TITLE));
    if (studio.active !== character || !character.clips.includes(clip))
      return studio.note(TITLE, t("the motion was changed in the meantime"));
    const { bytes, report } = answer.value;
    const made = must(character.engine.readClip(character.skeleton, bytes));
    made.name = clip.name;
    made.setFrameRate(1 / character.frameTime);
    perform(studio, exchangeClip(t("Reduce keys"), clip, made));
    const worst = report.worstError.toPrecision(2);
    studio.note(
      t("{keys} keys", { keys: report.keys }),
      t("no joint is farther than {worst} from the motion", { worst }),
    );
  } catch (error) {
    studio.tell(errorOf(TITLE, error instanceof Error ? error.message : String(error)));
  } finally {
    busy(false);
  }
}
