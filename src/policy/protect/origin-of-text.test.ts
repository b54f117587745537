import assert from "node:assert/strict";
import { test } from "node:test";
import { jobOf, pathFact, toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import { shellSubject } from "../../../test/support/engines/shell-subject.ts";
import type { Fact } from "../../core/fact.ts";
import type { Tool } from "../../core/tool.ts";
import { toSubject } from "../match/subject.ts";
import { originOfText } from "./origin-of-text.ts";

function originOf(changes: Partial<Tool>, facts: readonly Fact[] = []): string | undefined {
  return originOfText(toSubject(jobOf(facts, { tool: { ...toolNamed("t"), ...changes } }), undefined));
}

const host: Fact = { kind: "host", host: "a.com" };

test("the answer of a tool whose text is untrusted names the host, the server or the tool", () => {
  assert.equal(originOf({ isUntrusted: true }, [host]), "text from a.com (t)");
  assert.equal(originOf({ isUntrusted: true, source: "mcp:s" }), "text from the MCP server s");
  assert.equal(originOf({ isUntrusted: true }), "text from outside (t)");
  assert.equal(originOf({ isUntrusted: true, repeatsSession: true }, [host]), undefined);
  assert.equal(originOf({}, [host]), undefined);
});

const PACKAGE = "/w/node_modules/x/README.md";
for (const [what, fact, isOutside] of [
  ["reading a file of a package", { ...pathFact(PACKAGE), size: 1 }, true],
  ["reading a file of a Python package", { ...pathFact("/w/site-packages/x/a.py"), size: 1 }, true],
  ["writing a file of a package", { ...pathFact(PACKAGE, "write"), size: 1 }, false],
  ["reading the folder of a package", pathFact("/w/node_modules/x"), false],
  ["reading another file", { ...pathFact("/w/x/README.md"), size: 1 }, false],
  ["reading a file with such a name", { ...pathFact("/w/node_modules"), size: 1 }, false],
] as const)
  test(`${what} brings ${isOutside ? "text" : "no text"} from outside`, () => {
    const expected = isOutside ? `text of ${fact.path}` : undefined;
    assert.equal(originOf({}, [fact]), expected);
    assert.equal(originOf({}, [{ ...pathFact("/w/a"), size: 1 }, fact]), expected);
  });

test("a command that reads below the folder of packages brings text from outside, one that uses the network what it received", async () => {
  const originOfCommand = async (text: string): Promise<string | undefined> =>
    originOfText(await shellSubject(text));
  assert.equal(await originOfCommand("cat node_modules/x/a"), "text of /w/node_modules/x/a");
  assert.equal(await originOfCommand("rm node_modules/x/a"), undefined);
  assert.equal(await originOfCommand("cat a"), undefined);
  assert.match((await originOfCommand("ls; curl http://a.com")) ?? "", /^what curl received from a\.com/);
  assert.equal(await originOfCommand("aws s3 ls"), "what aws received");
  assert.equal(await originOfCommand("curl a.com/b.txt"), "what curl received from a.com");
  assert.equal(await originOfCommand("ls; curl a.com"), "what curl received from a.com");
  assert.equal(await originOfCommand("npm install x.y"), "what npm received");
  assert.equal(await originOfCommand("npm install http://a.com/x"), "what npm received from a.com");
  assert.equal(await originOfCommand("curl x"), "what curl received");
  assert.equal(await originOfCommand("curl http://$x/"), "what curl received");
});
