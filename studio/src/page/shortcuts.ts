// SPDX-License-Identifier: Apache-2.0

// The keyboard.
import type { Studio } from "../studio.js";

export interface ShortcutActions {
  open(): void;
  help(): void;
  theme(): void;
  frame(): void;
  curves(): void;
  eraseKeys(): void;
  letGo(): void;
}

export function listenToKeys(studio: Studio, actions: ShortcutActions) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyping(event)) return;
    const act =
      event.ctrlKey || event.metaKey ? withControl(studio, event) : event.altKey ? null : plain(studio, actions, event);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (document.querySelector("dialog[open]")) return event.key !== "?";
  if (target instanceof HTMLInputElement)
    return (
      target.type === "number" || target.type === "text" || (target.type === "range" && event.key.startsWith("Arrow"))
    );
  if (target instanceof HTMLSelectElement) return !(event.ctrlKey || event.metaKey);
  return target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
}

function withControl(studio: Studio, event: KeyboardEvent): (() => void) | null {
  const key = event.key.toLowerCase();
  if (key === "z") return () => (event.shiftKey ? studio.history.redo() : studio.history.undo());
  if (key === "y") return () => studio.history.redo();
  return null;
}

function plain(studio: Studio, actions: ShortcutActions, event: KeyboardEvent): (() => void) | null {
  const { view, brush, bus, selected } = studio;
  const flip = (key: "mesh" | "wire" | "bones") => () => {
    view[key] = !view[key];
    bus.emit("view");
  };
  const resize = (factor: number) => () => {
    brush.size = Math.min(Math.max(brush.size * factor, 0.005), 0.2);
    bus.emit("tool");
  };
  const onJoint = (act: (joint: number) => void) => () => selected >= 0 && act(selected);
  const keys: Record<string, () => void> = {
    "1": () => studio.setTool("drag"),
    "2": () => studio.setTool("turn"),
    "3": () => studio.setTool("paint"),
    " ": () => studio.togglePlay(),
    arrowleft: () => studio.stepFrame(-1),
    arrowright: () => studio.stepFrame(1),
    home: () => studio.seek(0),
    end: () => studio.seek(studio.active?.clip?.duration ?? 0),
    k: () => studio.setKey(),
    delete: actions.eraseKeys,
    backspace: actions.eraseKeys,
    c: actions.curves,
    p: onJoint((joint) => studio.togglePin(joint)),
    l: onJoint((joint) => studio.toggleLock(joint)),
    r: () => studio.resetPose(),
    m: () => studio.mirror(),
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
