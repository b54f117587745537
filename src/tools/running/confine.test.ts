import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withoutBoxes } from "../../../test/support/sandboxes/boxes.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { toolContext } from "../../../test/support/engines/tool-context.ts";
import type { Key } from "../../core/context.ts";
import type { CommandFact } from "../../core/fact.ts";
import { HiddenPaths } from "../../core/session/hidden-paths.ts";
import { runProcess } from "../../system/process/process.ts";
import { confine } from "./confine.ts";
import { createRunning } from "./running.ts";
import { shell } from "./shell.ts";

test(
  "a denied file of the repository around the workspace is hidden from git",
  { skip: withoutBoxes },
  async (t) => {
    const repository = temporaryFolder(t);
    const workspace = join(repository, "packages/a");
    execFileSync("git", ["init", "-q", repository]);
    mkdirSync(workspace, { recursive: true });
    for (const file of [join(repository, ".env"), join(workspace, ".env")]) writeFileSync(file, "SECRET\n");
    const words = ["git", "status"].map((text) => ({ text, literal: true }));
    const command = { words, assignments: [], redirects: [], cwds: [workspace], via: [] };
    const fact: CommandFact = {
      kind: "command",
      text: "git status",
      cwd: workspace,
      place: "sandbox",
      reading: { certainty: "proven", commands: [command], paths: [], isReadOnly: true, box: "needed" },
    };
    const environment = { PATH: process.env["PATH"] ?? "", HOME: "/home/ada" };
    const options = { root: workspace, home: "/home/ada", environment };
    const isHidden = (path: string): boolean => path.endsWith("/.env");
    const context = {
      ...toolContext(shell(createRunning(options)), {}),
      facts: [fact],
      find: <T>(key: Key<T>) => (key.name === HiddenPaths.name ? (isHidden as T) : undefined),
    };
    const show = { file: "/bin/sh", args: ["-c", 'cat .env ../../.env; ls "$0"', repository] };
    const program = await confine({ ...show, cwd: workspace, env: environment }, options, context);
    let printed = "";
    await runProcess({
      ...program,
      onOutput: ({ stream, text }) => void (printed += stream === "stdout" ? text : ""),
    });
    assert.equal(printed, "packages\n");
  },
);
