// Makes edits of one file until COUNT have succeeded, and prints the name of each: ROOT NAME COUNT.
import { createEngine } from "../../src/engine/engine.ts";
import { fileTools } from "../../src/tools/files/family.ts";

const [root = "", name = "", count] = process.argv.slice(2);
const engine = createEngine({
  mode: "yolo",
  workspace: [root],
  tools: fileTools({ root, changesFolder: `${root}.changes` }),
});
let refused = 0;
for (let made = 0; made < Number(count);) {
  const line = `${name}-${made}`;
  const input = { path: "shared", old_string: "END", new_string: `${line}\nEND` };
  const { ok } = await engine.run({ id: `${line}-${refused}`, name: "edit_file", input });
  if (ok) {
    made += 1;
    console.log(line);
  } else {
    // What a model does when it is told that the file has changed.
    refused += 1;
    await engine.run({ id: `read-${line}-${refused}`, name: "read_file", input: { path: "shared" } });
  }
}
console.error(`${name}: ${refused} refused`);
await engine.close();
