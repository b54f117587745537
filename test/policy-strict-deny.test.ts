import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicyCommands } from "../src/app/host/policy.ts";
import type { Circumstances, Mode } from "../src/core/policy.ts";
import type { CommandReading } from "../src/core/command.ts";
import type { CommandFact } from "../src/core/fact.ts";
import type { Rule } from "../src/core/rule.ts";
import type { Tool } from "../src/core/tool.ts";
import type { Verdict } from "../src/core/verdict.ts";
import { createPolicy, type PolicyOptions } from "../src/policy/policy.ts";
import { DISASTER_RULES } from "../src/shell/programs/disasters/disaster-rules.ts";
import { jobOf, SHELL } from "./support/engines/policy-jobs.ts";
import { readJsonLines, sharedData, withoutSharedData } from "./support/files/shared-data.ts";

const COMMANDS = createPolicyCommands("/h", () => true);
const IN_SANDBOX = { ...SHELL, place: "sandbox" as const };

type Strict = PolicyOptions["strictDeny"];
const WORKS: Strict = { sandbox: { hasNetwork: false, holds: () => true } };
const NETWORK: Strict = { sandbox: { hasNetwork: true, holds: () => true } };
const NONE: Strict = { reason: "none works here" };

const PATH: Rule = { path: "**/.env", decision: "deny" };
const HOST: Rule = { domain: "x.test", decision: "deny" };
const COMMAND: Rule = { command: ["rm"], decision: "deny" };

interface Given {
  readonly rules: readonly Rule[];
  readonly strictDeny?: Strict;
  readonly mode?: Mode;
  readonly fact?: Partial<CommandFact>;
  readonly circumstances?: Circumstances;
  readonly reading?: Partial<CommandReading>;
  readonly tool?: Tool;
}

