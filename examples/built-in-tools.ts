// The built-in tools in a temporary folder: files, search, a shell.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { builtInTools, childEnvironment } from "toolwright/tools";

// Tools and policy need canonical folders, with links resolved.
const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-built-in-")));
const engine = createEngine({
  // The shell sees only the harmless variables, and those you name.
  tools: builtInTools({ root, environment: childEnvironment(process.env, ["CI"]) }),
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
  // Outside the workspace is refused in every mode, yolo included.
  assert.match(await textOf("read_file", { path: "/etc/passwd" }), /outside the workspace/);
} finally {
  await engine.close();
  rmSync(root, { recursive: true });
}
