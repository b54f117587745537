import assert from "node:assert/strict";
import { test } from "node:test";
import { createMasker, MASK } from "../../secrets/mask.ts";
import { compileSecretPatterns } from "./secret-patterns.ts";

for (const [pattern, fault] of [
  ["(a+)+b", "could take too long"],
  ["(?:ab|cd){8}", "could take too long"],
  ["a+b+c", "could take too long"],
  [".*key.*", "could take too long"],
  ["(a)\\1", "could take too long"],
  ["[", "is not a regular expression"],
  ["x*", "matches the empty text"],
  ["", "matches the empty text"],
  ["^acme", "remove ^ and $"],
  ["acme$", "remove ^ and $"],
  ["a".repeat(1025), "is longer than 1024 characters"],
] as const) {
  test(`the pattern ${pattern.slice(0, 20)} is refused with its place`, () =>
    assert.throws(
      () => compileSecretPatterns({ fine: "acme_[a-z]{8}", mine: pattern }, "file.json: secretPatterns"),
      (error: Error) =>
        error.message.startsWith("file.json: secretPatterns.mine: ") && error.message.includes(fault),
    ));
}

const patterns = compileSecretPatterns({ acme: "acme_[0-9a-f]{32}", corp: "CORP-\\d{4}-[A-Z]{6,}" });
const secrets = [`acme_${"0a1b2c3d".repeat(4)}`, "CORP-1234-QWERTZ"];

test("what matches a pattern of the user is masked wherever it is in a text, and in a stream", () => {
  const masker = createMasker([], patterns);
  for (const secret of secrets) {
    for (const length of [0, 3, 480, 500, 1000, 1020, 5000]) {
      const filler = "ab cd ".repeat(1000).slice(0, length);
      assert.equal(masker.text(`${filler} ${secret} end`), `${filler} ${MASK} end`);
      const stream = masker.stream();
      const shown = [
        ...stream.push(`${filler} ${secret.slice(0, 9)}`),
        ...stream.push(`${secret.slice(9)} end`),
      ];
      assert.equal([...shown, ...stream.end()].join(""), `${filler} ${MASK} end`);
    }
    assert.equal(createMasker().text(secret), secret);
  }
});
