import { createContext, use, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import { Rights, useMay, type Right } from "../../api/rights.ts";

const MAY_NOT: Readonly<Record<Right, string>> = {
  read: "read calls and settings",
  own: "read your own calls",
  call: "run tools",
  approve: "approve",
  admin: "change settings or talk to the agent",
};

/** Shows its content only to those who have the right. */
export function Needs(props: { readonly right: Right; readonly children: ReactNode }): ReactNode {
  return useMay(props.right) ? props.children : null;
}

/** Says why something is not offered, to those who lack the right. */
export function MayNot({ right }: { readonly right: Right }): ReactNode {
  const rights = use(Rights);
  const person = useRead("state").data?.person ?? undefined;
  if (rights === undefined || rights.includes(right)) return null;
  if (person !== undefined)
    return (
      <p className="small muted" role="note">
        Your roles do not let you {MAY_NOT[right]}. An administrator of this server can give you another role.
      </p>
    );
  return (
    <p className="small muted" role="note">
      This console was opened with a token that may not {MAY_NOT[right]}.
      <IfPage page="policy">
        {" "}
        Open it with another one: toolwright serve prints that of the administrator.
      </IfPage>
    </p>
  );
}

export type PageName = AnswerOf<"state">["pages"][number];

/** The pages that this server has; undefined until it has said so. */
export const PageNames = createContext<readonly PageName[] | undefined>(undefined);

/** Returns false for a page that the server of a program does not have. */
function useHasPage(page: PageName): boolean {
  return use(PageNames)?.includes(page) !== false;
}

/** Shows its content only if the server has the page. */
export function IfPage({
  page,
  children,
}: {
  readonly page: PageName;
  readonly children: ReactNode;
}): ReactNode {
  return useHasPage(page) ? children : null;
}
