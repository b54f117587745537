// The built-in tools in a temporary folder: files, search, a shell.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileAccessKey, ProcessesKey, createEngine, defineTool } from "toolwright";
import { builtIn, builtInContext, builtInTools, childEnvironment, endOrphans } from "toolwright/tools";

// Tools and policy need canonical folders, with links resolved.
const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-built-in-")));
const stateFolder = join(root, ".state");
// The shell sees only the harmless variables, and those you name. Its processes are recorded in the folder.
const options = { root, environment: childEnvironment(process.env, ["CI"]), stateFolder };
// Ends the processes of an earlier run that was killed.
await endOrphans(stateFolder);
// A tool of your own sees what the agent of its session has read, and its background processes.
const session = defineTool({
  name: "session_state",
  description: "Says what the session has done.",
  risk: "low",
  async run(_, { get }) {
    const seen = await get(FileAccessKey).seen(join(root, "src/greet.ts"));
    return { hasRead: seen !== undefined, processes: get(ProcessesKey).list().length };
  },
});
const engine = createEngine({
  tools: [...builtInTools(options), session],
  context: builtInContext(options),
  workspace: [root],
  mode: "yolo",
});
const textOf = async (name: string, input: object) => {
  const { content } = await engine.run({ id: name, name, input });
  const text = content.map((one) => (one.type === "text" ? one.text : `(${one.type})`)).join("\n");
  console.log(`${name}: ${text}`);
  return text;
};
try {
  await textOf("write_file", { path: "src/greet.ts", content: "// TODO greet\nconst word = 'hi';\n" });
  const edit = { path: "src/greet.ts", old_string: "'hi'", new_string: "'hello'" };
  assert.match(await textOf("edit_file", edit), /\+const word = 'hello';/);
  assert.match(await textOf("read_file", { path: "src/greet.ts" }), /2\tconst word = 'hello';/);
  assert.match(await textOf("glob", { pattern: "**/*.ts" }), /src\/greet\.ts/);
  assert.match(await textOf("grep", { pattern: "TODO" }), /greet\.ts.*1.*TODO greet/s);
  assert.match(await textOf("ls", { path: "." }), /src/);
  assert.match(await textOf("shell", { command: "wc -l < src/greet.ts" }), /2/);
  // Input and data are typed; the call goes through the whole pipeline.
  const matches = await engine.call(builtIn.grep, { pattern: "TODO" });
  assert.ok(matches.ok);
  assert.equal(matches.data.matches?.[0]?.line, 1);
  const ran = await engine.call(builtIn.shell, { command: "exit 3" });
  assert.ok(ran.ok && "exit_code" in ran.data);
  assert.equal(ran.data.exit_code, 3);
  assert.match(await textOf("session_state", {}), /"hasRead":true,"processes":0/);
  // Outside the workspace is refused in every mode, yolo included.
  assert.match(await textOf("read_file", { path: "/etc/passwd" }), /outside the workspace/);
} finally {
  await engine.close();
  rmSync(root, { recursive: true });
}
