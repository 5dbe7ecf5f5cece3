// What a curl command says of its request, in the terms of HTTP (PK-30).

package import PostKitHTTP
package import PostKitSyntax

/// A request as a curl command gives it: references resolved, files named but not yet read.
package struct CurlRequest {
  /// What becomes of the bytes of a file.
  package enum Treatment: Sendable, Hashable {
    case exact, withoutLineBreaks, percentEncoded
  }

  /// A piece of a body or of a query.
  package enum Data: Sendable, Hashable {
    case bytes([UInt8])
    case file(path: String, range: Range<Int>, Treatment)
  }

  /// A part of a form (`-F`).
  package struct Part: Sendable, Hashable {
    package var name: String
    package var fileName: String?
    package var contentType: String?
    package var headers: [String] = []
    package var content: Data
  }

  package var method = "GET"
  package var url: ShellWord?
  /// The fields of `-H` in order; one without a value is sent empty.
  package var headers = HeaderFields()
  /// Names that `-H "Name:"` takes away.
  package var removed: Set<String> = []
  /// Fields that other options give, unless `-H` has one of that name.
  package var implied = HeaderFields()
  package var data: [Data] = []
  package var parts: [Part] = []
  /// What is added to the query: `--url-query`, and the data under `-G`.
  package var query: [Data] = []
  package var isJSON = false

  /// Reads the options of a command; references stay as they are written.
  package init(reading curl: CurlSyntax) {
    var reader = CurlReader(curl: curl, evaluator: nil)
    self = reader.read()
  }

  /// Makes a request about which nothing is said yet.
  init() {}

  /// Whether a field is given or taken away by `-H`.
  package func decides(_ name: String) -> Bool {
    headers.contains(name) || removed.contains(name.lowercased())
  }
}

/// Reads the options of a command in order.
struct CurlReader {
  let curl: CurlSyntax
  /// Resolves references; `nil` leaves them as they are written.
  var evaluator: Evaluator?
  private(set) var request = CurlRequest()

  /// Reads all options.
  mutating func read() -> CurlRequest {
    request.method = curl.value("request").map { text($0, .target) } ?? curl.method
    request.url = curl.urls.first
    for use in curl.uses {
      guard let value = use.value else { continue }
      readData(use.option.name, value)
      readField(use.option.name, value)
    }
    if curl.has("get") {
      request.query += separated(request.data, from: request.query)
      request.data = []
    }
    return request
  }

  // MARK: - Words

  /// A word's bytes with its references resolved.
  mutating func bytes(_ word: ShellWord, _ place: TemplatePlace) -> [UInt8] {
    bytes(word.bytes, of: word, place)
  }

  private mutating func bytes(
    _ template: [UInt8], of word: ShellWord, _ place: TemplatePlace
  ) -> [UInt8] {
    guard evaluator != nil else { return template }
    return evaluator?.expand(
      template, in: 0..<template.count, reportedAt: word.reportedRange, place: place,
      offset: word.range.lowerBound) ?? template
  }

  /// A word's text with its references resolved.
  mutating func text(_ word: ShellWord, _ place: TemplatePlace) -> String {
    String(keeping: bytes(word, place))
  }

  private mutating func text(
    _ template: some Sequence<UInt8>, of word: ShellWord, _ place: TemplatePlace
  ) -> String {
    String(keeping: bytes(Array(template), of: word, place))
  }

  private mutating func file(
    _ path: some Sequence<UInt8>, of word: ShellWord, _ treatment: CurlRequest.Treatment
  ) -> CurlRequest.Data {
    .file(path: text(path, of: word, .path).shown, range: word.reportedRange, treatment)
  }

  // MARK: - Data

  private mutating func readData(_ name: String, _ word: ShellWord) {
    let namesFile = word.bytes.first == UInt8(ascii: "@")
    switch name {
    case "data", "data-ascii":
      add(namesFile ? file(word.bytes.dropFirst(), of: word, .withoutLineBreaks)
        : .bytes(bytes(word, .body)))
    case "data-binary":
      add(namesFile ? file(word.bytes.dropFirst(), of: word, .exact) : .bytes(bytes(word, .body)))
    case "data-raw": add(.bytes(bytes(word, .body)))
    case "json":
      request.isJSON = true
      let data = namesFile
        ? file(word.bytes.dropFirst(), of: word, .exact) : .bytes(bytes(word, .body))
      // Pieces of JSON follow each other without a separator.
      request.data.append(data)
    case "data-urlencode":
      for piece in separated(encoded(word), from: request.data) { request.data.append(piece) }
    case "url-query":
      let pieces = word.bytes.first == UInt8(ascii: "+")
        ? [.bytes(bytes(word.dropFirst(1), .target))] : encoded(word)
      request.query += separated(pieces, from: request.query)
    case "upload-file": request.data = [file(word.bytes, of: word, .exact)]
    case "form", "form-string": addPart(word, isPlain: name == "form-string")
    default: break
    }
  }

