import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { engineOf } from "../../../../test/support/sources.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import { editorOf } from "../edit/editor.ts";
import { complete, startMenu, turnMenu } from "./complete.ts";
import type { Menu } from "./menu.ts";

const run = async (): Promise<void> => undefined;
const COMMANDS: readonly SlashCommand[] = [
  { name: "mode", summary: "a mode", usage: "[M]", complete: () => ["auto", "ask", "plan"], run },
  { name: "model", summary: "a model", usage: "", run },
  { name: "broken", summary: "", usage: "", complete: () => Promise.reject(new Error("no")), run },
];

function look(t: TestContext): (text: string) => Promise<Menu | undefined> {
  const workspace = temporaryFolder(t);
  mkdirSync(join(workspace, "src"));
  for (const file of ["src/one.ts", "src/.hidden", "notes.md", "odd\u{7}name"])
    writeFileSync(join(workspace, file), "");
  const engine = engineOf(t);
  return (text) => complete(editorOf(text), { commands: COMMANDS, world: { engine }, workspace });
}

async function texts(menu: Promise<Menu | undefined>): Promise<readonly string[]> {
  return (await menu)?.items.map(({ text }) => text) ?? [];
}

test("commands, their arguments and paths are completed from their start", async (t) => {
  const at = look(t);
  assert.deepEqual(await texts(at("/mod")), ["/mode ", "/model "]);
  assert.deepEqual(await texts(at("/mode a")), ["auto ", "ask "]);
  assert.deepEqual(await texts(at("read @s")), ["@src/"]);
  assert.deepEqual(await texts(at("read @src/")), ["@src/one.ts "]);
  assert.deepEqual(await texts(at("read @src/.")), ["@src/.hidden "]);
  assert.deepEqual(await texts(at("/model n")), ["notes.md "]);
  assert.deepEqual(await texts(at("see src/o")), ["src/one.ts "]);
});

test("plain words, names with control characters and missing folders have no completions", async (t) => {
  const at = look(t);
  for (const text of ["hello", "", "@odd", "@gone/", "/nope x", "/broken x"]) {
    assert.deepEqual(await texts(at(text)), [], text);
  }
});

test("Tab inserts the only candidate, or the common start of all", async (t) => {
  const at = look(t);
  const whole = await at("/mode p");
  assert.equal(startMenu(editorOf("/mode p"), whole as Menu).editor.text, "/mode plan ");
  const some = startMenu(editorOf("/m"), (await at("/m")) as Menu);
  assert.equal(some.editor.text, "/mode");
  assert.equal(some.menu?.items.length, 2);
});

test("the menu moves in both directions and wraps around", async (t) => {
  const menu = (await look(t)("/mod")) as Menu;
  const first = turnMenu(editorOf("/mod"), menu, 1);
  assert.equal(first.editor.text, "/mode");
  const second = turnMenu(first.editor, first.menu, 1);
  assert.equal(second.editor.text, "/model");
  assert.equal(turnMenu(second.editor, second.menu, 1).editor.text, "/mode");
  assert.equal(turnMenu(editorOf("/mod"), menu, -1).editor.text, "/model");
});
