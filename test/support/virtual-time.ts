import type { TestContext } from "node:test";

/** Time that passes only when the test says so. */
export interface VirtualTime {
  /** Lets time pass a millisecond at a time, with everything that it sets off. */
  pass(ms: number): Promise<void>;
}

/** Replaces timers and `performance.now()` until the end of the test. */
export function createVirtualTime(t: TestContext): VirtualTime {
  // A whole number, so that differences are exact.
  let now = Math.ceil(performance.now());
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  t.mock.method(performance, "now", () => now);
  return {
    async pass(ms) {
      // What has started before sets its timers first.
      await new Promise(setImmediate);
      for (let passed = 0; passed < ms; passed += 1) {
        now += 1;
        t.mock.timers.tick(1);
        await new Promise(setImmediate);
      }
    },
  };
}
