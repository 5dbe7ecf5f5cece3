// What a kept script asks for that PostKit does not have.

import PostKitSyntax

/// Finds what a script names and nothing here answers.
enum UnknownScriptAPI {
  /// Modules that scripts can load without a package.
  private static let modules: Set<String> = [
    "assert", "assert/strict", "buffer", "crypto", "url", "querystring", "path", "path/posix",
    "util", "util/types", "events", "timers", "timers/promises", "string_decoder", "punycode",
    "os", "process", "console", "fs", "fs/promises", "uuid", "dayjs", "chai", "crypto-js", "atob",
    "btoa",
  ]

  /// Functions and objects that do nothing here, or only where a setting allows it.
  private static let members: [String: String] = [
    "pm.sendRequest": "is answered only where the setting `scripts.allowRequests` is on",
    "pm.visualizer": "does nothing here",
    "pm.vault": "does nothing here",
    "bru.sendRequest": "is answered only where the setting `scripts.allowRequests` is on",
  ]

  /// Tells of each, once a script.
  static func tell(
    of script: OriginScript, _ family: ScriptFamily, notes: ImportNotes, origin: String
  ) {
    let tokens = ScriptTokens(Array(script.text.utf8)[...])
    var told: Set<String> = []
    for index in 0..<tokens.count {
      guard let found = unknown(at: index, tokens, family), told.insert(found).inserted else {
        continue
      }
      let line = tokens.bytes.prefix(tokens[index].range.lowerBound).count { $0 == 0x0A } + 1
      notes.tell(
        .scriptUnknownAPI, "\(found), in line \(line) of the script.", at: script.place,
        origin: origin)
    }
  }

  /// A sentence on what a token begins, without its end; `nil` where all is known.
  private static func unknown(
    at index: Int, _ tokens: ScriptTokens, _ family: ScriptFamily
  ) -> String? {
    if tokens.isModuleName(index) {
      let written = tokens.text(tokens[index].inside)
      let name = written.hasPrefix("node:") ? String(written.dropFirst("node:".count)) : written
      let isFile = ["./", "../", "/"].contains { name.hasPrefix($0) }
      return isFile || modules.contains(name)
        ? nil : "The module `\(name)` is not built in; put it into `node_modules`"
    }
    guard let word = tokens.word(index), !tokens.isDot(index - 1) else { return nil }
    if family == .hoppscotch, word == "pw" || word == "hopp" {
      return "PostKit has no `\(word)`; write the script with `client` or `pm`"
    }
    let root = word == "insomnia" ? "pm" : word
    guard tokens.isDot(index + 1), let member = tokens.word(index + 2) else { return nil }
    return members["\(root).\(member)"].map { "`\(word).\(member)` \($0)" }
  }
}
