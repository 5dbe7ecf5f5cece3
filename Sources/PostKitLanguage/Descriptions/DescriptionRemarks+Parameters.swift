// Differences in what goes beside the body: path, query and headers.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension DescriptionRemarks {
  /// Compares all parameters.
  mutating func checkParameters(_ operation: APIOperation, _ match: OperationMatch) {
    let parameters = index.parameters(match)
    var failures: [ReferenceFailure] = []
    let keys = index.description.security(of: operation, &failures).joined().compactMap {
      need -> (name: String, location: ParameterLocation)? in
      if case .apiKey(let name, let location) = need.scheme.kind { (name, location) } else { nil }
    }
    checkSteps(operation, parameters)
    let isWholeQuery = operation.path.contains("?") || hasRawQuery(operation)
    if !isWholeQuery {
      checkQuery(
        parameters.filter { $0.location == .query },
        keys: keys.filter { $0.location == .query }.map(\.name))
    }
    checkHeaders(
      parameters.filter { $0.location == .header && !Self.isSaidElsewhere($0.name) },
      keys: keys.filter { $0.location == .header }.map(\.name), operation, match)
  }

  /// Whether the whole query is one parameter, as OpenAPI 3.2 has it.
  private func hasRawQuery(_ operation: APIOperation) -> Bool {
    [operation.item, operation.value].contains { value in
      value["parameters"]?.elements.contains { $0.string("in") == "querystring" } == true
    }
  }

  /// Whether other parts of a description say what a header is (OpenAPI 3.1, 4.8.12).
  private static func isSaidElsewhere(_ name: String) -> Bool {
    ["accept", "content-type", "authorization"].contains(name.lowercased())
  }

  // MARK: - The path

  private mutating func checkSteps(_ operation: APIOperation, _ parameters: [APIParameter]) {
    let patterns = PathDivergence.steps(of: operation.path)
    var written = target.steps
    if written.last?.text.isEmpty == true { written.removeLast() }
    let steps = written.suffix(patterns.count)
    guard steps.count == patterns.count else { return }
    for (pattern, step) in zip(patterns, steps) {
      guard pattern.hasPrefix("{"), pattern.hasSuffix("}"), let range = step.source else {
        continue
      }
      let name = pattern.dropFirst().dropLast()
      let parameter = parameters.first {
        $0.location == .path && $0.name.utf8.elementsEqual(name.utf8) && $0.style == .simple
      }
      let value = String(decoding: PercentEncoding.decode(step.text), as: UTF8.self)
      if let parameter { checkValue(value, of: parameter, at: range) }
    }
  }

  // MARK: - The query

  private mutating func checkQuery(_ parameters: [APIParameter], keys: [String]) {
    let pairs = target.shape.pairs
    // What stands before or behind a name that is wrong was not meant by it.
    let written = Set(pairs.map { PercentEncoding.decodeForm(target.text($0.name)) })
    let free = parameters.map(\.name).filter {
      !written.contains($0) && !written.contains($0 + "[]")
    }
    var names: Set<String> = []
    var mayHaveMore = false
    for pair in pairs where !pair.name.isEmpty || pair.value != nil {
      let written = target.text(pair.name)
      if written.contains("{{") {
        mayHaveMore = true
        continue
      }
      let name = PercentEncoding.decodeForm(written)
      names.insert(name)
      let source = target.source(pair.name)
      if let parameter = parameters.first(where: { takes($0, name) }) {
        if parameter.isDeprecated, let source {
          say(.deprecated, source, "The parameter `\(parameter.name)` is deprecated.")
        }
        if parameter.name == name, let value = pair.value, let range = target.source(value) {
          checkValue(PercentEncoding.decodeForm(target.text(value)), of: parameter, at: range)
        }
      } else if !keys.contains(name), !parameters.contains(where: isOpen), let source {
        let nearest = Suggestion.nearest(to: name, among: free)
        say(
          .openAPIQuery, source,
          "The operation has no query parameter `\(name)`. "
            + question(nearest, otherwise: "Remove it, or correct its name."),
          guesses: nearest.map { writing(PercentEncoding.encodeComponent($0), at: source) } ?? [])
      }
    }
    guard !mayHaveMore, !mayBeCompleted else { return }
    for parameter in parameters where parameter.isRequired {
      if names.contains(where: { takes(parameter, $0) }) || isOpen(parameter) { continue }
      say(
        .openAPIMissing, anchor,
        "The operation needs the query parameter `\(parameter.name)`. Add it.",
        addingQuery([parameter]).map { [QuickFix("Add `\(parameter.name)`", $0)] } ?? [])
      missing.append(parameter)
    }
  }

  /// Whether a name of a query belongs to a parameter: lists and objects have several spellings.
  private func takes(_ parameter: APIParameter, _ name: String) -> Bool {
    let own = parameter.name
    if name == own || name == own + "[]" { return true }
    if name.hasPrefix(own + "[") { return true }
    guard parameter.isExploded, parameter.style == .form, parameter.mediaType == nil else {
      return false
    }
    return members(of: parameter)?.contains(name) == true
  }

  /// Whether any name may be one of a parameter: an object whose members are names by themselves,
  /// and that may have more of them than are described.
  private func isOpen(_ parameter: APIParameter) -> Bool {
    guard parameter.isExploded, parameter.style == .form, parameter.mediaType == nil,
      members(of: parameter) != nil,
      let flat = parameter.schema.flatMap({ index.schema($0, at: []) })
    else { return false }
    return flat["additionalProperties"]?.view.bool != false
  }

  /// The names of the members of an object; `nil` for what is none.
  private func members(of parameter: APIParameter) -> [String]? {
    guard let flat = parameter.schema.flatMap({ index.schema($0, at: []) }) else { return nil }
    return flat.types.contains("object") ? flat.properties.map(\.name) : nil
  }

  /// Adds all that is missing of the query and the headers, once that was looked for.
  mutating func addition() -> [TextEdit] {
    [
      addingQuery(missing.filter { $0.location == .query }),
      addingHeaders(missing.filter { $0.location == .header }),
    ].compactMap { $0 }
  }

  private mutating func addingQuery(_ parameters: [APIParameter]) -> TextEdit? {
    guard !parameters.isEmpty, !target.shape.hasFragment, let last = request.target.last else {
      return nil
    }
    var pairs: [String] = []
    for parameter in parameters {
      pairs += ParameterWriter(parameter) { PercentEncoding.encodeComponent($0) }
        .pairs(sampler.value(of: parameter)).map { "\($0.name)=\($0.value)" }
    }
    let hasQuery = target.shape.pathEnd < target.bytes.count
    let isOpen = target.bytes.last.map { "?&".utf8.contains($0) } == true
    let mark = hasQuery ? isOpen ? "" : "&" : "?"
    let end = block.absolute(last).upperBound
    return TextEdit(end..<end, mark + pairs.joined(separator: "&"))
  }

  private mutating func addingHeaders(_ parameters: [APIParameter]) -> TextEdit? {
    let parameters = parameters.filter { DescribedWords.isToken($0.name) }
    guard !parameters.isEmpty else { return nil }
    var lines = ""
    for parameter in parameters {
      let text = DescribedWords.value(
        ParameterWriter(parameter) { $0 }.text(sampler.value(of: parameter)))
      lines += "\(analysis.document.lineEndText)\(parameter.name): \(text)"
    }
    let end = place.endOfHead
    return TextEdit(end..<end, lines)
  }

  // MARK: - Headers

  private mutating func checkHeaders(
    _ parameters: [APIParameter], keys: [String], _ operation: APIOperation,
    _ match: OperationMatch
  ) {
    var names: Set<String> = []
    var mayHaveMore = false
    for header in request.headers {
      let name = block.text(header.name)
      if header.isSpread || header.value.isEmpty || name.contains("{{") {
        mayHaveMore = true
        continue
      }
      names.insert(name.lowercased())
      check(header, name, parameters, keys)
      if name.lowercased() == "accept" { checkAccept(header, match) }
    }
    guard !mayBeCompleted else { return }
    if let spec {
      names.formUnion(spec.headers.fields.map { $0.name.lowercased() })
    } else if mayHaveMore || !analysis.scope.environments.defaultHeaders.isEmpty
      || !analysis.scope.sharedBlocks(for: block).isEmpty
    {
      return
    }
    for parameter in parameters
    where parameter.isRequired && !names.contains(parameter.name.lowercased()) {
      say(
        .openAPIMissing, anchor,
        "The operation needs the header `\(parameter.name)`. Add it.",
        addingHeaders([parameter]).map { [QuickFix("Add `\(parameter.name)`", $0)] } ?? [])
      missing.append(parameter)
    }
  }

  private mutating func check(
    _ header: HeaderSyntax, _ name: String, _ parameters: [APIParameter], _ keys: [String]
  ) {
    let range = block.absolute(header.name)
    let parameter = parameters.first { $0.name.lowercased() == name.lowercased() }
    if let parameter {
      if parameter.isDeprecated {
        say(.deprecated, range, "The header `\(parameter.name)` is deprecated.")
      }
      guard header.value.count == 1, let value = header.value.first else { return }
      let text = block.text(value)
      if !text.contains("{{") { checkValue(text, of: parameter, at: block.absolute(value)) }
      return
    }
    // Nobody describes what HTTP has anyway; and who describes no headers means none to be wrong.
    let known = parameters.map(\.name) + keys
    guard !known.isEmpty, HeaderCatalog.named(name) == nil,
      !keys.contains(where: { $0.lowercased() == name.lowercased() })
    else { return }
    let written = Set(request.headers.map { block.text($0.name).lowercased() })
    let nearest = Suggestion.nearest(
      to: name, among: known.filter { !written.contains($0.lowercased()) })
    say(
      .openAPIHeader, range,
      "The operation has no header `\(name)`. "
        + question(nearest, otherwise: "Remove it, or correct its name."),
      guesses: nearest.map { writing($0, at: range) } ?? [])
  }

  private mutating func checkAccept(_ header: HeaderSyntax, _ match: OperationMatch) {
    guard header.value.count == 1, let value = header.value.first else { return }
    let text = block.text(value)
    var failures: [ReferenceFailure] = []
    let types = index.description.responses(of: index.operation(match), &failures)
      .flatMap(\.media).map(\.type)
    let accepted = text.split(separator: ",").map { String($0).trimmingASCIIBlanks() }
    guard !text.contains("{{"), !types.isEmpty, !accepted.isEmpty,
      !types.contains(where: { type in accepted.contains { Self.meet($0, type) } })
    else { return }
    sayType(types, block.absolute(value), "answers")
  }

  /// Says that a media type is none of those of the operation.
  mutating func sayType(_ types: [String], _ range: Range<Int>, _ verb: String) {
    var seen: Set<String> = []
    let types = types.filter { seen.insert($0).inserted }
    let shown = types.prefix(4).joined(separator: ", ") + (types.count > 4 ? ", …" : "")
    say(
      .openAPIContentType, range,
      "The operation \(verb) \(shown). Write one of these.",
      guesses: types.filter { !$0.contains("*") }.prefix(4).flatMap { writing($0, at: range) })
  }

  /// Whether two media types, either of which may be a pattern, can be the same.
  static func meet(_ left: String, _ right: String) -> Bool {
    guard let left = MediaType(left)?.essence, let right = MediaType(right)?.essence else {
      return true
    }
    func holds(_ pattern: String, _ type: String) -> Bool {
      pattern == type || pattern == "*/*"
        || pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast())
    }
    return holds(left, right) || holds(right, left)
  }

  // MARK: - Values

  /// Says where a value that is written out does not fit.
  mutating func checkValue(_ text: String, of parameter: APIParameter, at range: Range<Int>) {
    guard parameter.mediaType == nil, let schema = parameter.schema else { return }
    let separator: Character =
      switch parameter.style {
      case .spaceDelimited: " "
      case .tabDelimited: "\t"
      case .pipeDelimited: "|"
      default: ","
      }
    let isOne = parameter.isExploded && parameter.style == .form
    checkValue(text, [schema], isOne ? nil : separator, parameter.name, at: range)
  }

  /// The same for schemas; elements of a list are parted by `separator`, or are values by
  /// themselves.
  mutating func checkValue(
    _ text: String, _ schemas: [DescribedValue], _ separator: Character?, _ name: String,
    at range: Range<Int>
  ) {
    guard !text.isEmpty, !text.contains("{{") else { return }
    for schema in schemas {
      guard let flat = index.schema(schema, at: []) else { return }
      let types = Set(flat.parts.flatMap { part in
        part.view["type"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) } ?? []
      })
      // How an object is written has too many forms to say what is wrong with one.
      if types.contains("object") || types.contains("file") { return }
      var message: String?
      var wanted = [schema]
      if types == ["array"] {
        wanted = flat.items
        for element in separator.map({ text.split(separator: $0) }) ?? [text[...]] {
          message = message ?? mistake(String(element), wanted)
        }
      } else if !types.contains("array") {
        message = mistake(text, wanted)
      }
      guard let message else { continue }
      let words = wanted.flatMap { schema in
        FlatSchema([schema], in: index.description.documents, dialect)["enum"]?.elements
          .compactMap(\.view.string) ?? []
      }
      let nearest = Suggestion.nearest(to: text, among: words)
      say(
        .openAPIType, range, "The value of `\(name)` does not fit: \(message).",
        guesses: nearest.map { writing($0, at: range) } ?? [])
      return
    }
  }

  var dialect: SchemaDialect { index.description.version.schemaDialect }

  /// Why a text fits none of the values that it may stand for; `nil` where it fits one.
  private mutating func mistake(_ text: String, _ schemas: [DescribedValue]) -> String? {
    var readings = [JSONValue.string(text).bytes]
    // A text may be a number, a boolean or nothing as well.
    if let tree = try? JSONTree(parsing: Array(text.utf8)),
      ![.string, .array, .object].contains(tree.root.kind)
    {
      readings.append(Array(text.utf8))
    }
    var best: SchemaDeviation?
    for bytes in readings {
      // What was written as JSON can be read.
      guard let tree = try? JSONTree(parsing: bytes) else { continue }
      var first: SchemaDeviation?
      for schema in schemas where first == nil {
        first = check.deviations(of: tree.root, from: schema).first
      }
      guard let first else { return nil }
      if best == nil || best?.keyword == "type" { best = first }
    }
    return best?.message
  }
}
