import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING_SPENT } from "../../agent/budget/budget.ts";
import { FIRST_STATE, type ReplState } from "./state/repl-state.ts";
import type { ReplSession } from "./state/session.ts";
import { withStatus } from "./show-session.ts";

test("while the session closes, what it ends is still counted for the farewell", () => {
  const info = { id: "chat-1", background: 1 } as NonNullable<ReplState["info"]>;
  const session = {
    agent: { spent: () => NOTHING_SPENT },
    info: { ...info, background: 0 },
  } as unknown as ReplSession;
  const backgroundAfter = (agentState: ReplState["agentState"]): number | undefined =>
    withStatus({ ...FIRST_STATE, agentState, info }, session).info?.background;
  assert.equal(backgroundAfter("closing"), 1);
  assert.equal(backgroundAfter("idle"), 0);
});
