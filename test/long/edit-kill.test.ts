import { testEditKills } from "../support/edit-kills.ts";

// Takes about a minute.
testEditKills(1);
