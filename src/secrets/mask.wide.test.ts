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
  ["an OpenAI key", `sk-proj-${"a1B2".repeat(10)}`],
  ["an Anthropic key", `sk-ant-${"a1B2".repeat(10)}`],
  ["a GitHub token", TOKEN],
  ["a GitHub fine-grained token", `github_pat_${"a1B2".repeat(8)}`],
  ["a GitLab token", `glpat-${"a1B2".repeat(5)}`],
  ["a Slack token", `xoxb-${"1".repeat(12)}`],
  ["an AWS key id", `AKIA${"Q".repeat(16)}`],
  ["a Google key", `AIza${"a1B2c".repeat(7)}`],
  ["an npm token", `npm_${"a1B2".repeat(9)}`],
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

test("a stream without white space is masked like its whole text", () => {
  const values = Array.from({ length: 120 }, (_, at) =>
    at % 3 === 0 ? `"a":"${TOKEN}"` : `"api_key":"Zk3Qw9Rt7Yp2Ls8${at}"`,
  );
  const whole = `{${values.join(",")}}`;
  const { text, stream } = createMasker([SECRET]);
  for (let length = 1; length < 3000; length += 61) {
    const one = stream();
    const pieces: string[] = [];
    for (let at = 0; at < whole.length; at += length) pieces.push(...one.push(whole.slice(at, at + length)));
    assert.equal([...pieces, ...one.end()].join(""), text(whole), `pieces of ${length}`);
  }
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

/** Has characters that every encoding changes, and a length at which base64 ends within a character. */
const ODD = 'pä"ss/word + 100% \\ \u{1f511}';

function wrapped(text: string, width: number, lineBreak = "\n"): string {
  return (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(lineBreak);
}

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 after one byte": (text) => Buffer.from(`:${text}`).toString("base64"),
  "base64 in a header": (text) => Buffer.from(`user:${text}\nmore`).toString("base64"),
  base64url: (text) => Buffer.from(`ab${text}`).toString("base64url"),
  "hexadecimal digits": (text) => Buffer.from(text).toString("hex"),
  "capital hexadecimal digits": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "a URL": (text) => encodeURIComponent(text),
  "a URL in small letters": (text) => encodeURIComponent(text).replaceAll(/%../g, (one) => one.toLowerCase()),
  "a form": (text) => encodeURIComponent(text).replaceAll("%20", "+"),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
};

for (const [encoding, encode] of Object.entries(ENCODINGS)) {
  test(`a secret in ${encoding} is masked wherever it stands, also in a stream`, () => {
    for (const secret of [ODD, "hunter2", "0123456789abcdef0123456789abcdef"]) {
      const masker = createMasker(["another secret", secret]);
      for (let shift = 0; shift < 5; shift += 1) {
        const whole = `${"x".repeat(shift)} ${encode(secret)} y`;
        const masked = masker.text(whole);
        assert.match(masked, /^x* [\w+/%]{0,10}\u27e6masked\u27e7[\w+/=]{0,10} y$/);
        for (let cut = 0; cut <= whole.length; cut += 1) {
          const stream = masker.stream();
          const pieces = [
            ...stream.push(whole.slice(0, cut)),
            ...stream.push(whole.slice(cut)),
            ...stream.end(),
          ];
          assert.equal(pieces.join(""), masked);
        }
      }
    }
  });
}

test("a secret in encoded data that is wrapped into lines is masked, also in a stream and in JSON", () => {
  const masker = createMasker([TOKEN, ODD]);
  const bytes = fc.uint8Array({ maxLength: 150 });
  const encoding = fc.constantFrom("base64", "base64url", "hex");
  fc.assert(
    fc.property(
      bytes,
      bytes,
      encoding,
      fc.constantFrom(60, 64, 76),
      fc.constantFrom("\n", "\r\n", "\n  "),
      fc.nat(400),
      (before, after, into, width, lineBreak, cut) => {
        const data = Buffer.concat([before, Buffer.from(ODD), after]).toString(into);
        const whole = `data:\n${wrapped(data, width, lineBreak)}\n`;
        const masked = masker.text(whole);
        assert.ok(masked.includes(MASK), whole);
        assert.ok(masker.text(JSON.stringify(whole)).includes(MASK), whole);
        const stream = masker.stream();
        const pieces = [
          ...stream.push(whole.slice(0, cut)),
          ...stream.push(whole.slice(cut)),
          ...stream.end(),
        ];
        assert.equal(pieces.join(""), masked);
      },
    ),
  );
});

test("each line of a secret is masked, but not the frame of a key", () => {
  const lines = ["first line of it", "c2Vjb25kIGxpbmU", "short"];
  const { text } = createMasker([`-----BEGIN X-----\n${lines.join("\n")}\n-----END X-----`]);
  assert.equal(text(`a first line of it b`), `a ${MASK} b`);
  assert.equal(text("> c2Vjb25kIGxpbmU"), `> ${MASK}`);
  assert.equal(text(`id ${Buffer.from("c2Vjb25kIGxpbmU").toString("hex")}`), `id ${MASK}`);
  for (const ordinary of ["short", "-----BEGIN X-----", "-----END X-----"])
    assert.equal(text(ordinary), ordinary);
});

test("ordinary text stays, whatever is known", () => {
  const { text } = createMasker([SECRET, ODD, "hunter2", TOKEN]);
  fc.assert(
    fc.property(fc.base64String(), fc.string(), (data, words) => {
      assert.equal(text(data), data);
      assert.equal(text(words), words);
    }),
  );
});

test("the place of a line in a file with the name of a secret is no value", () => {
  const { text } = createMasker([]);
  for (const line of ["certs/server.key:12:PLACE=public", "src/token:1:const a = readWholeFile(name);"])
    assert.equal(text(line), line);
  assert.equal(text("api_key: 4f9a8b7c6d5e4f3a2b1c"), `api_key: ${MASK}`);
});