  private mutating func add(_ data: CurlRequest.Data) {
    request.data += separated([data], from: request.data)
  }

  /// Pieces are joined by `&`.
  private func separated(
    _ pieces: [CurlRequest.Data], from earlier: [CurlRequest.Data]
  ) -> [CurlRequest.Data] {
    earlier.isEmpty || pieces.isEmpty ? pieces : [.bytes([UInt8(ascii: "&")])] + pieces
  }

  /// `content`, `=content`, `name=content`, `@file`, `name@file`.
  private mutating func encoded(_ word: ShellWord) -> [CurlRequest.Data] {
    let mark = word.bytes.firstIndex(of: UInt8(ascii: "="))
      ?? word.bytes.firstIndex(of: UInt8(ascii: "@"))
    var name: [UInt8] = []
    if let mark, mark > 0 {
      name = bytes(Array(word.bytes[..<mark]), of: word, .body) + [UInt8(ascii: "=")]
    }
    let rest = Array(word.bytes[(mark.map { $0 + 1 } ?? 0)...])
    if let mark, word.bytes[mark] == UInt8(ascii: "@") {
      let content = file(rest, of: word, .percentEncoded)
      return name.isEmpty ? [content] : [.bytes(name), content]
    }
    return [.bytes(name + CurlEncoding.encode(bytes(rest, of: word, .body)))]
  }

  // MARK: - Forms

  private mutating func addPart(_ word: ShellWord, isPlain: Bool) {
    guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")) else { return }
    let name = text(word.bytes[..<equals], of: word, .body)
    let rest = word.bytes[(equals + 1)...]
    if isPlain {
      let content = bytes(Array(rest), of: word, .body)
      request.parts.append(CurlRequest.Part(name: name, content: .bytes(content)))
      return
    }
    var settings = CurlFormSettings(rest)
    let isFile = settings.content.first == UInt8(ascii: "@")
    let isInserted = settings.content.first == UInt8(ascii: "<")
    var part = CurlRequest.Part(name: name, content: .bytes([]))
    part.contentType = settings.take("type").map { text($0, of: word, .body) }
    part.fileName = settings.take("filename").map { text($0, of: word, .body) }
    part.headers = settings.takeAll("headers").map { text($0, of: word, .body) }
    if isFile || isInserted {
      let path = text(settings.content.dropFirst(), of: word, .path)
      part.content = .file(path: path, range: word.reportedRange, .exact)
      if isFile {
        part.fileName = part.fileName ?? path.split(separator: "/").last.map(String.init) ?? path
        part.contentType = part.contentType ?? CurlEncoding.mediaType(ofFile: part.fileName ?? path)
      }
    } else {
      part.content = .bytes(bytes(settings.content, of: word, .body))
    }
    request.parts.append(part)
  }

  // MARK: - Fields

  private mutating func readField(_ name: String, _ word: ShellWord) {
    switch name {
    case "header": addHeader(text(word, .header))
    case "user":
      let credentials = bytes(word, .header)
      note(afterColonOf: credentials)
      imply("Authorization", "Basic " + Base64.encode(credentials))
    case "proxy-user", "proxy-header": note(afterColonOf: word.bytes)
    case "tlspassword", "proxy-tlspassword", "proxy-pass":
      evaluator?.note(secret: String(keeping: word.bytes))
    case "oauth2-bearer": imply("Authorization", "Bearer " + text(word, .header))
    case "user-agent":
      let agent = text(word, .header)
      if agent.isEmpty { request.removed.insert("user-agent") } else { imply("User-Agent", agent) }
    case "referer":
      let referer = text(word, .header)
      imply("Referer", referer.hasSuffix(";auto") ? String(referer.dropLast(5)) : referer)
    case "cookie":
      // Without an equals sign it names a file of cookies; the jar is ours.
      guard word.bytes.contains(UInt8(ascii: "=")) || !word.references.isEmpty else { return }
      let pairs = text(word, .header)
      note(cookies: pairs)
      let earlier = request.implied.first("Cookie")
      imply("Cookie", earlier.map { "\($0);\(pairs)" } ?? pairs)
    case "range": imply("Range", "bytes=" + text(word, .header))
    default: break
    }
  }

