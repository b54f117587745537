/** Programs and libraries, the settings needed to start programs, and those needed to resolve names and trust certificates. */
export const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
export const SETTINGS = "alternatives group ld.so.cache localtime nsswitch.conf os-release passwd".split(" ");
export const NETWORK_SETTINGS =
  "ca-certificates ca-certificates.conf hosts pki protocols resolv.conf services ssl".split(" ");
