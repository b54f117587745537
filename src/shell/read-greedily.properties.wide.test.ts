import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createBudget } from "./syntax/budget.ts";
import { readCommand } from "./reader.ts";
import { readGreedily } from "./read-greedily.ts";
import { runs } from "../../test/support/property-runs.ts";

const PLACE = { cwd: "/w", home: "/home/me" };

/** Valid ways to nest a command in another. */
const WRAPPINGS: readonly ((inner: string) => string)[] = [
  (inner) => `ls; ${inner}`,
  (inner) => `${inner}\nls`,
  (inner) => `ls && ${inner}`,
  (inner) => `ls || { ${inner}\n}`,
  (inner) => `( ${inner}\n)`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `{ ${inner}\n} > out 2>&1`,
  (inner) => `! { ${inner}\n}`,
  (inner) => `time { ${inner}\n}`,
  (inner) => `if ${inner}\nthen ls; fi`,
  (inner) => `if ls; then ${inner}\nelse id; fi`,
  (inner) => `if ls; then id; elif ${inner}\nthen id; fi | cat`,
  (inner) => `while ${inner}\ndo ls; done`,
  (inner) => `until ls; do ${inner}\ndone < in`,
  (inner) => `for i in a b; do ${inner}\ndone`,
  (inner) => `for ((i = 0; i < 3; i++)); do ${inner}\ndone`,
  (inner) => `case a in (a|b) ${inner}\n;; *) ls;; esac`,
  (inner) => `f() { ${inner}\n}`,
  (inner) => `function f { ${inner}\n}`,
  (inner) => `ls "$( ${inner}\n)"`,
  (inner) => `x=$( ${inner}\n) ls`,
  (inner) => `a=(b $( ${inner}\n))`,
  (inner) => `cat <( ${inner}\n) > >(cat)`,
  (inner) => `ls \${a:-$( ${inner}\n)}`,
  (inner) => `ls $((1 + $( ${inner}\n)))`,
  (inner) => `((a = $( ${inner}\n)))`,
  (inner) => `[[ -n $( ${inner}\n) && a != b ]]`,
  (inner) => `ls > $( ${inner}\n)`,
  (inner) => `cat <<< "$( ${inner}\n)"`,
  (inner) => `cat <<E${inner.length}\n$( ${inner}\n)\nE${inner.length}`,
  (inner) => `ls \`${inner.replaceAll(/[\\`$]/g, "\\$&")}\n\``,
  (inner) => `coproc { ${inner}\n}`,
];

const INNERMOST = fc.constantFrom(
  "rm -rf x",
  "'rm' -rf x",
  "r\\m -rf x",
  "rm -rf x > out",
  "a=1 rm -rf x",
  "rm \\\n-rf x",
);

test("a command is found in any nesting of constructs, and the text is readable", () => {
  const layers = fc.array(fc.constantFrom(...WRAPPINGS), { maxLength: 5 });
  fc.assert(
    fc.property(INNERMOST, layers, (innermost, wrappings) => {
      const text = wrappings.reduce<string>((inner, wrap) => wrap(inner), innermost);
      const { commands, unreadable } = readGreedily(text, PLACE, createBudget());
      const found = commands.find(({ words }) => words.map((word) => word.text).join(" ") === "rm -rf x");
      assert.ok(found, text);
      assert.ok(found.words.every(({ literal }) => literal));
      // Around a here-document, shells differ in what is arithmetic.
      if (!text.includes("((")) assert.equal(unreadable, undefined, text);
    }),
    { numRuns: runs(1500) },
  );
});

const SHRED = fc.constantFrom(
  ..."'\"`$(){}[]<>|&;#\\ \n\t=~*?!-\0\ra1".split(""),
  ..."$( $(( )) ${ <( << <<- <<< [[ ]] (( ;; if then fi case in esac for do done while function x= $x \\\n $' E".split(
    " ",
  ),
);

test("any text is read without an error, by pieces of syntax and by arbitrary characters", () => {
  const text = fc.oneof(
    fc.array(SHRED, { maxLength: 60 }).map((shreds) => shreds.join("")),
    fc.array(SHRED, { maxLength: 30 }).map((shreds) => shreds.join(" ")),
    fc.string({ unit: "binary", maxLength: 80 }),
  );
  fc.assert(
    fc.property(text, (some) => {
      const { commands, unreadable } = readGreedily(some, PLACE, createBudget());
      assert.ok(Array.isArray(commands));
      assert.ok(unreadable === undefined || unreadable.length > 0);
    }),
    { numRuns: runs(3000) },
  );
});

const HEAVY: Readonly<Record<string, string>> = {
  "open parentheses": "(".repeat(20_000),
  "parentheses in parentheses": `${"( ".repeat(10_000)}ls${" )".repeat(10_000)}`,
  "substitutions in substitutions": "$(".repeat(20_000),
  "strings in substitutions": '"$('.repeat(15_000),
  "arithmetic in arithmetic": "$((".repeat(15_000),
  "arithmetic that is none": `${"((".repeat(10_000)} ; `,
  "expansions in expansions": "${x:-".repeat(10_000),
  "backticks in backticks": "`\\`\\\\`".repeat(8000),
  "a long list": "a && ".repeat(12_000),
  "many commands": "a;".repeat(30_000),
  "many words": "a ".repeat(30_000),
  "many conditions": `${"if a; then ".repeat(4000)}b${"; fi".repeat(4000)}`,
  "many cases": "case a in a) ".repeat(4000),
  "many functions": "f() { ".repeat(6000),
  "many here-documents": "cat <<E\n".repeat(8000),
  "many joined lines": "a\\\n".repeat(20_000),
  "braces in braces": `${"{a,".repeat(10_000)}${"}".repeat(10_000)}`,
  "braces beside braces": "{a,b}".repeat(10_000),
  "variables of themselves": `${"x=$x$x$x;".repeat(7000)}$x`,
  "variables of variables": `${Array.from({ length: 200 }, (_, at) => `x${at}=$x${at + 1}$x${at + 1}`).join(";")};$x0`,
  "one variable everywhere": `${"x=a;".repeat(500)}echo ${"$x ".repeat(15_000)}`,
  "patterns in patterns": "@(".repeat(20_000),
  "lists in lists": "a=(".repeat(20_000),
};

for (const [what, text] of Object.entries(HEAVY)) {
  test(`${what} are read in limited time and without an error`, () => {
    const start = performance.now();
    readGreedily(text.slice(0, 65_536), PLACE, createBudget());
    // Tens of milliseconds on an idle machine; unbounded reading takes minutes.
    assert.ok(performance.now() - start < 5000);
  });
}

test("a text above the size limit is unreadable", () => {
  const { certainty, doubt } = readCommand({
    kind: "command",
    text: "a ".repeat(1_000_000),
    cwd: "/w",
  });
  assert.deepEqual([certainty, doubt], ["unreadable", "it is longer than 65536 characters"]);
});
