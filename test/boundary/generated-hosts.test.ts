import { test } from "node:test";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { seed } from "../support/property-runs.ts";
import { tryHosts } from "../support/sandboxes/try-hosts.ts";

test(
  "spellings of denied addresses, in 16 programs: what runs in mode yolo reaches none of them",
  { skip: withoutBoxes },
  (t) => tryHosts(t, { seed, spellings: 1, every: 4 }),
);
