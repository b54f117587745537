import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { wordsOf } from "../../../test/support/generators/command-words.ts";
import type { Word } from "../../core/command.ts";
import { flagsOf } from "./canonical-flags.ts";

const flags = (text: string): readonly string[] => {
  const [program, ...words] = wordsOf(text);
  return [...flagsOf(program?.text ?? "", words).flags].sort();
};

for (const text of [
  "rm -rf x",
  "rm -fr x",
  "rm -r -f x",
  "rm -fR x",
  "rm x -rf",
  "rm x -r y -f",
  "rm --recursive --force x",
  "rm --force --recurs x",
  "rm --rec --fo x",
  "/bin/rm -rf x",
  "grm -Rf x",
]) {
  test(`${text} uses exactly -r and -f`, () => assert.deepEqual(flags(text), ["-f", "-r"]));
}

const SPELLINGS = {
  "-r": ["r", "R", "--recursive", "--recur"],
  "-f": ["f", "--force"],
  "-v": ["v", "--verbose"],
} as const;

test("any order, splitting and spelling of rm's flags is the same set", () => {
  const spelled = fc.tuple(
    fc.subarray(["-r", "-f", "-v"] as const, { minLength: 1 }),
    fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  );
  fc.assert(
    fc.property(spelled, fc.constantFrom("x", "a/b"), ([used, picks, joins], operand) => {
      const words: string[] = [];
      for (const [index, name] of used.entries()) {
        const choices = SPELLINGS[name];
        const spelling = choices[picks[index]! % choices.length] ?? "";
        const last = words.at(-1);
        const isLong = spelling.startsWith("--");
        if (!isLong && last !== undefined && /^-[^-]/.test(last) && joins[index]!) {
          words[words.length - 1] = last + spelling;
        } else words.push(isLong ? spelling : `-${spelling}`);
        if (joins[index + 3]!) words.push(operand);
      }
      assert.deepEqual(
        flags(`rm ${words.join(" ")}`).filter((flag) => flag !== operand),
        [...used].sort(),
      );
    }),
  );
});

for (const [text, expected] of [
  ["rm -- -rf", []],
  ["git push --force", ["-f"]],
  ["git push -f origin main", ["-f"]],
  ["git -C sub push --force", ["-C", "-C=sub", "-f"]],
  ["sort -of x", ["-o", "-o=f"]],
  ["sort --output f x", ["-o", "-o=f"]],
  ["sort --outp=f x", ["-o", "-o=f"]],
  ["find . -name x -delete", ["-delete", "-name", "-name=x"]],
  ["head -5 x", ["-NUM"]],
  ["sed -i.bak s/a/b/ f", ["-i", "-i=.bak"]],
  ["unheard-of -exec --long=5", ["--long", "--long=5", "-c", "-e", "-exec", "-x"]],
] as const) {
  test(`${text} uses ${expected.join(" ") || "nothing"}`, () =>
    assert.deepEqual(flags(text), [...expected].sort()));
}

for (const [text, hasUnknown] of [
  ["rm $x", true],
  ["rm -rf $x", true],
  ["rm -rf -- $x", false],
  ["rm -rf x", false],
] as const) {
  test(`${text} ${hasUnknown ? "may contain unknown flags" : "contains no unknown flags"}`, () => {
    assert.equal(flagsOf("rm", wordsOf(text).slice(1)).hasUnknown, hasUnknown);
  });
}

for (const [program, wanted, given, isUsed] of [
  ["rm", "-rf", "--recursive --force x", true],
  ["rm", "-rf", "-r x", false],
  ["unheard-of", "-rf", "-r -f", true],
  ["unheard-of", "-rf", "-frv", true],
  ["unheard-of", "-rf", "-r", false],
  ["unheard-of", "-exec", "-exec", true],
  ["unheard-of", "--all", "--all", true],
  ["unheard-of", "--all", "-a", false],
  ["npm", "--registry=http://a", "install --registry=http://b", false],
] as const) {
  test(`${program} ${given} ${isUsed ? "uses" : "does not use"} ${wanted}`, () => {
    assert.equal(usesFlags(program, wordsOf(wanted), wordsOf(given)), isUsed);
  });
}

test("an argument that is neither a flag nor its value is an operand", () => {
  const { operands } = flagsOf("git", wordsOf("-C sub push -o v --force origin main"));
  assert.deepEqual(
    operands.map(({ text }) => text),
    ["push", "origin", "main"],
  );
});

for (const name of ["constructor", "__proto__", "toString", ""]) {
  test(`a program named "${name}" is unknown`, () => {
    assert.deepEqual([...flagsOf(name, wordsOf("-a")).flags], ["-a"]);
    assert.deepEqual([...flagsOf("git", wordsOf(`${name} -a`)).flags], ["-a"]);
  });
}

/** Returns true if a command uses every wanted flag, in any spelling. */
function usesFlags(program: string, wanted: readonly Word[], words: readonly Word[]): boolean {
  const { flags } = flagsOf(program, words);
  return wanted.every((word) => {
    const { flags: asked } = flagsOf(program, [word]);
    if (flags.has(word.text)) return true;
    const isCluster = /^-[^-]/.test(word.text);
    return [...asked].every((flag) => flags.has(flag) || (isCluster && flag === word.text && asked.size > 1));
  });
}
