// Calls of `fetch` as browsers copy them.

import PostKitHTTP

/// Reads `fetch("URL", {…});`, one or several.
enum FetchImporter: CopiedImporter {
  static let format = OriginFormat.fetch
  static let call = "call of `fetch`"

  /// Whether a source begins with a call of `fetch`.
  static func recognises(_ source: OriginSource) -> Bool {
    guard source.files == nil else { return false }
    var scanner = TextScanner(source)
    scanner.skipScriptBlanks()
    if scanner.take("await") { scanner.skipScriptBlanks() }
    return scanner.take("fetch(")
  }

  /// The calls of a script, in order.
  static func calls(
    in source: OriginSource, _ notes: ImportNotes
  ) throws(OriginFailure) -> [CopiedRequest] {
    var scanner = TextScanner(source)
    var calls: [CopiedRequest] = []
    while true {
      scanner.skipScriptBlanks()
      if scanner.take(";") { continue }
      guard scanner.byte != nil else { return calls }
      let start = scanner.at
      if scanner.take("await") { scanner.skipScriptBlanks() }
      guard scanner.take("fetch(") else {
        throw scanner.failure("Only calls of `fetch` can be read.")
      }
      guard case .text(let url) = try scanner.scriptLiteral() else {
        throw scanner.failure("The URL of `fetch` has to be a text in quotes.", at: start)
      }
      scanner.skipScriptBlanks()
      var members: [CopiedMember] = []
      if scanner.take(",") {
        scanner.skipScriptBlanks()
        if scanner.byte != UInt8(ascii: ")") {
          let options = scanner.at
          guard case .object(let found) = try scanner.scriptLiteral() else {
            throw scanner.failure("The options of `fetch` have to be an object.", at: options)
          }
          members = found
          scanner.skipScriptBlanks()
          if scanner.take(",") { scanner.skipScriptBlanks() }
        }
      }
      try scanner.expect(")")
      let line = scanner.line(of: start)
      var call = CopiedRequest(sent: CapturedRequest(method: "GET", url: url), line: line)
      for member in members {
        guard read(member, into: &call) else {
          notes.tell(
            .memberUnknown,
            "PostKit does not know what `\(member.name)` of this form means and leaves it out.",
            at: OriginPlace(file: source.name, line: line))
          continue
        }
      }
      addType(to: &call)
      calls.append(call)
    }
  }

  /// Reads an option; `false` for one that nobody knows.
  private static func read(_ member: CopiedMember, into call: inout CopiedRequest) -> Bool {
    switch (member.name, member.value) {
    case (_, .null): return true
    case ("method", .text(let method)): call.sent.method = method
    case ("body", .text(let body)):
      call.sent.body = body.isEmpty ? .none : .text(OriginText(literal: body))
    case ("headers", .object(let fields)):
      for field in fields {
        guard let value = field.value.plain else { return false }
        call.sent.headers.append(HeaderField(field.name, value))
      }
    case ("headers", .list(let fields)):
      for field in fields {
        guard case .list(let pair) = field, pair.count == 2, let name = pair[0].plain,
          let value = pair[1].plain
        else { return false }
        call.sent.headers.append(HeaderField(name, value))
      }
    case ("referrer", .text(let referrer)):
      if SentURL(referrer) != nil { call.sent.headers.append(HeaderField("Referer", referrer)) }
    case ("redirect", .text(let word)):
      if word != "follow" { call.metadata.append("no-redirect") }
    // What a page may do with the answer, and how the browser keeps it.
    case ("credentials", _), ("mode", _), ("referrerPolicy", _), ("cache", _), ("integrity", _),
      ("keepalive", _), ("priority", _):
      break
    default: return false
    }
    return true
  }

  /// A text without a type is sent as one (Fetch Standard, section 5.2).
  private static func addType(to call: inout CopiedRequest) {
    guard case .text = call.sent.body, !call.sent.hasType else { return }
    call.sent.headers.append(HeaderField("Content-Type", "text/plain;charset=UTF-8"))
  }
}
