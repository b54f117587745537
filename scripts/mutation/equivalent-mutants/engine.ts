import type { ListedMutants } from "../equivalent.ts";
import { SHORTCUT, INTERNAL } from "./reasons.ts";

/** The mutants in this room that no test can notice, because they change no decision, with the reason. */
export const ENGINE: ListedMutants = {
  "src/engine/pipeline/judge.ts": [
    ['"job"', '""', INTERNAL],
    ['engine.hasListeners("call.judged")', "true", SHORTCUT],
    ["argv === undefined && isGuarded === undefined && isConfined === undefined", "false", SHORTCUT],
    ["untrusted === undefined", "true", SHORTCUT],
  ],
  "src/engine/pipeline/route.ts": [
    ['fact.kind === "command"', "true", "only a command is confined"],
    ['"job"', '""', INTERNAL],
    ['"tool"', '""', INTERNAL],
    ["hidden === NO_PRESETS", "false", SHORTCUT],
    ["executor.fallback === undefined", "false", SHORTCUT],
  ],
  "src/engine/checks/check-verdict.ts": [
    ['""', '"Stryker was here!"', "any text is a valid reason and rule here"],
  ],
  "src/engine/pipeline/ask.ts": [
    ['"job"', '""', INTERNAL],
    ['"tool"', '""', INTERNAL],
    ['"INVALID_INPUT"', '""', INTERNAL],
    ["current !== judged", "true", "the same verdict is applied once more"],
    ["!isObject(inputCopy)", "false", "the input of a call is an object"],
    ['throw new TypeError("the input must be an object");', "*", "the input of a call is an object"],
  ],
  "src/engine/pipeline/inner-calls.ts": [['"job"', '""', INTERNAL]],
};
