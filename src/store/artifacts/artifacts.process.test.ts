import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readAll, write } from "../../app/host/testing/contracts/artifact-texts.ts";
import { createDiskArtifacts } from "./artifacts.ts";

test("an artifact is one file that begins with its text and that only its owner can read", async (context) => {
  const folder = join(await temporaryFolder(context), "artifacts");
  const artifacts = await createDiskArtifacts({ folder });
  const { id } = await write(artifacts, ["plain text"]);
  assert.deepEqual(readdirSync(folder), [`${id}.cut`]);
  assert.equal(readFileSync(join(folder, `${id}.cut`), "latin1").slice(0, -48), "plain text");
  assert.equal(statSync(join(folder, `${id}.cut`)).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await artifacts.close();
});

test("an artifact whose file was truncated, emptied or extended is refused, never shown as complete", async (context) => {
  const folder = await temporaryFolder(context);
  const artifacts = await createDiskArtifacts({ folder, maxBytes: 100 });
  context.after(() => artifacts.close());
  for (const text of ["short", "long ".repeat(100)]) {
    const { id } = await write(artifacts, [text]);
    const path = join(folder, `${id}.cut`);
    const whole = readFileSync(path);
    const damaged = [
      whole.subarray(0, -1),
      whole.subarray(0, 10),
      Buffer.alloc(0),
      Buffer.alloc(whole.length),
    ];
    for (const bytes of [...damaged, Buffer.concat([whole, whole])]) {
      writeFileSync(path, bytes);
      await assert.rejects(artifacts.read(id, 0, 10), { code: "UNAVAILABLE", message: /is damaged/ });
      await assert.rejects(artifacts.info(id), { code: "UNAVAILABLE" });
    }
    writeFileSync(path, whole);
    assert.equal((await artifacts.info(id))?.size, text.length);
  }
});

test("the plain text file of an earlier version is read whole", async (context) => {
  const folder = await temporaryFolder(context);
  const id = `art_${"0".repeat(32)}`;
  writeFileSync(join(folder, `${id}.txt`), "written earlier");
  const artifacts = await createDiskArtifacts({ folder });
  context.after(() => artifacts.close());
  assert.equal(await readAll(artifacts, id), "written earlier");
});

test("an artifact outlives the process that wrote it, whatever cap the next one has", async (context) => {
  const folder = await temporaryFolder(context);
  const first = await createDiskArtifacts({ folder, maxBytes: 40 });
  const { id, ...info } = await write(first, ["a".repeat(100), "z".repeat(100)]);
  await first.close();
  const second = await createDiskArtifacts({ folder, maxBytes: 1000 });
  assert.deepEqual(await second.info(id), { id, ...info });
  const text = await readAll(second, id);
  assert.equal(text, `${"a".repeat(20)}\n[… 160 bytes dropped …]\n${"z".repeat(20)}`);
  await second.close();
});

test("an expired artifact cannot be read, and is removed from the disk when the store is next opened", async (context) => {
  const folder = await temporaryFolder(context);
  const artifacts = await createDiskArtifacts({ folder, maxAgeMs: 60_000 });
  const [old, young] = [await write(artifacts, ["old"]), await write(artifacts, ["young"])];
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(folder, `${old.id}.cut`), hourAgo, hourAgo);
  assert.equal(await artifacts.info(old.id), undefined);
  assert.equal(await artifacts.read(old.id, 0, 10), undefined);
  await artifacts.close();
  await (await createDiskArtifacts({ folder, maxAgeMs: 60_000 })).close();
  assert.deepEqual(readdirSync(folder), [`${young.id}.cut`]);
});

test("over the size limit the oldest artifact is removed at the next opening, and no other file", async (context) => {
  const folder = await temporaryFolder(context);
  const artifacts = await createDiskArtifacts({ folder });
  const [old, young] = [await write(artifacts, ["x".repeat(600)]), await write(artifacts, ["y".repeat(600)])];
  utimesSync(join(folder, `${old.id}.cut`), 1e9, Date.now() / 1000 - 60);
  writeFileSync(join(folder, "notes.txt"), "z".repeat(5000));
  utimesSync(join(folder, "notes.txt"), 1e9, 1e9);
  await artifacts.close();
  await (await createDiskArtifacts({ folder, maxTotalBytes: 1000 })).close();
  assert.deepEqual(readdirSync(folder).toSorted(byText), [`${young.id}.cut`, "notes.txt"].toSorted(byText));
});

