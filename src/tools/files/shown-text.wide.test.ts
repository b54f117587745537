import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { textOf } from "../../../test/support/engines/engine.ts";
import { runs } from "../../../test/support/property-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { JsonObject } from "../../core/json.ts";
import { createEngine } from "../../engine/engine.ts";
import { runningTools } from "../running/family.ts";
import { fileTools } from "./family.ts";

const CATEGORIES =
  "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn".split(" ");
/** Read as binary, or as a line break. */
const NOT_IN_A_LINE = new Set(["\0", "\n"]);

const ALL = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code)).join("");

/** Returns the characters of a class. */
function charactersOf(category: string): readonly string[] {
  const found = ALL.match(new RegExp(`\\p{${category}}`, "gu")) ?? [];
  return found.filter((character) => !NOT_IN_A_LINE.has(character));
}

interface Place {
  readonly file: string;
  readonly run: (name: string, input: JsonObject) => Promise<string>;
}

function place(context: TestContext): Place {
  const root = temporaryFolder(context);
  const engine = createEngine({
    workspace: [root],
    tools: [...fileTools({ root }), ...runningTools({ root, environment: { PATH: "/usr/bin:/bin" } })],
    mode: "yolo",
  });
  context.after(() => engine.close());
  let calls = 0;
  return {
    file: join(root, "a.txt"),
    async run(name, input) {
      const result = await engine.run({ id: String((calls += 1)), name, input }, { session: "s" });
      assert.ok(result.ok, textOf(result));
      return textOf(result);
    },
  };
}

/** Returns the line that `read_file` shows under a number. */
async function shownLine({ run }: Place, number: number): Promise<string> {
  const text = await run("read_file", { path: "a.txt", start_line: number, limit: 1 });
  // What follows is a note about further lines.
  return text.split("\n[lines ")[0]?.replace(/^ *\d+\t/, "") ?? "";
}

/** Takes a text through every tool that shows it, and its shown form back through every tool that edits it. */
async function throughAllTools(at: Place, middle: string): Promise<void> {
  const line = `x ${middle} y`;
  const content = `first\n${line}\nlast\n`;
  writeFileSync(at.file, content);
  const shown = await shownLine(at, 2);
  assert.equal(shown, line, "read_file");
  assert.equal(await at.run("grep", { pattern: "^x ", path: "a.txt" }), `a.txt:2:${line}`);
  assert.equal(await at.run("shell", { command: "cat a.txt" }), content.trimEnd());
  await at.run("edit_file", { path: "a.txt", old_string: shown, new_string: `${shown}1` });
  const patch = `--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n first\n-${shown}1\n+${shown}2\n last\n`;
  await at.run("apply_patch", { patch });
  const editor = { command: "str_replace", path: "a.txt", old_string: `${shown}2`, new_string: `${shown}3` };
  await at.run("str_replace_editor", editor);
  assert.equal(readFileSync(at.file, "utf8"), `first\n${line}3\nlast\n`, "nothing else has changed");
  assert.equal(await shownLine(at, 2), `${line}3`);
}

for (const category of CATEGORIES) {
  test(`characters of class ${category} are read exactly, edited as shown and read again`, async (context) => {
    const at = place(context);
    const characters = charactersOf(category);
    const character = fc.nat(characters.length - 1).map((index) => characters[index] ?? "");
    const text = fc.array(character, { minLength: 1, maxLength: 12 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(text, (middle) => throughAllTools(at, middle)),
      { numRuns: runs(1) },
    );
  });
}

for (const [what, text] of [
  ["Persian with joiners", "می\u200cخواهم"],
  ["Hebrew with marks of direction", "שלום\u200f\u202babc\u202c"],
  ["Hindi", "क\u094d\u200dष"],
  ["a family of emoji", "👨\u200d👩\u200d👧\u200d👦"],
  ["soft hyphens", "co\u00adop\u00aderate"],
  ["colours, a bell and backspaces", "\u001b[31mred\u001b[0m\u0007 a\ba"],
  ["a form feed and a vertical tab", "\f\v"],
  ["carriage returns within the line", "a\rb\r\rc"],
  ["separators of lines and paragraphs", "\u2028 \u2029 \u0085"],
  ["a byte order mark within the text", "\ufeff"],
] as const) {
  test(`${what}: read exactly, edited as shown and read again`, (context) =>
    throughAllTools(place(context), text));
}

/** In a text only behind the start from which the kind of a file is detected. */
const BEFORE_NUL = "line\n".repeat(2000);
const SHOWN = "a\\u{0}b";

for (const [what, name, input] of [
  ["edit_file", "edit_file", { old_string: SHOWN, new_string: "c\\u{0}d" }],
  [
    "edit_file with the escape in the new text alone",
    "edit_file",
    { old_string: "b\n", new_string: "b c\\u{0}d\n" },
  ],
  ["file_multi_edit", "file_multi_edit", { edits: [{ old_string: SHOWN, new_string: "c\\u{0}d" }] }],
  [
    "str_replace",
    "str_replace_editor",
    { command: "str_replace", old_string: SHOWN, new_string: "c\\u{0}d" },
  ],
  ["insert", "str_replace_editor", { command: "insert", insert_line: 2001, new_string: "c\\u{0}d" }],
  ["write_file", "write_file", { content: `${BEFORE_NUL}${SHOWN}\nc\\u{0}d\n` }],
  ["a diff", "apply_patch", { patch: `--- a/a.txt\n+++ b/a.txt\n@@ -2001 +2001 @@\n-${SHOWN}\n+c\\u{0}d\n` }],
  [
    "a patch that adds the escape",
    "apply_patch",
    {
      patch:
        "*** Begin Patch\n*** Update File: a.txt\n@@\n a\\u{0}b\n+c\\u{0}d\n*** End of File\n*** End Patch",
    },
  ],
] as const) {
  test(`NUL is read as an escape, which ${what} writes as NUL`, async (context) => {
    const at = place(context);
    writeFileSync(at.file, `${BEFORE_NUL}a\0b\n`);
    assert.match(
      await at.run("read_file", { path: "a.txt", start_line: 2001 }),
      /^ *2001\ta\\u\{0\}b\n\[NUL/,
    );
    await at.run(name, name === "apply_patch" ? input : { path: "a.txt", ...input });
    const after = readFileSync(at.file, "utf8");
    assert.ok(
      after.includes("c\0d") && !after.includes("\\u{0}"),
      JSON.stringify(after.slice(BEFORE_NUL.length)),
    );
    const line = after.slice(0, after.indexOf("c\0d")).split("\n").length;
    assert.match(await shownLine(at, line), /c\\u\{0\}d/);
  });
}

test("a file that contains the escape itself is edited literally", async (context) => {
  const at = place(context);
  writeFileSync(at.file, "a\\u{0}b\n");
  await at.run("edit_file", { path: "a.txt", old_string: "a\\u{0}b", new_string: "a\\u{0}c" });
  assert.equal(readFileSync(at.file, "utf8"), "a\\u{0}c\n");
});

test("in a file with NUL and the escape, text that occurs literally is literal", async (context) => {
  const at = place(context);
  writeFileSync(at.file, `${BEFORE_NUL}x\\u{0}\na\0b\n`);
  await at.run("edit_file", { path: "a.txt", old_string: "x\\u{0}", new_string: "y\\u{0}" });
  await at.run("edit_file", { path: "a.txt", old_string: SHOWN, new_string: "c\\u{0}d" });
  assert.equal(readFileSync(at.file, "utf8"), `${BEFORE_NUL}y\\u{0}\nc\0d\n`);
});
