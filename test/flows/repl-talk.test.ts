import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutTmux } from "../support/programs/terminal.ts";
import { createReplPlace, openRepl } from "./support/repl.ts";

const skip = withoutTmux;

test("a message typed while the REPL loads is sent when it has loaded", { skip }, async (t) => {
  const place = createReplPlace(t, [{ text: "You are **early**." }]);
  const terminal = await openRepl(t, place);
  await terminal.type("hello");
  await terminal.press("Enter");
  const screen = await terminal.waitFor("You are early.");
  assert.match(screen, /^toolwright \d+\.\d+\.\d+ {2}\S+$/m);
  assert.match(screen, /^> hello$/m);
  await terminal.waitFor(/ready · scripted\/story\.jsonl · mode auto/);
  const { isShown } = await terminal.cursor();
  assert.ok(isShown);
});

test("Markdown is rendered as readable blocks", { skip }, async (t) => {
  const text = [
    "# Plan",
    "Some **bold** and `code`, see [the docs](https://example.com).",
    "- first\n- second",
    "```ts\nconst a = 1;\n```",
    "| name | size |\n|---|---|\n| a.ts | 12 |",
  ].join("\n\n");
  const place = createReplPlace(t, [{ text }]);
  const terminal = await openRepl(t, place);
  await terminal.waitFor("ready");
  await terminal.type("plan");
  await terminal.press("Enter");
  const screen = await terminal.waitFor("a.ts │ 12");
  assert.match(
    screen,
    /Plan\n\nSome bold and code, see the docs \(https:\/\/example\.com\)\.\n\n- first\n- second\n\nconst a = 1;\n\n┌[^]*│ name │ size │\n├[^]*│ a\.ts │ 12 +│/,
  );
});

test(
  "lines are added by Alt+Enter, by a backslash and by pasting; Enter sends them all",
  { skip },
  async (t) => {
    const place = createReplPlace(t, [{ text: "I read it." }]);
    const terminal = await openRepl(t, place);
    await terminal.waitFor("ready");
    await terminal.type("one");
    await terminal.press("M-Enter");
    await terminal.type("two\\");
    await terminal.press("Enter");
    await terminal.paste("three\nfour");
    await terminal.waitFor(/> one\n {2}two\n {2}three\n {2}four/);
    await terminal.press("Enter");
    const screen = await terminal.waitFor("I read it.");
    assert.match(screen, /> one\n {2}two\n {2}three\n {2}four\n\nI read it\./);
  },
);

test("keys move the cursor, cut words and recall earlier messages", { skip }, async (t) => {
  const place = createReplPlace(t, [{ text: "Yes.", repeat: true }]);
  const terminal = await openRepl(t, place);
  await terminal.waitFor("ready");
  await terminal.type("second word here");
  await terminal.press("C-w", "C-a");
  await terminal.type("first ");
  await terminal.waitFor(/^> first second word$/m);
  await terminal.press("Enter");
  await terminal.waitFor("Yes.");
  await terminal.type("another");
  await terminal.press("Up");
  await terminal.waitFor(/^> first second word\n(?!\n)/m);
  await terminal.press("Down");
  await terminal.waitFor(/^> another$/m);
});

test("Tab completes commands, their arguments, and paths after @", { skip }, async (t) => {
  const place = createReplPlace(t, [{ text: "Yes." }]);
  place.write("notes.md", "");
  const terminal = await openRepl(t, place);
  await terminal.waitFor("ready");
  await terminal.type("/ref");
  // The menu opens while a command is typed.
  await terminal.waitFor("→ /refresh");
  await terminal.press("Tab");
  await terminal.waitFor(/^> \/refresh ?$/m);
  await terminal.press("C-u");
  await terminal.type("/mode p");
  await terminal.waitFor("→ plan");
  await terminal.press("Tab");
  await terminal.waitFor(/^> \/mode plan ?$/m);
  await terminal.press("C-u");
  await terminal.type("/tool read_f");
  await terminal.waitFor("→ read_file");
  await terminal.press("Tab");
  await terminal.waitFor(/^> \/tool read_file ?$/m);
  await terminal.press("C-u");
  await terminal.type("/res");
  const menu = await terminal.waitFor(/\/restore/);
  assert.match(menu, /\/restore.*\n.*\/resume/);
  await terminal.press("Down", "Tab");
  await terminal.waitFor(/^> \/resume ?$/m);
  await terminal.press("C-u");
  await terminal.type("look at @not");
  await terminal.waitFor("→ @notes.md");
  await terminal.press("Tab");
  await terminal.waitFor(/^> look at @notes\.md ?$/m);
});

test("a slash command's output is shown and stored, and never reaches the model", { skip }, async (t) => {
  const place = createReplPlace(t, [
    { text: "One.", when: "hello" },
    { text: "Two.", when: "again" },
  ]);
  const first = await openRepl(t, place);
  await first.waitFor("ready");
  await first.type("/mode plan");
  await first.press("Enter");
  await first.waitFor(/^mode plan$/m);
  await first.waitFor(/ready .* mode plan/);
  await first.type("/tol");
  await first.press("Enter");
  await first.waitFor(/unknown command \/tol\n +did you mean \/tool/);
  await first.type("hello");
  await first.press("Enter");
  await first.waitFor("One.");
  await first.press("C-d");
  await first.waitFor("exit 0");

  const second = await openRepl(t, place, { flags: ["--continue"] });
  const screen = await second.waitFor("One.");
  assert.match(screen, /> \/mode plan\nmode plan/);
  assert.match(screen, /> hello\n\nOne\./);
});
