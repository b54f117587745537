import { testTwoEditors } from "../support/two-editors.ts";

testTwoEditors(1000);
