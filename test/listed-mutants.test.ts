import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { EQUIVALENT } from "../scripts/mutation/equivalent.ts";
import { SURVIVORS } from "../scripts/mutation/survivors.ts";

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

for (const [name, list] of Object.entries({ EQUIVALENT, SURVIVORS }))
  test(`each mutant of ${name} names code that is in its file`, () => {
    const dead = Object.entries(list).flatMap(([file, mutants]) => {
      const source = existsSync(file) ? flat(readFileSync(file, "utf8")) : "";
      const codes = mutants.map(([code]) => code.replace(/…$/, ""));
      return codes.filter((code) => code === "" || !source.includes(code)).map((code) => `${file}: ${code}`);
    });
    assert.deepEqual(dead, []);
  });
