import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import { createFileIndex } from "./files/file-index.ts";
import { createCompletion } from "./complete.ts";

const run = async (): Promise<void> => undefined;
const COMMANDS: readonly SlashCommand[] = [
  { name: "mode", summary: "a mode", usage: "[M]", complete: () => ["auto", "ask", "plan"], run },
  { name: "model", summary: "a model", usage: "", run },
  { name: "broken", summary: "", usage: "", complete: () => Promise.reject(new Error("no")), run },
];

type Look = (text: string, force?: boolean) => Promise<readonly string[]>;

/** What the menu offers behind a text; Tab forces it. */
function look(t: TestContext, recent: readonly string[] = []): Look {
  const workspace = temporaryFolder(t);
  mkdirSync(join(workspace, "src"));
  mkdirSync(join(workspace, "my docs"));
  for (const file of ["my docs/a b.md", "src/one.ts", "src/.hidden", "notes.md", "odd\u{7}name"])
    writeFileSync(join(workspace, file), "");
  const engine = engineOf(t);
  const completion = createCompletion(() => ({
    commands: COMMANDS,
    world: { engine },
    workspace,
    files: createFileIndex(workspace),
    recent: () => new Set(recent),
  }));
  const { signal } = new AbortController();
  return async (text, force = true) => {
    const found = await completion.getSuggestions([text], 0, text.length, { signal, force });
    return found?.items.map(({ value }) => value) ?? [];
  };
}

test("commands, their arguments and paths are completed from their start", async (t) => {
  const at = look(t);
  assert.deepEqual(await at("/mod"), ["/mode ", "/model "]);
  assert.deepEqual(await at("/mode a"), ["auto ", "ask "]);
  assert.deepEqual(await at("read @sr"), ["@src/", "@src/one.ts ", "@src/.hidden "]);
  assert.deepEqual(await at("read @src/"), ["@src/one.ts "]);
  assert.deepEqual(await at("read @src/."), ["@src/.hidden "]);
  assert.deepEqual(await at("read @my"), ['@"my docs/', '@"my docs/a b.md" ']);
  assert.deepEqual(await at('read @"my docs/a'), ['@"my docs/a b.md" ']);
  assert.deepEqual(await at("/model n"), ["notes.md "]);
  assert.deepEqual(await at("see src/o"), ["src/one.ts "]);
});

test("@ finds files anywhere by a part of their name or its letters, those used before first", async (t) => {
  const at = look(t, ["my docs/a b.md"]);
  assert.deepEqual(await at("read @one"), ["@src/one.ts "]);
  assert.deepEqual(await at("read @sots"), ["@src/one.ts "]);
  assert.deepEqual((await at("read @md"))[0], '@"my docs/a b.md" ');
  assert.deepEqual((await at("read @"))[0], '@"my docs/a b.md" ');
  assert.deepEqual(await at("see @notes.md", false), []);
});

test("plain words, names with control characters and missing folders have no completions", async (t) => {
  const at = look(t);
  for (const text of ["hello", "", "@odd", "@gone/", "/nope x", "/broken x"]) {
    assert.deepEqual(await at(text), [], text);
  }
});

test("texts of MCP servers reach the menu without control characters", async (t) => {
  const prompt = { name: "s:p", summary: "fine\u{1b}]52;c;eA==\u{7}\nmore", usage: "[A]", run };
  const commands = [{ ...prompt, complete: () => ["good", "go\u{1b}[2J", "go\u{202e}"] }];
  const world = { engine: engineOf(t) };
  const completion = createCompletion(() => {
    const workspace = temporaryFolder(t);
    return { commands, world, workspace, files: createFileIndex(workspace), recent: () => new Set() };
  });
  const at = async (text: string) =>
    (await completion.getSuggestions([text], 0, text.length, { signal: t.signal, force: true }))?.items;
  assert.deepEqual(await at("/s"), [
    {
      value: "/s:p ",
      label: "/s:p",
      description: "fine\\u{1b}]52;c;eA==\\u{7} more  [A]",
    },
  ]);
  assert.deepEqual(await at("/s:p g"), [
    { value: "good ", label: "good", description: "", enter: "sends a choice" },
  ]);
});

test("while typing, paths are offered only after @, and a complete argument is not offered", async (t) => {
  const at = look(t);
  assert.deepEqual(await at("see src/o", false), []);
  assert.deepEqual(await at("see @src/o", false), ["@src/one.ts "]);
  assert.deepEqual(await at("/mode plan", false), []);
  assert.deepEqual(await at("/mode", false), ["/mode ", "/model "]);
});

test("a chosen candidate replaces the word, unless the text has changed since", () => {
  const completion = createCompletion(() => undefined);
  const apply = (text: string, value: string): string | undefined => {
    const item = { value, label: value };
    return completion.applyCompletion([text, "below"], 0, text.length, item, "").lines[0];
  };
  assert.equal(apply("see @no", "@notes.md "), "see @notes.md ");
  assert.equal(apply("/model", "/mode "), "/model");
});

test("a choice with a label is shown by it alone, and found by its value and its description", async () => {
  const choice = { value: "chat-1", label: "fix the te…  today", description: "fix the tests of sum" };
  const resume: SlashCommand = {
    name: "resume",
    summary: "",
    usage: "",
    matchesAnywhere: true,
    complete: () => [choice],
    run,
  };
  const completion = createCompletion(() => ({
    commands: [resume],
    world: { engine: {} as never },
    workspace: "/",
    files: { paths: async () => [] },
    recent: () => new Set<string>(),
  }));
  const line = "/resume SUM";
  const found = await completion.getSuggestions([line], 0, line.length, { signal: AbortSignal.abort() });
  const item = found?.items[0];
  assert.ok(item);
  assert.deepEqual([item.label, item.description], ["fix the te…  today", undefined]);
  const { lines } = completion.applyCompletion([line], 0, line.length, item, "SUM");
  assert.deepEqual(lines, ["/resume chat-1 "]);
});
