// Runs one edit and kills itself before a step that changes the disk: CASE ROOT STEP.
import { EDIT_CASES } from "../support/generators/edit-cases.ts";
import { failingOperations, READING } from "../support/faults/failing-operations.ts";
import { runTool } from "../support/engines/tool-context.ts";

const [number, root = "", step] = process.argv.slice(2);
const one = EDIT_CASES[Number(number)];
if (one === undefined) throw new Error(`no case ${number}`);
let changes = 0;
const { operations } = failingOperations(
  (_, name) => {
    if (!READING.has(name)) changes += 1;
    return changes === Number(step);
  },
  () => {
    process.kill(process.pid, "SIGKILL");
    return new Error("still alive");
  },
  `${root}.changes`,
);
await runTool(one.tool({ root, operations }), one.input);
