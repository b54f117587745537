import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { copyTree, measureTree, removeCopied } from "./copy-tree.ts";
import { holdFolder } from "../paths/folder.ts";

test("only copied entries are removed: changed and new ones stay, with their folders", async (context) => {
  const root = temporaryFolder(context);
  const at = (name: string): string => join(root, name);
  mkdirSync(at("tree/quiet"), { recursive: true });
  mkdirSync(at("tree/busy"));
  for (const name of ["a", "changed", "swapped", "gone", "quiet/b", "busy/c"])
    writeFileSync(at(`tree/${name}`), name);
  const parent = await holdFolder(root);
  const copied = await copyTree({ parent, path: at("tree"), to: at("copy") });
  await parent.close();
  writeFileSync(at("tree/changed"), "longer than it was");
  writeFileSync(at("new"), "swapped");
  renameSync(at("new"), at("tree/swapped"));
  renameSync(at("tree/gone"), at("elsewhere"));
  writeFileSync(at("tree/busy/new"), "");
  const left = removeCopied(copied);
  assert.deepEqual(
    [...left].sort((a, b) => a.localeCompare(b)),
    ["tree", "tree/busy", "tree/changed", "tree/swapped"].map(at),
  );
  assert.deepEqual(readdirSync(at("tree"), { recursive: true }).length, 4);
  assert.ok(existsSync(at("tree/busy/new")) && !existsSync(at("tree/quiet")));
  assert.equal(readdirSync(at("copy"), { recursive: true }).length, 8);
});

test("an aborted copy ends between two files", async (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, "tree"));
  for (let count = 0; count < 50; count += 1) writeFileSync(join(root, "tree", `${count}`), "");
  const parent = await holdFolder(root);
  const controller = new AbortController();
  const copying = copyTree({
    parent,
    path: join(root, "tree"),
    to: join(root, "copy"),
    signal: controller.signal,
  });
  while (!existsSync(join(root, "copy")) || readdirSync(join(root, "copy")).length === 0) {
    await new Promise(setImmediate);
  }
  controller.abort(new Error("stop"));
  await assert.rejects(copying, /stop/);
  assert.ok(readdirSync(join(root, "copy")).length < 50);
  await parent.close();
});

test("a link in the tree is copied as a link, and a missing entry is reported", async (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, "secret"));
  writeFileSync(join(root, "secret/key"), "");
  mkdirSync(join(root, "tree"));
  symlinkSync(join(root, "secret"), join(root, "tree/inner"));
  const parent = await holdFolder(root);
  await copyTree({ parent, path: join(root, "tree"), to: join(root, "copy") });
  await assert.rejects(copyTree({ parent, path: join(root, "missing"), to: join(root, "none") }), {
    code: "ENOENT",
  });
  await parent.close();
  assert.deepEqual(
    readdirSync(join(root, "copy"), { withFileTypes: true }).map((one) => one.isSymbolicLink()),
    [true],
  );
});

/** Other systems refuse such names. */
const skip = process.platform === "linux" ? false : "names are UTF-8 here";

test(
  "names and link targets that are not UTF-8 are copied unchanged, and removed",
  { skip },
  async (context) => {
    const root = temporaryFolder(context);
    const [odd, inner] = [Buffer.from([0x66, 0xff]), Buffer.from([0xe4, 0x2e, 0x63])];
    const within = (...names: readonly Buffer[]): Buffer =>
      Buffer.concat([Buffer.from(root), ...names.flatMap((name) => [Buffer.from("/"), name])]);
    const tree = Buffer.from("tree");
    mkdirSync(within(tree, odd), { recursive: true });
    writeFileSync(within(tree, odd, inner), "text");
    symlinkSync(inner, within(tree, odd, Buffer.from("link")));
    const parent = await holdFolder(root);
    const copied = await copyTree({ parent, path: join(root, "tree"), to: join(root, "copy") });
    assert.equal(await measureTree(join(root, "copy")), 4 + inner.length);
    assert.deepEqual(removeCopied(copied), []);
    await parent.close();
    assert.deepEqual(readdirSync(root), ["copy"]);
    const copy = Buffer.from("copy");
    assert.equal(readFileSync(within(copy, odd, inner), "utf8"), "text");
    assert.deepEqual(readlinkSync(within(copy, odd, Buffer.from("link")), "buffer"), inner);
  },
);
