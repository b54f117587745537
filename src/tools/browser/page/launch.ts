import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserType } from "playwright-core";
import { ToolError } from "../../../core/errors.ts";
import { intoBox, probeBox } from "../../../system/box/box.ts";
import type { BoxedProgram } from "../../../system/box/types.ts";
import { openForwardProxy } from "../../../system/fetch/forward-proxy.ts";
import { loadPlaywright } from "../../../system/native-packages.ts";
import { openShortly } from "../../../system/paths/open-shortly.ts";
import { createMarker, MARKER } from "../../../system/process/marker.ts";
import { createRoster } from "../../../system/process/roster.ts";
import { makeTemporaryFolder } from "../../../system/process/temporary-folder.ts";
import { endTree } from "../../../system/process/tree.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { BrowserSettings } from "./options.ts";
import { browserBox, relayed, SOCKET } from "./browser-box.ts";
import { findBrowser } from "./find-browser.ts";
import { type LaunchOptions, argumentsOf, isBare } from "./launch-arguments.ts";

const START_MS = 60_000;
const CLOSE_MS = 5000;
const KILL_MS = 1000;

/** A running browser. */
export type LaunchedBrowser = Awaited<ReturnType<typeof launchBrowser>>;

/**
 * Starts a browser whose connections all go through a guarded proxy: inside bubblewrap it has no other network. Rejects with
 * `UNAVAILABLE` if playwright-core or a browser is missing, or the browser does not start; never starts it with less protection than asked for.
 */
export async function launchBrowser(options: LaunchOptions) {
  const { browser: settings = {}, environment, stateFolder } = options;
  const { chromium } = requirePlaywright();
  const program = findBrowser(settings.path, environment["PATH"]);
  const isBoxed = await isBoxable(settings.sandbox);
  const folder = await makeTemporaryFolder();
  const shared = join(folder, "shared");
  mkdirSync(shared);
  const held = await openShortly(shared);
  const socket = isBoxed ? { socketPath: join(held.path, SOCKET) } : {};
  const proxy = await openForwardProxy({ ...options.network, ...socket });
  const marker = createMarker();
  const entry = createRoster(stateFolder).add(marker);
  const cleanUp = async (): Promise<void> => {
    await endTree(undefined, KILL_MS, marker);
    entry.ended();
    await proxy.close();
    await held.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const args = [
      ...argumentsOf(options, isBoxed),
      `--user-data-dir=${join(isBoxed ? "/tmp" : folder, "profile")}`,
    ];
    const started = isBoxed
      ? await intoBox(
          relayed(program.file, args, environment),
          browserBox(program.folder, { own: folder, shared }),
          "bubblewrap",
        )
      : { file: program.file, args: [`--proxy-server=${proxy.url}`, ...args], environment };
    const browser = await start(chromium, started, { marker, folder, shared });
    return {
      browser,
      /** sandbox: it runs inside bubblewrap, and reaches only the proxy. */
      place: isBoxed ? ("sandbox" as const) : ("host" as const),
      /** Ends it with everything that it started, and removes its files. */
      async close(): Promise<void> {
        await withTimeout(browser.close(), CLOSE_MS, () => undefined).catch(() => undefined);
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** Returns what `launchBrowser` would start, and rejects as it does. */
export async function inspectBrowser(
  settings: BrowserSettings,
  searchPath: string | undefined,
): Promise<{ readonly file: string; readonly place: LaunchedBrowser["place"]; readonly isBare: boolean }> {
  requirePlaywright();
  const { file } = findBrowser(settings.path, searchPath);
  const isBoxed = await isBoxable(settings.sandbox);
  return { file, place: isBoxed ? "sandbox" : "host", isBare: isBare(isBoxed) };
}

function requirePlaywright(): { readonly chromium: BrowserType } {
  try {
    return loadPlaywright();
  } catch (cause) {
    const message = "the package playwright-core, which drives the browser, is not installed";
    throw new ToolError("UNAVAILABLE", message, {
      hint: "install it beside toolwright: npm install playwright-core, with -g if toolwright was installed with it",
      cause,
    });
  }
}

/** Returns whether bubblewrap is used. Throws if there is no protection at all and the config does not ask for that. */
async function isBoxable(sandbox: "auto" | "none" = "auto"): Promise<boolean> {
  if (sandbox === "none") return false;
  const probe = process.platform === "linux" ? await probeBox("bubblewrap") : undefined;
  if (probe?.works === true) return true;
  if (process.getuid?.() !== 0) return false;
  const why = probe === undefined ? "there is no bubblewrap" : probe.reason;
  throw new ToolError("UNAVAILABLE", `the browser has no sandbox of its own as root, and ${why}`, {
    hint: `run as another user, or make bubblewrap work; "browser": { "sandbox": "none" } in the config runs it without a sandbox`,
  });
}

async function start(
  chromium: BrowserType,
  { file, args, environment }: Pick<BoxedProgram, "file" | "args" | "environment">,
  { marker, folder, shared }: { readonly marker: string; readonly folder: string; readonly shared: string },
): Promise<Browser> {
  try {
    // Not `launch`: that creates a profile in the folder for temporary files, which stays if this process is killed.
    const context = await chromium.launchPersistentContext(join(folder, "profile"), {
      executablePath: file,
      ignoreDefaultArgs: true,
      args: [...args],
      env: { ...environment, [MARKER]: marker },
      downloadsPath: shared,
      artifactsDir: folder,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS,
    });
    const browser = context.browser();
    if (browser === null) throw new Error("playwright-core has no browser for the context");
    return browser;
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", `the browser did not start: ${lastLines(errorMessage(cause))}`, {
      hint: 'another program can be named: "browser": { "path": "/path/to/it" } in the config; "sandbox": "none" there starts it outside bubblewrap',
      cause,
    });
  }
}

const MAX_LINES = 6;
const PRINTED = /\[err\] (.*)$/;

/** Returns the first line, and what the browser printed: the program and its arguments are long. */
function lastLines(text: string): string {
  const lines = text.split("\n");
  const printed = lines.flatMap((line) => PRINTED.exec(line)?.[1] ?? []);
  return [...lines.slice(0, 1), ...printed.slice(-MAX_LINES)].map((line) => line.slice(0, 300)).join("\n");
}
