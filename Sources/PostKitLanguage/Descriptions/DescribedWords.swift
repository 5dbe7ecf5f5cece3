// What of a description may stand in a file of requests: words of a request, and nothing that does
// something else.

import PostKitDescription
import PostKitHTTP
import PostKitSyntax
import PostKitText

/// Texts of a description for the head of a request.
enum DescribedWords {
  /// Whether a text stays within its line and begins no reference.
  static func isPlain(_ text: String) -> Bool {
    !text.holds("{{") && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
  }

  /// Whether a text can be a method or the name of a header field (RFC 9110, section 5.6.2), and
  /// does not begin a comment.
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("#")
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (97...122).contains($0 | 0x20)
          || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
  }

  /// The value of a header field; empty for one that would not stay a value. The sample's own
  /// password may stand in it.
  static func value(_ text: String) -> String {
    let pieces = text.split(
      separator: SchemaSampler.passwordTemplate, omittingEmptySubsequences: false)
    return pieces.allSatisfy { isPlain(String($0)) && !$0.hasSuffix("{") } ? text : ""
  }

  /// A path with references in the place of its parameters; what can't stand in a path is encoded.
  static func templates(in path: String) -> String {
    var result = ""
    var rest = path[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      let word = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      result += "\(encoded(rest[..<open])){{\(word)}}"
      rest = rest[rest.index(after: close)...]
    }
    return result + encoded(rest)
  }

  private static func encoded(_ text: Substring) -> String {
    func isPlain(_ byte: UInt8) -> Bool {
      byte > 32 && byte != 127 && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "}")
    }
    // Nearly all are; it is asked for each step of each path at each key.
    if text.utf8.allSatisfy(isPlain) { return String(text) }
    return text.unicodeScalars.map { scalar in
      scalar.value <= 32 || scalar.value == 127 || scalar == "{" || scalar == "}"
        ? PercentEncoding.encodeComponent(String(Character(scalar))) : String(scalar)
    }.joined()
  }
}

extension ParsedDocument {
  /// Whether a text that was made of this document is the same but for words of the request of a
  /// block: it reads no file but `files`, runs and checks nothing new, and refers to nothing new
  /// but to the sample's own password.
  func isSame(_ bytes: [UInt8], butFor block: ParsedBlock, files: [String]) -> Bool {
    let changed = ParsedDocument(bytes: bytes, format: format, rules: rules, reusing: self)
    guard changed.blocks.count == blocks.count, changed.blocks.indices.contains(block.index) else {
      return false
    }
    let own = changed.blocks[block.index]
    return own.deeds == block.deeds && Set(own.includes).isSubset(of: block.includes + files)
      && own.readings.subtracting(block.readings).isSubset(of: ParsedBlock.ownReadings)
  }
}

extension ParsedBlock {
  /// What the sample's own words refer to.
  fileprivate static let ownReadings: Set<ReferenceExpression> = [
    .path(name: "password", rest: "")
  ]

  /// What the references of the block read.
  fileprivate var readings: Set<ReferenceExpression> { Set(references.map(\.expression)) }

  /// The files that are sent in the body.
  fileprivate var includes: [String] {
    request?.body?.lines.compactMap { line in
      if case .file(let file) = line.kind { text(file.path) } else { nil }
    } ?? []
  }

  /// How much of each kind the block does beside its request.
  fileprivate var deeds: [Int] {
    [
      isRequest ? 1 : 0, request?.curl == nil ? 0 : 1, metadata.count, variables.count,
      directives.count, scripts.count, saves.count, assertions.count,
      syntax.responseReferences.count, syntax.fragments.count,
      syntax.inlineResponse == nil ? 0 : 1,
    ]
  }

  /// Whether a text is one request that does nothing else, reads no file but `files` and refers
  /// only to what `target` refers to, and to the sample's own password.
  static func isPlain(
    _ text: String, target: String, files: [String], like document: ParsedDocument
  ) -> Bool {
    func blocks(_ text: String) -> [ParsedBlock] {
      Array(
        ParsedDocument(bytes: Array(text.utf8), rules: document.rules).blocks)
    }
    let (made, model) = (blocks(text), blocks("GET \(target)\n"))
    guard made.count == 1, model.count == 1 else { return false }
    return made[0].isRequest && made[0].deeds == model[0].deeds
      && Set(made[0].includes).isSubset(of: files)
      && made[0].readings.isSubset(of: model[0].readings.union(ownReadings))
  }
}
