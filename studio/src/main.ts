// SPDX-License-Identifier: Apache-2.0

// The studio: fetches the engine and the bundled character, and puts the page together.
import { createEngine, type Engine } from "@ulna/engine";
import { Background } from "./background.js";
import { composeMeanwhile } from "./composing.js";
import { exportAs, type Format } from "./exporting.js";
import { openDocument } from "./opening.js";
import { filesOfServer, openFiles, readFiles, type NamedBytes, type Opening } from "./files.js";
import { makeHook } from "./hook.js";
import { makeCards } from "./page/cards.js";
import { makeFilmSheet } from "./page/film_sheet.js";
import { makeFirstHint } from "./page/first_hint.js";
import { makeHandPanel } from "./page/hand_panel.js";
import { makeHelp, makeTour } from "./page/help.js";
import { makeJointPanel } from "./page/joint_panel.js";
import { makeLayersPanel } from "./page/layers_panel.js";
import { makeOverlay } from "./page/overlay.js";
import { makeFilesPanel } from "./page/files_panel.js";
import { askArrival, askExport, askPlace, askRecovery } from "./page/question.js";
import { makeModes } from "./page/mode.js";
import { makePhoneParts, togglePanel } from "./page/phone.js";
import { makePlanePanel } from "./page/plane_panel.js";
import { makePosePanel } from "./page/pose_panel.js";
import { makeRetargetPanel } from "./page/retarget_panel.js";
import { acceptDrops, makeProgress, makeShell, type Shell } from "./page/shell.js";
import { listenToKeys } from "./page/shortcuts.js";
import { makeSolverPanel } from "./page/solver_panel.js";
import { makeStatus } from "./page/status.js";
import { makeTimeline } from "./page/timeline.js";
import { makeToolbar } from "./page/toolbar.js";
import { makeCharacterPanel, makeSkinPanel, makeViewPanel } from "./page/view_panel.js";
import { present } from "./lists.js";
import { Projects } from "./project/projects.js";
import { reduceKeys, type Busy, type ReduceWork } from "./reducing.js";
import { Retargeting, type RetargetWork } from "./retargeting.js";
import { Studio } from "./studio.js";
import { copyInSteps } from "./steps.js";
import { startTheme } from "./theme.js";
import { Scene } from "./view/scene.js";
import { Pointer } from "./view/pointer.js";
import { Viewport } from "./view/viewport.js";
import { choose, t, type Language } from "./language.js";
import { errorOf } from "./messages.js";

type Open = (files: readonly NamedBytes[], where: "beside" | "instead" | "open") => Promise<void>;

const BUNDLED = "ulna-character.glb";

// All at once: whatever comes last decides how long it takes.
const engineComing = createEngine({ wasm: fetch("engine.wasm") });
const bundledFile = once(async (): Promise<NamedBytes> => {
  const response = await fetch(BUNDLED);
  if (!response.ok) throw new Error(`${BUNDLED} could not be fetched: ${response.status}`);
  return { name: BUNDLED, bytes: await response.arrayBuffer() };
});

const firstFiles = filesOfServer().then(async (named) => (named.length > 0 ? named : [await bundledFile()]));

const theme = startTheme();

void start(makeShell());

async function start(shell: Shell) {
  const busy = makeProgress(shell);
  busy(t("Starting the engine"));
  // Before the engine is there: browsers compile it meanwhile on another thread.
  const scene = new Scene(shell.view);
  let engine: Engine;
  try {
    engine = await engineComing;
  } catch (error) {
    busy(false);
    shell.cards.textContent = t("The engine did not start: {value}", {
      value: error instanceof Error ? error.message : String(error),
    });
    return;
  }
  const startup = { engine: performance.now(), opened: 0, drawn: 0 };
  const studio = new Studio(engine);
  const view = new Viewport(studio, scene);
  const background = new Background();
  const work: RetargetWork = { run: (job, progress) => background.run("retarget", job, progress) };
  const retargeting = new Retargeting(studio, work, (of) => view.floorOf(of), busy);
  const projects = new Projects(studio, view, new Background(), {
    ...{ busy, askRecovery },
    // Without a way to cancel: half a project is none.
    read: async (file) => present(await openDocument(engine, file, (text) => busy(text)), "document"),
  });
  const opening: Opening = {
    ...{ busy, ask: askArrival, askPlace },
    read: (file) => openDocument(engine, file, busy),
    shown: () => scene.warmed,
    play: (...of) => retargeting.play(...of),
    openProject: (file, beside) => projects.open(file, beside),
    readFbx: async ({ bytes }) => {
      const [reader, copy] = [new Background("fbx.js"), await copyInSteps(bytes)];
      const content = present(await reader.run("fbx", copy, () => {}, [copy]), "content of the file");
      reader.end();
      return content;
    },
  };
  const open: Open = (files, where) => openFiles(studio, opening, files, where);
  const hint = buildPage(studio, view, shell, open, retargeting, projects, busy);
  acceptDrops(shell, (files, beside) => void readFiles(files).then((read) => open(read, beside ? "beside" : "open")));

  await open(await firstFiles, "instead");
  if (studio.characters.length === 0) await open([await bundledFile()], "instead");
  startup.opened = performance.now();
  view.drawNow();
  startup.drawn = performance.now();
  window.ulnaStudio = makeHook(studio, view, startup, projects);
  scene.warm();
  if (!(await projects.recover()) && location.hash !== "#quiet") hint.show();
  studio.bus.on("history", () => {
    if (location.hash !== "#quiet") projects.offer();
  });
  addEventListener("beforeunload", (event) => {
    if (projects.wouldLose) event.preventDefault();
  });
}

