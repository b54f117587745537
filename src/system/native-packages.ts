import type * as Pty from "@lydell/node-pty";
import type * as Ripgrep from "@vscode/ripgrep";
import type * as Playwright from "playwright-core";
import { join } from "node:path";

// Turbopack replaces `process.turbopack` by `true` in code that it bundles; nothing else sets it. It cannot bundle native files: the packages
// are loaded from node_modules then. If this package is external, Turbopack follows the imports and copies the files of both packages.
declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to add a property to `process`
  namespace NodeJS {
    interface Process {
      readonly turbopack?: true;
    }
  }
}

/** Loads the package that starts programs in a pseudoterminal. Rejects if it is not installed for this system. */
export async function loadPty(): Promise<typeof Pty> {
  if (process.turbopack) return requireUnseen("@lydell/node-pty") as typeof Pty;
  return import("@lydell/node-pty");
}

/** Loads the package that contains ripgrep. Rejects if it is not installed for this system. */
export async function loadRipgrep(): Promise<typeof Ripgrep> {
  if (process.turbopack) return requireUnseen("@vscode/ripgrep") as typeof Ripgrep;
  return import("@vscode/ripgrep");
}

/** Loads the optional package that drives browsers. Throws if it is not installed. */
export function loadPlaywright(): typeof Playwright {
  return requireUnseen("playwright-core") as typeof Playwright;
}

/** Requires a package in a way that bundlers do not follow. */
function requireUnseen(name: string): unknown {
  // A bundler that writes CommonJS leaves no address here.
  const url: string | undefined = import.meta.url;
  const { createRequire } = process.getBuiltinModule("node:module");
  return createRequire(url ?? join(process.cwd(), "index.js"))(name);
}
