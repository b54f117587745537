import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createSeals } from "./seals.ts";
import { createFleetKeys } from "./sign.ts";

const pair = () =>
  generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
const [engines, workers, other] = [pair(), pair(), pair()];
const secret = "s".repeat(32);

for (const [kind, engineKey, workerKey, foreign] of [
  ["a secret", `${secret}\n`, secret, "t".repeat(32)],
  ["one private key", engines.privateKey, engines.privateKey, other.privateKey],
  [
    "a private key for each side",
    engines.privateKey + workers.publicKey,
    workers.privateKey + engines.publicKey,
    other.privateKey + engines.publicKey + workers.publicKey,
  ],
] as const) {
  const [engine, worker, outsider] = [
    createFleetKeys(engineKey, "engine"),
    createFleetKeys(workerKey, "worker"),
    createFleetKeys(foreign, "worker"),
  ];
  test(`with ${kind}, a signature holds for its text, its kind and its key only`, () => {
    for (const [from, to, signed] of [
      [engine, worker, "call"],
      [engine, engine, "approval"],
      [worker, engine, "answer"],
      [engine, engine, "answer"],
    ] as const) {
      const signature = from.sign(signed, "text");
      assert.equal(to.verify(signed, "text", signature), true, signed);
      assert.equal(to.verify(signed, "Text", signature), false);
      assert.equal(to.verify("cancel", "text", signature), false);
      assert.equal(to.verify(signed, "text", "x"), false);
      assert.equal(to.verify(signed, "text", outsider.sign(signed, "text")), false);
    }
  });
}

test("with keys for each side, a worker can allow no calls", () => {
  const worker = createFleetKeys(workers.privateKey + engines.publicKey, "worker");
  const forged = worker.sign("call", "text");
  assert.equal(worker.verify("call", "text", forged), false);
  assert.equal(
    createFleetKeys(engines.privateKey + workers.publicKey, "engine").verify("call", "text", forged),
    false,
  );
});

test("a key that cannot sign, a short secret and a key of another type are refused with what to do", () => {
  assert.throws(() => createFleetKeys(engines.publicKey, "worker"), /no private key/);
  assert.throws(() => createFleetKeys(engines.privateKey + other.privateKey, "worker"), /2 private key/);
  assert.throws(() => createFleetKeys("short", "engine"), /5 characters/);
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  assert.throws(() => createFleetKeys(ec.toString(), "engine"), /type ec; expected/);
});

test("a sealed text is read under its kind, its name and its namespace only", () => {
  const sealed = createSeals(secret, "worker", "a").seal("advert", "w", "a body\n with spaces");
  const at = (namespace: string) => createSeals(secret, "engine", namespace);
  assert.equal(at("a").unseal("advert", "w", sealed), "a body\n with spaces");
  assert.equal(at("b").unseal("advert", "w", sealed), undefined);
  assert.equal(at("a").unseal("advert", "v", sealed), undefined);
  assert.equal(at("a").unseal("spec", "w", sealed), undefined);
  for (const text of ["", " ", "x", "{}", sealed.slice(0, -1), `${sealed} `])
    assert.equal(at("a").unseal("advert", "w", text), undefined, text);
});
