import { testEditKills } from "../support/faults/edit-kills.ts";

// Takes about a minute.
testEditKills(1);
