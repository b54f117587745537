import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadConfig } from "./config.ts";

/** Returns a place whose user has a config file with this text. */
function placeWith(t: TestContext, text: string) {
  const root = temporaryFolder(t);
  const [cwd, userHome] = [join(root, "work"), join(root, "home")];
  for (const folder of [cwd, join(userHome, ".toolwright")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(userHome, ".toolwright/config.json"), text);
  return { cwd, userHome, variables: {} };
}

test("an invalid value in a profile is named with its line and column and the profile; in a file with a byte order mark too", (t) => {
  const text =
    '{ "mode": "ask", "profiles": {\r\n  "fast": { "mode": "askk",\r\n    "watch": ["["] }\r\n} }\r\n';
  for (const mark of ["", "\u{feff}"]) {
    assert.throws(
      () => loadConfig({ profile: "fast" }, placeWith(t, `${mark}${text}`)),
      /config\.json:2:21: profile fast: mode: expected one of/,
    );
    assert.throws(
      () => loadConfig({ profile: "fast" }, placeWith(t, `${mark}${text.replace("askk", "ask")}`)),
      /config\.json:3:14: profile fast: watch\[0\]: invalid glob "\["/,
    );
  }
});

test("a profile that is no object is reported as such", (t) => {
  const place = placeWith(t, '{ "profiles": { "fast": 5 } }');
  assert.throws(
    () => loadConfig({ profile: "fast" }, place),
    /config\.json: profile fast must be an object$/,
  );
});

test("hosts of the web and of sandboxes are refused with a scheme, which would match nothing", (t) => {
  for (const [key, host, isRefused] of [
    ["blockedDomains", "https://ads.example", true],
    ["allowedDomains", "docs.example", false],
    ["trustedHosts", "*.example.com", false],
    ["privateHosts", "http://localhost:3000", true],
    ["privateHosts", "localhost:3000", false],
    ["privateHosts", "10.0.0.0/8", false],
    ["privateHosts", "[::1]:3000", false],
  ] as const) {
    const load = () => loadConfig({}, placeWith(t, JSON.stringify({ web: { [key]: [host] } })));
    if (isRefused)
      assert.throws(load, new RegExp(`config\\.json:1:\\d+: web\\.${key}\\[0\\]: expected a host`));
    else assert.deepEqual(load().web, { [key]: [host] });
  }
  const domains = '{ "sandboxOptions": { "domains": ["https://docs.example"] } }';
  assert.throws(() => loadConfig({}, placeWith(t, domains)), /sandboxOptions\.domains\[0\]: expected a host/);
});
