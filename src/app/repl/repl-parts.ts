import type { PendingApprovals } from "./approvals/pending-approvals.ts";
import type { CommandRunner } from "./command-runner.ts";
import type { Conversation } from "./conversation.ts";
import type { PromptEditor } from "./input/prompt-editor.ts";
import type { ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";

/** What the keys change. */
export interface ReplParts {
  readonly store: Store<ReplState>;
  readonly approvals: PendingApprovals;
  readonly conversation: Conversation;
  readonly runner: CommandRunner;
  readonly prompt: PromptEditor;
  readonly answer: PromptEditor;
  readonly chooseByKey: (key: string) => void;
  readonly leave: (code: number) => void;
}
