// Statements of PowerShell: sessions, literal variables and the calls that send requests.

import PostKitHTTP

/// Reads a script statement by statement.
struct PowerShellReader {
  private var scanner: TextScanner
  private let notes: ImportNotes
  private(set) var calls: [CopiedRequest] = []
  /// Variables with literal values, by their names in small letters.
  private var variables: [String: CopiedValue] = [:]
  /// What the sessions of the script send, by the name of the variable.
  private var sessions: [String: [HeaderField]] = [:]

  /// How deep the literal that is being read is nested.
  private var depth = 0

  /// Begins at the first statement.
  init(_ source: OriginSource, _ notes: ImportNotes) {
    scanner = TextScanner(source)
    self.notes = notes
  }

  /// Reads all statements.
  mutating func read() throws(OriginFailure) {
    while true {
      scanner.skipPowerBlanks(lines: true)
      if scanner.take(";") { continue }
      guard let byte = scanner.byte else { return }
      let start = scanner.at
      if byte == UInt8(ascii: "$") {
        try readAssignment()
        continue
      }
      guard PowerShellImporter.isProgram(scanner.word(also: "-")) else {
        throw scanner.failure("Only `Invoke-WebRequest` and its like can be read.", at: start)
      }
      try readCall(from: start)
    }
  }

  // MARK: - Variables

  /// `$x = LITERAL`, `$s = New-Object …`, `$s.UserAgent = "…"`, `$s.Cookies.Add((…))`.
  private mutating func readAssignment() throws(OriginFailure) {
    let start = scanner.at
    scanner.at += 1
    let name = scanner.word().lowercased()
    var path = ""
    while scanner.take(".") { path += "." + scanner.word().lowercased() }
    if path == ".cookies.add" {
      sessions[name, default: []].append(try cookie())
      return
    }
    scanner.skipPowerBlanks(lines: false)
    try scanner.expect("=")
    scanner.skipPowerBlanks(lines: false)
    if scanner.take("New-Object", ignoringCase: true) {
      scanner.skipPowerBlanks(lines: false)
      guard scanner.word(also: ".").lowercased().hasSuffix("webrequestsession") else {
        throw scanner.failure("Only literal values can be read here.", at: start)
      }
      sessions[name] = []
      return
    }
    let value = try literal()
    switch path {
    case "": variables[name] = value
    case ".useragent":
      sessions[name, default: []].append(HeaderField("User-Agent", value.plain ?? ""))
    default: throw scanner.failure("Only literal values can be read here.", at: start)
    }
  }

  /// `((New-Object System.Net.Cookie("name", "value", "/", "host")))`.
  private mutating func cookie() throws(OriginFailure) -> HeaderField {
    let start = scanner.at
    var parts: [String] = []
    var depth = 0
    repeat {
      scanner.skipPowerBlanks(lines: true)
      if scanner.take("(") {
        depth += 1
      } else if scanner.take(")") {
        depth -= 1
      } else if scanner.byte == UInt8(ascii: "\"") || scanner.byte == UInt8(ascii: "'") {
        parts.append(try scanner.powerText())
      } else if scanner.take(",") {
        continue
      } else if scanner.word(also: ".-:[]").isEmpty {
        throw scanner.failure("Only literal values can be read here.")
      }
    } while depth > 0
    guard parts.count >= 2 else {
      throw scanner.failure("This cookie has no name and value.", at: start)
    }
    return HeaderField("Cookie", "\(parts[0])=\(parts[1])")
  }

  // MARK: - Calls

  private mutating func readCall(from start: Int) throws(OriginFailure) {
    var parameters: [(name: String, value: CopiedValue)] = []
    var session: String?
    while true {
      scanner.skipPowerBlanks(lines: false)
      guard let byte = scanner.byte, byte != 10, byte != UInt8(ascii: ";") else { break }
      if byte == UInt8(ascii: "|") {
        scanner.skipLine()
        break
      }
      guard scanner.take("-") else {
        // The URL may stand without its name.
        parameters.append(("uri", try literal()))
        continue
      }
      let name = scanner.word().lowercased()
      let hasColon = scanner.take(":")
      scanner.skipPowerBlanks(lines: false)
      if Self.switches.contains(name) {
        let value = hasColon ? try literal() : .bool(true)
        parameters.append((name, value))
      } else if name == "websession" || name == "sessionvariable" {
        _ = scanner.take("$")
        session = scanner.word().lowercased()
      } else {
        parameters.append((name, try literal()))
      }
    }
    let line = scanner.line(of: start)
    var call = CopiedRequest(sent: CapturedRequest(method: "GET", url: ""), line: line)
    for (name, value) in parameters where !read(name, value, into: &call) {
      notes.tell(
        .settingUnsupported, "`-\(name)` of this form has no counterpart and is left out.",
        at: OriginPlace(file: scanner.name, line: line))
    }
    complete(&call, session: session.flatMap { sessions[$0] } ?? [])
    calls.append(call)
  }

