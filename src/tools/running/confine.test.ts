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
import { HiddenPaths, ProtectedPaths } from "../../core/session/hidden-paths.ts";
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

test(
  "a denied file in a folder of the system is hidden from a program that opens what it finds",
  { skip: withoutBoxes },
  async (t) => {
    const workspace = temporaryFolder(t);
    const secret = "/usr/lib/os-release";
    const environment = { PATH: process.env["PATH"] ?? "", HOME: "/home/ada" };
    const options = { root: workspace, home: "/home/ada", environment };
    const isHidden = (path: string): boolean => path === secret;
    const printedBy = async (text: string): Promise<string> => {
      const words = text.split(" ").map((word) => ({ text: word, literal: true }));
      const command = { words, assignments: [], redirects: [], cwds: [workspace], via: [] };
      const reading = { certainty: "proven", commands: [command], paths: [], isReadOnly: true } as const;
      const fact: CommandFact = {
        kind: "command",
        text,
        cwd: workspace,
        place: "sandbox",
        reading: { ...reading, box: "needed" },
      };
      const context = {
        ...toolContext(shell(createRunning(options)), {}),
        facts: [fact, { kind: "path", path: "/usr/lib", access: "read", inode: 1, isSystem: true } as const],
        find: <T>(key: Key<T>) => (key.name === HiddenPaths.name ? (isHidden as T) : undefined),
      };
      const show = { file: "/bin/sh", args: ["-c", 'cat "$0"', secret] };
      const program = await confine({ ...show, cwd: workspace, env: environment }, options, context);
      let printed = "";
      const onOutput = ({ stream, text: more }: { readonly stream: string; readonly text: string }): void =>
        void (printed += stream === "stdout" ? more : "");
      await runProcess({ ...program, onOutput });
      return printed;
    };
    assert.equal(await printedBy("grep -r NAME /usr/lib"), "");
    assert.match(await printedBy("ls /usr/lib"), /NAME=/, "it opens no file of the folder");
  },
);

test(
  "git that compares folders outside the index does not see protected files",
  { skip: withoutBoxes },
  async (t) => {
    const workspace = temporaryFolder(t);
    for (const folder of ["a", "b"]) mkdirSync(join(workspace, folder));
    writeFileSync(join(workspace, "b/.env"), "SECRET\n");
    const environment = { PATH: process.env["PATH"] ?? "", HOME: "/home/ada" };
    const options = { root: workspace, home: "/home/ada", environment };
    const isProtected = (path: string): boolean => path.endsWith("/.env");
    const text = "git diff a b";
    const args = text.split(" ");
    const words = args.map((word) => ({ text: word, literal: true }));
    const command = { words, assignments: [], redirects: [], cwds: [workspace], via: [] };
    const reading = { certainty: "proven", commands: [command], paths: [], isReadOnly: true } as const;
    const fact: CommandFact = {
      kind: "command",
      text,
      cwd: workspace,
      place: "sandbox",
      reading: { ...reading, box: "needed" },
    };
    const context = {
      ...toolContext(shell(createRunning(options)), {}),
      facts: [fact],
      find: <T>(key: Key<T>) => (key.name === ProtectedPaths.name ? (isProtected as T) : undefined),
    };
    const git = { file: "git", args: args.slice(1), cwd: workspace, env: environment };
    let printed = "";
    const program = await confine(git, options, context);
    await runProcess({ ...program, onOutput: ({ text: more }) => void (printed += more) });
    assert.match(printed, /b\/\.env: unsupported file type/);
    assert.ok(!printed.includes("SECRET"), printed);
  },
);
