import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createDefaultPolicy } from "../../src/app/host/policy.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { withoutProc } from "../flows/support/cli.ts";
import { call } from "../support/engines/engine.ts";
import { isLong } from "../support/property-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SECRET = "canary of another folder";
const OWN = "canary of this folder";

/** Puts a link in the place of what is there, and back, as fast as it can. */
const EXCHANGE = `
  const { renameSync } = require("node:fs");
  const [place, own, link] = process.argv.slice(1);
  process.stdout.write("started");
  for (;;) {
    renameSync(place, own);
    renameSync(link, place);
    renameSync(place, link);
    renameSync(own, place);
  }`;

interface Race {
  readonly root: string;
  /** Where `create_checkpoint` stores copies. */
  readonly checkpoints: string;
  readonly exchanger: ChildProcess;
}

/** A workspace in which `deep/a` or `deep/a/file.txt` is exchanged for a link out of it until the test ends. */
async function race(t: TestContext, exchanged: "folder" | "file"): Promise<Race> {
  // Registered first: it must end before the folders are removed.
  const children: ChildProcess[] = [];
  t.after(async () => {
    for (const child of children) if (child.kill("SIGKILL")) await once(child, "exit");
  });
  const [root, outside, checkpoints] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  mkdirSync(join(root, "deep/a"), { recursive: true });
  writeFileSync(join(root, "deep/a/file.txt"), `${OWN}\n`);
  writeFileSync(join(outside, "file.txt"), `${SECRET}\n`);
  const place = join(root, exchanged === "folder" ? "deep/a" : "deep/a/file.txt");
  const [own, link] = [join(root, "own"), join(root, "link")];
  symlinkSync(exchanged === "folder" ? outside : join(outside, "file.txt"), link);
  const child = spawn(process.execPath, ["-e", EXCHANGE, place, own, link], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout, "data");
  return { root, checkpoints, exchanger: child };
}

interface Call {
  readonly tool: string;
  readonly input: object;
  /** In a long run; a usual one makes a quarter of them. */
  readonly times: number;
  /** What an answer contains if it was found outside. */
  readonly foundOutside?: RegExp;
}

const CALLS: Readonly<Record<string, Call>> = {
  read_file: { tool: "read_file", input: { path: "deep/a/file.txt" }, times: 300 },
  "read_many_files with a path": {
    tool: "read_many_files",
    input: { paths: ["deep/a/file.txt"] },
    times: 300,
  },
  "read_many_files with a glob": { tool: "read_many_files", input: { paths: ["deep/**/*.txt"] }, times: 40 },
  create_checkpoint: {
    tool: "create_checkpoint",
    input: { description: "x", files_modified: ["deep/a/file.txt"] },
    times: 40,
  },
  "grep of the file": { tool: "grep", input: { pattern: "canary", path: "deep/a/file.txt" }, times: 40 },
  "grep of a folder": { tool: "grep", input: { pattern: "canary", path: "deep" }, times: 40 },
  "grep that lists files": {
    tool: "grep",
    input: { pattern: "another", output: "files" },
    times: 40,
    foundOutside: /"files":\["/,
  },
};

for (const exchanged of ["folder", "file"] as const) {
  for (const [name, { tool, input, times, foundOutside }] of Object.entries(CALLS)) {
    test(
      `${name} returns nothing from outside while a ${exchanged} is exchanged for a link`,
      { skip: withoutProc },
      async (t) => {
        const { root, checkpoints, exchanger } = await race(t, exchanged);
        const engine = createEngine({
          tools: builtInTools({ root, environment: {}, checkpointsFolder: checkpoints }),
          policy: createDefaultPolicy({ mode: "auto", workspace: [root], home: "/" }),
        });
        t.after(() => engine.close());
        const counts = { inside: 0, outside: 0, refused: 0 };
        for (let count = 0; count < times; count += isLong ? 1 : 4) {
          const result = await engine.run(call(tool, input));
          const text = JSON.stringify(result);
          const isOutside = text.includes(SECRET) || (foundOutside !== undefined && foundOutside.test(text));
          if (isOutside) counts.outside += 1;
          else if (result.ok) counts.inside += 1;
          else counts.refused += 1;
        }
        if (holds(checkpoints, SECRET)) counts.outside += 1;
        t.diagnostic(JSON.stringify(counts));
        assert.equal(counts.outside, 0, JSON.stringify(counts));
        assert.equal(exchanger.exitCode, null, "the links were exchanged to the end");
      },
    );
  }
}

function holds(folder: string, text: string): boolean {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), "utf8").includes(text),
  );
}
