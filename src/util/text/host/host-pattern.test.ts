import assert from "node:assert/strict";
import { test } from "node:test";
import { compileAllowedHosts, compileRestrictedHosts } from "./host-pattern.ts";

test("a denied address is denied in every spelling and behind every gateway", () => {
  for (const pattern of ["93.184.216.34", "[::ffff:93.184.216.34]", "0x5db8d822"]) {
    const denies = compileRestrictedHosts([pattern]);
    for (const host of [
      "93.184.216.34",
      "[::ffff:5db8:d822]",
      "[64:ff9b::5db8:d822]",
      "[2002:5db8:d822::]",
      "1572395042",
    ])
      assert.equal(denies(host), true, `${pattern} ${host}`);
    for (const host of ["93.184.216.35", "[::ffff:5db8:d823]", "example.com", "0"])
      assert.equal(denies(host), false, `${pattern} ${host}`);
  }
});

test("a deny of this machine covers all of its names and addresses", () => {
  for (const pattern of ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "::", "ip6-localhost"]) {
    const denies = compileRestrictedHosts([pattern]);
    for (const host of [
      "localhost",
      "127.0.0.1",
      "127.8.8.8",
      "[::1]",
      "0",
      "[::]",
      "x.localhost",
      "[::1%lo]",
    ])
      assert.equal(denies(host), true, `${pattern} ${host}`);
    assert.equal(denies("10.0.0.1"), false);
  }
  const one = compileRestrictedHosts(["127.0.0.53"]);
  assert.deepEqual(["127.0.0.53", "127.53", "localhost", "0"].map(one), [true, true, false, false]);
});

test("what is not certain is denied, and never allowed", () => {
  for (const host of ["$HOST", "x{1}", "256.1.1.1"]) {
    assert.equal(compileRestrictedHosts(["example.com"])(host), true, host);
    assert.equal(compileRestrictedHosts(["*.example.com"])(host), true, host);
    assert.equal(compileAllowedHosts(["example.com", host])(host), false, host);
  }
  assert.equal(compileAllowedHosts(["fe80::1"])("[fe80::1%eth0]"), false);
  assert.equal(compileAllowedHosts(["93.184.216.34"])("[64:ff9b::5db8:d822]"), false);
  assert.equal(compileAllowedHosts(["127.0.0.1"])("localhost"), false);
});

test("an allowed host is allowed in its other spellings", () => {
  const allows = compileAllowedHosts(["*.example.com", "127.0.0.1", "::1"]);
  for (const host of ["a.example.com", "A.EXAMPLE.com.", "127.1", "[::ffff:127.0.0.1]", "[::1]", "[0::1]"])
    assert.equal(allows(host), true, host);
  for (const host of ["example.com", "aexample.com", "127.0.0.2", "[::2]"])
    assert.equal(allows(host), false, host);
});

test("* matches every host, and no pattern matches none", () => {
  assert.equal(compileAllowedHosts(["*"])("x.test"), true);
  assert.equal(compileRestrictedHosts(["*"])("x.test"), true);
  assert.equal(compileRestrictedHosts([])("x.test"), false);
});
