import { ABOUT_NAMED } from "./about/family.ts";
import { FILES_NAMED } from "./files/family.ts";
import { MEMORY_NAMED } from "./memory/family.ts";
import { PROXY_NAMED } from "./proxy/family.ts";
import { REPORTS_NAMED } from "./reports/family.ts";
import { RUNNING_NAMED } from "./running/family.ts";
import { WEB_NAMED } from "./web/family.ts";
import { PYTHON_ACTION } from "./python/python-action.ts";
import { RUN_CODE } from "./code/run-code.ts";
import type { BuiltInTool } from "./shared/built-in-tool.ts";

const NAMED = {
  ...FILES_NAMED,
  ...RUNNING_NAMED,
  ...WEB_NAMED,
  ...PROXY_NAMED,
  ...MEMORY_NAMED,
  ...REPORTS_NAMED,
  ...ABOUT_NAMED,
  pythonAction: PYTHON_ACTION,
  runCode: RUN_CODE,
};

/** The built-in tools with the types of their input and data: `engine.call(builtIn.readFile, { path })`. The engine must have the tool. */
export const builtIn = NAMED as {
  readonly [Name in keyof typeof NAMED]: (typeof NAMED)[Name] extends BuiltInTool<infer Data, infer Given>
    ? BuiltInTool<Data, Given>
    : never;
};

/** The data of a built-in tool, by its name in `builtIn`: `BuiltInData<"readFile">`. */
export type BuiltInData<Name extends keyof typeof builtIn> =
  (typeof builtIn)[Name] extends BuiltInTool<infer Data, infer _Given> ? Data : never;
