// About half a minute.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxAttacks } from "../support/sandboxes/sandbox-attacks.ts";
import { sandboxContract } from "../support/sandboxes/sandbox-contract.ts";
import { openSandboxPlace, whyNot } from "../support/examples/sandbox-example.ts";

for (const kind of ["srt", "podman"] as const) {
  await sandboxContract(kind);
  await sandboxAttacks(kind);
}

test("with domains, a program reaches those and no others", { skip: await whyNot("srt") }, async (t) => {
  const place = await openSandboxPlace(t, "srt", { domains: ["localhost"] });
  const fetch = async (host: string, proxy = ""): Promise<void> =>
    void (await place.shell(`curl -m 30 --noproxy '${proxy}' http://${host}:${place.port}/`));
  for (const host of ["127.0.0.1", "[::1]", "example.com", "localhost.example.com"]) await fetch(host);
  await fetch("localhost", "*");
  assert.equal(place.accepted(), 0);
  await fetch("localhost");
  assert.ok(place.accepted() > 0);
});
