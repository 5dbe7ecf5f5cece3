// Remarks on the head of a request: headers that have no effect or are missing, characters of URLs,
// passwords that anybody on the way can read.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Advice {
  /// Headers that may be there once, and those that are obsolete, in small letters. A file may have
  /// a hundred thousand headers, of which hardly one has the length of these.
  private static let single = [
    "authorization", "content-type", "from", "host", "referer", "user-agent",
  ].map { Array($0.utf8) }
  private static let length = Array("content-length".utf8)
  /// The lengths of the names that are looked for, a bit for each.
  private static let lengths = ([length] + single + HeaderKind.deprecatedNames)
    .reduce(UInt64(0)) { $0 | 1 << UInt64($1.count) }
  private static let type = Array("content-type".utf8)
  fileprivate static let credentials = Array("authorization".utf8)

  /// Looks at all headers of a request.
  mutating func checkHeaders(_ request: RequestSyntax) {
    // Which of the single names were met.
    var met: Set<Int> = []
    for header in request.headers where !header.isSpread && !header.value.isEmpty {
      if Advice.lengths >> UInt64(header.name.count) & 1 == 0 {
        checkSpelling(header)
      } else if block.isNamed(header, Advice.length) {
        say(
          .contentLength, header.line,
          "PostKit computes `\(block.text(header.name))` and ignores this line. Remove it.")
      } else if let name = Advice.single.firstIndex(where: { block.isNamed(header, $0) }) {
        if met.insert(name).inserted { continue }
        say(
          .duplicateHeader, header.line,
          "The request sends `\(block.text(header.name))` twice: a server takes either, or refuses "
            + "the request. Remove one of them.")
      } else if HeaderKind.deprecatedNames.contains(where: { block.isNamed(header, $0) }) {
        let written = block.text(header.name)
        let hint = written.lowercased() == "pragma" ? " Write `Cache-Control: no-cache`." : ""
        say(
          .deprecated, header.name,
          "The header `\(written)` is obsolete, and servers may ignore it.\(hint)")
      } else {
        checkSpelling(header)
      }
    }
  }

  private mutating func checkSpelling(_ header: HeaderSyntax) {
    guard let meant = HeaderSpelling.meant(by: block.slice(header.name)) else { return }
    say(
      .unknownHeader, header.name,
      "Unknown header `\(block.text(header.name))`. Did you mean `\(meant)`?")
  }

  /// A body of a method that gives it no meaning (RFC 9110, 9.3.1, 9.3.2 and 9.3.8).
  mutating func checkMeaning(of body: BodySyntax, _ request: RequestSyntax) {
    let method = request.method.map { block.text($0).uppercased() }
    guard ["GET", "HEAD", "TRACE", nil].contains(method), !isGraphQL(request, body),
      // Where a body begins by mistake, that is said.
      let first = body.lines.first?.content,
      !block.problems.contains(where: { $0.range.overlaps(first) })
    else { return }
    let word =
      method.map { "Servers may ignore the body of a \($0) request, or refuse the request" }
      ?? "Without a method this is a GET, whose body servers may ignore or refuse"
    say(.bodyOnGet, request.method ?? request.line, "\(word). Write `POST` if you mean it.")
  }

  /// A body that says what it is to a person alone.
  mutating func checkType(of body: BodySyntax, _ request: RequestSyntax) {
    guard !dialect.infersContentType, let first = body.lines.first?.content,
      body.lines.allSatisfy({ $0.kind == .text || $0.kind == .comment }),
      // A line that is one reference may be any header.
      request.headers.allSatisfy({ !$0.value.isEmpty && !block.isNamed($0, Advice.type) }),
      request.method.map({ MethodCatalog.named(block.text($0).uppercased()) != nil }) ?? true,
      analysis.scope.sharedBlocks(for: block).isEmpty,
      // Where a body begins by mistake its type is another question.
      !block.problems.contains(where: { $0.range.overlaps(first) }),
      !analysis.scope.environments.defaultHeaders.contains(where: {
        $0.name.lowercased() == "content-type"
      }), !isGraphQL(request, body),
      let name = Advice.form(of: block.slice(body.range))
    else { return }
    let type = "application/\(name.lowercased())"
    say(
      .contentTypeMissing, first,
      "The body looks like \(name) but has no `Content-Type`: many servers refuse or misread it. "
        + "Add `Content-Type: \(type)`.")
  }

  /// What a body looks like by its first characters.
  private static func form(of body: ArraySlice<UInt8>) -> String? {
    let text = body.drop { $0 <= 32 }
    if text.starts(with: "<?xml".utf8) { return "XML" }
    if text.starts(with: "{{".utf8) { return nil }
    return text.first.map { "{[".utf8.contains($0) } ?? false ? "JSON" : nil
  }

  /// The first character of a target that is sent as another one without being a letter of some
  /// language: those are written on purpose.
  mutating func checkCharacters(_ request: RequestSyntax) {
    let isSuspect = request.target.contains { range in
      block.slice(range).contains { $0 == 32 || $0 == UInt8(ascii: "%") }
    }
    guard isSuspect, !block.metadata.contains(where: { $0.kind == .noAutoEncoding }) else { return }
    let place = Refactoring(
      analysis: analysis, block: block, request: request,
      selection: block.absolute(request.line))
    for piece in place.target {
      for literal in place.literals(piece) {
        let bytes = block.bytes
        let found = literal.first {
          bytes[$0] == 32 || bytes[$0] == UInt8(ascii: "%") && !Advice.isEscape(bytes, $0)
        }
        guard let found else { continue }
        let sign = bytes[found] == 32 ? "this blank" : "this `%`"
        let code = bytes[found] == 32 ? "%20" : "%25"
        let start = found - block.range.lowerBound
        say(
          .urlEncoding, start..<start + 1,
          "PostKit sends \(sign) as `\(code)`. Write `\(code)`, so that every tool sends the same.")
        return
      }
    }
  }

  private static func isEscape(_ bytes: [UInt8], _ at: Int) -> Bool {
    at + 2 < bytes.count
      && bytes[at + 1...at + 2].allSatisfy {
        (48...57).contains($0) || (65...70).contains($0 & 0xDF)
      }
  }
}

