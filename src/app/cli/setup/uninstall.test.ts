import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { World } from "../../terminal/input/command.ts";
import { uninstall } from "./uninstall.ts";

test("on a terminal the list is wrapped between words", async (t) => {
  const home = temporaryFolder(t);
  const state = join(home, "state");
  mkdirSync(state);
  writeFileSync(join(state, "swept"), "x");
  const columns = state.length + 40;
  let printed = "";
  const world: Partial<World> = {
    columns,
    isInteractive: false,
    environment: () => ({ cwd: home, userHome: home, variables: { TOOLWRIGHT_HOME: home } }),
    output: {
      print: async (text: string) => void (printed += text),
      log: () => undefined,
      warn: () => undefined,
    } as Partial<World["output"]> as World["output"],
  };
  assert.equal(await uninstall.run({ positionals: [], flags: { state: true } }, world as World), 3);
  const rows = printed.split("\n");
  assert.ok(
    rows.every((row) => row.length <= columns),
    printed,
  );
  assert.match(printed.replaceAll(/\s+/g, " "), /when old temporary folders were looked for/);
  assert.ok(rows.length > 3, printed);
});
