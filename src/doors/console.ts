export { serveConsole } from "../app/http/serve-console.ts";
export type { ServeConsoleOptions } from "../app/http/serve-console.ts";
export type { ServedHttp } from "../app/gateway/http/listening.ts";
