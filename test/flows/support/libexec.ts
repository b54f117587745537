import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Finished, Place } from "./cli.ts";

export const PROGRAMS = ["bash", "file_read", "file_write", "file_edit", "glob", "grep"] as const;
export type ProgramName = (typeof PROGRAMS)[number];

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** A program, with its arguments, that runs it. */
  readonly under?: readonly string[];
}

/** Creates a link to the program, in a folder with a blank in its name. */
export function linkTo(place: Place, name: ProgramName): string {
  const folder = join(place.home, "my tools");
  mkdirSync(folder, { recursive: true });
  const link = join(folder, `the ${name}`);
  symlinkSync(resolve("libexec", name), link);
  return link;
}

/** Runs a program to its end, from the place's folder. */
export async function runProgram(
  place: Place,
  path: string,
  options: ProgramOptions = {},
): Promise<Finished> {
  const { args = [], input = "", environment = {}, under = [] } = options;
  const [file = path, ...rest] = [...under, path, ...args];
  const startedAt = performance.now();
  const child = spawn(file, rest, {
    cwd: place.folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.home, ...environment },
  });
  const shown = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (shown.stderr += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return new Promise((settle, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      settle({ code, signal, ...shown, durationMs: performance.now() - startedAt }),
    );
  });
}
