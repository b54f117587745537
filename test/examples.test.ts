import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import test from "node:test";
import { compile } from "./support/compile.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** Run as they are. */
const files = globSync("examples/*.ts", { cwd: ROOT }).sort();
/** Compiled first, each in its own folder. */
const projects = globSync("examples/*/tsconfig.json", { cwd: ROOT }).map(dirname).sort();

test("there are examples", () => {
  assert.ok(files.length > 20 && projects.length > 0, `${files.length} files, ${projects.length} projects`);
});

for (const file of files) {
  test(`${file} runs, says something and asserts it`, () => runs(join(ROOT, file)));
}

for (const project of projects) {
  test(`${project} compiles, runs, says something and asserts it`, async (context) => {
    const folder = temporaryFolder(context);
    compile(join(ROOT, project), folder);
    await runs(join(folder, `${basename(project)}.js`));
  });
}

async function runs(file: string): Promise<void> {
  const { code, stdout, stderr } = await nodeRuns(file);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  assert.notEqual(stdout.trim(), "", "an example says what it does");
  assert.equal(stderr, "", "an example warns of nothing");
}

interface Outcome {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** From the package's folder, as a reader would start it. */
function nodeRuns(file: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { cwd: ROOT, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr }),
    );
  });
}
