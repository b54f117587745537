import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../core/fact.ts";
import type { Job } from "../core/job.ts";
import { MODES } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import {
  COMMANDS,
  jobOf,
  judgeBy,
  kindBy,
  shellJob,
  toolNamed,
} from "../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "./policy.ts";

/** Returns a call of a tool of an MCP server that reaches these servers. */
function mcpJob(source: string, ...servers: readonly string[]): Job {
  const tool = { ...toolNamed("own_name", "low"), source: `mcp:${source}` };
  return jobOf(
    servers.map((server): Fact => ({ kind: "mcp", server, tool: "t" })),
    { tool },
  );
}

test("rules about a server apply to each other server that a call reaches, and not to its own one twice", () => {
  const deny: Rule = { tool: "s__t", decision: "deny" };
  assert.equal(kindBy([deny], mcpJob("s", "s")), "allow", "the tool has another name");
  for (const job of [mcpJob("x", "s"), mcpJob("as", "s"), mcpJob("s", "s", "x"), mcpJob("sa", "s")])
    assert.equal(
      kindBy([deny, { tool: "x__t", decision: "deny" }], job),
      "deny",
      JSON.stringify([job.tool.source, job.facts]),
    );
  const builtIn = { ...mcpJob("s", "s"), tool: toolNamed("own_name", "low") };
  assert.equal(kindBy([deny], builtIn), "deny");
  const named = mcpJob("s", "s");
  assert.equal(kindBy([deny], { ...named, tool: { ...named.tool, source: "s-mcp:" } }), "deny");
});

test("a call of a server's tool that touches more than the server is judged by what it touches", () => {
  const job = mcpJob("s", "s");
  const outside: Fact = { kind: "path", path: "/etc/x", access: "write" };
  assert.equal(kindBy([], { ...job, facts: [...job.facts, outside] }, "yolo"), "deny");
});

test("only servers that a call reaches count as servers, not its files and hosts", () => {
  const job = mcpJob("s", "x");
  const facts: readonly Fact[] = [...job.facts, { kind: "host", host: "a.com" }];
  assert.equal(kindBy([{ source: "mcp:undefined", decision: "deny" }], { ...job, facts }, "yolo"), "allow");
  assert.equal(kindBy([{ source: "mcp:x", decision: "deny" }], { ...job, facts }, "yolo"), "deny");
});

test("text from outside concerns a call that reaches only its own server", () => {
  const layers = [{ name: "user", rules: [], mayAllow: true }];
  const options = { mode: "yolo", workspace: ["/w"], layers, afterUntrustedText: "always" } as const;
  const job: Job = { ...mcpJob("s", "s"), risk: "medium" };
  assert.equal(createPolicy(options).judge(job).kind, "allow");
  assert.equal(createPolicy(options).judge(job, { untrusted: ["a page"] }).rule, "untrusted-text");
});

test("the rules of a session allow, those of a ceiling do not", () => {
  const rules: readonly Rule[] = [{ tool: "shell", command: ["git", "push"], decision: "allow" }];
  const own: readonly Rule[] = [{ tool: "shell", command: ["make"], decision: "allow" }];
  const push = shellJob("git push");
  assert.equal(kindBy([], push), "ask");
  assert.equal(kindBy([], push, "auto", { rules }), "allow");
  assert.equal(kindBy([], push, "auto", { ceilings: [{ rules }] }), "ask");
  assert.equal(kindBy(own, shellJob("make; git push"), "auto", { rules }), "allow");
  assert.equal(judgeBy([], push, "plan", { rules }).kind, "deny");
});

test("a policy reads commands only if it knows them, and names the origin of text from outside", () => {
  const options = { mode: "auto", workspace: ["/w"] } as const;
  const own = createPolicy(options);
  assert.equal(Object.hasOwn(own, "read"), false);
  const reading = createPolicy({ ...options, commands: COMMANDS });
  assert.deepEqual(
    reading.read?.({ kind: "command", text: "ls", cwd: "/w" }),
    COMMANDS.read({ kind: "command", text: "ls", cwd: "/w" }),
  );
  const tool = { ...toolNamed("web_fetch"), isUntrusted: true };
  const fetched = jobOf([{ kind: "host", host: "a.com" }], { tool });
  assert.equal(own.originOf?.(fetched), "text from a.com (web_fetch)");
  assert.equal(own.originOf?.(jobOf([])), undefined);
});

test("a file one of whose names is protected needs approval to be written in every mode", () => {
  const fact: Fact = { kind: "path", path: "/w/a", access: "write" };
  const tool = toolNamed("write_file");
  const ruleFor = (names: readonly string[]) =>
    judgeBy([], jobOf([{ ...fact, names }], { tool }), "yolo").rule;
  assert.equal(ruleFor(["/w/.git/config"]), "protected-target");
  assert.equal(ruleFor(["/w/b", "/w/.git/config"]), "protected-target");
  assert.equal(ruleFor(["/w/b"]), "mode.yolo");
});

