import assert from "node:assert/strict";
import { test } from "node:test";
import { structuredPatch, type StructuredPatch } from "diff";
import * as fc from "fast-check";
import { runs } from "../../../../test/support/property-runs.ts";
import { ToolError } from "../../../core/errors.ts";
import { applyEdits } from "../edit/apply-edits.ts";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./patch-text.ts";

/** A file, the file it should become, and the difference as hunks with context. */
interface Change {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly hunks: readonly Hunk[];
}

type Hunk = StructuredPatch["hunks"][number];

const common = fc.constantFrom(
  "}",
  "",
  "    return x;",
  "  end",
  "\t}",
  "# — note",
  "a  = 1",
  'print("a  b")',
);
/** Lines like those of code: most occur once, some often. */
const fileLines = fc
  .array(fc.oneof(common, fc.constantFrom("  call(", "if (", "let x  = ", "\tgo(", "# ü–")), {
    minLength: 6,
    maxLength: 40,
  })
  .map((lines) => lines.map((line, index) => (/[(= –]$/.test(line) ? `${line}${index});` : line)));

const change: fc.Arbitrary<Change> = fc
  .tuple(
    fileLines,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("change", "remove", "add")), { minLength: 1, maxLength: 3 }),
  )
  .map(([before, edits]) => {
    const after = [...before];
    for (const [seed, kind] of edits) {
      const at = seed % Math.max(1, after.length);
      after.splice(at, kind === "add" ? 0 : 1, ...(kind === "remove" ? [] : [`new ${seed};`]));
    }
    const [from, to] = [before, after].map((lines) => `${lines.join("\n")}\n`);
    const { hunks } = structuredPatch("f", "f", from ?? "", to ?? "", undefined, undefined, { context: 3 });
    return { before, after, hunks };
  })
  .filter(({ hunks }) => hunks.length > 0 && hunks.every((hunk) => oldOf(hunk).length > 0));

function oldOf({ lines }: Pick<Hunk, "lines">): readonly string[] {
  return lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
}

/** Returns whether the old lines of every hunk are in at most one place of the file, also if blanks are ignored. */
function isUnique({ before, hunks }: Change): boolean {
  const flat = (lines: readonly string[]): string =>
    lines.map((line) => `\n${line.replaceAll(/[\s–—-]+/g, "")}`).join("");
  const file = `${flat(before)}\n`;
  return hunks.every((hunk) => file.split(`${flat(oldOf(hunk))}\n`).length <= 2);
}

const FORMS: Readonly<Record<string, (hunks: readonly Hunk[], before: readonly string[]) => string>> = {
  "a unified diff": (hunks) =>
    unified(
      hunks,
      ({ oldStart, oldLines, newStart, newLines }) =>
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ),
  "a diff with wrong line numbers": (hunks) =>
    unified(hunks, ({ oldLines, newLines }) => `@@ -9999,${oldLines} +9999,${newLines} @@`),
  "a diff with wrong counts": (hunks) =>
    unified(hunks, ({ oldStart, newStart }) => `@@ -${oldStart},99 +${newStart},1 @@`),
  "a diff without line numbers": (hunks) => unified(hunks, () => "@@"),
  "a diff with dots for line numbers": (hunks) => unified(hunks, () => "@@ ... @@"),
  "a diff that names a line before": (hunks, before) =>
    unified(
      hunks,
      ({ oldStart }) =>
        `@@ ${
          before
            .slice(0, oldStart)
            .findLast((line) => /\d\);$/.test(line))
            ?.trim() ?? "..."
        }`,
    ),
  "a diff with hunks out of order": (hunks) => FORMS["a unified diff"]?.(hunks.toReversed(), []) ?? "",
  "the form *** Begin Patch": (hunks) =>
    `*** Begin Patch\n*** Update File: f\n${hunks.map(({ lines }) => `@@\n${lines.join("\n")}`).join("\n")}\n*** End Patch\n`,
};

function unified(hunks: readonly Hunk[], headerOf: (hunk: Hunk) => string): string {
  const parts = hunks.map((hunk) => `${headerOf(hunk)}\n${hunk.lines.join("\n")}\n`);
  return `--- a/f\n+++ b/f\n${parts.join("")}`;
}

/** The index of a line that is added. */
const NEW_LINE = -1;

/** Changes to the lines that the file has; `certain` ones do not keep a patch from being applied. */
const DAMAGES: Readonly<
  Record<
    string,
    { readonly certain: boolean; readonly line: (line: string, index: number) => string | undefined }
  >