  /// The last of several options counts.
  private mutating func imply(_ name: String, _ value: String) {
    request.implied.removeAll(name)
    if !value.isEmpty { request.implied.append(name, value) }
  }

  /// `Name: value`, `Name:` to take a field away, `Name;` to send one without a value.
  private mutating func addHeader(_ text: String) {
    guard let mark = text.firstIndex(where: { $0 == ":" || $0 == ";" }) else {
      return request.headers.append(text, "")
    }
    let name = String(text[..<mark]).trimmingASCIIBlanks()
    let value = String(text[text.index(after: mark)...]).trimmingASCIIBlanks()
    if text[mark] == ":", value.isEmpty {
      request.removed.insert(name.lowercased())
    } else {
      if name.equalsIgnoringASCIICase("Cookie") { note(cookies: value) }
      request.headers.append(name, value)
    }
  }

  // MARK: - Secrets

  // Of a field that is always masked the history knows the name; in the words of a command, also in
  // those that are passed by, it can find only values.

  private mutating func note(afterColonOf text: some Collection<UInt8>) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = String(keeping: Array(text[text.index(after: colon)...]))
    evaluator?.note(secret: value.trimmingASCIIBlanks())
  }

  private mutating func note(cookies pairs: String) {
    for pair in pairs.split(separator: ";") {
      let value = pair.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      evaluator?.note(secret: value.trimmingASCIIBlanks())
    }
  }
}

/// The settings behind the content of a form part: `content;type=a/b;filename="c"`.
private struct CurlFormSettings {
  private(set) var content: [UInt8] = []
  private var settings: [(name: String, value: [UInt8])] = []

  init(_ text: ArraySlice<UInt8>) {
    var pieces = CurlFormSettings.split(text)[...]
    content = pieces.popFirst() ?? []
    for piece in pieces {
      let written = String(keeping: piece).trimmingASCIIBlanks()
      let name = String(written.prefix { $0 != "=" })
      guard ["type", "filename", "headers", "encoder"].contains(name), name != written else {
        // A media type has parameters of its own, and a text may hold a semicolon.
        if settings.isEmpty {
          content += [UInt8(ascii: ";")] + piece
        } else {
          settings[settings.count - 1].value += [UInt8(ascii: ";")] + piece
        }
        continue
      }
      let value = Array(written.keptBytes.dropFirst(name.utf8.count + 1))
      settings.append((name, CurlFormSettings.unquoted(value)))
    }
    // Only a text that is quoted as a whole loses its quotes.
    if content.first == UInt8(ascii: "@") || content.first == UInt8(ascii: "<") {
      content = [content[0]] + CurlFormSettings.unquoted(Array(content.dropFirst()))
    } else {
      content = CurlFormSettings.unquoted(content)
    }
  }

  mutating func take(_ name: String) -> [UInt8]? { settings.last { $0.name == name }?.value }

  mutating func takeAll(_ name: String) -> [[UInt8]] {
    settings.filter { $0.name == name }.map(\.value)
  }

  /// Cuts at semicolons outside of quotes.
  private static func split(_ text: ArraySlice<UInt8>) -> [[UInt8]] {
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in text {
      if byte == UInt8(ascii: ";"), !isQuoted {
        pieces.append([])
        continue
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      pieces[pieces.count - 1].append(byte)
    }
    return pieces
  }

  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    guard text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else {
      return text
    }
    var result: [UInt8] = []
    var isEscaped = false
    for byte in text.dropFirst().dropLast() {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
      } else {
        isEscaped = false
        result.append(byte)
      }
    }
    return result
  }
}

/// Encodings that curl has of its own.
package enum CurlEncoding {
  /// What `--data-urlencode` makes of a content: a blank becomes `+`.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes {
      if byte == UInt8(ascii: " ") {
        output.append(UInt8(ascii: "+"))
      } else {
        PercentEncoding.append(byte, allowing: .unreserved, to: &output)
      }
    }
    return output
  }

  /// The media type that curl gives to an uploaded file.
  package static func mediaType(ofFile name: String) -> String {
    let types = [
      "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
      "svg": "image/svg+xml", "txt": "text/plain", "htm": "text/html", "html": "text/html",
      "pdf": "application/pdf", "xml": "application/xml",
    ]
    let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
    return ending.flatMap { types[$0] } ?? "application/octet-stream"
  }

  /// A name between the quotes of `Content-Disposition`.
  static func dispositionName(_ name: String) -> String {
    name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
