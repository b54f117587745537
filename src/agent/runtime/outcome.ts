import type { Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import type { BudgetKind } from "../budget/budget.ts";

/** How a task ended. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly text: string;
      /** Set if an output schema was given. */
      readonly data?: Json;
    }
  | { readonly kind: "stopped"; readonly why: "cancelled" | "loop" | BudgetKind; readonly detail: string }
  | { readonly kind: "failed"; readonly fault: Fault };
