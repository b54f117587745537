// Every example that help and docs print is run here, word for word; those of servers and of the fleet in their own tests.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { queueApprovals } from "../support/examples/approval-example.ts";
import { fillCheckpoints } from "../support/examples/checkpoint-example.ts";
import { addPersonWithToken } from "../support/examples/people-example.ts";
import { keepSession } from "../support/examples/session-example.ts";
import { fillTrash } from "../support/examples/trash-example.ts";
import {
  createPlace,
  programOnPath,
  runCli,
  type CliOptions,
  type Finished,
  type Place,
} from "./support/cli.ts";
import { openWorkspaceCopy } from "../../src/system/copy/workspace-copy.ts";
import { COMMANDS } from "../../src/app/cli/commands.ts";

const PETSTORE = `
openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: https://pets.example }]
paths:
  /dogs:
    get: { operationId: listDogs, tags: [dogs], responses: { 200: { description: all dogs } } }
`;

/** They run until they are stopped, or need a NATS server. */
const ELSEWHERE = new Set(["serve", "worker", "fleet", "demo"]);

const hasBash = existsSync("/bin/bash");

test(
  "every example of every command runs as printed",
  { skip: hasBash ? false : "needs bash" },
  async (t) => {
    const place = createPlace(t);
    for (const name of ["README.md", "a.ts", "answer.txt", "changes.diff"]) place.write(name, "TODO\n");
    place.write("tools.json", '[{"name": "ls"}]');
    for (const name of ["task.txt", "questions.txt"]) place.write(name, "Say hello.\n");
    place.write("key.txt", "key-1234\n");
    place.write("script.jsonl", '{"text": "Hello.", "repeat": true}\n');
    place.write("calls.jsonl", '{"id": "9f1c02ab", "name": "read_file", "input": {"path": "README.md"}}\n');
    place.write("team.json", '{"rules": [{"tool": "shell", "decision": "ask"}]}');
    place.write("petstore.yaml", PETSTORE);
    for (const id of ["1f0c22ab", "90be4d17"]) fillTrash(place, id);
    fillCheckpoints(place, "1f0c22ab");
    await keepSession(place, "1f0c22ab");
    place.write(".mcp.json", '{"mcpServers": {"docs": {"command": "docs-server"}}}');
    mkdirSync(join(place.home, ".cursor"));
    const files = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] };
    writeFileSync(join(place.home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: { own: files } }));
    mkdirSync(join(place.folder, ".toolwright"));
    const rule = { id: "tests", tool: "shell", command: ["npm", "test"], decision: "allow" };
    place.write(".toolwright/policy.json", JSON.stringify({ rules: [rule] }));
    await changeCopy(place);
    await addPersonWithToken(place.home, "ci", "0c1d2e3f4a5b6c7d");
    await addPersonWithToken(place.home, "bob", "1c1d2e3f4a5b6c7d");
    place.write("cases.jsonl", '{"tool": "read_file", "input": {"path": "README.md"}, "expect": "allow"}\n');
    await queueApprovals(place.home, ["mb3x9k2f-1c0d22ab", "mb3x9k30-90be4d17"]);
    for (const load of Object.values(COMMANDS)) {
      const { name, examples } = await load();
      if (ELSEWHERE.has(name)) continue;
      rmSync(join(place.home, "config.json"), { force: true });
      for (const [line, does] of Object.entries(examples)) {
        // Only fish reads a script that way; a server over HTTP, `follow` and `--watch` run until they are stopped.
        if (/\| source$|--http|^trace follow$|^approve --watch$/.test(line)) continue;
        // The server of .mcp.json is no program, which `doctor` reports.
        const expected = name === "doctor" ? 1 : Number(/exit code (\d+)\)/.exec(does)?.[1] ?? 0);
        const { code, stdout, stderr } = line.includes("|")
          ? runByShell(place, line)
          : await runCli(place, ...readByShell(place, line));
        assert.equal(code, expected, `${name}: toolwright ${line}\n${stdout}${stderr}`);
      }
    }
  },
);

/** Adds a file in the copy of the workspace, as a program in a sandbox would. */
async function changeCopy({ folder, home }: Place): Promise<void> {
  const [copies, locksFolder] = [join(home, "state/copies"), join(home, "state/changes")];
  const copy = openWorkspaceCopy({ workspace: [folder], folder: copies, locksFolder });
  const here = (await copy.prepare()).get(folder) ?? "";
  mkdirSync(join(here, "src"));
  writeFileSync(join(here, "src/new.ts"), "\n");
}

const environment = { TOOLWRIGHT_MODEL: "scripted/script.jsonl" };

/** Returns the arguments and the standard input that a shell gives the program for a line. */
function readByShell(place: Place, line: string): readonly [readonly string[], CliOptions] {
  const [args, input] = [join(place.home, "args"), join(place.home, "input")];
  const script = `toolwright() { printf '%s\\0' "$@" >"${args}"; cat >"${input}"; }\ntoolwright ${line}`;
  const { status, stderr } = spawnSync("/bin/bash", ["-c", script], {
    cwd: place.folder,
    env: { PATH: process.env["PATH"], HOME: place.home },
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  const words = readFileSync(args, "utf8").split("\0").slice(0, -1);
  return [words, { input: readFileSync(input), environment }];
}

/** Runs a line that connects the program with others. */
function runByShell(place: Place, line: string): Pick<Finished, "code" | "stdout" | "stderr"> {
  const { status, stdout, stderr } = spawnSync("/bin/bash", ["-c", `toolwright ${line}`], {
    cwd: place.folder,
    env: {
      PATH: `${programOnPath(place)}:${process.env["PATH"]}`,
      HOME: place.home,
      TOOLWRIGHT_HOME: place.home,
      ...environment,
    },
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}
