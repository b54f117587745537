import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../../test/support/faults/child-script.ts";
import { hands, type Hands } from "../../../../test/support/engines/file-hands.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { dataOf, runTool, testSession, toolContext } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import { FileAccessKey, type FileVersion } from "../../../core/session/file-access.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { applyPatch } from "../patch/apply-patch.ts";
import { readManyFiles } from "../read/read-many-files.ts";
import { writeFile } from "../edit/write-file.ts";

const STALE = {
  code: "TOOL_FAILED",
  message: /^a has changed since you last read it at 20.*; nothing was written$/,
};

test("a file that changed since it was read is neither written nor edited, until it is read again", async (context) => {
  const { at, read, write, edit } = hands(context);
  writeFileSync(at("a"), "one\n");
  await read("a");
  writeFileSync(at("a"), "two\n");
  await assert.rejects(write("a", "mine\n"), STALE);
  await assert.rejects(edit("a", "two", "2"), STALE);
  assert.equal(readFileSync(at("a"), "utf8"), "two\n");
  await read("a");
  await edit("a", "two", "2");
  assert.equal(readFileSync(at("a"), "utf8"), "2\n");
});

test("the error says when the file was read and what to do", async (context) => {
  const { at, read, write } = hands(context);
  writeFileSync(at("a"), "one");
  const before = Date.now();
  await read("a");
  rmSync(at("a"));
  writeFileSync(at("a"), "another");
  const error: unknown = await write("a", "mine").catch((reason: unknown) => reason);
  assert(error instanceof ToolError);
  assert.match(error.hint ?? "", /read it again/);
  const seenAt = Number(error.details?.["seenAt"]);
  assert(seenAt >= before && seenAt <= Date.now());
});

test("the agent's own writes are known: writes and edits follow each other without a read", async (context) => {
  const { at, write, edit } = hands(context);
  await write("a", "one");
  await edit("a", "one", "two");
  await write("a", "three");
  await edit("a", "three", "four");
  writeFileSync(at("a"), "theirs");
  await assert.rejects(edit("a", "theirs", "mine"), STALE);
});

test("a new time on the same content is no change; a change that hides its time is one", async (context) => {
  const { at, read, write } = hands(context);
  writeFileSync(at("a"), "same");
  await read("a");
  utimesSync(at("a"), 1, 1);
  await write("a", "next");
  const { atime, mtime } = statSync(at("a"));
  writeFileSync(at("a"), "then");
  utimesSync(at("a"), atime, mtime);
  await assert.rejects(write("a", "mine"), STALE);
});

test("a large file is compared by its times", async (context) => {
  const { at, read, edit } = hands(context);
  const text = "line\n".repeat(100_000);
  writeFileSync(at("a"), `first\n${text}`);
  // Times are trusted once they are older than a kernel's clock is coarse.
  while (Date.now() - statSync(at("a")).ctimeMs < 60) await new Promise(setImmediate);
  await read("a");
  await edit("a", "first", "second");
  await read("a");
  appendFileSync(at("a"), "more\n");
  await assert.rejects(edit("a", "second", "third"), STALE);
});

test("a file too large to hash and too young to trust counts as changed", async (context) => {
  const { at, read, write } = hands(context);
  writeFileSync(at("a"), "text\n".repeat(10));
  truncateSync(at("a"), 33 * 1024 * 1024);
  writeFileSync(at("a"), "text\n".repeat(2000), { flag: "r+" });
  await read("a");
  await assert.rejects(write("a", "mine"), STALE);
});

test("a file that was never read may be edited, since the exact text is proof enough", async (context) => {
  const { at, edit } = hands(context);
  writeFileSync(at("a"), "one");
  await edit("a", "one", "two");
  assert.equal(readFileSync(at("a"), "utf8"), "two");
});

