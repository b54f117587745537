/** What calls with hooks need, loaded together by the first of them. */
export { runBeforeHooks } from "./run-before-hooks.ts";
export { runAfterHooks } from "./run-after-hooks.ts";
