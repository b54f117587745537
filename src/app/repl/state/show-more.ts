import { withBlock, type ReplState } from "./repl-state.ts";

/** Returns the state with more shown: the whole question, all output of running calls, or the answer of the last finished call not shown yet. */
export function showMore(state: ReplState): ReplState {
  const { approvals, blocks, calls, isExpanded } = state;
  const [pending] = approvals;
  if (pending !== undefined) {
    const isShown = blocks.some((block) => block.kind === "question" && block.pending.id === pending.id);
    return isShown ? state : withBlock(state, { kind: "question", pending });
  }
  if (calls.length > 0 || isExpanded) return { ...state, isExpanded: !isExpanded };
  const finished = blocks.filter((block) => block.kind === "call");
  const shown = new Set(finished.flatMap((block) => (block.isExpanded ? [block.result.callId] : [])));
  const last = finished.findLast(({ result }) => !shown.has(result.callId));
  return last === undefined ? state : withBlock(state, { ...last, isExpanded: true });
}
