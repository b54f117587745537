import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openTestRepl, told } from "../../../test/support/programs/repl.ts";
import { createThemedPaint } from "../terminal/print/paint.ts";
import { diffRows } from "./view/diff.ts";

const YES = { text: "Yes.", repeat: true };
const DIFF = "--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n";
const settingsOf = (home: string): unknown =>
  JSON.parse(readFileSync(join(home, ".toolwright", "config.json"), "utf8"));

test("/vim gives the prompt the keys of vi, and is saved", async (t) => {
  const repl = openTestRepl(t, [YES]);
  const press = (keys: string): void => Array.from(keys).forEach((key) => repl.press(key));
  assert.match(await repl.command("/vim"), /keys of vi: Esc leaves the insert mode/);
  assert.deepEqual(settingsOf(repl.home), { vim: true });
  press("fix the teh\u{1b}");
  assert.equal(repl.prompt.getText(), "fix the teh");
  assert.match(repl.prompt.render(80)[0] ?? "", /^: fix/);
  press("xph");
  assert.equal(repl.prompt.getText(), "fix the teh");
  press("0dw");
  assert.equal(repl.prompt.getText(), "the teh");
  press("u");
  assert.equal(repl.prompt.getText(), "fix the teh");
  press("ccnew");
  assert.equal(repl.prompt.getText(), "new");
  press("\u{1b}\r");
  await repl.until("the message", (state) => told(state).includes("prompt: new"));
  press("i");
  assert.equal(repl.prompt.getText(), "i", "the next message starts in the insert mode");
  repl.press("\u{15}");
  assert.match(await repl.command("/vim off"), /keys of vi: off/);
  assert.match(await repl.command("/vim perhaps"), /unknown value "perhaps"; expected on or off/);
  press("a\u{1b}x");
  assert.equal(repl.prompt.getText(), "ax");
});

test("with the keys of vi, Esc in an empty prompt still cancels", async (t) => {
  const repl = openTestRepl(t, [{ calls: [{ name: "shell", input: { command: "sleep 600" } }] }, YES], {
    mode: "yolo",
  });
  await repl.command("/vim on");
  repl.send("wait");
  await repl.until("the call", ({ calls }) => calls.some(({ phase }) => phase === "running"));
  repl.press("\u{1b}");
  await repl.until("the end", (state) => told(state).includes("notice: cancelled"));
});

test("/rename gives the conversation the title by which it is listed", async (t) => {
  const repl = openTestRepl(t, [YES]);
  repl.send("hello");
  await repl.until("the answer", (state) => told(state).includes("markdown: Yes."));
  assert.match(await repl.command("/rename the sum"), /this conversation is now "the sum"/);
  assert.match(await repl.command("/sessions"), /the sum$/m);
  assert.match(await repl.command("/rename"), /the title is empty/);
});

test("/hooks lists the hooks, with those of the folder that are off", async (t) => {
  const repl = openTestRepl(t, [YES]);
  assert.match(await repl.command("/hooks"), /no hooks; docs\/hooks\.md/);
  const hook = (name: string) => ({ name, on: "after_tool", action: { type: "block", reason: "never" } });
  const write = (folder: string, name: string): void => {
    mkdirSync(join(folder, ".toolwright"), { recursive: true });
    writeFileSync(join(folder, ".toolwright", "config.json"), JSON.stringify({ hooks: [hook(name)] }));
  };
  write(repl.folder, "lint");
  write(repl.home, "mine");
  const next = openTestRepl(t, [YES], {}, { TOOLWRIGHT_HOME: join(repl.home, ".toolwright") }, repl.folder);
  next.press("\u{1b}");
  const listed = await next.command("/hooks");
  assert.match(listed, /^mine {2}yours +on after_tool: blocks: never$/m);
  assert.match(listed, /^lint {2}off: \/trust +on after_tool: blocks: never$/m);
});

test("a theme changes what is painted from then on", async (t) => {
  const { paint, use } = createThemedPaint("dark", { isColoured: true, depth: 24 });
  const rows = (): string => diffRows(DIFF, { width: 40, paint }).join("\n");
  assert.match(rows(), /48;2;16;52;28;38;5;253/);
  use("light");
  assert.match(rows(), /48;2;218;251;225;38;5;235/);
  use("ansi");
  assert.doesNotMatch(rows(), /48;/);
  assert.match(rows(), /\u{1b}\[32m/u);
  use("none");
  assert.doesNotMatch(rows(), /\u{1b}/u);
  const repl = openTestRepl(t, [YES]);
  assert.match(await repl.command("/theme light"), /only a terminal has colours/);
});
