import assert from "node:assert/strict";
import { test } from "node:test";
import { privateKey, secretCases } from "../../test/support/generators/secret-formats.ts";
import { createMasker, MASK } from "./mask.ts";
import { maskJson, maskValue } from "./mask-json.ts";

const masker = createMasker();

test("data with a secret of any format is masked as its text is", () => {
  for (const { format, before, secret, after } of secretCases(11)) {
    const line = `${before}${secret}${after}`;
    const { data, text } = maskJson(
      { path: "a.txt", matches: [{ line: 1, text: line }], more: "plain" },
      masker,
    );
    const masked = { path: "a.txt", matches: [{ line: 1, text: masker.text(line) }], more: "plain" };
    assert.deepEqual(data, masked, format);
    assert.equal(text, JSON.stringify(masked), format);
    assert.ok(!text.includes(secret), format);
  }
});

test("a field with the name of a secret is masked, one with another name is not", () => {
  const { data } = maskJson(
    {
      password: "Sup3rS3cret",
      headers: { authorization: "0a1b2c3d4e5f6a7b8c9d" },
      tokens: 3,
      id: "Sup3rS3cret",
    },
    masker,
  );
  assert.deepEqual(data, { password: MASK, headers: { authorization: MASK }, tokens: 3, id: "Sup3rS3cret" });
});

for (const part of ["whole", "without its beginning", "without its end"]) {
  const key = privateKey(5).slice(
    part === "without its beginning" ? 1 : 0,
    part === "without its end" ? 6 : undefined,
  );
  const isLeft = (text: string): boolean => key.some((line) => line.length > 40 && text.includes(line));
  test(`a private key, ${part}, in the items of a list is masked, and the items beside it are not`, () => {
    const lines = ["first line", ...key, "last line"];
    const shapes = {
      lines,
      matches: lines.map((text, index) => ({ path: "k.pem", line: index + 1, text })),
      numbered: Object.fromEntries(lines.map((line, index) => [String(index + 1), line])),
    };
    for (const shape of [shapes.lines, { matches: shapes.matches }, { content: shapes.numbered }, shapes]) {
      const { data, text } = maskJson(shape, masker);
      assert.ok(!isLeft(text), text);
      assert.ok(text.includes("first line") && text.includes("last line"));
      assert.deepEqual(maskValue(shape, masker), data);
    }
    const { matches } = maskValue({ matches: shapes.matches }, masker) as { matches: typeof shapes.matches };
    assert.equal(matches.length, lines.length);
    assert.deepEqual(
      matches.map(({ path }) => path),
      lines.map(() => "k.pem"),
    );
  });
}