  private static let switches: Set<String> = [
    "usebasicparsing", "skipcertificatecheck", "skipheadervalidation", "skiphttperrorcheck",
    "disablekeepalive", "passthru", "usedefaultcredentials", "resume", "nobodyasform",
    "allowunencryptedauthentication", "preserveauthorizationonredirect", "noproxy",
  ]

  /// Reads a parameter; `false` for one without a counterpart.
  private func read(_ name: String, _ value: CopiedValue, into call: inout CopiedRequest) -> Bool {
    switch (name, value) {
    case ("uri", _): call.sent.url = value.plain ?? ""
    case ("method", _), ("custommethod", _):
      // Names of methods are words of an enumeration, written in any case.
      call.sent.method = value.plain?.uppercased() ?? "GET"
    case ("headers", .object(let fields)): call.sent.headers += Self.headers(fields)
    case ("contenttype", _):
      guard let type = value.plain else { return false }
      call.sent.headers.removeAll { $0.name.equalsIgnoringASCIICase("Content-Type") }
      call.sent.headers.append(HeaderField("Content-Type", type))
    case ("useragent", _):
      guard let agent = value.plain else { return false }
      call.sent.headers.append(HeaderField("User-Agent", agent))
    case ("body", .object(let fields)):
      call.sent.body = .form(
        fields.map {
          OriginPair(
            name: OriginText(literal: $0.name), value: OriginText(literal: $0.value.plain ?? ""))
        })
    case ("body", .null): break
    case ("body", _):
      guard let text = value.plain else { return false }
      call.sent.body = text.isEmpty ? .none : .text(OriginText(literal: text))
    case ("infile", .text(let path)): call.sent.body = .file(path)
    case ("timeoutsec", .number(let seconds)): call.metadata.append("timeout \(seconds) s")
    case ("maximumredirection", .number("0")): call.metadata.append("no-redirect")
    case ("skipcertificatecheck", .bool(true)): call.metadata.append("insecure")
    case ("noproxy", .bool(true)): call.metadata.append("no-proxy")
    // What PowerShell does with the answer.
    case ("usebasicparsing", _), ("passthru", _), ("outfile", _), ("skiphttperrorcheck", _),
      ("skipheadervalidation", _), ("disablekeepalive", _), ("erroraction", _):
      break
    default: return false
    }
    return true
  }

  /// Fields; browsers write pseudo headers of HTTP/2 without their colon.
  private static func headers(_ fields: [CopiedMember]) -> [HeaderField] {
    let isHTTP2 = fields.contains { $0.name == "authority" }
    let pseudo: Set<String> = ["authority", "method", "path", "scheme"]
    return fields.compactMap { field in
      guard let value = field.value.plain else { return nil }
      if isHTTP2, pseudo.contains(field.name) { return nil }
      return HeaderField(field.name, value)
    }
  }

  /// Adds what the session sends, and the type that PowerShell gives to a body.
  private func complete(_ call: inout CopiedRequest, session: [HeaderField]) {
    let cookies = session.filter { $0.name == "Cookie" }.map(\.value)
    for field in session where field.name != "Cookie" {
      guard !call.sent.headers.contains(where: { $0.name.equalsIgnoringASCIICase(field.name) })
      else { continue }
      call.sent.headers.append(field)
    }
    if !cookies.isEmpty {
      call.sent.headers.append(HeaderField("Cookie", cookies.joined(separator: "; ")))
    }
    guard call.sent.body != .none else { return }
    if call.sent.method == "GET", case .form(let pairs) = call.sent.body {
      let query = pairs.map {
        let value = PercentEncoding.encode($0.value?.text ?? "", allowing: .unreserved)
        return "\(PercentEncoding.encode($0.name.text, allowing: .unreserved))=\(value)"
      }
      call.sent.url += (call.sent.url.contains("?") ? "&" : "?") + query.joined(separator: "&")
      call.sent.body = .none
    } else if !call.sent.hasType {
      call.sent.headers.append(HeaderField("Content-Type", "application/x-www-form-urlencoded"))
    }
  }

