import { testEditKills } from "../support/faults/edit-kills.ts";

// Every step is tried by the long tests.
testEditKills(6);
