// SPDX-License-Identifier: Apache-2.0

// The keyboard.
import type { Character } from "../character.js";
import { perform, type Command } from "../commands/command.js";
import { toggleLock, togglePin } from "../commands/holds.js";
import { setKey } from "../commands/keys.js";
import { mirrorPose, resetPose } from "../commands/pose.js";
import { LARGEST_BRUSH, SMALLEST_BRUSH, type Studio } from "../studio.js";

export interface ShortcutActions {
  readonly open: () => void;
  readonly help: () => void;
  readonly theme: () => void;
  readonly frame: () => void;
  readonly curves: () => void;
  readonly eraseKeys: () => void;
  readonly letGo: () => void;
  readonly saveProject: () => void;
  readonly copy: () => void;
  readonly paste: () => void;
}

export function listenToKeys(studio: Studio, actions: ShortcutActions) {
  let played = false;
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTaken(event)) return;
    const act =
      event.ctrlKey || event.metaKey
        ? withControl(studio, actions, event)
        : event.altKey
          ? null
          : plain(studio, actions, event);
    if (!act) return;
    event.preventDefault();
    played = event.key === " ";
    act();
  });
  // Some browsers press a button when Space is let go.
  addEventListener("keyup", (event) => {
    if (event.key !== " " || !played) return;
    played = false;
    event.preventDefault();
  });
}

/**
 * Whether what has the focus needs the key itself. Space plays everywhere but in fields, boxes to tick, open menus and
 * sheets: buttons are pressed by Enter.
 */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const { key } = event;
  if (document.querySelector("dialog[open]")) return key !== "?";
  if (target.getAttribute("role") === "menuitem") return key === " " || key === "Enter";
  if (target instanceof HTMLInputElement) {
    if (target.type === "range") return key.startsWith("Arrow") || key === "Home" || key === "End";
    return target.type === "checkbox" ? key === " " : true;
  }
  if (target instanceof HTMLSelectElement) return !(event.ctrlKey || event.metaKey);
  return target instanceof HTMLButtonElement && key === "Enter";
}

function withControl(studio: Studio, actions: ShortcutActions, event: KeyboardEvent): (() => void) | null {
  const key = event.key.toLowerCase();
  if (key === "z") return () => (event.shiftKey ? studio.history.redo() : studio.history.undo());
  if (key === "s") return actions.saveProject;
  // Words that are marked are copied by the browser.
  if (key === "c" && getSelection()?.isCollapsed !== false) return actions.copy;
  if (key === "v") return actions.paste;
  if (key === "y") return () => studio.history.redo();
  return null;
}

function plain(studio: Studio, actions: ShortcutActions, event: KeyboardEvent): (() => void) | null {
  const { active, selected } = studio;
  const flip = (key: "mesh" | "wire" | "bones") => () => studio.setView({ [key]: !studio.view[key] });
  const resize = (factor: number) => () =>
    studio.setBrush({ size: Math.min(Math.max(studio.brush.size * factor, SMALLEST_BRUSH), LARGEST_BRUSH) });
  const onJoint = (command: (character: Character, joint: number) => Command) => () => {
    if (active && selected >= 0) perform(studio, command(active, selected));
  };
  const keys: Record<string, () => void> = {
    "1": () => studio.setTool("drag"),
    "2": () => studio.setTool("rotate"),
    "3": () => studio.setTool("paint"),
    " ": () => studio.playback.toggle(),
    arrowleft: () => studio.playback.step(-1),
    arrowright: () => studio.playback.step(1),
    home: () => studio.playback.seek(0),
    end: () => studio.playback.seek(studio.active?.clip?.duration ?? 0),
    k: () => perform(studio, setKey()),
    delete: actions.eraseKeys,
    backspace: actions.eraseKeys,
    c: actions.curves,
    p: onJoint(togglePin),
    l: onJoint(toggleLock),
    r: () => perform(studio, resetPose),
    m: () => perform(studio, mirrorPose),
    f: actions.frame,
    s: flip("mesh"),
    w: flip("wire"),
    b: flip("bones"),
    "[": resize(1 / 1.25),
    "]": resize(1.25),
    o: actions.open,
    t: actions.theme,
    escape: actions.letGo,
    "?": actions.help,
  };
  return keys[event.key.toLowerCase()] ?? null;
}