  // MARK: - Literals

  /// A text, a number, a table, a variable with one of these, or a bare word.
  private mutating func literal() throws(OriginFailure) -> CopiedValue {
    depth += 1
    defer { depth -= 1 }
    guard depth < 64 else { throw scanner.failure("This is nested too deeply.") }
    scanner.skipPowerBlanks(lines: false)
    let start = scanner.at
    switch scanner.byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try scanner.powerText())
    case UInt8(ascii: "@"): return .object(try table())
    case UInt8(ascii: "("): return try inBrackets()
    case UInt8(ascii: "$"):
      scanner.at += 1
      let name = scanner.word().lowercased()
      switch name {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "null": return .null
      default:
        guard let value = variables[name] else {
          throw scanner.failure("Only literal values can be read here.", at: start)
        }
        return value
      }
    default:
      let word = scanner.word(also: ":/?&=.%+-~*,[]#!'")
      guard !word.isEmpty else {
        throw scanner.failure("Only literal values can be read here.", at: start)
      }
      return word.utf8.allSatisfy { (48...57).contains($0) } ? .number(word) : .text(word)
    }
  }

  /// `@{ "name"="value" }`, with line ends or semicolons between the members.
  private mutating func table() throws(OriginFailure) -> [CopiedMember] {
    try scanner.expect("@{")
    var members: [CopiedMember] = []
    while true {
      scanner.skipPowerBlanks(lines: true)
      if scanner.take(";") { continue }
      if scanner.take("}") { return members }
      let isQuoted = scanner.byte == UInt8(ascii: "\"") || scanner.byte == UInt8(ascii: "'")
      let name = isQuoted ? try scanner.powerText() : scanner.word(also: "-")
      guard isQuoted || !name.isEmpty else {
        throw scanner.failure("A name or `}` is expected here.")
      }
      scanner.skipPowerBlanks(lines: false)
      try scanner.expect("=")
      members.append(CopiedMember(name: name, value: try literal()))
    }
  }

  /// `([System.Text.Encoding]::UTF8.GetBytes("…"))`, or a literal in brackets.
  private mutating func inBrackets() throws(OriginFailure) -> CopiedValue {
    try scanner.expect("(")
    scanner.skipPowerBlanks(lines: true)
    let value: CopiedValue
    if scanner.take("[System.Text.Encoding]::UTF8.GetBytes(", ignoringCase: true) {
      value = try literal()
      scanner.skipPowerBlanks(lines: true)
      try scanner.expect(")")
    } else {
      // A bare word in brackets is a command.
      guard let byte = scanner.byte, "\"'@($0123456789".utf8.contains(byte) else {
        throw scanner.failure("Only literal values can be read here.")
      }
      value = try literal()
    }
    scanner.skipPowerBlanks(lines: true)
    try scanner.expect(")")
    return value
  }
}

extension TextScanner {
  /// Skips blanks, comments and continued lines; line ends, too, where asked.
  mutating func skipPowerBlanks(lines: Bool) {
    while let byte {
      if byte == 32 || byte == 9 || byte == 13 || lines && byte == 10 {
        at += 1
      } else if byte == UInt8(ascii: "#") {
        skipLine()
      } else if take("`\n") || take("`\r\n") {
        continue
      } else {
        return
      }
    }
  }

  /// Reads a text in quotes; of `$(…)` only a character by its number is a literal.
  mutating func powerText() throws(OriginFailure) -> String {
    let start = at
    guard byte != nil else { throw failure("A text is expected here.") }
    let quoted = PowerText.quoted(bytes, from: at)
    guard quoted.isClosed else { throw failure("This text is not closed.", at: start) }
    if let expression = quoted.expression {
      throw failure("Only literal values can be read here, and `$` begins none.", at: expression)
    }
    at = quoted.end
    return String(decoding: quoted.text, as: UTF8.self)
  }
}
