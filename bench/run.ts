// Measures, in one run on one machine, what we cost against the same work without us. Prints ratios; judges nothing else.
import { benchColdStart } from "./cold-start.ts";
import { benchLine } from "./line.ts";
import { print } from "./measure.ts";
import { benchRegistry } from "./registry.ts";
import { benchSearch } from "./search.ts";

print([...(await benchLine()), ...(await benchRegistry()), ...(await benchSearch()), ...benchColdStart()]);
