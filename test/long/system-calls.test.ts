import { testFaults } from "../support/fault-flows.ts";

testFaults(1);
