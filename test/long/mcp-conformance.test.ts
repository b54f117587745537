// The official suite at every revision against our client and our server. Takes about 40 seconds.
import "../flows/mcp-conformance.test.ts";
