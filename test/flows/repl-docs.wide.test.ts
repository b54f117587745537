import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { withoutTmux, type Terminal } from "../support/programs/terminal.ts";
import { createReplPlace, normalized, openRepl, SHOWN_FOLDER, type ReplPlace } from "./support/repl.ts";

const PAGE = "docs/repl.md";
const BLOCK = /```text screen=([\w-]+)\n([^]*?)```/g;
/** Set to write what was seen into the page instead of comparing. */
const isWriting = process.env["UPDATE_SCREENS"] === "1";

const SAID = "I look at the **tests** first:\n\n- run them\n- fix what fails\n";
const TESTS = "for i in 1 2 3 4 5 6 7; do echo ok $i; done\necho 1 failed >&2\ncat pipe\n";
const EDIT = { path: "sum.ts", old_string: "a - b", new_string: "a + b" };

function story(t: TestContext): ReplPlace {
  const script = [
    { text: SAID, calls: [{ name: "shell", input: { command: "sh test.sh" } }] },
    { text: "It subtracts.", calls: [{ name: "read_file", input: { path: "sum.ts" } }] },
    { calls: [{ name: "edit_file", input: EDIT }] },
    { text: "Now it adds.", calls: [{ name: "shell", input: { command: "rm -r build" } }] },
    { text: "Done." },
    { calls: [{ name: "shell", input: { command: "sleep 60" } }] },
    { text: "Done.", repeat: true },
  ];
  const place = createReplPlace(t, script, SHOWN_FOLDER);
  place.write("test.sh", TESTS);
  mkdirSync(join(place.folder, "build"));
  place.write("sum.ts", "/** Adds. */\nexport const sum = (a: number, b: number) => a - b;\n");
  return place;
}

test("the screens in the docs are what a terminal shows", { skip: withoutTmux }, async (t) => {
  const place = story(t);
  const screens = new Map<string, string>();
  const keep = (name: string, screen: string): void => void screens.set(name, normalized(screen, place));
  const terminal = await openRepl(t, place, { rows: 30 });
  keep("start", await terminal.waitFor("ready"));
  await terminal.type("/re");
  keep("completion", await terminal.waitFor("/resume"));
  await terminal.press("C-u");
  await talk(terminal, place, keep);

  const other = story(t);
  const narrow = await openRepl(t, other, { columns: 40, rows: 24 });
  await narrow.waitFor("ready");
  await narrow.type("fix the tests");
  await narrow.press("Enter");
  screens.set("narrow", normalized(await narrow.waitFor("[n]"), other));
  compare(screens, (name) => !name.startsWith("at-") && name !== "level");
});

test("the question about the level is as the docs show", { skip: withoutTmux || withoutBoxes }, async (t) => {
  const place = story(t);
  const terminal = await openRepl(t, place, { rows: 24, environment: { TOOLWRIGHT_LEVEL: "" } });
  const screen = from("? How", await terminal.waitFor("arrows and Enter"));
  compare(new Map([["level", normalized(screen, place)]]), (name) => name === "level");
  await terminal.press("Enter");
  await terminal.waitFor(/^ready .* level read-only/m);
});

/** The sizes at which the habits of people are shown; a usual run tries the first. */
const SIZES = [
  [80, 24],
  [40, 24],
  [120, 40],
] as const;

for (const [columns, rows] of isLong ? SIZES : SIZES.slice(0, 1)) {
  const size = `${columns}x${rows}`;
  test(
    `at ${size} the tour, @ ! / Ctrl-R Shift+Tab Esc Esc and the editor are as the docs show`,
    { skip: withoutTmux },
    async (t) => {
      const place = story(t);
      const screens = new Map<string, string>();
      const keep = (name: string, screen: string): void =>
        void screens.set(`at-${size}-${name}`, normalized(screen, place));
      const environment = { EDITOR: "sed -i -e s/tests/docs/" };
      const terminal = await openRepl(t, place, { columns, rows, environment });
      await terminal.waitFor("ready");
      await habits(terminal, keep);
      compare(screens, (name) => name.startsWith(`at-${size}`));
    },
  );
}

