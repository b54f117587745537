# What the official suite runs as the client under test: has the process at a port use the server, and ends with its exit code.
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf '%s\n%s\n%s\n' "$MCP_CONFORMANCE_SCENARIO" "$2" "${MCP_CONFORMANCE_CONTEXT:-{\}}" >&3
read -r code <&3
exit "${code:-1}"
