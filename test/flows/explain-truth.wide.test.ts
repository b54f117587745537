import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { EngineEvent } from "../../src/core/events.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { loadConfig } from "../../src/app/config/config.ts";
import { openHost } from "../../src/app/host/open-host.ts";
import { isLong } from "../support/property-runs.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

/** What a person sets in `config.json`, and the rules of `policy.json`. */
const SETTINGS: Readonly<
  Record<string, { readonly config: JsonObject; readonly rules?: readonly JsonObject[] }>
> = {
  "mode auto": { config: {} },
  "mode edits": { config: { mode: "edits" } },
  "mode plan": { config: { mode: "plan" } },
  "rules of one's own": {
    config: { border: "deny" },
    rules: [
      { command: ["npm", "test"], decision: "allow" },
      { path: "**/*.md", decision: "ask" },
      { command: ["rm"], decision: "deny" },
    ],
  },
  "a sandbox": { config: { sandbox: "bubblewrap" } },
  "a sandbox whose commands run without approval": {
    config: { sandbox: "bubblewrap", sandboxOptions: { runsUnasked: true } },
  },
  "a sandbox with network, in mode edits": {
    config: { mode: "edits", sandbox: "bubblewrap", sandboxOptions: { runsUnasked: true, network: true } },
  },
  "strictDeny, file tools in the sandbox": {
    config: { strictDeny: true, sandbox: "auto", sandboxOptions: { runsUnasked: true, tools: "all" } },
    rules: [{ path: "**/.env", decision: "deny" }],
  },
};

const shell = (command: string, more: JsonObject = {}): readonly [string, JsonObject] => [
  "shell",
  { command, ...more },
];

const CALLS: readonly (readonly [string, JsonObject])[] = [
  shell("ls -la"),
  shell("git status"),
  shell("cat a.md | wc -l"),
  shell("cat .env"),
  shell("touch b"),
  shell("rm -rf build"),
  shell("node --test"),
  shell("npm test"),
  shell("npm install left-pad"),
  shell("curl https://example.com"),
  shell("echo x > a.md"),
  shell("cd sub && ls"),
  shell("sudo reboot"),
  shell("$(echo ls)"),
  shell("touch b", { outside_sandbox: true }),
  shell("sleep 100", { background: true }),
  shell("cat /etc/hostname"),
  ["read_file", { path: "a.md" }],
  ["read_file", { path: ".env" }],
  ["read_file", { path: "/etc/shadow" }],
  ["write_file", { path: "new.txt", content: "x" }],
  ["write_file", { path: "a.md", content: "x" }],
  ["edit_file", { path: "a.md", old_string: "one", new_string: "two" }],
  ["delete_file", { path: "a.md" }],
  ["web_fetch", { url: "https://example.com/" }],
];

/** The outcome of a call, or the one it would have. */
interface Fate {
  readonly kind: Verdict["kind"] | "failed";
  readonly rule: string | undefined;
  /** Whether the command is held by the read-only sandbox, or must be held by that of the session. */
  readonly place: string | undefined;
  readonly isConfined: boolean;
}

const tried = Object.entries(SETTINGS).filter((_, index) => isLong || index % 2 === 1);
for (const [name, { config, rules }] of tried)
  test(
    `explain says what happens to ${CALLS.length} calls with ${name}`,
    { skip: withoutBoxes },
    async (t) => {
      const place = prepare(t, { config, rules });
      const said = await explainAll(place);
      const happened = await runAll(place);
      for (const [index, call] of CALLS.entries())
        assert.deepEqual(said[index], happened[index], `${name}: ${JSON.stringify(call)}`);
      assert.ok(new Set(happened.map(({ kind }) => kind)).size > 1, "the calls have different fates");
    },
  );

