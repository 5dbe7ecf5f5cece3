// The modules that scripts can require, and what to use in place of others.

/// The modules of scripts.
enum ScriptModules {
  /// Those that PostKit has itself.
  static let own = [
    "assert", "assert/strict", "atob", "btoa", "buffer", "chai", "console", "crypto", "crypto-js",
    "dayjs", "dayjs/plugin/utc", "events", "fs", "fs/promises", "httpyac", "os", "path",
    "path/posix", "process", "punycode", "querystring", "string_decoder", "timers",
    "timers/promises", "url", "util", "util/types", "uuid",
  ]

  /// Those that no script can have, as they reach what scripts must not.
  private static let impossible: Set<String> = [
    "child_process", "cluster", "dgram", "dns", "http", "http2", "https", "inspector", "net", "tls",
    "vm", "worker_threads",
  ]

  /// What to use in place of a module that isn't there, by its name.
  private static let substitutes: [String: String] = [
    "axios": "a script has no network; use `await $httpyac.execute(\"name\")`",
    "got": "a script has no network; use `await $httpyac.execute(\"name\")`",
    "node-fetch": "a script has no network; use `await $httpyac.execute(\"name\")`",
    "request": "a script has no network; use `await $httpyac.execute(\"name\")`",
    "superagent": "a script has no network; use `await $httpyac.execute(\"name\")`",
    "jsonwebtoken": "decode with `# @jwt`, sign with `crypto.createHmac`",
    "moment": "`dayjs` is built in",
    "ajv": "use `pm.response.to.have.jsonSchema(schema)`",
    "tv4": "use `pm.response.to.have.jsonSchema(schema)`",
    "nanoid": "`crypto.randomUUID()` is built in",
    "faker": "use `$random`",
    "@faker-js/faker": "use `$random`",
  ]

  /// Whether PostKit has a module itself.
  static func isOwn(_ name: String) -> Bool { own.contains(plain(name)) }

  /// Whether a name is that of a file.
  static func isPath(_ name: String) -> Bool {
    name.hasPrefix("./") || name.hasPrefix("../") || name.hasPrefix("/") || name == "."
      || name == ".."
  }

  /// Why a module can't be had, and what to do, as a sentence.
  static func refusal(_ name: String) -> String {
    if impossible.contains(plain(name)) {
      return "`\(name)` is not possible: scripts have no network and start no programs."
    }
    if let other = substitutes[name] { return "`\(name)` is not installed: \(other)." }
    return "`\(name)` is not built in, and no `node_modules` here has it. Install it, or remove it."
  }

  /// The files that a path may mean, in order.
  static func candidates(_ path: String) -> [String] {
    [path] + [".js", ".mjs", ".cjs", ".json", "/index.js"].map { path + $0 }
  }

  /// The folder whose file says that a package is there.
  static func packageFile(_ name: String) -> String {
    let parts = name.split(separator: "/")
    let count = name.hasPrefix("@") ? 2 : 1
    return "node_modules/" + parts.prefix(count).joined(separator: "/") + "/package.json"
  }

  /// A name without `node:`.
  private static func plain(_ name: String) -> String {
    name.hasPrefix("node:") ? String(name.dropFirst("node:".count)) : name
  }
}
