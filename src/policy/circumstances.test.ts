import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../core/fact.ts";
import type { Job } from "../core/job.ts";
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
