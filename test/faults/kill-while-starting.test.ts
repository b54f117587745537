import { test } from "node:test";
import { withoutProc } from "../flows/support/cli.ts";
import { killWhileStarting } from "../support/faults/kill-while-starting.ts";

test("kill -9 while many commands start leaves no orphan after the next start", { skip: withoutProc }, (t) =>
  killWhileStarting(t, 3),
);