async function habits(terminal: Terminal, keep: (name: string, screen: string) => void): Promise<void> {
  const enter = async (text: string): Promise<void> => {
    await terminal.type(text);
    await terminal.press("Enter");
  };
  await enter("/tour");
  keep("tour", await terminal.waitFor(/\[n\] no?\n\?/i));
  await terminal.type("y");
  await terminal.waitFor(/DENIED/);
  await terminal.waitFor(/^ready/m);
  await terminal.press("C-l");
  await terminal.waitUntilGone("DENIED");
  // Short enough for 40 columns, however long it takes.
  await enter("!echo 1 failed; exit 3");
  await terminal.waitFor(/exit code 3[^]*^ready/m);
  await terminal.type("fix @su");
  await terminal.waitFor("→ @sum.ts");
  await terminal.press("Tab");
  keep("shell", await terminal.waitFor(/^> fix @sum\.ts ?\nready/m));
  await terminal.press("C-u");
  await terminal.press("C-r");
  await terminal.type("tou");
  keep("search", from("search", await terminal.waitFor(/^search tou\n +\/tour$/m)));
  await terminal.press("Escape");
  await terminal.waitUntilGone("search tou");
  await terminal.press("BTab");
  await terminal.type("/mod");
  keep("menu", from("> /mod", await terminal.waitFor(/→ \/mode[^]*mode edits/)));
  await terminal.press("C-u");
  await terminal.waitUntilGone("→ /mode");
  await terminal.press("Escape");
  await terminal.waitFor("Esc again edits the last message");
  await terminal.press("Escape");
  await terminal.waitFor(/^> Show me how Toolwright works\.$/m);
  await terminal.press("C-u");
  await terminal.type("fix the tests");
  await terminal.waitFor(/^> fix the tests$/m);
  await terminal.press("C-g");
  await terminal.waitFor(/^> fix the docs$/m);
  await terminal.press("C-u");
  await enter("exit");
  await terminal.waitFor("exit 0");
}

async function talk(
  terminal: Terminal,
  place: ReplPlace,
  keep: (name: string, screen: string) => void,
): Promise<void> {
  await terminal.type("/mode yolo");
  await terminal.press("Enter");
  await terminal.waitFor(/ready .* mode yolo/);
  const { spawnSync } = await import("node:child_process");
  spawnSync("mkfifo", ["pipe"], { cwd: place.folder });
  await terminal.press("C-l");
  await terminal.type("fix the tests");
  await terminal.press("Enter");
  keep("live", await terminal.waitFor(/! 1 failed/));
  await terminal.type("/mode auto");
  await terminal.press("Enter");
  await terminal.waitFor(/mode auto\b/);
  spawnSync("sh", ["-c", "echo 7 passed > pipe"], { cwd: place.folder });
  keep("change", from("It subtracts.", await terminal.waitFor("[n]")));
  await terminal.type("y");
  keep("command", from("? Run", await terminal.waitFor(/rm -r build[^]*\[n\]/)));
  await terminal.type("y");
  await terminal.waitFor(/^Done\.$/m);
  keep("answered", from("It subtracts.", await terminal.waitFor("ready")));
  await terminal.type("/mode yolo");
  await terminal.press("Enter");
  await terminal.waitFor(/ready .* mode yolo/);
  await terminal.press("C-l");
  await terminal.type("wait a minute");
  await terminal.press("Enter");
  await terminal.waitFor(/shell \S+ m?s +sleep 60/);
  await terminal.press("C-c");
  keep("cancelled", await terminal.waitFor(/· cancelled/));
}

/** The screen from a text on. */
function from(text: string, screen: string): string {
  const at = screen.indexOf(text);
  assert.ok(at >= 0, screen);
  return screen.slice(at);
}

/** Compares the screens with those of the page that are chosen by their names, or writes them. */
function compare(screens: ReadonlyMap<string, string>, isChosen: (name: string) => boolean): void {
  const page = readFileSync(PAGE, "utf8");
  const shown = Array.from(
    page.matchAll(BLOCK),
    ([, name = "", screen = ""]) => [name, screen.trimEnd()] as const,
  ).filter(([name]) => isChosen(name));
  if (isWriting) {
    writeFileSync(
      PAGE,
      page.replaceAll(BLOCK, (block, name: string) =>
        isChosen(name) ? `\`\`\`text screen=${name}\n${screens.get(name) ?? ""}\n\`\`\`` : block,
      ),
    );
    return;
  }
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(screens));
}
