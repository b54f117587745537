import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openTerminal, type Terminal } from "../../support/programs/terminal.ts";
import { createPlace, LAUNCHER, type Place } from "./cli.ts";

/** What the docs have in place of the folder of a test. */
export const SHOWN_FOLDER = "/home/me/project";

/** What the scripted model says, one answer after the other. */
export type Script = readonly Readonly<Record<string, unknown>>[];

export interface ReplPlace extends Place {
  readonly environment: Readonly<Record<string, string>>;
  /** The words that start the REPL on the script. */
  readonly command: (...flags: readonly string[]) => readonly string[];
}

/** A folder with a script for the model; one that is as long as its name in the docs breaks rows where these do. */
export function createReplPlace(t: TestContext, script: Script, folderLike?: string): ReplPlace {
  const place = folderLike === undefined ? createPlace(t) : withFolder(t, createPlace(t), folderLike);
  writeFileSync(
    join(place.folder, "story.jsonl"),
    script.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  return {
    ...place,
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: place.home,
      TOOLWRIGHT_HOME: place.home,
      LANG: "C.UTF-8",
      // Without it the first start asks.
      TOOLWRIGHT_LEVEL: "ask",
    },
    command: (...flags) => [process.execPath, LAUNCHER, "chat", "--model", "scripted/story.jsonl", ...flags],
  };
}

function withFolder(t: TestContext, place: Place, { length }: string): Place {
  const folder = mkdtempSync("/tmp/repl-".padEnd(length - 6, "-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { ...place, folder, write: (name, text) => writeFileSync(join(folder, name), text) };
}

export interface ReplOptions {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  readonly limitMs?: number;
}

/** Says how the program ended and how it left the terminal, then stays so that it can be read. */
const AFTERWARDS =
  '"$@"; echo "exit $?"; stty -a | tr ";" "\\n" | grep -o -- "-\\?\\(icanon\\|echo\\)\\b" | tr "\\n" " "; cat';

/** The real program on a real terminal. */
export function openRepl(t: TestContext, place: ReplPlace, options: ReplOptions = {}): Promise<Terminal> {
  const { flags = [], environment = {}, ...size } = options;
  return openTerminal(t, {
    ...size,
    cwd: place.folder,
    environment: { ...place.environment, ...environment },
    command: ["sh", "-c", AFTERWARDS, "sh", ...place.command(...flags)],
  });
}

/** A screen without what differs from run to run: times, pictures of something going on, the folder. */
export function normalized(screen: string, place: Place): string {
  return screen
    .replaceAll(place.folder, SHOWN_FOLDER)
    .split("\n")
    .map((line) => withoutFigures(line).trimEnd())
    .join("\n")
    .trim();
}

/** What is at the right edge stays there. */
function withoutFigures(line: string): string {
  const fixed = line
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu, "⠋")
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "1.0 s")
    .replaceAll(/\b[\d.]+k? tokens/g, "1.2k tokens")
    .replaceAll(/\b\d+ % context left/g, "98 % context left");
  const [, left, gap = "", right] = /^(\S.*?)( {3,})(\S.* % context left)$/.exec(fixed) ?? [];
  if (left === undefined || right === undefined) return fixed;
  return left + " ".repeat(Math.max(1, gap.length + line.length - fixed.length)) + right;
}
