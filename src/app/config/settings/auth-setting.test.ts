import assert from "node:assert/strict";
import { test } from "node:test";
import { AUTH } from "./auth-setting.ts";

test("the slash behind an issuer is part of its name, unless it stands behind a host alone", () => {
  const issuerOf = (issuer: string) =>
    AUTH.parse?.({ oidc: { issuer, clientId: "c", roles: {} } } as never, "auth").oidc?.issuer;
  assert.equal(issuerOf("https://login.test/"), "https://login.test");
  assert.equal(issuerOf("https://login.test/o/app/"), "https://login.test/o/app/");
  assert.equal(issuerOf("https://login.test/o/app"), "https://login.test/o/app");
});
