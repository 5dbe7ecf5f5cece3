// Credentials that stand literally in requests, for exports that keep the text of these: a name
// stands for each, as in the forms of other tools.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// The names that stand for literal credentials in an export, and what they are put for: values of
/// header fields, and of pairs of queries and forms, whose names say that they are secrets.
/// Fields that are always masked are `LiteralCredentials`' business.
struct HTTPSecrets {
  /// The name of each value.
  private var names: [String: String] = [:]
  /// The names that mean something else.
  private var taken: Set<String> = []
  private var edits: [(range: Range<Int>, name: String)] = []

  /// Makes names that keep clear of all that the sources define and use.
  init(_ sources: [ExportSource]) {
    for source in sources {
      for (_, scope) in source.scopes { taken.formUnion(scope.environments.definitions.keys) }
      for block in source.scope.files.files.flatMap(\.document.blocks) {
        taken.formUnion(block.variables.map(block.name))
        for reference in block.syntax.references {
          if case .path(let name, let rest) = reference.expression {
            taken.formUnion([name, name + rest])
          }
        }
      }
    }
  }

  /// The text of a block with names for its credentials, and the names that it needs for that.
  mutating func replace(in block: ParsedBlock) -> (text: String, names: [String]) {
    edits = []
    if let curl = block.curl {
      readCommand(curl, block)
    } else {
      readRequest(block)
    }
    edits.sort { $0.range.lowerBound < $1.range.lowerBound }
    var text: [UInt8] = []
    var at = block.range.lowerBound
    var used: [String] = []
    for (range, name) in edits where range.lowerBound >= at {
      text += block.bytes[at..<range.lowerBound] + Array("{{\(name)}}".utf8)
      at = range.upperBound
      if !used.contains(name) { used.append(name) }
    }
    return (String(keeping: text + block.bytes[at..<block.range.upperBound]), used)
  }

  // MARK: - Where credentials stand

  private mutating func readRequest(_ block: ParsedBlock) {
    guard let request = block.request else { return }
    readQuery(request.target.flatMap { Array(block.absolute($0)) }, block)
    var isForm = false
    for header in request.headers {
      let name = block.text(header.name)
      let pieces = header.value.map(block.absolute)
      if name.equalsIgnoringASCIICase("Content-Type"), let value = header.value.first {
        isForm = MediaType(block.text(value))?.isForm == true
      }
      for (place, piece) in pieces.enumerated() {
        readField(name, piece, isFirst: place == 0, block)
      }
    }
    for line in block.switchedOffLines {
      switch line.content {
      case .header(let name, let value):
        readField(block.text(name), block.absolute(value), isFirst: true, block)
      case .query: readPairs(Array(block.absolute(line.line).dropFirst()), block)
      }
    }
    guard isForm, let body = request.body else { return }
    var sent: [Int] = []
    for line in body.lines {
      let content = block.absolute(line.content)
      switch line.kind {
      case .text: sent += content
      case .comment: readPairs(content.drop { " \t#/&".utf8.contains(block.bytes[$0]) }, block)
      case .file: break
      }
    }
    readPairs(sent, block)
  }

  private mutating func readCommand(_ curl: CurlSyntax, _ block: ParsedBlock) {
    for url in curl.urls { readQuery(Array(url.range), block) }
    for use in curl.uses {
      guard let word = use.value?.range else { continue }
      let name = use.option.name
      if name == "header" || name == "proxy-header" {
        let start = word.drop { "'\"$".utf8.contains(block.bytes[$0]) }
        guard let colon = start.first(where: { block.bytes[$0] == UInt8(ascii: ":") }) else {
          continue
        }
        let field = String(decoding: block.bytes[start.lowerBound..<colon], as: UTF8.self)
        let value = (colon + 1..<word.upperBound).drop { block.bytes[$0] == 32 }
        let end = value.last.map { "'\"".utf8.contains(block.bytes[$0]) } == true ? 1 : 0
        readField(
          field.trimmingASCIIBlanks(), value.dropLast(end), isFirst: true, block)
      } else if name.hasPrefix("data") || name.hasPrefix("form") || name == "url-query" {
        readPairs(Array(word), block)
      }
    }
  }

  // MARK: - What is a credential

  /// What follows the first `?` of a target, whose bytes stand at places.
  private mutating func readQuery(_ places: [Int], _ block: ParsedBlock) {
    let bytes = withoutReferences(places, block)
    guard let start = bytes.firstIndex(of: UInt8(ascii: "?")) else { return }
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    readPairs(places[start + 1..<end], block)
  }

  /// Pairs whose bytes stand at places; in a command a quote or a blank ends a value.
  private mutating func readPairs(_ places: some Sequence<Int>, _ block: ParsedBlock) {
    let places = Array(places)
    let bytes = withoutReferences(places, block)
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let start = pair.drop { " \t'\"$".utf8.contains($0) }.startIndex
      guard start < equals else { continue }
      let written = bytes[start..<equals]
      // A reference, or a text that is no form.
      guard !written.contains(where: { $0 == 0 || "{}\"'<> ".utf8.contains($0) }) else { continue }
      let name = PercentEncoding.decodeForm(String(decoding: written, as: UTF8.self))
      guard OriginCredentials.isSecret(name) else { continue }
      var end = pair.endIndex
      if block.curl != nil {
        end = pair[equals...].firstIndex { "'\"\\ \n".utf8.contains($0) } ?? end
      }
      for range in RangeSet(places[equals + 1..<end].map { $0..<$0 + 1 }).ranges {
        hide(range, called: name, keepsFirst: false, block)
      }
    }
  }

  /// The bytes at places, with zeros for those of references: these may have any sign in them.
  private func withoutReferences(_ places: [Int], _ block: ParsedBlock) -> [UInt8] {
    var hidden = RangeSet<Int>()
    for reference in block.syntax.references {
      hidden.insert(contentsOf: block.absolute(reference.range))
    }
    return places.map { hidden.contains($0) ? 0 : block.bytes[$0] }
  }

  /// A piece of the value of a field.
  private mutating func readField(
    _ name: String, _ range: Range<Int>, isFirst: Bool, _ block: ParsedBlock
  ) {
    guard OriginCredentials.isSecretField(name), !SecretMask.isAlwaysMasked(name) else { return }
    hide(range, called: name.lowercased(), keepsFirst: isFirst, block)
  }

  /// Puts a name for the literal parts of a range, but for the word before a reference that names
  /// a scheme, and for what only parts references.
  private mutating func hide(
    _ range: Range<Int>, called word: String, keepsFirst: Bool, _ block: ParsedBlock
  ) {
    let pieces = TemplateParser.pieces(block.bytes, in: range)
    for (place, piece) in pieces.enumerated() {
      guard case .literal(var literal) = piece else { continue }
      if pieces.count > 1 {
        if keepsFirst, place == 0, let blank = block.bytes[literal].firstIndex(of: 32) {
          literal = blank + 1..<literal.upperBound
        }
        guard block.bytes[literal].count(where: { $0 > 32 }) > 1 else { continue }
      }
      guard !literal.isEmpty else { continue }
      edits.append((literal, name(of: String(keeping: block.bytes[literal]), called: word)))
    }
  }

  private mutating func name(of value: String, called word: String) -> String {
    if let known = names[value] { return known }
    let base = CodeWords.word(word)
    let stem = base.isEmpty ? "secret" : base
    var (name, number) = (stem, 1)
    while !taken.insert(name).inserted {
      number += 1
      name = "\(stem)\(number)"
    }
    names[value] = name
    return name
  }
}
