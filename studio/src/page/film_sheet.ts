// SPDX-License-Identifier: Apache-2.0

// The sheet that saves pictures and films: what, how large, on what ground, in which format.
import { button, h, segment, select, toggle } from "../dom.js";
import { download } from "../exporting.js";
import { baseName } from "../model_export.js";
import { makeFilm, pictureCount, takePicture, type FilmFormat, type FilmOptions } from "../film/film.js";
import type { Framing } from "../film/shot.js";
import { codecFor } from "../film/video.js";
import { errorOf } from "../messages.js";
import type { Studio } from "../studio.js";
import type { Viewport } from "../view/viewport.js";
import { listed, t } from "../language.js";

export type Subject = "picture" | "turntable" | "clip";

const [LEAST_SIZE, MOST_SIZE] = [16, 16_384]; // pixels
const SIZES = [
  { value: "view", label: t("As the view") },
  { value: "512x512", label: t("Small square, 512 × 512") },
  { value: "1080x1080", label: t("Square, 1080 × 1080") },
  { value: "1920x1080", label: t("Wide, 1920 × 1080") },
  { value: "1080x1920", label: t("Upright, 1080 × 1920") },
  { value: "3840x2160", label: t("4K, 3840 × 2160") },
  { value: "own", label: t("Own size") },
] as const;
type SizeName = (typeof SIZES)[number]["value"];
// GIF counts in hundredths of a second.
const RATES: Record<FilmFormat, readonly number[]> = {
  mp4: [12, 24, 25, 30, 60],
  webm: [12, 24, 25, 30, 60],
  gif: [10, 20, 25, 50],
  webp: [10, 20, 25, 30, 50],
};
const LOOPS: readonly FilmFormat[] = ["gif", "webp"];