test("a file that changed between the judging and the write is refused, read before or not", async (context) => {
  const { at, read, write, edit } = hands(context);
  for (const isRead of [false, true]) {
    const change = (): void => writeFileSync(at("a"), "changed meanwhile");
    for (const work of [() => write("a", "mine", change), () => edit("a", "changed", "mine", change)]) {
      rmSync(at("a"), { force: true });
      writeFileSync(at("a"), "one");
      if (isRead) await read("a");
      await assert.rejects(work(), { code: "TOOL_FAILED" });
      assert.equal(readFileSync(at("a"), "utf8"), "changed meanwhile");
    }
  }
});

test("only the overwriting of a file that was not seen is marked for policy", async (context) => {
  const { at, read, write, factsOfWrite } = hands(context);
  const unread = async (path: string): Promise<unknown> => {
    const [fact] = await factsOfWrite(path);
    return fact?.kind === "path" ? fact.unread : undefined;
  };
  assert.equal(await unread("a"), undefined, "a new file");
  writeFileSync(at("a"), "one");
  assert.equal(await unread("a"), true);
  await read("a");
  assert.equal(await unread("a"), undefined);
  await write("b", "own");
  assert.equal(await unread("b"), undefined);
});

test("a patch checks known file versions like any other change", async (context) => {
  const session = testSession();
  const { root, at, read } = hands(context, {}, session);
  const tool = applyPatch({ root });
  const update = (from: string, to: string): JsonObject => ({
    patch: `*** Begin Patch\n*** Update File: a\n@@\n-${from}\n+${to}\n*** End Patch\n`,
  });
  writeFileSync(at("a"), "one\n");
  await read("a");
  await runTool(tool, update("one", "two"), { session });
  await runTool(tool, update("two", "three"), { session });
  writeFileSync(at("a"), "three\nmore\n");
  await assert.rejects(runTool(tool, update("three", "four"), { session }), STALE);
  assert.equal(readFileSync(at("a"), "utf8"), "three\nmore\n");
  const add = { patch: "*** Begin Patch\n*** Add File: b\n+new\n*** End Patch\n" };
  const unread = async (): Promise<readonly unknown[]> =>
    ((await tool.facts?.(add, toolContext(tool, add, { session }))) ?? []).map(
      (fact) => fact.kind === "path" && fact.unread,
    );
  assert.deepEqual(await unread(), [undefined]);
  writeFileSync(at("b"), "there already");
  assert.deepEqual(await unread(), [true]);
});

test("a file that can be written but not read is replaced, since it cannot have been read", (context) => {
  const root = temporaryFolder(context);
  chmodSync(root, 0o777);
  const script = `
    import { chmodSync, readFileSync, writeFileSync } from "node:fs";
    import { writeFile } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "../edit/write-file.ts")))};
    import { runTool } from ${JSON.stringify(sourceUrl(resolve("test/support/engines/tool-context.ts")))};
    const file = ${JSON.stringify(join(root, "a"))};
    writeFileSync(file, "old");
    chmodSync(file, 0o200);
    await runTool(writeFile({ root: ${JSON.stringify(root)} }), { path: "a", content: "new" });
    chmodSync(file, 0o600);
    console.log(readFileSync(file, "utf8"));
    chmodSync(file, 0o400);
    const error = await runTool(writeFile({ root: ${JSON.stringify(root)} }), { path: "a", content: "x" }).catch((e) => e);
    console.log(error.message);`;
  const { stdout, stderr } = runScriptAsNobody(script);
  assert.equal(stdout, `new\ncannot write ${join(root, "a")}: permission denied\n`, stderr);
});