> = {
  nothing: { certain: true, line: (line) => line },
  "trailing blanks": { certain: true, line: (line, index) => (index === NEW_LINE ? line : `${line}  `) },
  "deeper indentation": { certain: false, line: (line) => (line === "" ? line : `    ${line}`) },
  "runs of blanks": {
    certain: false,
    line: (line, index) => (index === NEW_LINE ? line : line.replaceAll(/(?<=[^\s"]) (?=[^\s"])/g, "   ")),
  },
  "typographic dashes": { certain: false, line: (line) => line.replaceAll(/[–—]/g, "-") },
  "another character": { certain: false, line: (line, index) => (index === 1 ? `${line}?` : line) },
  "a missing line": { certain: false, line: (line, index) => (index === 1 ? undefined : line) },
  "a missing first line of context": {
    certain: false,
    line: (line, index) => (index === 0 ? undefined : line),
  },
};

function damaged(hunk: Hunk, damage: (line: string, index: number) => string | undefined): Hunk {
  let index = -1;
  const lines = hunk.lines.flatMap((line) => {
    if (line.startsWith("+")) return [`+${damage(line.slice(1), NEW_LINE) ?? ""}`];
    index += 1;
    const text = damage(line.slice(1), index);
    // Without a line that is to be removed, is between changes or occurs again, the patch would mean something else.
    const isEdge = hunk.lines[index] === line;
    if (text === undefined) return line.startsWith("-") || !isEdge || !/\d\);$/.test(line) ? [line] : [];
    return [(line[0] ?? "") + text];
  });
  return { ...hunk, lines };
}

function resultOf(apply: () => string): string | undefined {
  try {
    return apply();
  } catch (error) {
    assert.ok(error instanceof ToolError, String(error));
    return undefined;
  }
}

for (const [form, write] of Object.entries(FORMS)) {
  for (const [what, { certain, line }] of Object.entries(DAMAGES)) {
    test(`${form}, damaged by ${what}, is applied rightly or refused`, () => {
      fc.assert(
        fc.property(change, (one) => {
          fc.pre(isUnique(one) && isUnique({ ...one, hunks: one.hunks.map((hunk) => damaged(hunk, line)) }));
          const patch = write(
            one.hunks.map((hunk) => damaged(hunk, line)),
            one.before,
          );
          const result = resultOf(() => {
            const [file] = parsePatch(patch);
            return applyHunks(`${one.before.join("\n")}\n`, file?.hunks ?? [], "f").text;
          });
          if (certain) assert.notEqual(result, undefined, patch);
          if (result !== undefined) assert.equal(result, `${one.after.join("\n")}\n`, patch);
        }),
        { numRuns: runs(40) },
      );
    });
  }
}

for (const [what, { certain, line }] of Object.entries(DAMAGES)) {
  test(`edits with an old text damaged by ${what} are made rightly or refused`, () => {
    fc.assert(
      fc.property(change, (one) => {
        fc.pre(isUnique(one) && isUnique({ ...one, hunks: one.hunks.map((hunk) => damaged(hunk, line)) }));
        const edits = one.hunks.map((hunk) => {
          const { lines } = damaged(hunk, line);
          const old = oldOf({ lines });
          const fresh = lines.filter((text) => !text.startsWith("-")).map((text) => text.slice(1));
          return { old_string: old.join("\n"), new_string: fresh.join("\n"), replace_all: false };
        });
        fc.pre(edits.every(({ old_string: old }) => old.trim() !== ""));
        const result = resultOf(() => applyEdits(`${one.before.join("\n")}\n`, edits).text);
        if (certain) assert.notEqual(result, undefined);
        if (result !== undefined && what !== "a missing line")
          assert.equal(result, `${one.after.join("\n")}\n`);
      }),
      { numRuns: runs(40) },
    );
  });
}

test("hunks that are out of order and have no line numbers are refused with that reason", () => {
  const patch = "--- a/f\n+++ b/f\n@@\n-three\n+3\n@@\n-one\n+1\n";
  const [file] = parsePatch(patch);
  assert.throws(
    () => applyHunks("one\ntwo\nthree\n", file?.hunks ?? [], "f"),
    /hunk 2 \(@@\) is out of order: it matches at line 1/,
  );
});

test("a hunk without line numbers is applied only where its place is certain", () => {
  const twice = "def f():\n    return 1\n\ndef g():\n    return 1\n";
  const hunks = (header: string): string => `--- a/f\n+++ b/f\n${header}\n-    return 1\n+    return 2\n`;
  const apply = (header: string): string =>
    applyHunks(twice, parsePatch(hunks(header))[0]?.hunks ?? [], "f").text;
  assert.throws(() => apply("@@"), /matches in 2 places/);
  assert.throws(() => apply("@@ class A: @@"), /matches in 2 places/);
  assert.equal(apply("@@ def g():"), "def f():\n    return 1\n\ndef g():\n    return 2\n");
  assert.equal(apply("@@ ... @@ def g():"), "def f():\n    return 1\n\ndef g():\n    return 2\n");
  const added = parsePatch("--- a/f\n+++ b/f\n@@\n+x\n")[0]?.hunks ?? [];
  assert.throws(() => applyHunks(twice, added, "f"), /has no old lines/);
});
