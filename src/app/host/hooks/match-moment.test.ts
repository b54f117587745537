import assert from "node:assert/strict";
import { test } from "node:test";
import type { HookMoment } from "../../../core/hook.ts";
import type { HookMatch } from "../../config/hooks/hook-definition.ts";
import { matcherOf } from "./match-moment.ts";

const places = { workspace: ["/w", "/more"], home: "/home/[me]" };

function writes(path: string, name = "write_file"): HookMoment {
  const facts = [{ kind: "path", path, access: "write" } as const];
  return { point: "before_tool", call: { id: "1", name, input: {} }, risk: "medium", facts };
}

const CASES: readonly (readonly [HookMatch, HookMoment, boolean])[] = [
  [{}, writes("/w/a"), true],
  [{ tool: ["write_*"] }, writes("/w/a"), true],
  [{ tool: ["write"] }, writes("/w/a"), false],
  [{ tool: ["shell", "write_file"] }, writes("/w/a"), true],
  [{ risk: ["high"] }, writes("/w/a"), false],
  [{ risk: ["high", "medium"] }, writes("/w/a"), true],
  [{ path: ["src/**"] }, writes("/w/src/deep/a.ts"), true],
  [{ path: ["src/**"] }, writes("/more/src/a.ts"), true],
  [{ path: ["src/**"] }, writes("/w-evil/src/a.ts"), false],
  [{ path: ["src/**"] }, writes("/elsewhere/src/a.ts"), false],
  [{ path: [".env"] }, writes("/w/deep/.env"), true],
  [{ path: ["**/.env"] }, writes("/elsewhere/.env"), true],
  [{ path: ["/etc/*"] }, writes("/etc/passwd"), true],
  [{ path: ["/etc/*"] }, writes("/w/etc/passwd"), false],
  [{ path: ["~/notes/**"] }, writes("/home/[me]/notes/a"), true],
  [{ path: ["~/notes/**"] }, writes("/home/m/notes/a"), false],
  [{ tool: ["write_file"], path: ["*.md"] }, writes("/w/a.ts"), false],
  [{ path: ["*.ts"] }, { point: "file_changed", file: { path: "/w/a.ts", change: "changed" } }, true],
  [{ tool: ["*"] }, { point: "session_start" }, false],
  [{ path: ["**"] }, { point: "session_start" }, false],
];

for (const [match, moment, expected] of CASES) {
  const [fact] = moment.facts ?? [];
  const about = fact?.kind === "path" ? fact.path : moment.point;
  test(`${JSON.stringify(match)} ${expected ? "means" : "does not mean"} ${about}`, () => {
    assert.equal(matcherOf(match, places)(moment), expected);
  });
}

test("a path that a command only seems to name counts too", () => {
  const moment: HookMoment = {
    ...writes("/w/a", "shell"),
    facts: [
      { kind: "command", text: "cat .env", cwd: "/w" },
      { kind: "path", path: "/w/.env", access: "read", suspected: true },
    ],
  };
  assert.equal(matcherOf({ path: ["**/.env"] }, places)(moment), true);
});
