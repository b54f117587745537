import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { MASK, createMasker } from "./mask.ts";

const SECRET = "correct horse battery";
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

test("a known secret is masked everywhere", () => {
  const { text } = createMasker([SECRET]);
  assert.equal(text(`x${SECRET}y ${SECRET}`), `x${MASK}y ${MASK}`);
});

test("a value added later is masked from then on", () => {
  const masker = createMasker();
  assert.equal(masker.text("hunter2hunter2"), "hunter2hunter2");
  masker.learn("hunter2hunter2");
  assert.equal(masker.text("hunter2hunter2"), MASK);
});

test("a short value is not taken for a secret: it would mask ordinary words", () => {
  assert.equal(createMasker(["true", "     "]).text("it is true     "), "it is true     ");
});

for (const [kind, token] of [
  ["an OpenAI key", `sk-proj-${"x".repeat(40)}`],
  ["an Anthropic key", `sk-ant-${"x".repeat(40)}`],
  ["a GitHub token", TOKEN],
  ["a GitHub fine-grained token", `github_pat_${"x".repeat(30)}`],
  ["a GitLab token", `glpat-${"x".repeat(20)}`],
  ["a Slack token", `xoxb-${"1".repeat(12)}`],
  ["an AWS key id", `AKIA${"Q".repeat(16)}`],
  ["a Google key", `AIza${"x".repeat(35)}`],
  ["an npm token", `npm_${"x".repeat(36)}`],
  ["a JWT", `eyJ${"a".repeat(20)}.${"b".repeat(20)}.${"c".repeat(20)}`],
  ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"],
] as const) {
  test(`${kind} is masked by its shape`, () => {
    assert.equal(createMasker().text(`before ${token} after`), `before ${MASK} after`);
  });
}

test("the password in a URL is masked, the rest of the URL is not", () => {
  assert.equal(createMasker().text("postgres://me:s3cret@db/x"), `postgres://me:${MASK}@db/x`);
});

for (const text of [
  "sk-learn is a library",
  "the AKIA prefix",
  "a.b.c",
  "http://host:8080/x@y",
  "npm_config",
]) {
  test(`ordinary text stays: ${text}`, () => {
    assert.equal(createMasker().text(text), text);
  });
}

test("a secret with white space in it, split anywhere in a long text, is masked", () => {
  const filler = "words and more words\n".repeat(400);
  const whole = filler + SECRET + filler;
  const masker = createMasker([SECRET]);
  for (let cut = filler.length - 3; cut <= filler.length + SECRET.length + 3; cut += 1) {
    const stream = masker.stream();
    const pieces = [...stream.push(whole.slice(0, cut)), ...stream.push(whole.slice(cut)), ...stream.end()];
    assert.equal(pieces.join(""), masker.text(whole));
  }
});

test("a stream masks a secret however it is cut into pieces, and loses nothing", () => {
  const whole = `start ${SECRET} middle ${TOKEN}\nend ${SECRET}${SECRET}`;
  const masker = createMasker([SECRET]);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const stream = masker.stream();
      const pieces = places.flatMap((place, index) =>
        stream.push(whole.slice(place, places[index + 1] ?? place)),
      );
      assert.equal([...pieces, ...stream.end()].join(""), masker.text(whole));
    }),
  );
});

test("a stream does not hold back an endless line for ever", () => {
  const stream = createMasker([SECRET]).stream();
  let given = 0;
  for (let index = 0; index < 100; index += 1) given += stream.push("x".repeat(1000)).join("").length;
  assert.ok(given > 99_000, `only ${given} characters came out`);
});

test("a stream of a script without spaces is shown as it comes, in whole characters", () => {
  const stream = createMasker().stream();
  assert.deepEqual(stream.push("春眠"), ["春眠"]);
  assert.deepEqual(stream.push("不覚暁😀".slice(0, -1)), ["不覚暁"]);
  assert.deepEqual(stream.push("😀".slice(-1)), ["😀"]);
  assert.deepEqual(stream.end(), []);
});

test("a stream masks what stands between characters of such a script, and a password that consists of them", () => {
  const text = "鍵はsk-ant-0123456789abcdefghijです。https://user:秘密秘密@example.com/を見て";
  const whole = createMasker().text(text);
  assert.doesNotMatch(whole, /0123|秘密/);
  for (let cut = 0; cut <= text.length; cut += 1) {
    const stream = createMasker().stream();
    const shown = [...stream.push(text.slice(0, cut)), ...stream.push(text.slice(cut)), ...stream.end()];
    assert.equal(shown.join(""), whole);
  }
});
