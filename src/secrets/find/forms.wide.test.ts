import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "../../../test/support/property-runs.ts";
import { privateKey, secretCases } from "../../../test/support/generators/secret-formats.ts";
import { createMasker, MASK } from "../mask.ts";

const { text, stream } = createMasker();

function inStream(whole: string, cut: number): string {
  const masked = stream();
  const pieces = [...masked.push(whole.slice(0, cut)), ...masked.push(whole.slice(cut)), ...masked.end()];
  return pieces.join("");
}

test("a secret of every format is masked, and nothing beside it", () => {
  for (let seed = 1; seed <= runs(20); seed += 1) {
    for (const { format, before, secret, after } of secretCases(seed)) {
      const masked = text(`first\n${before}${secret}${after}\nlast`);
      assert.equal(masked, `first\n${before}${MASK}${after}\nlast`, format);
    }
  }
});

test("a secret of every format is masked however the stream that has it is cut", () => {
  for (const { format, before, secret, after } of secretCases(7)) {
    const whole = `first line\n${before}${secret}${after}\nlast line\n`;
    const masked = text(whole);
    for (let cut = 0; cut <= whole.length; cut += 1)
      assert.equal(inStream(whole, cut), masked, `${format}, ${cut}`);
  }
});

for (const line of [
  "const token = getToken2();",
  "token: string;",
  "password: process.env.DB_PASSWORD1,",
  "API_KEY=${API_KEY2}",
  "API_KEY=$API_KEY2",
  "api_key: ${{ secrets.API_KEY2 }}",
  'password = os.environ["DB_PASS1"]',
  "export OPENAI_API_KEY=your-api-key-here1",
  "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "AKIAIOSFODNN7EXAMPLE is in the manual",
  '"password": "Passwort vergessen?"',
  "SECRET_KEY_FILE=/run/secrets/key1",
  "maxTokens: 4096000,",
  "max_tokens=128000",
  "next_page_token: abc",
  '<input type="password" name="user1">',
  "postgres://user:password@host/db",
  "https://user:${TOKEN}@host/",
  "primary_key: user_id_column_1",
  "public key: 9554F04D7259F04124DE6B476D5A82AC7E37093B".replace("public key", "publicKey"),
  "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
  'if (text.includes("-----BEGIN PRIVATE KEY-----")) {\n  return parse(text);\n}',
]) {
  test(`no secret is masked in: ${line.slice(0, 60)}`, () => assert.equal(text(line), line));
}

test("lines beside a masked one are whole", () => {
  const lines = ["PORT=8080", 'API_TOKEN="s3cr3tV4lue9x8y7z"', "HOST=example.org", "# end"];
  assert.equal(
    text(lines.join("\n")),
    ["PORT=8080", `API_TOKEN="${MASK}"`, "HOST=example.org", "# end"].join("\n"),
  );
});

for (const kind of [
  "RSA PRIVATE KEY",
  "PRIVATE KEY",
  "OPENSSH PRIVATE KEY",
  "ENCRYPTED PRIVATE KEY",
  "PGP PRIVATE KEY BLOCK",
]) {
  const key = privateKey(3, kind);
  const forms: Readonly<Record<string, (line: string, index: number) => string>> = {
    "as it is": (line) => line,
    "with numbers": (line, index) => `${String(index + 1).padStart(6)}\t${line}`,
    "of grep": (line, index) => `k.pem:${index + 1}:${line}`,
    "of a difference": (line) => `+${line}`,
    "as a list": (line) => `  "${line}",`,
    "as code": (line) => `  "${line}\\n" +`,
  };
  for (const [form, of] of Object.entries(forms)) {
    test(`a ${kind}, ${form}, is masked: whole, without its beginning, and without its end`, () => {
      const lines = key.map(of);
      for (const part of [lines, lines.slice(1), lines.slice(0, 5)]) {
        const whole = `before\n${part.join("\n")}\nafter it`;
        const masked = text(whole);
        for (const line of key.slice(1, -1)) assert.ok(!masked.includes(line.slice(0, 26)), masked);
        assert.ok(masked.startsWith("before\n") && masked.endsWith("after it"), masked);
        for (const cut of [12, 70, 130, 400, whole.length - 20]) assert.equal(inStream(whole, cut), masked);
      }
    });
  }
  test(`a ${kind} on one line of JSON is masked`, () => {
    const masked = text(JSON.stringify({ key: `${key.join("\n")}\n`, next: "plain text" }));
    assert.equal(masked, `{"key":"${MASK}\\n","next":"plain text"}`);
  });
}

test("a value is masked whatever is beside names after it", () =>
  assert.equal(
    text("password=8f7s9d1kQ2m98df7\ntoken: 9d8f7s98df78f7s1\nCookie: a=b\n"),
    `password=${MASK}\ntoken: ${MASK}\nCookie: a=b\n`,
  ));
