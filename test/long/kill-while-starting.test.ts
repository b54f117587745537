import { test } from "node:test";
import { withoutProc } from "../flows/support/cli.ts";
import { killWhileStarting } from "../support/faults/kill-while-starting.ts";

test(
  "50 times kill -9 while many commands start leave no orphan after the next start",
  { skip: withoutProc },
  (t) => killWhileStarting(t, 50),
);
