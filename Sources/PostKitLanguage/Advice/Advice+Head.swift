// Remarks on the head of a request: headers that have no effect or are missing, characters of URLs,
// passwords that anybody on the way can read.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Advice {
  /// Headers that may be there once, in small letters.
  private static let single: Set<String> = [
    "authorization", "content-type", "from", "host", "referer", "user-agent",
  ]

  /// Looks at all headers of a request.
  mutating func checkHeaders(_ request: RequestSyntax) {
    var seen: Set<String> = []
    for header in request.headers where !header.isSpread && !header.value.isEmpty {
      let written = block.text(header.name)
      let name = written.lowercased()
      if name == "content-length" {
        say(
          .contentLength, header.line,
          "`\(written)` is worked out from what is sent, so that this line has no effect. Remove "
            + "it.")
        continue
      }
      if !seen.insert(name).inserted, Advice.single.contains(name) {
        say(
          .duplicateHeader, header.line,
          "A second `\(written)` is sent, where there may be one: a server takes either, or "
            + "refuses the request. Remove one of them.")
      }
      if HeaderKind.read(block.slice(header.name)).isDeprecated {
        let hint = name == "pragma" ? " Write `Cache-Control: no-cache`." : ""
        say(
          .deprecated, header.name,
          "The header `\(written)` is obsolete, and servers need not look at it.\(hint)")
      }
    }
  }

  /// A body that says what it is to a person alone.
  mutating func checkType(of body: BodySyntax, _ request: RequestSyntax) {
    guard !dialect.infersContentType, let first = body.lines.first?.content,
      body.lines.allSatisfy({ $0.kind == .text || $0.kind == .comment }),
      // A line that is one reference may be any header.
      request.headers.allSatisfy({
        !$0.value.isEmpty && block.text($0.name).lowercased() != "content-type"
      }),
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
      "The body looks like \(name) and is sent without a "
        + "`Content-Type`: many servers refuse it, or take it for something else. Add "
        + "`Content-Type: \(type)`.")
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
    if block.metadata.contains(where: { $0.foldedKey == "noautoencoding" }) { return }
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
        let sign = bytes[found] == 32 ? "A blank" : "`%` begins no escape here and"
        let code = bytes[found] == 32 ? "%20" : "%25"
        let start = found - block.range.lowerBound
        say(
          .urlEncoding, start..<start + 1,
          "\(sign) is sent as `\(code)`. Write that, so that every tool sends the same.")
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
    guard let url = URLParts(spec.url), url.scheme == "http", !url.isNear,
      spec.headers.first("Authorization")?.lowercased().hasPrefix("basic ") == true,
      let header = block.request?.headers.first(where: {
        block.text($0.name).lowercased() == "authorization"
      })
    else { return nil }
    return Diagnostic(
      .insecureAuthorization, block.absolute(header.line),
      SecretText.masking(
        "The password goes to `\(url.host)` over `http`, so that everybody on the way can read it. "
          + "Write `https://`.", secrets.union(knownSecrets)))
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
