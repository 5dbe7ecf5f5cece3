// Scripts of requests for tools that run JavaScript with objects of their own.

/// How a tool runs the scripts of request files.
struct ScriptForm {
  /// The tool, as people call it.
  let program: String
  /// What only scripts have that were written for it.
  let own: [String]
  /// What scripts of JetBrains' form find there.
  let shim: String
  /// The rest of it, which there is after the response alone.
  let responseShim: String

  /// The lines of the scripts of a request. What the tool can't run is a comment, and told.
  func lines(of request: ExportedRequest, isBefore: Bool, _ notes: ExportNotes) -> [String] {
    var lines: [String] = []
    var hasShim = false
    for script in request.scripts where script.isBefore == isBefore {
      if let path = script.path, script.text.isEmpty {
        notes.tell(
          .scriptKept, "The script in `\(path)` is left out.", of: request, isWarning: true)
        continue
      }
      let text = Self.lines(of: script.text)
      if own.contains(where: script.text.contains) {
        lines += text
      } else if script.text.contains("client."), !script.text.contains("request.") {
        if !hasShim {
          lines += Self.lines(of: isBefore ? shim : shim + "\n" + responseShim)
        }
        hasShim = true
        lines += text
        notes.tell(
          .scriptTranslated, "A script runs with stand-ins for `client` and `response`.",
          of: request)
      } else if !Self.callsObjects(script.text) {
        lines += text
      } else {
        lines += text.map { "// " + $0 }
        notes.tell(
          .scriptKept, "A script is kept as a comment: \(program) has not what it calls.",
          of: request, isWarning: true)
      }
    }
    return lines
  }

  /// The objects that only some tools have.
  private static let objects: Set<Substring> = [
    "client", "request", "response", "bru", "req", "res", "pm", "insomnia", "pw", "hopp", "ry",
  ]

  /// Whether a script uses one of these objects by itself, not as a member of another.
  private static func callsObjects(_ script: String) -> Bool {
    var rest = script[...]
    var last: Character = " "
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
      if last != ".", objects.contains(word) { return true }
      let taken = max(1, word.count)
      last = word.last ?? first
      rest = rest.dropFirst(taken)
    }
    return false
  }

  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
