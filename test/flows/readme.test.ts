// The commands of README.md, one after the other in an empty home.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { splitWords } from "../../src/app/terminal/commands/slash-command.ts";
import { startOllama } from "../support/servers/ollama-server.ts";
import { readmeCommands } from "../support/examples/readme-commands.ts";
import { createPlace, runCli } from "./support/cli.ts";

/** Without a terminal this call is denied. */
const CODES: Readonly<Record<string, number>> = { "toolwright call shell 'touch hello.txt'": 3 };

test("every command of README.md works as it is printed", async (t) => {
  const place = createPlace(t);
  const { variables } = await startOllama(t);
  const environment = {
    ...variables,
    TOOLWRIGHT_HOME: join(place.home, ".toolwright"),
    TOOLWRIGHT_MODEL: "ollama/qwen3:8b",
  };
  const outputs = new Map<string, string>();
  for (const command of readmeCommands()) {
    const [program, ...args] = splitWords(command.split("\n")[0] ?? "");
    if (program === "npm") continue;
    if (program !== "toolwright") {
      const env = { PATH: process.env["PATH"] ?? "", HOME: place.home };
      const { status, stderr } = spawnSync("sh", ["-c", command], {
        cwd: place.folder,
        env,
        encoding: "utf8",
      });
      assert.equal(status, 0, `${command}\n${stderr}`);
      continue;
    }
    const { code, stdout, stderr } = await runCli(place, args, { environment });
    assert.equal(code, CODES[command] ?? 0, `${command}\n${stdout}${stderr}`);
    outputs.set(command, stdout);
  }
  const outputOf = (start: string): string =>
    [...outputs].find(([command]) => command.startsWith(start))?.[1] ?? assert.fail(`no command ${start}`);
  assert.equal(outputOf("toolwright call word_count").trim(), "3");
  assert.equal(outputOf("toolwright run"), "OK\n");
  assert.match(outputOf("toolwright trace"), /shell +touch hello\.txt +DENIED/);
  assert.ok(existsSync(join(place.home, ".claude.json")));
});

test("README.md has the two set-up commands", () => {
  const { stdout } = spawnSync("grep", ["-c", "^npm ci && npm \\(start\\|test\\) ", "README.md"], {
    encoding: "utf8",
  });
  assert.equal(stdout.trim(), "2");
});