extension Analysis {
  /// The remark that the password of a request goes over the network for everybody to read.
  func insecureAuthorization(
    _ block: ParsedBlock, _ spec: RequestSpec, _ secrets: Set<String>
  ) -> Diagnostic? {
    guard
      let header = block.request?.headers.first(where: { block.isNamed($0, Advice.credentials) }),
      spec.headers.first("Authorization")?.lowercased().hasPrefix("basic ") == true,
      let url = URLParts(spec.url), url.scheme == "http", !url.isNear
    else { return nil }
    return Diagnostic(
      .insecureAuthorization, block.absolute(header.line),
      SecretText.masking(
        "The password goes to `\(url.host)` over `http`, where others can read it. "
          + "Write `https://`.", secrets.union(knownSecrets)))
  }
}

extension ParsedBlock {
  /// Whether a header has a name, which is given in small letters.
  fileprivate func isNamed(_ header: HeaderSyntax, _ name: [UInt8]) -> Bool {
    header.name.count == name.count && slice(header.name).elementsEqual(name) { $0 | 0x20 == $1 }
  }
}

extension URLParts {
  /// Whether the host is this machine, or by its name or address one of the same network, where
  /// people try things out.
  fileprivate var isNear: Bool {
    let name = host.split(separator: ".").map(String.init)
    if name.count == 1 || ["localhost", "local", "internal", "test"].contains(name.last ?? "") {
      return true
    }
    let numbers = name.compactMap(Int.init)
    guard numbers.count == 4, name.count == 4 else { return host.hasPrefix("[") }
    switch (numbers[0], numbers[1]) {
    case (127, _), (10, _), (192, 168), (172, 16...31), (169, 254): return true
    default: return false
    }
  }
}
