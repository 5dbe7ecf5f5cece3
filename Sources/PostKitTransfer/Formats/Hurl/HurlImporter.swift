// Hurl files (hurl.dev) as requests, with files of variables as environments.

/// Reads `.hurl` files.
enum HurlImporter: OriginImporter {
  static let format = OriginFormat.hurl

  /// Whether a source is called `.hurl`.
  static func recognises(_ source: OriginSource) -> Bool {
    source.files == nil && source.lastName.lowercased().hasSuffix(".hurl")
  }

  /// Whether a source is a file for `--variables-file`: nothing but `name=value` and comments.
  static func accompanies(_ source: OriginSource) -> Bool {
    guard source.files == nil, !recognises(source) else { return false }
    return HurlVariables.areAll(of: source)
  }

  /// Reads Hurl files and the variables beside them.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    let files = sources.filter { !accompanies($0) }
    guard let first = files.first else { throw OriginFailure("There is no Hurl file to read.") }
    var root = OriginFolder(
      name: first.nameWithoutEnding ?? "Requests", place: OriginPlace(file: first.name))
    var writer = HurlRequests(source: first, context: context)
    for file in files {
      var parser = HurlParser(file)
      writer.begin(file)
      writer.add(try parser.entries())
      guard files.count > 1 else {
        root.requests = writer.requests
        break
      }
      var folder = OriginFolder(
        name: file.nameWithoutEnding ?? "Requests", place: OriginPlace(file: file.name))
      folder.requests = writer.requests
      root.folders.append(folder)
    }
    if root.requestCount == 0 { throw OriginFailure("\(first.name) has no request.") }
    var collection = OriginCollection(format: .hurl, root: root)
    collection.shared = writer.secrets
    collection.environments = sources.filter(accompanies).map {
      HurlVariables.environment($0, context.notes)
    }
    return collection
  }
}

/// Files for `--variables-file`.
enum HurlVariables {
  /// The lines that are neither blank nor comments.
  static func lines(of source: OriginSource) -> [(number: Int, text: String)] {
    var number = 0
    return source.bytes.split(separator: 10, omittingEmptySubsequences: false).compactMap {
      number += 1
      let text = String(decoding: $0, as: UTF8.self).trimmingBlanks
      return text.isEmpty || text.hasPrefix("#") ? nil : (number, text)
    }
  }

  /// Whether a source has pairs and comments alone, and a pair at least. The first other line ends
  /// the look: any source of many megabytes comes by.
  static func areAll(of source: OriginSource) -> Bool {
    var (rest, hasPair) = (source.bytes[...], false)
    while !rest.isEmpty {
      let sign = rest.first { !isOfName($0) }
      // What is neither a comment nor the name of a value is no line of such a file.
      guard sign == nil || sign == UInt8(ascii: "=") || sign == UInt8(ascii: "#") else {
        return false
      }
      let end = rest.firstIndex(of: 10) ?? rest.endIndex
      let text = String(decoding: rest[..<end], as: UTF8.self).trimmingBlanks
      if !text.isEmpty, !text.hasPrefix("#") {
        guard pair(text) != nil else { return false }
        hasPair = true
      }
      rest = rest[end...].dropFirst()
    }
    return hasPair
  }

  /// Whether a byte may stand before the `=` of a pair: in the name, or around it.
  private static func isOfName(_ byte: UInt8) -> Bool {
    ASCIIWord.contains(byte) || byte == 45 || byte <= 32 || byte >= 0x80
  }

  /// Name and value of a line; `nil` for another line.
  static func pair(_ line: String) -> (name: String, value: String)? {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    let name = String(line[..<equals]).trimmingBlanks
    guard !name.isEmpty, name.utf8.allSatisfy({ ASCIIWord.contains($0) || $0 == 45 }) else {
      return nil
    }
    return (name, String(line[line.index(after: equals)...]).trimmingBlanks)
  }

  /// The environment that a file is.
  static func environment(_ source: OriginSource, _ notes: ImportNotes) -> OriginEnvironment {
    var environment = OriginEnvironment(
      name: source.nameWithoutEnding ?? "vars", place: OriginPlace(file: source.name))
    let templates = HurlTemplates(notes: notes)
    for line in lines(of: source) {
      guard let pair = pair(line.text) else { continue }
      let place = OriginPlace(file: source.name, line: line.number)
      environment.variables.append(
        OriginVariable(
          name: pair.name, value: value(pair.value, templates, at: place), place: place))
    }
    return environment
  }

  /// A value by its looks: a number, `true`, `false`, `null`, or a text that may be quoted.
  static func value(
    _ text: String, _ templates: HurlTemplates, at place: OriginPlace
  ) -> OriginValue {
    if ["true", "false", "null"].contains(text) { return .json(OriginJSON(text: text)) }
    if isNumber(text) { return .json(OriginJSON(text: text)) }
    let isQuoted = text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return .text(templates.text(isQuoted ? String(text.dropFirst().dropLast()) : text, at: place))
  }

  /// Whether a text is a number as JSON writes it.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard let first = digits.utf8.first, (48...57).contains(first) else { return false }
    if first == 48, digits.utf8.count > 1, digits.utf8.dropFirst().first != 46 { return false }
    let dots = digits.utf8.count { $0 == 46 }
    return dots <= 1 && digits.utf8.last != 46
      && digits.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
  }
}

extension String {
  /// The text without the white space around it.
  var trimmingBlanks: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
    return String(text)
  }
}
