import { integer, list, object, oneOf, optional, string } from "../../../schema/define/schema.ts";
import { address, hosts, variable } from "./setting-values.ts";

/** What the tools for the web may reach. */
export const WEB = object({
  allowedDomains: optional(hosts("Only these hosts are fetched from; *.example.com is every subdomain")),
  blockedDomains: optional(hosts("Hosts that are not fetched from")),
  trustedHosts: optional(
    hosts("Hosts that web_fetch reads without approval, such as those of documentation"),
  ),
  privateHosts: optional(
    list(
      string(undefined, {
        pattern: "^(?!\\w+://)[^@\\s]+$",
        expected: "a host, an address or a subnet, each with :PORT for one port only",
      }),
      "Hosts, addresses and subnets of private networks that may be reached, each with :PORT for one port only",
    ),
  ),
  ports: optional(list(integer(undefined, { min: 1, max: 65_535 }), "Ports besides 80, 443, 8080 and 8443")),
  proxy: optional(address("The address of an HTTP proxy")),
  search: optional(
    object(
      {
        service: oneOf(["searxng", "brave", "tavily"]),
        url: optional(address("The address of the service; needed for searxng")),
        keyVariable: optional(variable("The environment variable that holds the key")),
      },
      "The service of web_search",
    ),
  ),
});
