import { testEditKills } from "../support/edit-kills.ts";

// Every step is tried by the long tests.
testEditKills(3);