test("reading many files records the versions of shown files, not of omitted ones", async (context) => {
  const session = testSession();
  const { root, at, factsOfWrite } = hands(context, {}, session);
  const names = Array.from({ length: 30 }, (_, index) => `file-${String(index).padStart(2, "0")}`);
  for (const name of names) writeFileSync(at(name), "line of text\n".repeat(300));
  writeFileSync(at("binary"), Buffer.from([0]));
  const reply = await runTool(readManyFiles({ root }), { paths: [...names, "binary"] }, { session });
  const leftOut = dataOf(reply)["left_out"] as readonly string[];
  assert(leftOut.length > 0 && leftOut.length < names.length);
  for (const name of [...names, "binary"]) {
    const [fact] = await factsOfWrite(name);
    const isUnread = fact?.kind === "path" && fact.unread === true;
    assert.equal(isUnread, name === "binary" || leftOut.includes(name), name);
  }
});

test("a file that could not be shown was not seen", async (context) => {
  const { at, read, factsOfWrite } = hands(context);
  writeFileSync(at("a"), Buffer.from([0, 1, 2]));
  await assert.rejects(read("a"), /binary/);
  const [fact] = await factsOfWrite("a");
  assert.equal(fact?.kind === "path" && fact.unread, true);
});

test("a session knows the versions that it read in another process, not those of other sessions", async (context) => {
  const root = temporaryFolder(context);
  const collections = createMemoryCollections();
  const open = (id: string): Hands => hands(context, { root, collections }, testSession(id));
  writeFileSync(join(root, "a"), "one");
  await open("mine").read("a");
  const isUnread = async (id: string): Promise<boolean> =>
    "unread" in ((await open(id).factsOfWrite("a"))[0] ?? {});
  assert.equal(await isUnread("mine"), false);
  assert.equal(await isUnread("other"), true);
  writeFileSync(join(root, "a"), "two");
  await assert.rejects(open("mine").write("a", "mine"), STALE);
  await open("other").write("a", "other");
});

test("calls without a session of their own leave nothing behind for other processes", async (context) => {
  const root = temporaryFolder(context);
  const collections = createMemoryCollections();
  writeFileSync(join(root, "a"), "one");
  await hands(context, { root, collections }, testSession("")).read("a");
  const [fact] = await hands(context, { root, collections }, testSession("")).factsOfWrite("a");
  assert.equal(fact?.kind === "path" && fact.unread, true);
});

test("a host program may keep the knowledge itself", async (context) => {
  const root = temporaryFolder(context);
  const versions = new Map<string, FileVersion>();
  const provided = {
    seen: async (path: string) => {
      const version = versions.get(path);
      return version === undefined ? undefined : { version, seenAt: 0 };
    },
    note: async (path: string, version: FileVersion) => void versions.set(path, version),
  };
  const tool = writeFile({ root });
  const input = { path: "a", content: "text", create_only: false };
  const plain = toolContext(tool, input);
  const provides = {
    ...plain,
    find: (key: { name: string }) => (key.name === FileAccessKey.name ? provided : plain.find(key)),
  } as typeof plain;
  const facts = (await tool.facts?.(input, provides)) ?? [];
  await tool.run(input, { ...provides, facts });
  assert.deepEqual([...versions.keys()], [join(root, "a")]);
});

test("a store failure stops what depends on it, but undoes nothing that was written", async (context) => {
  const root = temporaryFolder(context);
  const collections = createMemoryCollections();
  const { write, read } = hands(context, { root, collections }, testSession("s"));
  const failing = { ...collections, open: () => ({ ...collections.open("x"), set: fail }) };
  const fail = (): Promise<never> => Promise.reject(new ToolError("UNAVAILABLE", "the disk is full"));
  const broken = hands(context, { root, collections: failing }, testSession("s"));
  await broken.write("a", "one");
  assert.equal(readFileSync(join(root, "a"), "utf8"), "one");
  await assert.rejects(broken.read("a"), { code: "UNAVAILABLE" });
  await collections.close();
  await assert.rejects(write("a", "two"), { code: "UNAVAILABLE" });
  await assert.rejects(read("a"), { code: "UNAVAILABLE" });
  assert.equal(readFileSync(join(root, "a"), "utf8"), "one");
});
