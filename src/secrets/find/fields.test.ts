import assert from "node:assert/strict";
import { test } from "node:test";
import { MASK } from "./ranges.ts";
import { maskFields, maskHeader } from "./fields.ts";

for (const [name, value, masked] of [
  ["Authorization", "Bearer abc", `Bearer ${MASK}`],
  ["authorization", "abc", MASK],
  ["Proxy-Authorization", "Basic YTpi", `Basic ${MASK}`],
  ["Cookie", "a=1; session=2=3", `a=${MASK}; session=${MASK}`],
  ["Set-Cookie", "sid=ab; Path=/; HttpOnly", `sid=${MASK}; Path=/; HttpOnly`],
  ["X-Api-Key", "k", MASK],
  ["x-auth-token", "t", MASK],
  ["Content-Type", "text/html", "text/html"],
  ["Cookie", "", ""],
] as const) {
  test(`the header ${name}: ${value} is shown as ${masked}`, () =>
    assert.equal(maskHeader(name, value), masked));
}

for (const [text, masked] of [
  ["user=a&password=b&x=1", `user=a&password=${MASK}&x=1`],
  ["https://x.test/?q=1&access_token=z#f", `https://x.test/?q=1&access_token=${MASK}`],
  ['{"user":"a","password": "b\\"c","n":1}', `{"user":"a","password": "${MASK}","n":1}`],
  [
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nb\r\n--x--',
    `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${MASK}\r\n--x--`,
  ],
  ["<p>password reset</p>", "<p>password reset</p>"],
  ["maxTokens=4", "maxTokens=4"],
] as const) {
  test(`the fields of ${JSON.stringify(text).slice(0, 60)} are masked by name`, () =>
    assert.equal(maskFields(text), masked));
}