test(
  "the command explain says that a sandbox without network runs a command without approval",
  { skip: withoutBoxes },
  async (t) => {
    const place = prepare(t, { config: { sandbox: "bubblewrap", sandboxOptions: { runsUnasked: true } } });
    const { stdout } = await runCli(place, ["explain", "touch zz"]);
    assert.match(stdout, /^allow: it runs in a sandbox without network\nrule: sandbox\n/);
  },
);

test("explain fails, as the call would, if the sandbox of the config is not available", async (t) => {
  const kind = process.platform === "darwin" ? "bubblewrap" : "seatbelt";
  const place = prepare(t, { config: { sandbox: kind } });
  const [explained, called] = await Promise.all(
    ["explain", "call"].map((command) => runCli(place, [command, "shell", "command=touch zz"])),
  );
  assert.match(explained?.stderr ?? "", new RegExp(`the sandbox ${kind} is not available`));
  assert.deepEqual([explained?.code, explained?.stderr], [called?.code, called?.stderr]);
});

function prepare(
  t: TestContext,
  { config, rules = [] }: { readonly config: JsonObject; readonly rules?: readonly JsonObject[] | undefined },
): Place {
  const place = createPlace(t);
  writeFileSync(join(place.home, "config.json"), JSON.stringify(config));
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules }));
  for (const [file, text] of [
    ["a.md", "one\n"],
    [".env", "KEY=1\n"],
    ["package.json", '{"scripts":{"test":"true"}}'],
  ] as const)
    place.write(file, text);
  mkdirSync(join(place.folder, "sub"));
  execFileSync("git", ["init", "-q"], { cwd: place.folder });
  return place;
}

const configOf = ({ folder, home }: Place) =>
  loadConfig(
    {},
    {
      cwd: folder,
      variables: { HOME: home, TOOLWRIGHT_HOME: home, PATH: process.env["PATH"] },
      userHome: home,
    },
  );

async function explainAll(place: Place): Promise<readonly Fate[]> {
  const look = await openHost({
    need: "look",
    readsSession: true,
    judges: true,
    flags: {},
    config: configOf(place),
    warn: () => undefined,
  });
  const fates = [];
  for (const [index, [name, input]] of CALLS.entries()) {
    const { verdict, fault } = await look.engine.explain(
      { id: `${index}`, name, input },
      { session: `s${index}` },
    );
    fates.push(
      fault === undefined ? fateOf(verdict?.kind ?? "failed", verdict) : fateOf("failed", undefined),
    );
  }
  await look.close();
  return fates;
}

/** Runs the calls, each in a session of its own, with the tools replaced by nothing and a person who declines every question. */
async function runAll(place: Place): Promise<readonly Fate[]> {
  const ran = new Set<string>();
  const asked = new Set<string>();
  const judged = new Map<string, Verdict>();
  const host = await openHost({
    need: "call",
    flags: {},
    config: configOf(place),
    warn: () => undefined,
    asksQueue: false,
    approvers: [
      {
        async ask({ callId }) {
          asked.add(callId);
          return { approved: false, reason: "", declined: true };
        },
      },
    ],
    around: [({ context }) => void ran.add(context.call.id)],
  });
  host.engine.on(
    (event: Extract<EngineEvent, { type: "call.judged" }>) => void judged.set(event.callId, event.verdict),
    ["call.judged"],
  );
  const fates = [];
  for (const [index, [name, input]] of CALLS.entries()) {
    const id = `${index}`;
    const result = await host.engine.run({ id, name, input }, { session: `s${id}` });
    const isDenied = !result.ok && result.error.code === "DENIED";
    const kind = ran.has(id) ? "allow" : asked.has(id) ? "ask" : isDenied ? "deny" : "failed";
    fates.push(fateOf(kind, judged.get(id)));
  }
  await host.close();
  return fates;
}

function fateOf(kind: Fate["kind"], verdict: Verdict | undefined): Fate {
  if (kind === "failed") return { kind, rule: undefined, place: undefined, isConfined: false };
  return { kind, rule: verdict?.rule, place: verdict?.place, isConfined: verdict?.isConfined === true };
}
