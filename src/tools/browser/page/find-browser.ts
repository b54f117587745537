import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { findProgram } from "../../../system/box/find-program.ts";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];
const SYSTEM_PATH = "/usr/bin:/usr/local/bin:/opt/google/chrome:/opt/homebrew/bin:/run/current-system/sw/bin";

/** A browser's program, and the folder that it needs. */
export interface BrowserProgram {
  readonly file: string;
  readonly folder: string;
}

/** Returns the program at the path of the setting, else the first browser that is found. Throws `UNAVAILABLE`. */
export function findBrowser(
  path: string | undefined,
  searchPath = "",
  systemPath = SYSTEM_PATH,
): BrowserProgram {
  const names = path === undefined ? NAMES : [path];
  const file = names.map((name) => findProgram(name, `${searchPath}:${systemPath}`)).find(Boolean);
  if (file !== undefined) return { file, folder: dirname(realpathSync(file)) };
  const what = path === undefined ? "no Chromium, Chrome or Edge was found" : `there is no program ${path}`;
  throw new ToolError("UNAVAILABLE", what, {
    hint: 'install one, such as the package chromium, or name its program: "browser": { "path": "/path/to/it" } in the config',
  });
}
