import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Finding } from "../../../src/app/cli/tool-check/finding.ts";
import { runCli, type Place } from "./cli.ts";

/** A PATH on which `node` is the one that runs the tests: a tool in TypeScript needs a recent one. */
export const WITH_NODE: Readonly<Record<string, string>> = {
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
};

/** Returns the `skip` option of a test that needs a program. CI must have them all. */
export function withoutProgram(program: string): string | false {
  const { error } = spawnSync(program, ["--version"], { env: { ...process.env, ...WITH_NODE } });
  return error === undefined || process.env["CI"] === "true" ? false : `needs ${program}`;
}

/** Writes an executable file and returns its path. */
export function writeProgram(place: Place, name: string, text: string): string {
  const path = join(place.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

export interface Report {
  readonly code: number | null;
  readonly ok: boolean;
  readonly checks: readonly Finding[];
  /** The checks that failed. */
  readonly failed: readonly string[];
}

/** Checks a program with `toolwright tool check`. */
export async function checkProgram(place: Place, path: string, args?: unknown): Promise<Report> {
  const given = args === undefined ? [] : ["--args", JSON.stringify(args)];
  const { code, stdout, stderr } = await runCli(place, ["tool", "check", path, "--json", ...given], {
    environment: WITH_NODE,
  });
  if (stdout === "") throw new Error(stderr);
  const { ok, checks } = JSON.parse(stdout) as Pick<Report, "ok" | "checks">;
  return {
    code,
    ok,
    checks,
    failed: checks.filter(({ state }) => state === "fail").map(({ check }) => check),
  };
}
