// Draws docs/images/repl.svg and docs/images/repl/: runs the REPL with a scripted model in a real terminal (tmux), and turns its screens into SVG.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openTerminal, type Terminal } from "../test/support/programs/terminal.ts";
import { toSvg } from "./repl-pictures/to-svg.ts";

const FOLDER = "docs/images/repl";
const STORY = [
  {
    text: "I run the **tests** first.\n",
    calls: [{ name: "shell", input: { command: "sh test.sh" } }],
  },
  { text: "`sum` subtracts.", calls: [{ name: "read_file", input: { path: "sum.ts" } }] },
  { calls: [{ name: "edit_file", input: { path: "sum.ts", old_string: "a - b", new_string: "a + b" } }] },
  {
    text: "Now `sum` adds:\n\n```ts\nexport const sum = (a: number, b: number) => a + b;\n```\n\n| test | before | after |\n|---|--:|--:|\n| joins | ok | ok |\n| sums | -1 | 3 |",
    calls: [
      {
        name: "todo_write",
        input: {
          todos: [
            { content: "Correct sum", status: "completed" },
            { content: "Run all tests", status: "in_progress" },
            { content: "Describe the change", status: "pending" },
          ],
        },
      },
    ],
  },
  { text: "The tests are next." },
  { calls: [{ name: "shell", input: { command: "sh slow.sh" } }] },
  { text: "Done.", repeat: true },
];
const TEST =
  "echo ok 1 - joins\necho ok 2 - splits\necho 'not ok 3 - sums: expected 3, got -1' >&2\nexit 1\n";

const SETTLED_MS = 1000;

const endings: (() => unknown)[] = [];
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
  ] as const) {
    const pictures = await capture(columns, rows);
    for (const [name, screen] of pictures)
      write(join(FOLDER, `${name}-${columns}x${rows}.svg`), toSvg(screen, columns, rows));
  }
  const readme = await capture(84, 30);
  write("docs/images/repl.svg", toSvg(readme.get("question") ?? "", 84));
} finally {
  for (const end of endings.toReversed()) await end();
}

function write(file: string, text: string): void {
  writeFileSync(file, text);
  console.log(`wrote ${file}`);
}

/** Returns the screens of the main states by name, with their escapes for colours. */
async function capture(columns: number, rows: number): Promise<ReadonlyMap<string, string>> {
  const root = mkdtempSync(join(tmpdir(), "toolwright-picture-"));
  endings.push(() => rmSync(root, { recursive: true, force: true }));
  const terminal = await openProject(root, columns, rows);
  const screens = new Map<string, string>();
  // The folder has another name each time.
  const keep = async (name: string): Promise<void> => {
    // A screen may be half drawn.
    await wait(SETTLED_MS);
    const screen = await terminal.colours();
    screens.set(name, screen.replaceAll(root, "~").replaceAll("scripted/../", "scripted/"));
  };
  const send = async (text: string): Promise<void> => {
    await terminal.type(text);
    await terminal.press("Enter");
  };
  const allow = async (question: RegExp): Promise<void> => {
    await terminal.waitFor(question);
    // A question takes keys only after a moment without any.
    await wait(SETTLED_MS);
    await terminal.type("y");
  };
  await terminal.waitFor("arrows and Enter");
  await keep("level");
  await terminal.type("3");
  await terminal.waitFor(/ready.*level ask/);
  await send("Why does test 3 fail?");
  await allow(/Run sh test[^]*\[n\]/);
  await terminal.waitFor(/Edit [^]*\[n\]/);
  await keep("question");
  await allow(/Edit [^]*\[n\]/);
  await terminal.waitFor(/tests are next[^]*ready/);
  await keep("answer");
  await send("Run them all.");
  await allow(/Run sh slow[^]*\[n\]/);
  await terminal.waitFor("ok 7");
  await keep("working");
  await terminal.press("Escape");
  await terminal.waitFor(/cancelled/);
  await terminal.type("/re");
  await terminal.waitFor("/resume");
  await keep("menu");
  await terminal.press("C-u");
  await terminal.press("Escape");
  // Else the next key is one with Alt.
  await wait(SETTLED_MS);
  await send("!sh test.sh");
  await terminal.waitFor(/exit code 1\b[^]*ready|exit code 1\b[^]*cancelled/);
  await terminal.type("look at @su");
  await terminal.waitFor("sum.ts");
  await keep("files");
  return screens;
}

function openProject(root: string, columns: number, rows: number): Promise<Terminal> {
  const folder = join(root, "project");
  mkdirSync(folder);
  const add = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  // Outside the folder: it is not part of the project.
  writeFileSync(join(root, "story.jsonl"), STORY.map((line) => `${JSON.stringify(line)}\n`).join(""));
  add("test.sh", TEST);
  add("slow.sh", "for i in 1 2 3 4 5 6 7; do echo ok $i; done\nsleep 600\n");
  add("sum.ts", "/** Adds. */\nexport const sum = (a: number, b: number) => a - b;\n");
  return openTerminal(
    { after: (end: () => unknown) => void endings.push(end) },
    {
      command: [process.execPath, resolve("bin/toolwright.js"), "chat", "--model", "scripted/../story.jsonl"],
      cwd: folder,
      environment: { HOME: root, PATH: process.env["PATH"] ?? "", COLORTERM: "truecolor" },
      columns,
      rows,
    },
  );
}
