import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import test from "node:test";
import { compile } from "./support/programs/compile.ts";
import { isLong } from "./support/property-runs.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** They load another framework, which costs more than all other examples together: the long tests run them. */
const FRAMEWORKS = new Set(["langchain.ts", "mastra.ts", "openai-agents.ts"]);
const files = globSync("examples/*.ts", { cwd: ROOT })
  .filter((file) => isLong || !FRAMEWORKS.has(basename(file)))
  .sort()
  .map((file) => join(ROOT, file));
/** In a usual run they share a process, which loads the package once; in a long run each has its own. */
const batches = isLong ? files.map((file) => [file]) : [files];
const IMPORT_ALL = resolve(import.meta.dirname, "support/import-all.ts");
/** Compiled first, each in its own folder. */
const projects = globSync("examples/*/tsconfig.json", { cwd: ROOT }).map(dirname).sort();

test("there are examples", () => {
  assert.ok(files.length > 20 && projects.length > 0, `${files.length} files, ${projects.length} projects`);
});

for (const batch of batches) {
  let importing: Promise<Outcome> | undefined;
  const importAll = () => (importing ??= nodeRuns([IMPORT_ALL, ...batch]));

  for (const [index, file] of batch.entries()) {
    test(`examples/${basename(file)} runs, says something and asserts it`, async () => {
      const { stdout, stderr } = await importAll();
      const line = stdout.split("\n")[index] || JSON.stringify({ error: `it did not end: ${stderr}` });
      const { error, output } = JSON.parse(line) as { readonly error?: string; readonly output?: string };
      assert.equal(error, undefined);
      assert.notEqual(output?.trim(), "", "an example says what it does");
    });
  }

  test(`${isLong ? basename(batch[0] ?? "") : "the examples"}: the process ends by itself, without a warning`, async () => {
    const { code, stderr } = await importAll();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  });
}

for (const project of projects) {
  test(`${project} compiles, runs, says something and asserts it`, async (context) => {
    const folder = temporaryFolder(context);
    compile(join(ROOT, project), folder);
    await runs(join(folder, `${basename(project)}.js`));
  });
}

async function runs(file: string): Promise<void> {
  const { code, stdout, stderr } = await nodeRuns([file]);
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
function nodeRuns(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, timeout: 110_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), stdout, stderr }),
    );
  });
}
