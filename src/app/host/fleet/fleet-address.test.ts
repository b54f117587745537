import assert from "node:assert/strict";
import { test } from "node:test";
import { fleetAddress } from "./fleet-address.ts";

test("the files of a fleet may be in the user's home; without servers there is no fleet", () => {
  const fleet = { servers: ["nats://a"], credentials: "~/a.creds", tls: { ca: "/ca.pem" } };
  const address = fleetAddress(fleet, "/home/me");
  assert.deepEqual([address?.credentials, address?.tls?.ca], ["/home/me/a.creds", "/ca.pem"]);
  assert.equal(fleetAddress({ key: "~/k" }, "/home/me"), undefined);
});
