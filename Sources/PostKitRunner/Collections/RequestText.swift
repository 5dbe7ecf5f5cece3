// The text of a stored request: what derives from it, and how it gets another name.

package import PostKitEvaluate
import PostKitHTTP
package import PostKitStore
package import PostKitSyntax

/// A request's text as it is stored: that of its block, or of a whole file that begins with it.
package struct RequestText: Sendable {
  package let document: ParsedDocument
  /// The request that the text is about, the first that can be sent.
  package let block: ParsedBlock
  private let dialect: DialectPreset?

  /// Reads a text; `nil` where no request is in it.
  package init?(_ bytes: [UInt8], dialect: DialectPreset?) {
    let reading = FileReading(preset: dialect ?? .auto)
    document = reading.document(bytes, format: .http)
    let sharesBlocks = reading.dialect(of: document).sharesBlocks
    guard let block = document.mainRequest(sharesBlocks: sharesBlocks) else { return nil }
    self.block = block
    self.dialect = dialect
  }

  /// Reads the block of a file that is read in a dialect.
  package init?(_ block: ParsedBlock, of document: ParsedDocument, _ reading: FileReading) {
    let preset = reading.dialect(of: document).preset
    self.init(Array(block.slice(0..<block.range.count)), dialect: preset == .auto ? nil : preset)
  }

  /// The text with what derives from it, as it is stored.
  package func content(origin: RequestOrigin? = nil) -> StoredRequestContent {
    let target = block.writtenTarget
    return StoredRequestContent(
      source: String(keeping: document.bytes), name: block.name, method: block.writtenMethod,
      url: target, body: block.request?.body.map { block.text($0.range) }, headers: headers,
      parameters: parameters, tags: tags,
      dialect: RequestText.stored(dialect, of: document.bytes), origin: origin)
  }

  /// The preset that is stored beside a text: none where the text names its own, which has the last
  /// word, so that who takes that line out is not left with a preset that nobody sees.
  private static func stored(_ dialect: DialectPreset?, of bytes: [UInt8]) -> String? {
    DialectPreset.named(by: bytes) == nil ? dialect?.rawValue : nil
  }

  /// What is stored of a text; one without a request is kept all the same. `file` is where it was
  /// read from.
  package static func content(
    _ source: String, dialect: DialectPreset?, file: String?
  ) -> StoredRequestContent {
    let text = RequestText(source.keptBytes, dialect: dialect)
    let origin = file.map { RequestOrigin(file: $0, name: text?.block.name) }
    return text?.content(origin: origin)
      ?? StoredRequestContent(
        source: source, name: nil, method: "GET", url: "",
        dialect: stored(dialect, of: source.keptBytes), origin: origin)
  }

  /// How the store finds out what derives from a text.
  package static let deriving: RequestDeriving = { source, dialect in
    content(source, dialect: dialect.flatMap(DialectPreset.init(rawValue:)), file: nil)
  }

  /// The words of its `# @tag` lines, each once.
  private var tags: [String] {
    var seen: Set<String> = []
    return block.listedTags.filter { seen.insert($0).inserted }
  }

  private var headers: [StoredField] {
    if let curl = block.curl {
      return curl.uses.filter { $0.option.name == "header" }
        .compactMap { use in use.value.flatMap { RequestText.field($0.text, ":") } }
    }
    guard let headers = block.request?.headers else { return [] }
    var fields: [(place: Int, field: StoredField)] = headers.compactMap { header in
      guard !header.isSpread, header.value.count > 0 else { return nil }
      let value = header.value.map(block.text).joined(separator: " ")
      return (header.line.lowerBound, StoredField(block.text(header.name), value))
    }
    for line in block.switchedOffLines {
      guard case .header(let name, let value) = line.content else { continue }
      let field = StoredField(block.text(name), block.text(value), isEnabled: false)
      fields.append((line.comment.lowerBound, field))
    }
    return fields.sorted { $0.place < $1.place }.map(\.field)
  }

  /// The parameters of the target, then those of query lines that are switched off.
  private var parameters: [StoredField] {
    var fields = RequestText.parameters(of: block.writtenTarget)
    for line in block.switchedOffLines where line.content == .query {
      let query = "?\(block.text(line.line).dropFirst())"
      fields += RequestText.parameters(of: query).map {
        StoredField($0.key, $0.value, isEnabled: false)
      }
    }
    return fields
  }

  /// The parameters of a target as written; what stands in references is no part of its form.
  private static func parameters(of target: String) -> [StoredField] {
    var bytes: [UInt8] = []
    var depth = 0
    var parts: [String] = []
    var isInQuery = false
    func end() {
      if isInQuery { parts.append(String(decoding: bytes, as: UTF8.self)) }
      bytes = []
    }
    let all = Array(target.utf8)
    for (at, byte) in all.enumerated() {
      let next = at + 1 < all.count ? all[at + 1] : 0
      if byte == UInt8(ascii: "{"), next == byte { depth += 1 }
      if byte == UInt8(ascii: "}"), next == byte { depth = max(0, depth - 1) }
      guard depth == 0 else {
        bytes.append(byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "#"):
        end()
        return parts.compactMap { field($0, "=") }
      case UInt8(ascii: "?") where !isInQuery:
        end()
        isInQuery = true
      case UInt8(ascii: "&") where isInQuery: end()
      default: bytes.append(byte)
      }
    }
    end()
    return parts.compactMap { field($0, "=") }
  }

  private static func field(_ text: String, _ mark: Character) -> StoredField? {
    guard !text.isEmpty else { return nil }
    let halves = text.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
    let value = halves.count > 1 ? String(halves[1]) : ""
    return StoredField(String(halves[0]), mark == ":" ? value.trimmingBlanks : value)
  }

  /// The text with another name: in the place of `@name` or of the separator's title, else in a
  /// separator line. `nil` for what can't be a name.
  package func renamed(_ name: String) -> [UInt8]? {
    let name = name.trimmingBlanks
    guard !name.isEmpty, !name.utf8.contains(where: { $0 < 0x20 }) else { return nil }
    var bytes = document.bytes
    let tag = block.metadata.first { $0.kind == .name && $0.region != .body }
    if let tag {
      bytes.replaceSubrange(block.absolute(tag.value), with: name.utf8)
    } else if let title = block.syntax.separator?.title {
      bytes.replaceSubrange(block.absolute(title), with: name.utf8)
    } else if let marker = block.syntax.separator?.marker {
      bytes.insert(contentsOf: " \(name)".utf8, at: block.absolute(marker).upperBound)
    } else {
      bytes.insert(contentsOf: "### \(name)\n".utf8, at: 0)
    }
    let named = RequestText(bytes, dialect: dialect)
    return named?.block.name == name ? bytes : nil
  }

  /// How the store renames requests.
  package static let renaming: RequestTextRenaming = { source, dialect, name in
    let dialect = dialect.flatMap(DialectPreset.init(rawValue:))
    return RequestText(source.keptBytes, dialect: dialect)?.renamed(name)
      .flatMap { RequestText($0, dialect: dialect)?.content() }
  }
}
