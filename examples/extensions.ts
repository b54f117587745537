// Extensions: modules in a folder that add tools, hooks and commands, and are reloaded when they change.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { createExtensions } from "toolwright/sources";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-extensions-")));
const jokes = (ending: string): string => `
  import { defineTool, object, string } from "toolwright";
  import { defineExtension } from "toolwright/extension";

  export default defineExtension({
    name: "jokes",
    setup(api) {
      const input = object({ about: string("What it is about") });
      api.tool(defineTool({ name: "tell_joke", description: "Tells a joke.", input, risk: "low",
        run: ({ about }) => \`A \${about} ${ending}\` }));
      api.hook({ name: "no-politics", on: ["before_tool"],
        run: ({ call }) => call.input.about === "politician" ? { kind: "refuse", reason: "not here" } : undefined });
    },
  });`;
writeFileSync(join(folder, "jokes.js"), jokes("walks into a bar."));
writeFileSync(join(folder, "broken.js"), "export default 42;");

const extensions = createExtensions({ directories: [{ name: "mine", path: folder }] });
// One hook runs all hooks of extensions, before your own.
const engine = createEngine({ hooks: [extensions.hook] });
for (const source of extensions.sources) engine.sources.add(source);
const tell = (about: string) => engine.run({ id: "1", name: "tell_joke", input: { about } });
try {
  const joke = await tell("duck");
  console.log(joke.content);
  assert.deepEqual(joke.content, [{ type: "text", text: "A duck walks into a bar." }]);
  assert.equal(joke.meta.source, "extension:jokes");

  const refused = await tell("politician");
  assert.ok(!refused.ok && refused.error.code === "DENIED");

  // One that is broken hurts no other.
  const [problem] = engine.sources.problems();
  console.log(problem);
  assert.equal(problem?.reason, "bad_schema");

  // A watched folder does this by itself.
  writeFileSync(join(folder, "jokes.js"), jokes("crosses the road."));
  await engine.sources.refresh();
  assert.deepEqual((await tell("chicken")).content, [{ type: "text", text: "A chicken crosses the road." }]);
} finally {
  await engine.close();
  rmSync(folder, { recursive: true });
}
