import type { ReactNode } from "react";
import { Empty } from "../../../ui/layout/states.tsx";
import { linkTo } from "../../../ui/address/hooks.ts";
import { IfPage } from "../../../ui/controls/needs.tsx";

/** The page of calls when it has none. */
export function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) return <Empty title="No call matches">Change the search, or show all calls.</Empty>;
  return (
    <Empty title="No calls yet">
      <IfPage page="chat">
        Run a tool from <a href={linkTo("tools")}>Tools</a>, start a <a href={linkTo("chat")}>chat</a>, or in
        a terminal: <code>toolwright call read_file path=README.md</code>
      </IfPage>
    </Empty>
  );
}