test("a command that is proven only in the read-only sandbox asks if it would run in the session's, where its folder is another one", () => {
  const sandbox = { isConfined: () => false, isPrivate: () => true, runsUnasked: false };
  const policy = createPolicy({
    mode: "auto",
    workspace: ["/w"],
    border: "ask",
    commands: COMMANDS,
    sandbox,
  });
  const judge = (cwds: readonly string[], boxes: readonly ("needed" | "useful")[]) => {
    const facts = cwds.flatMap((cwd, index): readonly Fact[] =>
      shellJob("ls", cwd).facts.map((fact) =>
        fact.kind === "command" && fact.reading !== undefined
          ? { ...fact, reading: { ...fact.reading, box: boxes[index] ?? "useful" } }
          : fact,
      ),
    );
    const { tool } = shellJob("ls");
    return policy.judge(jobOf(facts, { tool: { ...tool, place: "sandbox" } })).kind;
  };
  assert.equal(judge(["/tmp"], ["needed"]), "ask");
  assert.equal(judge(["/tmp"], ["useful"]), "allow");
  assert.equal(judge(["/w"], ["needed"]), "allow");
  assert.equal(judge(["/tmp", "/w"], ["needed", "useful"]), "ask");
});

test("no sandbox of this machine holds a call that runs on another: strictDeny refuses it", () => {
  const layers = [{ name: "user", rules: [{ path: "**/.env", decision: "deny" } as const], mayAllow: true }];
  const strictDeny = { sandbox: { hasNetwork: false, holds: () => true } };
  const options = { mode: "yolo", workspace: ["/w"], commands: COMMANDS, layers } as const;
  const job = shellJob("python a.py");
  const boxed = { ...job, tool: { ...job.tool, place: "sandbox" as const } };
  const policy = createPolicy({ ...options, strictDeny });
  assert.equal(policy.judge(boxed).kind, "allow");
  const elsewhere = policy.judge(boxed, { isElsewhere: true });
  assert.equal(elsewhere.kind, "deny");
  assert.match(elsewhere.reason, /and the call would run on another machine$/);
  assert.equal(createPolicy(options).judge(boxed, { isElsewhere: true }).kind, "allow");
});

test("reading is free beside a rule only if the mode allows reading and reading counts as low risk", () => {
  const layers = [
    { name: "user", rules: [{ command: ["make"], decision: "allow" } as const], mayAllow: true },
  ];
  const kindOf = (mode: "auto" | "ask", readOnlyShellIsLow: boolean) =>
    createPolicy({ mode, workspace: ["/w"], commands: COMMANDS, layers, readOnlyShellIsLow }).judge(
      shellJob("make && ls"),
    ).kind;
  assert.deepEqual(
    [kindOf("auto", true), kindOf("auto", false), kindOf("ask", true), kindOf("ask", false)],
    ["allow", "ask", "ask", "ask"],
  );
});

test("the mode of a call replaces that of the policy, each time", () => {
  const policy = createPolicy({ mode: "auto", workspace: ["/w"] });
  const job = jobOf([], { tool: toolNamed("t", "high") });
  const kinds = (["yolo", "plan", "yolo", "auto"] as const).map((mode) => policy.judge(job, { mode }).kind);
  assert.deepEqual(kinds, ["allow", "deny", "allow", "ask"]);
  assert.equal(policy.judge(job).kind, "ask");
});

test("ceilings hide what they deny, beside the rules of the policy", () => {
  const layers = [{ name: "user", rules: [{ path: "a", decision: "deny" } as const], mayAllow: true }];
  const policy = createPolicy({ mode: "auto", workspace: ["/w"], layers });
  const read = toolNamed("read_file", "low");
  const ceilings = [{ rules: [{ path: "b", decision: "deny" } as const] }];
  const hidden = (path: string, limited: boolean) =>
    policy.hides?.(path, read, limited ? { ceilings } : {}) === true;
  assert.deepEqual([hidden("/w/a", false), hidden("/w/b", false)], [true, false]);
  assert.deepEqual([hidden("/w/a", true), hidden("/w/b", true)], [true, true]);
});

test("a ceiling denies every call of a tool that it does not name, in every mode", () => {
  for (const mode of MODES) {
    const policy = createPolicy({ mode, workspace: ["/w"] });
    const { kind, reason } = policy.judge(shellJob("ls"), { ceilings: [{ tools: ["read_*"] }] });
    assert.deepEqual(
      [kind, /not one of the tools that its caller may use/.test(reason ?? "")],
      ["deny", true],
    );
  }
});
