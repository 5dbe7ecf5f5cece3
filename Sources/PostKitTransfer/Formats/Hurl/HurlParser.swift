// Hurl text to entries: requests, sections, the expected answers.

/// Reads a Hurl file. A mistake is a failure with its place, because a file that is half
/// understood would send something else.
struct HurlParser {
  var scanner: TextScanner
  /// A comment and its line.
  private struct Comment {
    var line: Int
    var text: String
    /// Whether nothing else stands in its line.
    var isWhole: Bool
  }

  /// Comments that belong to no entry yet.
  private var comments: [Comment] = []

  /// Begins at the first byte of a source.
  init(_ source: OriginSource) { scanner = TextScanner(source) }

  /// Reads all entries.
  mutating func entries() throws(OriginFailure) -> [HurlEntry] {
    var entries: [HurlEntry] = []
    while true {
      skipLines()
      let heading = takeHeading()
      let others = comments.map(\.text)
      comments = []
      // What stands further above belongs to the entry that it is in.
      if !entries.isEmpty { entries[entries.count - 1].comments += others }
      guard scanner.byte != nil else { return entries }
      var entry = try entry()
      entry.heading = heading
      if entries.isEmpty { entry.comments = others }
      entries.append(entry)
    }
  }

  private mutating func entry() throws(OriginFailure) -> HurlEntry {
    let line = scanner.line(of: scanner.at)
    let start = scanner.at
    let method = scanner.upperWord()
    guard !method.isEmpty, scanner.byte == 32 || scanner.byte == 9 else {
      throw scanner.failure("A request is expected here, such as `GET https://h`.", at: start)
    }
    scanner.skipBlanks()
    let place = scanner.at
    let url = try scanner.hurlValue()
    guard !url.isEmpty else { throw scanner.failure("The URL is missing.", at: place) }
    try endLine()
    var entry = HurlEntry(method: method, url: url, line: line)
    entry.headers = try pairs()
    while let name = sectionName(except: Self.sectionsOfAnswers) {
      try readSection(name, into: &entry)
    }
    skipLines()
    entry.body = try body()
    skipLines()
    entry.response = try response()
    return entry
  }

  // MARK: - Lines

  /// Takes the comments right above this place.
  private mutating func takeHeading() -> [String] {
    guard scanner.byte != nil else { return [] }
    var next = scanner.line(of: scanner.at)
    var count = 0
    for comment in comments.reversed() {
      guard comment.isWhole, comment.line == next - 1 else { break }
      next = comment.line
      count += 1
    }
    defer { comments.removeLast(count) }
    return comments.suffix(count).map(\.text).filter { !$0.isEmpty }
  }

  /// Skips blank lines and comments; comments are kept.
  mutating func skipLines() {
    while let byte = scanner.byte {
      switch byte {
      case 32, 9, 10, 13: scanner.at += 1
      case UInt8(ascii: "#"): readComment(isWhole: true)
      default: return
      }
    }
  }

  private mutating func readComment(isWhole: Bool) {
    let line = scanner.line(of: scanner.at)
    comments.append(Comment(line: line, text: scanner.comment(), isWhole: isWhole))
  }

  /// Takes the rest of a line, on which nothing but a comment may stand.
  mutating func endLine() throws(OriginFailure) {
    scanner.skipBlanks()
    if scanner.byte == UInt8(ascii: "#") { readComment(isWhole: false) }
    if scanner.byte == 13 { scanner.at += 1 }
    guard scanner.byte == nil || scanner.byte == 10 else {
      throw scanner.failure("Nothing more is expected in this line.")
    }
    if scanner.byte == 10 { scanner.at += 1 }
  }

  /// Reads lines that begin with a name and `:`, as long as there are some; `read` takes what
  /// follows the name.
  private mutating func lines(
    _ read: (inout HurlParser, _ name: String, _ line: Int) throws(OriginFailure) -> Void
  ) throws(OriginFailure) {
    while true {
      skipLines()
      let start = scanner
      guard let name = try scanner.hurlKey() else {
        scanner = start
        return
      }
      let line = scanner.line(of: scanner.at)
      scanner.skipBlanks()
      try read(&self, name, line)
      try endLine()
    }
  }

