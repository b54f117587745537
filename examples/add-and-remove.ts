// Tools can be added and removed while the engine runs. A name that is in use throws and changes nothing; `replace` swaps atomically.
import assert from "node:assert/strict";
import { createEngine, defineTool } from "toolwright";

const version = (answer: string) =>
  defineTool({ name: "version", description: "Says its version.", risk: "low", run: () => answer });
const textOf = async () => {
  const [first] = (await engine.run({ id: "1", name: "version", input: {} })).content;
  return first?.type === "text" ? first.text : undefined;
};

const heard: string[] = [];
const engine = createEngine({
  log: (event) => {
    if (event.type === "tool.added" || event.type === "tool.removed")
      heard.push(`${event.type} ${event.name}`);
  },
});
engine.add(version("1"));
assert.equal(await textOf(), "1");

assert.throws(() => engine.add(version("2")), /the name "version" is taken/);
assert.equal(await textOf(), "1");

engine.add(version("2"), { replace: true });
assert.equal(await textOf(), "2");
assert.equal(engine.get("version")?.risk, "low");

assert.equal(engine.remove("version"), true);
assert.equal(engine.remove("version"), false);
assert.match((await textOf()) ?? "", /no tool is named "version"/);
console.log(heard);
assert.equal(heard[0], "tool.added version");
assert.equal(heard.at(-1), "tool.removed version");
await engine.close();
