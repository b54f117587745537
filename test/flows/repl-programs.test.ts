import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withoutTmux } from "../support/programs/terminal.ts";
import { createReplPlace, openRepl } from "./support/repl.ts";

test(
  "/config sets a setting, and /login takes a key that the screen does not show",
  { skip: withoutTmux },
  async (t) => {
    const place = createReplPlace(t, [{ text: "Done." }]);
    const terminal = await openRepl(t, place, { columns: 200 });
    await terminal.waitFor("ready");
    await terminal.type("/config set theme light");
    await terminal.press("Enter");
    await terminal.waitFor(/theme = "light"\nused from the next start/);
    await terminal.type("/config get mode");
    await terminal.press("Enter");
    await terminal.waitFor(/> \/config get mode\n+auto/);
    assert.deepEqual(JSON.parse(readFileSync(join(place.home, "config.json"), "utf8")), { theme: "light" });
    await terminal.type("/login compatible");
    await terminal.press("Enter");
    await terminal.waitFor("key of compatible (not shown):");
    await terminal.type("typed-key-1");
    await terminal.press("Enter");
    const screen = await terminal.waitFor(/stored the key of compatible[^]*^ready/m);
    assert.doesNotMatch(screen, /typed-key-1/);
    assert.match(readFileSync(join(place.home, "keys.json"), "utf8"), /typed-key-1/);
    await terminal.type("/login nobody");
    await terminal.press("Enter");
    await terminal.waitFor(/nobody[^]*^ready/m);
  },
);

test("/config and /doctor have the flags of the REPL", { skip: withoutTmux }, async (t) => {
  const place = createReplPlace(t, [{ text: "Done." }]);
  const profiles = { careful: { mode: "plan" } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const terminal = await openRepl(t, place, { columns: 200, rows: 60, flags: ["--profile", "careful"] });
  await terminal.waitFor("ready");
  await terminal.type("/config get mode");
  await terminal.press("Enter");
  await terminal.waitFor(/> \/config get mode\n+plan/);
  await terminal.type("/config set mode edits");
  await terminal.press("Enter");
  await terminal.waitFor(/has no effect here: .*profile careful sets "plan"/);
  await terminal.type("/doctor --offline");
  await terminal.press("Enter");
  await terminal.waitFor(/policy: \d+ rules in \d+ layers?, mode plan[^]*browser[^]*^ready/m);
});