  private mutating func pairs() throws(OriginFailure) -> [HurlPair] {
    var pairs: [HurlPair] = []
    try lines { (parser, name, line) throws(OriginFailure) in
      pairs.append(HurlPair(name: name, value: try parser.scanner.hurlValue(), line: line))
    }
    return pairs
  }

  // MARK: - Sections

  private static let sectionsOfRequests: Set<String> = [
    "QueryStringParams", "Query", "FormParams", "Form", "MultipartFormData", "Multipart",
    "Cookies", "BasicAuth", "Options",
  ]
  private static let sectionsOfAnswers: Set<String> = ["Captures", "Asserts"]

  /// Takes the heading of a section, but for those of the other half of an entry.
  private mutating func sectionName(except others: Set<String>) -> String? {
    skipLines()
    let start = scanner
    guard scanner.take("[") else { return nil }
    let name = scanner.word()
    let known = Self.sectionsOfRequests.union(Self.sectionsOfAnswers).subtracting(others)
    guard scanner.take("]"), known.contains(name) else {
      scanner = start
      return nil
    }
    return name
  }

  private mutating func readSection(
    _ name: String, into entry: inout HurlEntry
  ) throws(OriginFailure) {
    try endLine()
    switch name {
    case "QueryStringParams", "Query": entry.query += try pairs()
    case "FormParams", "Form": entry.form = (entry.form ?? []) + (try pairs())
    case "MultipartFormData", "Multipart":
      entry.multipart = (entry.multipart ?? []) + (try pairs())
    case "Cookies": entry.cookies += try pairs()
    case "BasicAuth": entry.basicAuth = try pairs().first
    default: entry.options += try pairs()
    }
  }

  // MARK: - The answer

  private mutating func response() throws(OriginFailure) -> HurlResponse? {
    guard scanner.bytes[scanner.at...].starts(with: "HTTP".utf8) else { return nil }
    let line = scanner.line(of: scanner.at)
    let version = scanner.word(also: "/.")
    guard ["HTTP", "HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"].contains(version) else {
      throw scanner.failure("`\(version)` is no version of HTTP.", at: scanner.at)
    }
    scanner.skipBlanks()
    let start = scanner.at
    let status = scanner.word(also: "*")
    let isNumber = !status.isEmpty && status.utf8.allSatisfy { (48...57).contains($0) }
    guard status == "*" || isNumber else {
      throw scanner.failure("A status is expected here, such as `200` or `*`.", at: start)
    }
    try endLine()
    var response = HurlResponse(version: version, status: isNumber ? status : nil, line: line)
    response.headers = try pairs()
    while let name = sectionName(except: Self.sectionsOfRequests) {
      try endLine()
      if name == "Captures" {
        response.captures += try captures()
      } else {
        response.asserts += try asserts()
      }
    }
    skipLines()
    response.body = try body()
    return response
  }

  private mutating func captures() throws(OriginFailure) -> [HurlCapture] {
    var captures: [HurlCapture] = []
    try lines { (parser, name, line) throws(OriginFailure) in
      captures.append(HurlCapture(name: name, query: try parser.query(), line: line))
      // A captured value may be kept out of logs.
      parser.scanner.skipBlanks()
      _ = parser.scanner.take("redact")
    }
    return captures
  }

  private mutating func asserts() throws(OriginFailure) -> [HurlAssert] {
    var asserts: [HurlAssert] = []
    while true {
      skipLines()
      let start = scanner
      guard HurlWords.queries.contains(scanner.word()) else {
        scanner = start
        return asserts
      }
      scanner = start
      let query = try self.query()
      scanner.skipBlanks()
      let (isNegated, predicate) = try self.predicate()
      let value = try predicateValue(of: predicate)
      let end = scanner.at
      let text = String(decoding: scanner.bytes[start.at..<end], as: UTF8.self)
      try endLine()
      asserts.append(
        HurlAssert(
          query: query, isNegated: isNegated, predicate: predicate, value: value,
          line: start.line(of: start.at), text: text))
    }
  }
}
