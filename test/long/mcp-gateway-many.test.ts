// Fifty servers, five of them dead and five hanging, and thousands of calls of one gateway. Takes about 15 seconds.
import "../flows/mcp-gateway-many.test.ts";
