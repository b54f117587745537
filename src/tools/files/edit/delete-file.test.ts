import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  dataOf,
  runTool,
  testSession,
  textOf,
  toolContext,
} from "../../../../test/support/engines/tool-context.ts";
import type { Tool } from "../../../core/tool.ts";
import { createTrash } from "../../../system/saved/trash.ts";
import { deleteFile } from "./delete-file.ts";

interface Place {
  readonly root: string;
  readonly state: string;
  readonly tool: Tool;
  readonly at: (name: string) => string;
}

function place(context: TestContext): Place {
  const root = temporaryFolder(context);
  const state = temporaryFolder(context);
  const tool = deleteFile({ root, trashFolder: join(state, "trash"), stateFolders: [state] });
  return { root, state, tool, at: (name) => join(root, name) };
}

test("a file is moved to the trash, and the answer says how to restore it", async (context) => {
  const { root, state, tool, at } = place(context);
  writeFileSync(at("a.txt"), "text");
  const reply = await runTool(tool, { path: "a.txt" }, { session: testSession("my session") });
  const id = dataOf(reply)["trash_id"] as string;
  assert.equal(
    textOf(reply),
    `Moved the file a.txt (4 bytes) to the trash as ${id}; "toolwright trash restore ${id}" restores it`,
  );
  assert.deepEqual(reply.data, { path: "a.txt", trash_id: id, kind: "file", bytes: 4 });
  assert.deepEqual(readdirSync(root), []);
  const trash = createTrash({ folder: join(state, "trash") });
  const [entry] = await trash.list();
  assert(entry !== undefined);
  assert.equal(entry.session, "my session");
  assert.equal(typeof entry.callId, "string");
  await trash.restore(entry);
  assert.equal(readFileSync(at("a.txt"), "utf8"), "text");
});

test("an empty folder is deleted, a filled one only with recursive", async (context) => {
  const { tool, at } = place(context);
  mkdirSync(at("empty"));
  await runTool(tool, { path: "empty" });
  assert.ok(!existsSync(at("empty")));
  mkdirSync(at("filled"));
  writeFileSync(at("filled/.hidden"), "");
  await assert.rejects(runTool(tool, { path: "filled/" }), { message: /not empty/, hint: /recursive/ });
  assert.ok(existsSync(at("filled/.hidden")));
  await runTool(tool, { path: "filled/", recursive: true });
  assert.ok(!existsSync(at("filled")));
});

test("a link is deleted itself, also one to a filled folder and one to nothing", async (context) => {
  const { tool, at } = place(context);
  mkdirSync(at("real"));
  writeFileSync(at("real/file"), "stays");
  symlinkSync("real", at("link"));
  symlinkSync("nowhere", at("dangling"));
  for (const path of ["link", "dangling"]) await runTool(tool, { path });
  assert.deepEqual(readdirSync(at(".")), ["real"]);
  assert.equal(readFileSync(at("real/file"), "utf8"), "stays");
});

test("policy judges the link itself, and the real path behind linked folders", async (context) => {
  const { tool, at } = place(context);
  symlinkSync("/etc/passwd", at("link"));
  symlinkSync("/etc", at("folder"));
  const paths = async (path: string): Promise<unknown> =>
    (await tool.facts?.({ path, recursive: false }, toolContext(tool, {})))?.map(
      (fact) => fact.kind === "path" && fact.path,
    );
  assert.deepEqual(await paths("link"), [at("link")]);
  assert.deepEqual(await paths("folder/passwd"), ["/etc/passwd"]);
});

test("the workspace, a folder that contains it and Toolwright's own state are not deleted", async (context) => {
  const outer = temporaryFolder(context);
  const at = (name: string): string => join(outer, name);
  for (const name of ["work/root", "work/more/inner", "home/state/trash"])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at("home/config.json"), "{}");
  symlinkSync("home", at("linked-home"));
  const tool = deleteFile({
    root: at("work/root"),
    roots: [at("work/more")],
    trashFolder: at("home/state/trash"),
    stateFolders: [at("linked-home"), at("not-made-yet")],
  });
  const refused = {
    ".": /is the workspace itself/,
    "../root": /is the workspace itself/,
    "..": /contains the workspace/,
    "../more": /is the workspace itself/,
    "../../home": /Toolwright's own state/,
    "../../home/config.json": /Toolwright's own state/,
    "../../home/state/trash": /Toolwright's own state/,
  };
  for (const [path, reason] of Object.entries(refused)) {
    await assert.rejects(runTool(tool, { path, recursive: true }), reason, path);
  }
  await runTool(tool, { path: "../more/inner" });
  assert.ok(existsSync(at("home/config.json")));
});

test("without a trash nothing is deleted, and the error says which option is missing", async (context) => {
  const root = temporaryFolder(context);
  writeFileSync(join(root, "a"), "");
  await assert.rejects(runTool(deleteFile({ root }), { path: "a" }), {
    code: "MISSING_CONTEXT",
    hint: /trashFolder/,
  });
  assert.ok(existsSync(join(root, "a")));
});

test("a missing file is reported with similar names; a file replaced after the judgement stays", async (context) => {
  const { tool, at } = place(context);
  writeFileSync(at("notes.txt"), "");
  await assert.rejects(runTool(tool, { path: "note.txt" }), {
    message: /does not exist/,
    hint: /notes\.txt/,
  });
  const swap = (): void => {
    mkdirSync(at("other"));
    writeFileSync(at("other/file"), "");
    renameSync(at("notes.txt"), at("moved"));
    renameSync(at("other"), at("notes.txt"));
  };
  await assert.rejects(
    runTool(tool, { path: "notes.txt", recursive: true }, { beforeRun: swap }),
    /changed between/,
  );
  assert.ok(lstatSync(at("notes.txt")).isDirectory());
});