test("the size limit of all artifacts holds while they are written", async (context) => {
  const folder = await temporaryFolder(context);
  const artifacts = await createDiskArtifacts({ folder, maxBytes: 600, maxTotalBytes: 1000 });
  const old = await write(artifacts, ["o".repeat(500)]);
  const [first, second] = [artifacts.create(), artifacts.create()];
  await first.write("x".repeat(600));
  await second.write("y".repeat(300));
  await second.write("y".repeat(300));
  await assert.rejects(second.close(), { code: "UNAVAILABLE", message: /exceed the size limit/ });
  assert.equal((await first.close()).size, 600);
  assert.equal(await artifacts.info(old.id), undefined, "it was removed while the others were written");
  assert.deepEqual(readdirSync(folder), [`${first.id}.cut`]);
  await artifacts.close();
});

test("partial files of a dead process are removed, those of a live one are not", async (context) => {
  const folder = await temporaryFolder(context);
  const living = await createDiskArtifacts({ folder });
  const writer = living.create();
  await writer.write("still at it");
  const script = `
    import { createDiskArtifacts } from ${JSON.stringify(join(import.meta.dirname, "artifacts.ts"))};
    const artifacts = await createDiskArtifacts({ folder: ${JSON.stringify(folder)} });
    await artifacts.create().write("left behind");
    console.log("written");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
  await once(child.stdout, "data");
  assert.equal(readdirSync(folder).length, 2);
  child.kill("SIGKILL");
  await once(child, "exit");

  await (await createDiskArtifacts({ folder })).close();
  assert.equal(readdirSync(folder).length, 1);
  const { id } = await writer.close();
  assert.equal(await readAll(living, id), "still at it");
  await living.close();
});

test("an artifact that is still being written cannot be read, and closing finishes it", async (context) => {
  const folder = await temporaryFolder(context);
  const artifacts = await createDiskArtifacts({ folder });
  const writer = artifacts.create();
  await writer.write("text");
  assert.equal(await artifacts.info(writer.id), undefined);
  await artifacts.close();
  assert.equal(await readAll(artifacts, writer.id), "text");
});

test("a text that cannot be stored is reported by close, never by write", async (context) => {
  const folder = join(await temporaryFolder(context), "artifacts");
  const artifacts = await createDiskArtifacts({ folder });
  await rm(folder, { recursive: true });
  const writer = artifacts.create();
  await writer.write("text");
  await assert.rejects(writer.close(), { code: "UNAVAILABLE" });
  assert.equal(await artifacts.info(writer.id), undefined);
  await artifacts.close();
});

test("a folder that cannot be created is reported with the reason", async () => {
  await assert.rejects(createDiskArtifacts({ folder: "/dev/null/artifacts" }), { code: "UNAVAILABLE" });
});

test("writing 512 MB and searching a line of 200 MB use less than 64 MB of memory", async (context) => {
  const folder = await temporaryFolder(context);
  const script = `
    import { createDiskArtifacts } from ${JSON.stringify(join(import.meta.dirname, "artifacts.ts"))};
    const artifacts = await createDiskArtifacts({ folder: ${JSON.stringify(folder)}, maxBytes: 2 ** 26 });
    const line = "a line of a very talkative program\\n".repeat(30000);
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = () => { most = Math.max(most, process.memoryUsage.rss()); };
    const talk = artifacts.create();
    for (let size = 0; size < 2 ** 29; size += line.length) { await talk.write(line); watch(); }
    const { size, dropped } = await talk.close();
    const wide = await createDiskArtifacts({ folder: ${JSON.stringify(folder)} });
    const long = wide.create();
    const piece = "x".repeat(2 ** 20);
    for (let count = 0; count < 200; count++) { long.write(piece); watch(); }
    await long.write("needle");
    const { id } = await long.close();
    const timer = setInterval(watch, 5);
    const found = await wide.search(id, /needle$/, 5);
    clearInterval(timer);
    watch();
    console.log(JSON.stringify({ size, kept: size - dropped, found, grownMb: (most - before) / 2 ** 20 }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
  });
  assert.notEqual(stdout, "", stderr);
  const { size, kept, found, grownMb } = JSON.parse(stdout);
  context.diagnostic(`grew by ${Number(grownMb).toFixed(1)} MB`);
  assert.ok(size >= 2 ** 29 && kept <= 2 ** 26 && kept >= 2 ** 26 - 6, stdout);
  assert.deepEqual([found.length, found[0].line, found[0].text.endsWith("xneedle")], [1, 1, true]);
  assert.ok(grownMb < 64, `grew by ${grownMb} MB`);
});

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-artifacts-"));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

function byText(left: string, right: string): number {
  return left < right ? -1 : 1;
}
