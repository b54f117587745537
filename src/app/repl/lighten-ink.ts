import { registerHooks } from "node:module";
import { THROTTLE_ADDRESS } from "./throttle.ts";

/**
 * To be called before ink is imported: it takes a single function, `throttle`, of a package of hundreds of files, and loading these
 * takes longer than everything else of ink together. It gets ours instead; nobody else does.
 */
export function lightenInk(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "es-toolkit/compat" && context.parentURL?.includes("/node_modules/ink/") === true
        ? { url: THROTTLE_ADDRESS, shortCircuit: true }
        : next(specifier, context),
  });
}
