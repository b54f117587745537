import { testTwoEditors } from "../support/two-editors.ts";

// The long tests make 2 000.
testTwoEditors(100);
