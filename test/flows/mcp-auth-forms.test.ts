import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { createPlace, runCli, startCli, until, withoutProc } from "./support/cli.ts";

/** Runs a command on its own pseudo terminal, with this process's standard input typed into it. */
const ON_A_TERMINAL = [
  "python3",
  "-c",
  "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))",
];
const hasPython = spawnSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"]).status === 0;
const skip = withoutProc || (hasPython ? false : "needs python3, whose pty module makes pseudo terminals");

const FORM = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer", default: 7 } },
    required: ["name"],
  },
};

/** The typed answer to each question. */
const ANSWERS = [
  {
    what: "a filled form",
    keys: [
      ["field by field", "y\r"],
      ["name: ", "Ada\r"],
      ["age [7]: ", "x\r"],
      ["number", "8\r"],
    ],
    action: '{"action":"accept","content":{"age":8,"name":"Ada"}}',
  },
  { what: "a no", keys: [["field by field", "n\r"]], action: '{"action":"decline"}' },
  {
    what: "Ctrl-C in the middle",
    keys: [
      ["field by field", "y\r"],
      ["name: ", "\u{3}"],
    ],
    action: '{"action":"cancel"}',
  },
] as const;

for (const { what, keys, action } of ANSWERS) {
  test(`at a terminal ${what} reaches the MCP server that asked`, { skip }, async (t) => {
    const place = createPlace(t);
    const { command, args } = rawServer(t, { tools: [toolOf("elicit")] }).server;
    await runCli(place, ["mcp", "add", "raw", "--", command, ...args]);
    const call = ["call", "raw__elicit", "--mode", "yolo", "--args", JSON.stringify(FORM)];
    const { child, shown, finished } = startCli(place, call, {
      under: ON_A_TERMINAL,
      environment: { TERM: "xterm" },
    });
    for (const [question, typed] of keys) {
      await until(question, () => shown.stdout.includes(question));
      child.stdin?.write(typed);
    }
    const { code, stdout } = await finished;
    assert.equal(code, 0, stdout);
    assert.ok(stdout.includes(action), stdout);
    assert.match(
      stdout,
      /\nraw__elicit asks\r\n {2}the MCP server "raw" asks: Who are you\?\r\n\S*Answer it\?/,
    );
  });
}
