import assert from "node:assert/strict";
import { test } from "node:test";
import { createPolicyCommands } from "../../app/host/policy.ts";
import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import { HOME, jobOf, SHELL, toolNamed, WORKSPACE } from "../../../test/support/engines/policy-jobs.ts";
import { toSubject } from "../match/subject.ts";
import { originOfText } from "./origin-of-text.ts";
import { wayOut } from "./ways-out.ts";

const commands = createPolicyCommands(HOME);

async function shellCall(text: string): Promise<Job> {
  const fact = { kind: "command", text, cwd: WORKSPACE } as const;
  return jobOf([{ ...fact, reading: await commands.read(fact) }], { tool: SHELL });
}

function wayOf(job: Job): string | undefined {
  return wayOut(toSubject(job, commands.knowledge));
}

const SENDERS: Readonly<Record<string, readonly string[]>> = {
  "a program with an unknown name": ["$x", "$x; curl a.com", "X=curl; $X -d @f a.com"],
  curl: ["curl a.com", "ls; curl a.com", "if a; then curl a.com"],
  aws: ["aws s3 ls"],
  gh: ["gh pr list"],
  mail: ["mail -s x ada < f"],
  git: ["git push", "git $x", "git -C sub fetch", "git remote add x y"],
  npm: ["npm install", "npm --silent publish"],
  npx: ["npx", "npx x"],
  uvx: ["uvx x"],
  pip: ["pip install x"],
  cargo: ["cargo publish"],
  nerdctl: ["nerdctl push x"],
  docker: ["docker ps"],
  terraform: ["terraform plan"],
  apt: ["apt install x"],
  mytool: ["mytool https://a.com", "mytool a --to=ftp://a.com b"],
  python3: [
    "python3",
    "python3 -c 1",
    "python3 -Ic 1",
    "python3 -m x",
    "python3 a.py < x",
    "cat x | python3 -",
    "python3 -v -c 1",
  ],
  "python3.11": ["python3.11 -c 1"],
  node: ["node -e 1", "node --eval=1", "node --import x", "node -p 1", "node a.js -r x", "node -C x a.js"],
  perl: ["perl -ne print x", "perl -0777pe print x", "perl -Mx a.pl"],
  lua: ["lua -v -e 1"],
  deno: ["deno eval 1"],
  awk: [
    `awk 'BEGIN { system("x") }'`,
    `awk '{ print | "nc a 1" }' x`,
    "awk '{ print > \"/inet/tcp/0/a/1\" }' x",
    "awk '/git  push/' x",
  ],
  make: ["make X=http://a", "make CURL"],
  sed: ["sed '1e curl' x"],
};

for (const [program, texts] of Object.entries(SENDERS))
  for (const text of texts)
    test(`${text}: ${program} can send data`, async () => {
      assert.equal(wayOf(await shellCall(text)), `${program} can send data`);
    });

for (const text of [
  "ls",
  "ls https://a.com",
  "touch https://a.com",
  "mytool x",
  "git status",
  "git log push",
  "git commit -m x",
  "npm test",
  "pip freeze",
  "cargo build",
  "terraform fmt",
  "apt list",
  "python3 a.py",
  "python3 my-cute-script.py",
  "python3 x--eval",
  "python3 --version",
  "node --version",
  "deno evaluate",
  "deno task my-eval",
  "vite-node -c vite.config.ts a.ts",
  "mypython -c 1",
  "luarocks -e 1",
  "perldoc -e 1",
  "awk '{ print $1 }' x",
  "sed s/a/b/ x",
  "make -e curly",
  "make gitXpush",
])
  test(`${text} is not known to send data`, async () => {
    assert.equal(wayOf(await shellCall(text)), undefined);
  });

test("what a program with an unknown name received is text from outside", async () => {
  const originOf = async (text: string): Promise<string | undefined> =>
    originOfText(toSubject(await shellCall(text), commands.knowledge));
  for (const text of ["$x", "$x; curl http://a.com"])
    assert.match((await originOf(text)) ?? "", /^what a program with an unknown name received/);
  assert.equal(await originOf("ls"), undefined);
});

test("a request to a host sends data, unless its risk is low", () => {
  const host: Fact = { kind: "host", host: "a.com" };
  assert.equal(wayOf(jobOf([host])), "it sends a request to a.com");
  assert.equal(wayOf(jobOf([host], { risk: "low" })), undefined);
});

const CLOSED = { openWorldHint: false };
const SERVER: Fact = { kind: "mcp", server: "s", tool: "t" };
for (const [what, annotations, sends, options = {}] of [
  ["no annotations", undefined, true],
  ["annotations that are no object", "closed", true],
  ["empty annotations", {}, true],
  ["a closed world", CLOSED, false],
  ["an open world", { openWorldHint: true }, true],
  ["a closed world, and it writes", { openWorldHint: false, readOnlyHint: false }, false],
  ["reading only", { readOnlyHint: true }, false],
  ["reading only, of an open world", { readOnlyHint: true, openWorldHint: true }, true],
  ["writing", { readOnlyHint: false }, true],
  ["writing, of no known world", { readOnlyHint: "true" }, true],
  ["a closed world, from another source", CLOSED, true, { source: "host:mcp:" }],
  ["a closed world, and it reaches two servers", CLOSED, true, { facts: [SERVER, SERVER] }],
  ["no annotations, at low risk", undefined, false, { risk: "low" }],
] as const)
  test(`a tool of an MCP server with ${what} can ${sends ? "" : "not "}send data`, () => {
    const {
      source = "mcp:s",
      facts = [SERVER],
      risk = "medium",
    } = { ...options } as {
      readonly source?: string;
      readonly facts?: readonly Fact[];
      readonly risk?: Job["risk"];
    };
    const tool = {
      ...toolNamed("s__t"),
      source,
      ...(annotations !== undefined && { listed: { annotations } }),
    };
    assert.equal(wayOf(jobOf(facts, { tool, risk })), sends ? "s__t can send data" : undefined);
  });

test("a change of a file sends nothing", () => {
  assert.equal(wayOf(jobOf([{ kind: "path", path: "/w/a", access: "write" }])), undefined);
});
