import assert from "node:assert/strict";
import { test } from "node:test";
import { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
import { withoutScreen } from "../../../../test/support/programs/repl.ts";
import { createEngine } from "../../host/create-engine.ts";
import type { SlashCommand } from "../../terminal/commands/slash-command.ts";
import { createCompletion } from "./complete.ts";
import type { FileIndex } from "./files/file-index.ts";
import { PromptEditor } from "./prompt-editor.ts";

const [ENTER, UP, DOWN, ALT_ENTER, ESCAPE] = ["\r", "\u{1b}[A", "\u{1b}[B", "\u{1b}\r", "\u{1b}"];

interface Typing {
  readonly editor: PromptEditor;
  readonly sent: string[];
  /** Presses keys, one after the other. */
  readonly press: (...keys: readonly string[]) => void;
  /** Types a text key by key. */
  readonly type: (text: string) => void;
  readonly rows: (width?: number) => readonly string[];
}

function typing(): Typing {
  const sent: string[] = [];
  const { tui, paint } = withoutScreen();
  const editor = new PromptEditor(tui, { mark: "> ", paint, onSend: (text) => sent.push(text) });
  editor.setHistory(["first", "second\nline"]);
  const press = (...keys: readonly string[]): void => {
    for (const key of keys) editor.handleInput(key);
  };
  return {
    editor,
    sent,
    press,
    type: (text) => press(...text.split("")),
    rows: (width = 40) => editor.render(width).map((row) => row.replace(CURSOR_MARKER, "|")),
  };
}

test("the text has a mark before it and the cursor in it, and long rows are wrapped below the text", () => {
  const { type, press, rows } = typing();
  assert.deepEqual(rows(), ["> |"]);
  type("some words that fit");
  press("\u{1}");
  assert.deepEqual(rows(), ["> |some words that fit"]);
  assert.deepEqual(rows(16), ["> |some words", "  that fit"]);
});

test("Enter sends the text; a first space is kept, because it keeps the text out of the stored history", () => {
  const { type, press, sent, editor } = typing();
  type("hello ");
  press(ENTER);
  type(" secret");
  press(ENTER);
  assert.deepEqual([sent, editor.getText()], [["hello", " secret"], ""]);
});

test("Alt+Enter, Shift+Enter, Ctrl-J and a backslash make a new line", () => {
  for (const keys of [[ALT_ENTER], ["\u{1b}[13;2u"], ["\n"], ["\\", ENTER]]) {
    const { type, press, editor, sent } = typing();
    type("one");
    press(...keys);
    type("two");
    assert.deepEqual([editor.getText(), sent], ["one\ntwo", []], JSON.stringify(keys));
  }
});

test("a paste keeps its line breaks; a long one is shown as a mark and sent whole", () => {
  const { press, editor, sent, rows } = typing();
  press("\u{1b}[200~a\rb\u{1b}[201~");
  assert.equal(editor.getText(), "a\nb");
  press(ENTER);
  const long = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
  press(`\u{1b}[200~${long}\u{1b}[201~`);
  assert.match(rows().join("\n"), /^> \[paste #1 \+30 lines\]/);
  press(ENTER);
  assert.deepEqual(sent, ["a\nb", long]);
});

test("Up and Down go through the history and back to the typed text", () => {
  const { type, press, editor } = typing();
  type("draft");
  press(UP);
  assert.equal(editor.getText(), "second\nline");
  press(UP, UP);
  assert.equal(editor.getText(), "first");
  press(DOWN);
  assert.equal(editor.getText(), "second\nline");
  press(DOWN, DOWN, DOWN);
  assert.equal(editor.getText(), "draft");
});

test("in a text of several lines Up moves the cursor before it recalls the history", () => {
  const { type, press, editor } = typing();
  type("one");
  press(ALT_ENTER);
  type("two");
  press(UP);
  assert.deepEqual([editor.getText(), editor.getCursor().line], ["one\ntwo", 0]);
});

test("all entries of a long history can be recalled", () => {
  const { press, editor } = typing();
  editor.setHistory(Array.from({ length: 300 }, (_, index) => `entry ${index}`));
  press(...Array.from({ length: 300 }, () => UP));
  assert.equal(editor.getText(), "entry 0");
});

test("a long text shows the rows around the cursor", () => {
  const { editor, rows } = typing();
  editor.setText(Array.from({ length: 30 }, (_, index) => `row ${index}`).join("\n"));
  assert.ok(rows().includes("  row 29|") && !rows().includes("> row 0"));
});

const CHANGES: readonly (readonly [typed: string, keys: readonly string[], text: string])[] = [
  ["one two", ["\u{17}"], "one "],
  ["a👩‍👩‍👧", ["\u{7f}"], "a"],
  ["one two", ["\u{1b}b", "\u{b}"], "one "],
  ["one two", ["\u{15}"], ""],
  ["one two", ["\u{17}", "\u{1}", "\u{19}"], "twoone "],
  ["one two", ["\u{1}", "\u{1b}d"], " two"],
];

for (const [typed, keys, text] of CHANGES) {
  test(`${JSON.stringify(keys)} makes ${JSON.stringify(text)} of ${JSON.stringify(typed)}`, () => {
    const { editor, press } = typing();
    editor.insertTextAtCursor(typed);
    press(...keys);
    assert.equal(editor.getText(), text);
  });
}

test("a long text is recalled folded and sent whole, and a draft keeps its own paste", () => {
  const { editor, press, sent, rows } = typing();
  const long = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
  editor.setHistory(["first", long]);
  press(UP);
  assert.deepEqual(rows(), ["> line 1", "  [paste #1 +29 lines]|"]);
  press(UP, UP);
  assert.equal(editor.getText(), "first");
  press(DOWN);
  press(ENTER);
  assert.deepEqual(sent, [long]);
  press(`\u{1b}[200~${long}\u{1b}[201~`, UP, DOWN, ENTER);
  assert.deepEqual(sent, [long, long]);
});

test("with the keys of vi, Escape is for the text and for an unfinished command, else for the work", () => {
  const { editor, press, type } = typing();
  editor.useVi(true);
  assert.equal(editor.takesEscape(), false, "nothing is typed");
  type("some words");
  assert.equal(editor.takesEscape(), true, "it leaves the insert mode");
  press(ESCAPE);
  assert.equal(editor.takesEscape(), false, "no command is begun");
  type("d");
  assert.equal(editor.takesEscape(), true, "it drops the d");
  press(ESCAPE);
  type("w");
  assert.deepEqual([editor.takesEscape(), editor.getText()], [false, "some words"]);
});

/** A slash command with candidates for its argument; `title` finds entries by their descriptions too. */
const COMMANDS: readonly SlashCommand[] = [
  {
    name: "ps",
    summary: "",
    usage: "",
    complete: () => [{ value: "stop", description: "", continues: true }, "web-1"],
    run: () => Promise.resolve(),
  },
  {
    name: "title",
    summary: "",
    usage: "",
    matchesAnywhere: true,
    complete: () => ["a", "b"].map((one) => ({ value: `chat-${one}`, description: `about ${one}${one}` })),
    run: () => Promise.resolve(),
  },
  { name: "only", summary: "", usage: "", complete: () => ["chat-a"], run: () => Promise.resolve() },
];

/** An editor that completes, and `settle`, which waits until the menu has answered. */
function completing() {
  const { editor, ...rest } = typing();
  const world = { engine: createEngine(), session: "s" };
  const files = { paths: () => Promise.resolve([]), refresh: () => undefined } as unknown as FileIndex;
  const completion = { commands: COMMANDS, world, workspace: "/", files, recent: () => new Set<string>() };
  editor.setAutocompleteProvider(createCompletion(() => completion));
  const settle = async (): Promise<void> => {
    // Candidates come in later turns of the event loop, and no longer when these are over.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  };
  return { editor, ...rest, settle };
}

/** Types a line, waits until the menu has answered, then presses keys. Returns what was sent, and what is in the prompt. */
async function inMenu(line: string, ...keys: readonly string[]) {
  const { editor, type, press, sent, settle } = completing();
  type(line);
  await settle();
  press(...keys);
  return { sent, text: editor.getText() };
}

test("a menu that the program opens shows its only entry and does not take it", async () => {
  const { editor, settle, rows } = completing();
  editor.offer("/only ");
  await settle();
  assert.equal(editor.getText(), "/only ");
  assert.match(rows().join("\n"), /→ chat-a/);
});

for (const [line, keys, expected] of [
  ["/ps w", [ENTER], { sent: ["/ps web-1"], text: "" }],
  ["/ps stop w", [ENTER], { sent: ["/ps stop web-1"], text: "" }],
  ["/title bb", [ENTER], { sent: ["/title chat-b"], text: "" }],
  ["/title ", [ENTER], { sent: ["/title chat-a"], text: "" }],
  ["/title ", [DOWN, ENTER], { sent: ["/title chat-b"], text: "" }],
  // More arguments follow.
  ["/ps s", [ENTER], { sent: [], text: "/ps stop " }],
  // Nothing was chosen yet.
  ["/ps ", [ENTER], { sent: [], text: "/ps stop " }],
  ["/ps ", [DOWN, ENTER], { sent: ["/ps web-1"], text: "" }],
  // The menu is older than the text.
  ["/title a", ["x", ENTER], { sent: ["/title ax"], text: "" }],
] as const)
  test(`Enter in the menu of ${JSON.stringify(line)} after ${keys.length - 1} keys sends ${JSON.stringify(expected.sent)}`, async () => {
    assert.deepEqual(await inMenu(line, ...keys), expected);
  });
