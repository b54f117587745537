import assert from "node:assert/strict";
import { test } from "node:test";
import { isLong } from "../../../test/support/property-runs.ts";
import { createMasker } from "../mask.ts";
import { maskFields, maskHeader } from "./fields.ts";
import { looksRandom } from "./randomness.ts";

const SMALL = isLong ? 25_000 : 5_000;
const FACTOR = 8;

/** Text that is made to be read again and again. */
const UNITS = [
  "key=",
  `${"key=".repeat(1000)} `,
  "token: ",
  "cookie: a=b; ",
  "cookie=",
  "</",
  "Basic aaaa",
  "Bearer ",
  "deadbeef",
  "https://aaaaaaaa:bbbb",
  "://hook",
  "--",
  "--pass-",
  "-u a:",
  "machine a login ",
  '"token":"',
  'key=\\"',
  "=\\\\",
  "eyJ-",
  "eyJaaaaaaaaaa-",
  "sk.eyJ.",
  "key-",
  "-us1",
  "Q~",
  "t1.",
  "1/2",
  "secret_-",
  "PRIVATE",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----END PRIVATE KEY-----",
  "\n++++ + ",
  `${"u".repeat(300)}! `,
];
/** What is before the repeated text, so that it is read as the value, key or header that begins there. */
const STARTS = ["", "password=", 'token: "', "-----BEGIN PRIVATE KEY-----\n", "Cookie: ;"];

/** A usual run tries one of the first two, by turns. */
function startsOf(index: number): readonly string[] {
  return isLong ? STARTS : STARTS.slice(index % 2, (index % 2) + 1);
}

/** Returns the milliseconds of CPU time: other programs may run at the same time. */
function timeOf(run: (text: string) => void, text: string): number {
  const from = process.cpuUsage();
  run(text);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** Returns how many times as long a longer text takes, at best: the process may collect garbage or compile meanwhile. */
function ratioOf(run: (text: string) => void, start: string, unit: string): number {
  const [small, large] = [SMALL, SMALL * FACTOR].map(
    (length) => start + unit.repeat(Math.ceil(length / unit.length)),
  ) as [string, string];
  const bestOf = (text: string): number => Math.min(...Array.from({ length: 5 }, () => timeOf(run, text)));
  // What takes less than this cannot be measured, and does no harm.
  if (timeOf(run, large) < 30) return 1;
  const best = bestOf(large);
  return best < 30 ? 1 : best / bestOf(small);
}

const { text: mask, stream } = createMasker();

for (const [name, run] of [
  ["text", mask],
  ["a field", (text: string) => mask(text, "token")],
  ["a stream", (text: string) => void [...stream().push(text)]],
  ["a header", (text: string) => maskHeader("cookie", text)],
  ["a body", maskFields],
] as const) {
  test(`the time to mask ${name} grows as the text does, whatever is repeated in it`, () => {
    for (const [index, unit] of [...UNITS, " ", "+", "-", "a", "A", "1", ";", "\\", '"'].entries()) {
      for (const start of startsOf(index)) {
        const ratio = ratioOf(run, start, unit);
        assert.ok(ratio < 3 * FACTOR, `${JSON.stringify(start + unit)}: ${ratio.toFixed(1)} times as long`);
      }
    }
  });
}

test("a long value of small letters is read once", () => {
  assert.equal(looksRandom(`${"abcdefghijklmnopqrstuvwxyz".repeat(40)}0123456789-`), true);
});
