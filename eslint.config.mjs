// SPDX-License-Identifier: Apache-2.0

// What eslint looks for in TypeScript and JavaScript: mistakes, not taste, which is prettier's.
//   node studio/node_modules/eslint/bin/eslint.js studio bindings/wasm tests
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// The packages are the studio's, wherever the files are that they judge.
const require = createRequire(new URL("studio/package.json", import.meta.url));
const js = require("@eslint/js");
const ts = require("typescript-eslint");

const names = (...list) => Object.fromEntries(list.map((name) => [name, "readonly"]));
const BOTH = names(
  "console",
  "performance",
  "setTimeout",
  "clearTimeout",
  "URL",
  "TextEncoder",
  "TextDecoder",
  "WebAssembly",
  "fetch",
);
const NODE = names("process", "Buffer", "structuredClone", "FinalizationRegistry", "globalThis", "Blob", "Response");
const BROWSER = names(
  "window",
  "document",
  "location",
  "localStorage",
  "atob",
  "requestAnimationFrame",
  "getComputedStyle",
);
// Functions that a test hands to the page use the page's own names.
const IN_PAGE = names(
  "File",
  "DataTransfer",
  "DOMMatrix",
  "DragEvent",
  "Event",
  "btoa",
  "PerformanceObserver",
  "OffscreenCanvas",
  "ImageDecoder",
);

const RULES = {
  eqeqeq: ["error", "always", { null: "ignore" }],
  "array-callback-return": "error",
  "no-constructor-return": "error",
  "no-self-compare": "error",
  "no-template-curly-in-string": "error",
  "no-unreachable-loop": "error",
  "no-var": "error",
  "prefer-const": "error",
};

export default [
  { ignores: ["build/**", "**/node_modules/**", "studio/dist/**"] },
  js.configs.recommended,
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: { ...BOTH, ...NODE, ...BROWSER, ...IN_PAGE } },
    rules: RULES,
  },
  {
    // A piece of a script for node that emscripten makes.
    files: ["tests/wasm/node_pre.js"],
    languageOptions: { sourceType: "commonjs", globals: names("Module", "__filename") },
  },
  ...ts.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ["studio/src/**/*.ts"] })),
  {
    files: ["studio/src/**/*.ts"],
    languageOptions: {
      parserOptions: { project: "studio/tsconfig.json", tsconfigRootDir: fileURLToPath(new URL(".", import.meta.url)) },
    },
    rules: {
      ...RULES,
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unnecessary-condition": "error",
      "@typescript-eslint/no-unnecessary-type-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/prefer-readonly": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
];
