// What pages import: the parts that several of them show, and their formats and hooks.
export { Action } from "./action.tsx";
export { Badge, type Tone } from "./badge.tsx";
export {
  Outcome,
  outcomeOf,
  RiskBadge,
  Took,
  TouchedList,
  VerdictBadge,
  type Call,
  type CallDetail,
  type Result,
} from "./call-bits.tsx";
export { Chart, Sparkline } from "./chart.tsx";
export type { Series } from "./chart-values.ts";
export { Code, Copy, Json } from "./code.tsx";
export { DataTable, type Column } from "./data-table.tsx";
export { DiffView } from "./diff.tsx";
export { ErrorBoundary } from "./error-boundary.tsx";
export {
  agoOf,
  bucketNameOf,
  bytesOf,
  costOf,
  countOf,
  durationOf,
  exactTimeOf,
  editableJson,
  onOneLine,
  plural,
  shortCountOf,
  shortId,
  timeOf,
} from "./format.ts";
export {
  goTo,
  linkBeside,
  linkTo,
  TWO_COLUMNS,
  useAddressed,
  useArmed,
  useKeys,
  useMatches,
  useNow,
  useRoute,
  useSettled,
  useStickToEnd,
  useStored,
} from "./hooks.ts";
export { Icon, type IconName } from "./icon.tsx";
export { SearchBox, Segments, valuesOf } from "./inputs.tsx";
export { Menu } from "./menu.tsx";
export { IfPage, MayNot, Needs, PageNames, useMay, type PageName } from "./needs.tsx";
export { BackLink, Facts, PageHead, Panel } from "./panel.tsx";
export { removeView, savedViews, saveView } from "./saved-views.ts";
export { Shortcuts, useGoKeys } from "./shortcuts.tsx";
export { callOfLink, closeCall, showCall, useShownCall } from "./shown-call.ts";
export { StateBadge } from "./state-badge.tsx";
export { Empty, Failed, Loading } from "./states.tsx";
export { PhaseBar, Waterfall, type Span } from "./waterfall.tsx";
export { Tabs } from "./tabs.tsx";