async function verdictOn(text: string, given: Given): Promise<Verdict> {
  const { rules, strictDeny, mode = "yolo", fact: more } = given;
  const layers = [
    { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
    { name: "user", rules, mayAllow: true },
  ];
  const policy = createPolicy({
    mode,
    workspace: ["/w"],
    home: "/h",
    commands: COMMANDS,
    layers,
    strictDeny,
  });
  const fact = { kind: "command", text, cwd: "/w", ...more } as const;
  const reading = { ...(await COMMANDS.read(fact)), ...given.reading };
  const { tool = IN_SANDBOX } = given;
  const job = jobOf([{ ...fact, reading }], { tool, input: { command: text } });
  return policy.judge(job, given.circumstances);
}

async function kindOf(text: string, given: Given): Promise<string> {
  const { kind, isConfined } = await verdictOn(text, given);
  return isConfined === true ? `${kind} confined` : kind;
}

const UNJUDGED = String.raw`python3 -c 'print(1)'
node x.js
perl -e 1
awk '{print $1}' f
./build.sh
sh build.sh
. ./env.sh
bash -c 'ls'
npm test
npm install
make
docker run image
unknown-program --flag
/w/tool
PATH=. ls -la
export LD_PRELOAD=./x.so; ls
LD_PRELOAD=./x.so ls
PATH+=:. ls -la
LANGX=1 cp a b
XLANG=1 cp a b
aPATH=1 cp a b
PATHa=1 cp a b
declare PATH=.; cp a b
typeset PATH=.; cp a b
readonly PATH=.; cp a b
local PATH=.; cp a b
export "$x"; cp a b
hash -p ./x cp; cp a b
enable -f ./x.so y; cp a b
x/usr/bin/cp a b
/bin/x/cp a b
PATH=/x- cp a b
/opt/bin/cp a b
alias ls=./x
echo 'touch x' > s; sh s
cp a b && python3 x.py`.split("\n");

const JUDGED = String.raw`ls
cat a.txt
cp a b
mkdir -p x/y
touch a
curl https://y.test/
git status
git commit -m x
LC_ALL=C sort f -o g
LC_CTYPE=C LANG=C LANGUAGE=en TZ=UTC TERM=xterm COLUMNS=80 LINES=25 NO_COLOR=1 FORCE_COLOR=1 CI=1 DEBUG=1 cp a b
x=1; cp a b
_a1=1 b2_c=1 cp a b
LANG+=x cp a b
LANG=$x cp a b
export FOO
export -p
export foo=1
declare -x
/usr/bin/cp a b
/usr/local/bin/cp a b
/usr/sbin/cp a b
env foo=1 cp a b
node --version
/bin/cp a b`.split("\n");

test("with a denied path, interpreters and unknown programs run in the sandbox, all others where they did", async () => {
  for (const command of UNJUDGED) {
    // What one part writes and another runs may do what is denied.
    const expected = command.startsWith("echo 'touch x' > s;") ? "ask confined" : "allow confined";
    assert.equal(await kindOf(command, { rules: [PATH], strictDeny: WORKS }), expected, command);
  }
  for (const command of JUDGED)
    assert.equal(await kindOf(command, { rules: [PATH], strictDeny: WORKS }), "allow", command);
});

test("without a working sandbox they are refused, in every mode", async () => {
  for (const rules of [[PATH], [HOST], [COMMAND]])
    for (const mode of ["yolo", "edits", "auto", "ask", "plan"] as const)
      for (const command of UNJUDGED) {
        const verdict = await verdictOn(command, { rules, strictDeny: NONE, mode });
        assert.equal(verdict.kind, "deny", `${mode} ${command}`);
        assert.equal(verdict.rule, "strict-deny", command);
      }
  for (const command of JUDGED)
    assert.equal(await kindOf(command, { rules: [HOST], strictDeny: NONE }), "allow", command);
});

test("with a denied host they run only in a sandbox without network", async () => {
  assert.equal(await kindOf("npm test", { rules: [HOST], strictDeny: WORKS }), "allow confined");
  assert.equal(await kindOf("npm test", { rules: [HOST], strictDeny: NETWORK }), "deny");
  assert.equal(await kindOf("npm test", { rules: [PATH], strictDeny: NETWORK }), "allow confined");
});

test("with a denied command, or a path that may not be written, they need approval and then run in the sandbox", async () => {
  const write: Rule = { path: "out/**", access: "write", decision: "deny" };
  for (const rule of [COMMAND, write])
    for (const command of UNJUDGED)
      assert.equal(
        await kindOf(command, { rules: [PATH, rule], strictDeny: WORKS }),
        "ask confined",
        command,
      );
  const { ungrantable, grant } = await verdictOn("npm test", { rules: [COMMAND], strictDeny: WORKS });
  assert.notEqual(ungrantable, undefined);
  assert.equal(grant, undefined);
});

test("without the setting, or without deny rules of one's own, nothing changes", async () => {
  const own: readonly (readonly Rule[])[] = [
    [],
    [{ path: "**/.env", decision: "ask" }],
    [{ command: ["npm"], decision: "allow" }],
    [{ tool: "other", path: "**/.env", decision: "deny" }],
  ];
  for (const rules of own)
    for (const command of [...UNJUDGED, ...JUDGED])
      assert.deepEqual(
        await verdictOn(command, { rules, strictDeny: NONE }),
        await verdictOn(command, { rules }),
        command,
      );
  for (const command of UNJUDGED)
    assert.equal((await verdictOn(command, { rules: [HOST] })).isConfined, undefined, command);
});

test("a rule that allows, and a call that asks for the host, do not lead out of the sandbox", async () => {
  const allow: Rule = { command: ["npm", "test"], decision: "allow" };
  assert.equal(
    await kindOf("npm test", { rules: [PATH, allow], strictDeny: WORKS, mode: "auto" }),
    "allow confined",
  );
  const fact = { outside: true } as const;
  assert.equal(await kindOf("npm test", { rules: [PATH, allow], strictDeny: WORKS, fact }), "deny");
  assert.equal(await kindOf("cp a b", { rules: [PATH], strictDeny: WORKS, fact }), "allow");
});

test("input for a running program, and a call for another machine, count as unknown programs", async () => {
  const fact = { interactive: true } as const;
  assert.equal(await kindOf("ls", { rules: [HOST], strictDeny: WORKS, fact }), "allow confined");
  const circumstances = { isElsewhere: true };
  assert.equal(await kindOf("npm test", { rules: [PATH], strictDeny: WORKS, circumstances }), "deny");
  assert.equal(await kindOf("cp a b", { rules: [PATH], strictDeny: WORKS, circumstances }), "allow");
  assert.equal(await kindOf("npm test", { rules: [PATH], circumstances }), "allow", "without the setting");
});

test("deny rules of a session or a ceiling count as well", async () => {
  for (const circumstances of [{ rules: [PATH] }, { ceilings: [{ rules: [PATH] }] }]) {
    assert.equal(await kindOf("npm test", { rules: [], strictDeny: WORKS, circumstances }), "allow confined");
    assert.equal(await kindOf("npm test", { rules: [], strictDeny: NONE, circumstances }), "deny");
  }
});

test("a denied call stays denied, and a sandbox that cannot hold the tool is none", async () => {
  assert.equal(await kindOf("rm x; npm test", { rules: [COMMAND], strictDeny: WORKS }), "deny");
  const strictDeny: Strict = { sandbox: { hasNetwork: false, holds: () => false } };
  assert.equal(await kindOf("npm test", { rules: [PATH], strictDeny }), "deny");
});

test("commands that run what is only known later, or programs that their folder names, count as unknown", async () => {
  for (const reading of [{ runsUnknown: true }, { folderPrograms: ".git/config" }] as const)
    assert.equal(
      await kindOf("git commit -m x", { rules: [PATH], strictDeny: WORKS, reading }),
      "allow confined",
    );
});

test("a tool whose place is no sandbox, and one denied host among other rules, refuse the call", async () => {
  const refused = { rules: [PATH, HOST], strictDeny: NETWORK };
  assert.equal(await kindOf("npm test", refused), "deny");
  assert.equal(await kindOf("npm test", { rules: [PATH], strictDeny: WORKS, tool: SHELL }), "deny");
  assert.equal((await verdictOn("npm test", refused)).hint, undefined);
  assert.match((await verdictOn("npm test", { rules: [PATH], strictDeny: NONE })).hint ?? "", /doctor/);
});

test("git that runs beside deny rules obeys no hooks of the repository", async () => {
  assert.equal((await verdictOn("git commit -m x", { rules: [PATH], strictDeny: WORKS })).isGuarded, true);
  for (const given of [
    { rules: [], strictDeny: WORKS },
    { rules: [PATH] },
    { rules: [PATH], strictDeny: WORKS, mode: "ask" },
  ] as const)
    assert.equal((await verdictOn("git commit -m x", given)).isGuarded, undefined);
  const layers = [{ name: "user", rules: [PATH], mayAllow: true }];
  const policy = createPolicy({ mode: "yolo", workspace: ["/w"], layers, strictDeny: WORKS });
  const read = jobOf([{ kind: "path", path: "/w/a", access: "read" }]);
  assert.equal(policy.judge(read).isGuarded, undefined, "a call without a command starts no git");
});

test(
  "what runs without approval among everyday commands needs none with strictDeny",
  { skip: withoutSharedData },
  async (t) => {
    const cases = readJsonLines(sharedData("everyday-commands.jsonl")) as readonly {
      readonly command: string;
    }[];
    let confined = 0;
    for (const mode of ["auto", "yolo"] as const)
      for (const { command } of cases) {
        const before = await verdictOn(command, { rules: [PATH], mode });
        const after = await verdictOn(command, { rules: [PATH], mode, strictDeny: WORKS });
        confined += Number(after.isConfined === true);
        assert.equal(after.kind, before.kind, command);
      }
    t.diagnostic(`${cases.length} commands in two modes, confined ${confined}`);
  },
);
