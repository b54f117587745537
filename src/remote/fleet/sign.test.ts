import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createSign, createVerify } from "./sign.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const secret = "s".repeat(32);

for (const [kind, signs, verifies, other] of [
  ["secret", `${secret}\n`, secret, "t".repeat(32)],
  [
    "Ed25519",
    privateKey,
    publicKey,
    generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString(),
  ],
] as const)
  test(`a signature by ${kind} holds for its text and its key only`, () => {
    const signature = createSign(signs)("text");
    assert.equal(createVerify(verifies)("text", signature), true);
    assert.equal(createVerify(verifies)("Text", signature), false);
    assert.equal(createVerify(verifies)("text", "x"), false);
    assert.equal(createVerify(other)("text", signature), false);
  });

test("a public key cannot sign; a short secret and a key of another type are refused with what to do", () => {
  assert.throws(() => createSign(publicKey), /no private key; expected an Ed25519/);
  assert.throws(() => createVerify("short"), /5 characters/);
  const rsa = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  assert.throws(() => createSign(rsa.toString()), /type ec; expected/);
});
