import { testFaults } from "../support/fault-flows.ts";

// Every system call in turn is tried by the long tests.
testFaults(13);