export function makeFilmSheet(studio: Studio, view: Viewport): { open: (subject: "picture" | "clip") => void } {
  let subject: Subject = "picture";
  let sizeName: SizeName = "view";
  let size = { width: 1920, height: 1080 };
  let framing: Framing = "view";
  const looks = { clear: false, grid: true, shadow: true };
  let format: FilmFormat = "webm";
  let rate = 30;
  let seconds = 4;
  let span = { from: 0, to: 0 };
  let missing: readonly FilmFormat[] = []; // what this browser cannot make at this size
  let ended = false;

  const moves = () => subject !== "picture";
  const subjects = segment<Subject>(
    t("Subject"),
    [
      { value: "picture", label: t("Picture"), title: t("What is shown now, as PNG") },
      {
        value: "turntable",
        label: t("Turntable"),
        title: t("The pose that is shown, once around; loops without a seam"),
      },
      { value: "clip", label: t("Clip"), title: t("The motion that is shown, frame by frame") },
    ],
    () => subject,
    (value) => choose(value),
  );
  const sizes = select<SizeName>(
    t("Size"),
    () => SIZES,
    () => sizeName,
    (value) => {
      sizeName = value;
      takeSize();
      void refresh();
    },
  );
  const width = numberField(t("Width in pixels"), [LEAST_SIZE, MOST_SIZE], (value) =>
    ownSize({ ...size, width: value }),
  );
  const height = numberField(t("Height in pixels"), [LEAST_SIZE, MOST_SIZE], (value) =>
    ownSize({ ...size, height: value }),
  );
  const framings = segment<Framing>(
    t("Framing"),
    [
      { value: "view", label: t("As in the view"), title: t("At least what the view shows") },
      { value: "close", label: t("Close-up"), title: t("The characters fill the picture") },
    ],
    () => framing,
    (value) => (framing = value),
  );
  const look = (key: keyof typeof looks, label: string, title: string) =>
    toggle(
      label,
      title,
      () => looks[key],
      (on) => {
        looks[key] = on;
        void refresh();
      },
    );
  const clear = look("clear", t("Transparent"), t("Nothing behind the characters"));
  const grid = look("grid", t("Grid"), t("The lines on the ground"));
  const shadow = look("shadow", t("Shadow"), t("The shadow on the ground"));
  const formats = segment<FilmFormat>(
    t("Format"),
    [
      { value: "mp4", label: "MP4", title: t("A film of H.264, for nearly every program") },
      { value: "webm", label: "WebM", title: t("A film of VP9, for browsers and editors") },
      { value: "gif", label: "GIF", title: t("A loop of 255 colours, for messages and pages") },
      { value: "webp", label: "WebP", title: t("A loop in full colour, also transparent, for pages") },
    ],
    () => format,
    (value) => {
      format = value;
      if (!RATES[format].includes(rate)) rate = LOOPS.includes(format) ? 20 : 30;
      void refresh();
    },
  );
  const rates = select<string>(
    t("Pictures a second"),
    () => RATES[format].map((each) => ({ value: String(each), label: t("{rate} a second", { rate: each }) })),
    () => String(rate),
    (value) => {
      rate = Number(value);
      void refresh();
    },
  );
  const turn = numberField(t("Seconds of a turn"), [0.5, 60], (value) => (seconds = value), 0.1);
  const from = numberField(t("From, in seconds"), [0, Infinity], (value) => setSpan({ ...span, from: value }), 0.01);
  const to = numberField(t("To, in seconds"), [0, Infinity], (value) => setSpan({ ...span, to: value }), 0.01);

  const row = (label: string, ...children: Node[]) =>
    h("div", { class: "row" }, h("span", { class: "label" }, label), h("span", { class: "parts" }, ...children));
  const formatRow = row(t("Format"), formats.element);
  const rateRow = row(t("Rate"), rates.element);
  const turnRow = row(t("One turn"), turn, h("span", {}, "s"));
  const spanRow = row(t("From, to"), from, to, h("span", {}, "s"));
  const note = h("p", { class: "about", role: "status" });
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("Progress") });
  const save = button(
    { text: t("Save"), title: t("Make it and save it"), class: "button primary", id: "film-save" },
    () => void work(),
  );
  const cancel = button({ text: t("Cancel"), title: t("Close the sheet"), class: "button text" }, () => sheet.close());
  const sheet: HTMLDialogElement = h(
    "dialog",
    { class: "sheet film", "aria-labelledby": "film-title" },
    h(
      "header",
      {},
      h("h2", { id: "film-title" }, t("Picture or film")),
      button({ icon: "close", title: t("Close"), class: "button small" }, () => sheet.close()),
    ),
    h(
      "div",
      { class: "section-body" },
      subjects.element,
      row(t("Size"), sizes.element, width, h("span", {}, "×"), height),
      row(t("Framing"), framings.element),
      h("div", { class: "toggles three" }, clear.element, grid.element, shadow.element),
      formatRow,
      rateRow,
      turnRow,
      spanRow,
      note,
      bar,
    ),
    h("footer", {}, cancel, save),
  );
  sheet.addEventListener("close", () => (ended = true));
  document.body.append(sheet);

  function takeSize() {
    const { clientWidth, clientHeight } = view.scene.host;
    const ratio = Math.min(devicePixelRatio, 2);
    if (sizeName === "view") return ownPixels(clientWidth * ratio, clientHeight * ratio);
    const [w = NaN, h = NaN] = sizeName.split("x").map(Number);
    if (Number.isFinite(w) && Number.isFinite(h)) ownPixels(w, h);
  }

  function ownPixels(w: number, h: number) {
    size = { width: Math.round(w), height: Math.round(h) };
  }

  function ownSize(changed: typeof size) {
    sizeName = "own";
    size = changed;
    void refresh();
  }

  function setSpan({ from, to }: typeof span) {
    const end = studio.active?.clip?.duration ?? 0;
    span = { from: Math.min(Math.max(from, 0), end), to: Math.min(Math.max(to, 0), end) };
    void refresh();
  }

  function choose(value: Subject) {
    subject = value;
    void refresh();
  }

  function options(): FilmOptions {
    const video = moves() && !LOOPS.includes(format);
    // Codecs halve colours both ways, and have no alpha: sizes of films are even, and their backgrounds plain.
    const even = (value: number) => (video ? 2 * Math.round(value / 2) : value);
    return {
      ...{ framing, format, rate, seconds, ...span },
      ...{ clear: looks.clear && !video, grid: looks.grid && !looks.clear, shadow: looks.shadow },
      ...{ width: even(size.width), height: even(size.height) },
      subject: subject === "turntable" ? "turntable" : "clip",
    };
  }

  async function refresh() {
    const clip = studio.active?.clip ?? null;
    for (const each of [subjects, sizes, framings, clear, grid, shadow, formats, rates]) each.refresh();
    width.value = String(size.width);
    height.value = String(size.height);
    turn.value = String(seconds);
    from.value = String(Number(span.from.toFixed(3)));
    to.value = String(Number(span.to.toFixed(3)));
    grid.element.hidden = looks.clear;
    for (const each of [formatRow, rateRow]) each.hidden = !moves();
    turnRow.hidden = subject !== "turntable";
    spanRow.hidden = subject !== "clip" || clip === null;
    missing = moves() ? await missingAt(options()) : [];
    const word = problem(clip !== null);
    save.disabled = word !== null;
    note.textContent = word ?? remark();
  }

  /** Why nothing can be saved; null where it can. */
  function problem(hasClip: boolean): string | null {
    if (!studio.active) return t("Nothing is open.");
    if (!moves()) return null;
    if (subject === "clip" && !hasClip) return t("There is no motion: choose a clip, or a turntable.");
    if (subject === "clip" && span.to <= span.from) return t("The film ends before it begins.");
    if (!missing.includes(format)) return null;
    const others = (["mp4", "webm", "gif", "webp"] as const).filter((each) => !missing.includes(each));
    return t("This browser cannot make {value} of this size. It can make {listed}.", {
      value: NAMES[format],
      listed: listed(
        others.map((each) => NAMES[each]),
        "disjunction",
      ),
    });
  }

  function remark(): string {
    if (!moves())
      return t("{width} × {height} pixels, without handles and marks.", { width: size.width, height: size.height });
    const film = options();
    const count = pictureCount(film);
    const clearVideo = looks.clear && !LOOPS.includes(format);
    const parts = [
      t("{count} pictures of {width} × {height}, {value} s.", {
        count,
        width: film.width,
        height: film.height,
        value: (count / rate).toFixed(2),
      }),
      clearVideo && t("MP4 and WebM cannot be transparent: the background is plain. GIF and WebP can."),
      missing.length > 0 &&
        t("This browser cannot make {listed}.", { listed: listed(missing.map((each) => NAMES[each])) }),
    ];
    return parts.filter(Boolean).join(" ");
  }

  async function work() {
    const { active } = studio;
    if (!active) return;
    const film = options();
    ended = false;
    save.disabled = true;
    const name = `${baseName(active)}${subject === "turntable" ? "-turntable" : ""}`;
    try {
      if (!moves()) {
        done(await takePicture(view, film), `${name}.png`);
      } else {
        bar.hidden = false;
        const blob = await makeFilm(studio, view, film, (count, of) => {
          bar.value = count / of;
          return !ended;
        });
        if (blob) done(blob, `${name}.${format}`);
      }
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      studio.tell(errorOf(t("Nothing was saved"), what, { advice: t("try a smaller size or another format") }));
      sheet.close();
    } finally {
      bar.hidden = true;
      save.disabled = false;
    }
  }

  function done(blob: Blob, file: string) {
    download(blob, file);
    studio.note(
      t("Saved {file}", { file }),
      t("{size} MB", { size: (blob.size / 1e6).toFixed(blob.size < 1e6 ? 2 : 1) }),
    );
    sheet.close();
  }

  return {
    open(wanted) {
      const duration = studio.active?.clip?.duration ?? 0;
      subject = wanted === "clip" && duration <= 0 ? "turntable" : wanted;
      span = { from: 0, to: duration };
      if (sizeName === "view") takeSize();
      void refresh();
      sheet.showModal();
    },
  };
}

const NAMES: Record<FilmFormat, string> = { mp4: "MP4", webm: "WebM", gif: "GIF", webp: "WebP" };

/** The formats that this browser cannot make. */
async function missingAt({ width, height, rate }: FilmOptions): Promise<FilmFormat[]> {
  const missing: FilmFormat[] = [];
  for (const each of ["mp4", "webm"] as const)
    if ((await codecFor(each, { width, height, rate })) === null) missing.push(each);
  if (!makesWebp()) missing.push("webp");
  return missing;
}

let webp: boolean | null = null;
function makesWebp(): boolean {
  return (webp ??= document.createElement("canvas").toDataURL("image/webp").startsWith("data:image/webp"));
}

function numberField(label: string, [least, most]: [number, number], set: (value: number) => void, step = 1) {
  const field = h("input", { type: "number", class: "number", step, "aria-label": label, min: least });
  field.addEventListener("change", () => {
    const value = Number(field.value);
    if (Number.isFinite(value) && field.value !== "") set(Math.min(Math.max(value, least), most));
  });
  return field;
}