function buildPage(
  studio: Studio,
  view: Viewport,
  shell: Shell,
  open: Open,
  retargeting: Retargeting,
  projects: Projects,
  busy: Busy,
) {
  const pointer = new Pointer(studio, view);
  const tour = makeTour(shell.root);
  const speak = (next: Language) => void speakAnew(studio, projects, next);
  const help = makeHelp(tour.start, speak);
  const reducer = new Background();
  const reduceWork: ReduceWork = {
    run: (job, progress) => reducer.run("reduce", job, progress),
    cancel: () => reducer.cancel(),
  };
  const timeline = makeTimeline(studio, shell.timeline, () => void reduceKeys(studio, reduceWork, busy));
  composeMeanwhile(studio);
  theme.onChange(() => {
    view.setColours();
    timeline.redraw();
    studio.bus.emit("report");
  });
  const pick = (beside: boolean) =>
    void chooseFiles().then((files) => (files.length > 0 ? open(files, beside ? "beside" : "open") : undefined));
  const actions = {
    help: help.toggle,
    speak,
    theme: theme.toggle,
    frame: () => view.frame(),
    panel: () => togglePanel(shell),
    exportAs: (format: Format) =>
      void exportAs(studio, format, { askExport, write: (...of) => projects.export(...of) }),
    saveProject: () => void projects.save(),
    film: makeFilmSheet(studio, view).open,
    home: () => void bundledFile().then((file) => open([file], "instead")),
  };
  makeToolbar(studio, shell.bar, { ...actions, open: pick });
  const pose = makePosePanel(studio, view);
  const posing = [
    makeRetargetPanel(studio, retargeting),
    pose.element,
    makeLayersPanel(studio),
    makeJointPanel(studio),
    makeHandPanel(studio),
    makeViewPanel(studio, (from) => view.look(from)),
    makeSkinPanel(studio),
    makeCharacterPanel(studio),
    makeFilesPanel(studio, projects),
  ];
  shell.panel.append(...makeModes(studio, posing, [makeSolverPanel(studio), makePlanePanel(studio, actions.home)]));
  makeCards(studio, shell.cards);
  makeOverlay(studio, view, shell.overlay);
  makeStatus(studio, view, shell.status);
  makePhoneParts(studio, shell);
  listenToKeys(studio, {
    ...actions,
    ...pose.actions,
    open: () => pick(false),
    curves: timeline.toggleCurves,
    eraseKeys: timeline.eraseChosen,
    letGo: () => (pointer.busy ? pointer.cancel() : studio.select(-1)),
  });
  return makeFirstHint(studio, view, shell.overlay);
}

/** Another language is another page, which goes on with all that there is. */
async function speakAnew(studio: Studio, projects: Projects, next: Language) {
  try {
    choose(next);
    await projects.handOver();
    location.reload();
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    studio.tell(errorOf(t("The language stays as it is"), what));
  }
}

/** The browser's own dialogue. */
function chooseFiles(): Promise<NamedBytes[]> {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".bvh,.fbx,.glb,.gltf,.bin,.png,.jpg,.jpeg,.json,.urdf,.mjcf,.xml,.obj,.ply,.pc2";
  return new Promise((resolve) => {
    input.addEventListener("change", () =>
      resolve(readFiles([...(input.files ?? [])].map((file) => ({ file, path: file.name })))),
    );
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
