import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createBudget } from "./syntax/budget.ts";
import { readGreedily } from "./read-greedily.ts";
import { runs } from "../../test/support/property-runs.ts";

const BASH = "/bin/bash";
/** Bash calls this for every program, because PATH is empty; it records the words. */
const RECORD = `PATH=/nowhere
command_not_found_handle() { printf '%s\\0' "$@" $'\\1' >> "$RECORD"; }
`;

/** Returns the words of each program that bash starts for a text, in no particular order. */
async function startedBy(
  text: string,
  folder: string,
  name: string,
): Promise<readonly (readonly string[])[]> {
  const record = join(folder, name);
  await new Promise<void>((resolve) => {
    const options = { cwd: folder, env: { RECORD: record, HOME: folder, LC_ALL: "C.UTF-8" }, timeout: 5000 };
    execFile(BASH, ["--norc", "-c", RECORD + text], options, () => resolve());
  });
  if (!existsSync(record)) return [];
  const calls: string[][] = [[]];
  for (const word of readFileSync(record, "utf8").split("\0").slice(0, -1)) {
    if (word === "\u0001") calls.push([]);
    else calls.at(-1)?.push(word);
  }
  return calls.slice(0, -1);
}

const PROGRAM = fc.constantFrom(
  "p",
  "q",
  "'p q'",
  "p\\ q",
  '"p"',
  "$'\\x70'",
  "p''q",
  "p\\\nq",
  "p#q",
  "\u00a0p",
  "p\r",
  "é",
);

const { list } = fc.letrec<{ list: string; command: string; word: string }>((tie) => {
  const join = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
    fc
      .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
      .map((all) => all.join(""));
  const [list, command, word] = [tie("list"), tie("command"), tie("word")];
  return {
    word: fc.oneof(
      { maxDepth: 3, depthIdentifier: "shell" },
      fc.constantFrom(
        "a",
        "'a b'",
        '"a\\"b"',
        "\\;",
        "a#b",
        "''",
        "$'\\''",
        '"#"',
        "{a,b}",
        "~",
        "\\\n",
        '"$"',
        "a=b",
        "!",
      ),
      join("$(", list, "\n)"),
      join('"$(', list, '\n)"'),
      join("${none:-$(", list, "\n)}"),
      join("$((1 + $(", list, "\n)))"),
      join("<(", list, "\n)"),
      list.map((text) => `\`${text.replaceAll(/[\\`$]/g, "\\$&")}\n\``),
      list.map((text) => `"\`${text.replaceAll(/[\\`$"]/g, "\\$&")}\n\`"`),
    ),
    command: fc.oneof(
      { maxDepth: 3, depthIdentifier: "shell" },
      fc.tuple(PROGRAM, fc.array(word, { maxLength: 3 })).map((words) => words.flat().join(" ")),
      join("(", list, "\n)"),
      join("{ ", list, "\n} 2>&1"),
      join("! ", command),
      join("time -p ", command),
      join("if ", list, "\nthen ", list, "\nelse ", list, "\nfi"),
      join("for i in 1; do ", list, "\ndone"),
      join("for ((i = 0; i < 1; i++)); do ", list, "\ndone"),
      join("case ", word, " in (b) p;; *) ", list, "\n;; esac"),
      join("f() { ", list, "\n}\nf"),
      join("[[ ", word, " != ", word, " ]]\n", command),
      join("((1 + $(", list, "\n)))"),
      join("p <<'E'\n$(q)\nE\n"),
      list.map((text) => `p <<E${text.length}; q\n\\$(p) $(${text}\n)\nE${text.length}\n`),
      join("p <<< ", word),
    ),
    list: fc
      .tuple(
        command,
        fc.constantFrom("; ", "\n", " && ", " || ", " | ", " # 'x\n", " |& ", ";#\n", " \\\n; "),
        command,
      )
      .map((parts) => parts.join("")),
  };
});

/** An inserted character may change the meaning of everything after it. */
const SLIP = fc.tuple(
  fc.nat(),
  fc.constantFrom("", "", "'", '"', "\\", "#", " ", "\n", "$", "(", ")", "{", "}", ";", "<<E"),
);

test(
  "every program that bash starts for a text is found, or the text is unreadable",
  { skip: existsSync(BASH) ? false : "no bash" },
  async (t) => {
    const folder = temporaryFolder(t);
    let count = 0;
    let checked = 0;
    const property = fc.asyncProperty(list, SLIP, async (text, [where, what]) => {
      const at = where % (text.length + 1);
      const slipped = text.slice(0, at) + what + text.slice(at);
      count += 1;
      const { commands, unreadable } = readGreedily(slipped, { cwd: "/w", home: folder }, createBudget());
      const found = commands.map(({ words }) => words);
      for (const started of await startedBy(slipped, folder, `run-${count}`)) {
        if (unreadable !== undefined) return;
        checked += 1;
        const isFound = found.some((words) => {
          // The reading already reports an unknown program.
          if (words[0]?.literal === false) return true;
          // Guessed words may expand to more, fewer or other words.
          const isGuess = words.some(({ literal }) => !literal) || slipped.includes("$");
          return isGuess
            ? words[0]?.text === started[0]
            : words.map(({ text: one }) => one).join("\0") === started.join("\0");
        });
        assert.ok(isFound, `${JSON.stringify(slipped)} starts ${JSON.stringify(started)}`);
      }
    });
    await fc.assert(property, { numRuns: runs(120) });
    assert.ok(checked > runs(120) / 2, `${checked} programs were compared`);
  },
);
