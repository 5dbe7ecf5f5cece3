// What a description has for the places where somebody types (IO-34 to IO-36).

package import PostKitDescription
import PostKitHTTP
import PostKitJSON
import PostKitText

extension DescriptionIndex {
  /// The texts for a place, the best first.
  package func texts(for place: DescribedPlace) -> [DescribedText] {
    let texts = written(for: place)
    switch place {
    // The references in these are our own.
    case .paths, .headerValues: return texts
    case .methods, .queryNames, .queryValues, .headerNames, .bodyKeys, .bodyValues, .formNames,
      .formValues, .responseKeys:
      return texts.filter { DescribedWords.isPlain($0.text) }
    }
  }

  private func written(for place: DescribedPlace) -> [DescribedText] {
    switch place {
    case .methods(let request): methodTexts(request)
    case .paths(let request, let typed): pathTexts(request, typed)
    case .queryNames(let request):
      names(request) { fields($0, in: .query) }.map { name in
        var name = name
        name.text = Self.encoded(name.text)
        return name
      }
    case .queryValues(let request, let name):
      values(request, name, isQuery: true) { fields($0, in: .query) }
    case .headerNames(let request): headerNames(request)
    case .headerValues(let request, let name): headerValues(request, name)
    case .bodyKeys(let request, let type, let path):
      names(request) { bodyFields($0, type: type, at: path) }
    case .bodyValues(let request, let type, let path):
      bodyValues(request, type, path)
    case .formNames(let request, let type):
      names(request) { bodyFields($0, type: type) }
    case .formValues(let request, let type, let name):
      values(request, name, isQuery: true) { bodyFields($0, type: type) }
    case .responseKeys(let request, _, let path):
      names(request) { responseFields($0, at: path) }
    }
  }

  // MARK: - Operations

  private func methodTexts(_ request: DescribedRequest) -> [DescribedText] {
    methods(of: request.target).map { method in
      let entry = match(method: method, target: request.target).map { operations[$0.operation] }
      var text = DescribedText(method, detail: entry?.summary)
      text.isDeprecated = entry?.isDeprecated ?? false
      return text
    }
  }

  /// The paths, those that have the request's method first, each behind what is missing of the
  /// server's own path. A value that is typed stands for its parameter.
  private func pathTexts(_ request: DescribedRequest, _ typed: String) -> [DescribedText] {
    let base = missingBase(request.target)
    let filter = CompletionFilter(typed.utf8)
    let steps = Self.steps(of: typed).dropLast()
    var result: [DescribedText] = []
    var others: [DescribedText] = []
    var at = 0
    while at < operations.count {
      let path = operations[at].path
      var end = at
      var own: Int?
      while end < operations.count, operations[end].path == path {
        if own == nil, operations[end].method == request.method { own = end }
        end += 1
      }
      defer { at = end }
      let text = Self.written(base + path, typed: steps)
      guard filter.quality(text) != nil else { continue }
      let entry = operations[own ?? at]
      let methods = own.map { operations[$0].method }
        ?? operations[at..<end].map(\.method).joined(separator: ", ")
      var described = DescribedText(
        text, detail: entry.summary.map { "\(methods) \($0)" } ?? methods)
      described.isDeprecated = entry.isDeprecated
      if own == nil { others.append(described) } else { result.append(described) }
      if result.count == Self.shownPaths { break }
    }
    return result + others.prefix(Self.shownPaths - result.count)
  }

  /// How many paths that fit are offered.
  private static let shownPaths = 400

  /// A path with references for its parameters, or with what is typed in their places. It works on
  /// bytes, as it is asked for each path at each key.
  private static func written(_ path: String, typed: ArraySlice<Substring>) -> String {
    let steps = steps(of: path)
    let fits =
      typed.count <= steps.count
      && zip(typed, steps).allSatisfy {
        $0.utf8.elementsEqual($1.utf8) || !$0.isEmpty && hasParameter($1)
      }
    var result = ""
    for (place, step) in steps.enumerated() {
      if place > 0 { result += "/" }
      if !hasParameter(step) {
        result += DescribedWords.templates(in: String(step))
      } else if fits, place < typed.count {
        result += typed[typed.startIndex + place]
      } else {
        result += reference(step)
      }
    }
    return result
  }

  private static func steps(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  private static func hasParameter(_ step: Substring) -> Bool {
    step.utf8.contains(UInt8(ascii: "{"))
  }

  /// A step with references for its parameters.
  private static func reference(_ step: Substring) -> String {
    let step = String(step)
    func isNamed(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "{", "}": true
      default: scalar.properties.isAlphabetic
      }
    }
    guard !step.holds("{{"), step.unicodeScalars.allSatisfy(isNamed) else {
      return DescribedWords.templates(in: step)
    }
    var result = ""
    for scalar in step.unicodeScalars {
      result.unicodeScalars.append(scalar)
      if scalar == "{" || scalar == "}" { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// What is missing of the path of the server behind an origin as it is known.
  private func missingBase(_ origin: String) -> String {
    // What a name stands for that is not known may have all of it.
    if origin.holds("{{") { return "" }
    let parts = URLParts(origin)
    var known = parts?.path ?? ""
    while known.hasSuffix("/") { known.removeLast() }
    let own = description.servers.compactMap { server -> String? in
      let url = server.variables.reduce(server.url) {
        $0.replacing("{\($1.name)}", with: $1.value)
      }
      let other = URLParts(url)
      if let parts, let other, other.host != parts.host { return nil }
      return other?.path ?? (url.hasPrefix("/") ? url : "")
    }
    var base = own.first ?? basePaths.first { !$0.isEmpty } ?? ""
    while base.hasSuffix("/") { base.removeLast() }
    guard base.hasPrefix(known) else { return "" }
    return String(base.dropFirst(known.count))
  }

  // MARK: - Names

  private func names(
    _ request: DescribedRequest, _ find: (OperationMatch) -> [DescribedField]
  ) -> [DescribedText] {
    guard let match = match(request) else { return [] }
    let fields = find(match)
    return (fields.filter(\.isRequired) + fields.filter { !$0.isRequired }).map(text)
  }

  /// A field as its name.
  private func text(_ field: DescribedField) -> DescribedText {
    let words = words(field.schema)
    let mark = field.isRequired ? "required" : ""
    var text = DescribedText(
      field.name, detail: [words, mark].filter { !$0.isEmpty }.joined(separator: ", "))
    text.documentation = DescribedMarkdown.explanation(field.explanation)
    (text.isDeprecated, text.isRequired) = (field.isDeprecated, field.isRequired)
    switch field.schema.type {
    case "object": text.opening = UInt8(ascii: "{")
    case "array": text.opening = UInt8(ascii: "[")
    case "string": text.opening = UInt8(ascii: "\"")
    default: break
    }
    return text
  }

  private func headerNames(_ request: DescribedRequest) -> [DescribedText] {
    guard let match = match(request) else { return [] }
    let types = mediaTypes(match)
    // These are said by media types and security; as parameters the standard ignores them.
    let standard = ["accept", "content-type", "authorization"]
    var texts = names(request) { match in
      fields(match, in: .header).filter { !standard.contains($0.name.lowercased()) }
    }
    func add(_ name: String, _ detail: [String]) {
      if !detail.isEmpty {
        texts.append(DescribedText(name, detail: detail.joined(separator: ", ")))
      }
    }
    add("Content-Type", types.taken)
    add("Accept", types.answered)
    add("Authorization", schemes(match).filter { $0.authorization != nil }.map(\.name))
    return texts
  }

  // MARK: - Values

  private func headerValues(_ request: DescribedRequest, _ name: String) -> [DescribedText] {
    guard let match = match(request) else { return [] }
    switch name.lowercased() {
    case "content-type", "accept":
      let types = mediaTypes(match)
      return (name.lowercased() == "accept" ? types.answered : types.taken)
        .filter(DescribedWords.isPlain).map { DescribedText($0) }
    case "authorization":
      return schemes(match).compactMap { scheme in
        guard let forms = scheme.authorization else { return nil }
        var text = DescribedText(forms.text, detail: scheme.name)
        text.snippet = forms.snippet
        return text
      }
    default:
      return values(request, name, isQuery: false) { fields($0, in: .header) }
        .filter { DescribedWords.isPlain($0.text) }
    }
  }

  private func values(
    _ request: DescribedRequest, _ name: String, isQuery: Bool,
    _ find: (OperationMatch) -> [DescribedField]
  ) -> [DescribedText] {
    guard let match = match(request) else { return [] }
    let found = find(match).first {
      $0.name == name || !isQuery && $0.name.lowercased() == name.lowercased()
    }
    guard let field = found else { return [] }
    let isList = field.schema.type == "array"
    let schema = isList ? flat(field.schema.items) : field.schema
    var choices = isList ? schema.namedValues : field.choices
    choices += isList ? field.choices.flatMap(\.elements) : []
    var texts = choices.filter { $0.kind != .array && $0.kind != .object }.compactMap { view in
      view.string ?? view.numberText ?? view.bool.map(String.init)
    }
    if schema.type == "boolean" { texts += ["true", "false"] }
    var seen: Set<String> = []
    return texts.filter { !$0.isEmpty && seen.insert($0).inserted }.map {
      DescribedText(isQuery ? Self.encoded($0) : $0, detail: words(schema))
    }
  }

  /// A name or a value as it stands in a query: what would end it there is encoded.
  private static func encoded(_ text: String) -> String {
    let isOpen = text.utf8.contains { $0 <= 32 || $0 == 127 || "&#+%={}".utf8.contains($0) }
    return isOpen ? PercentEncoding.encodeComponent(text) : text
  }

  private func bodyValues(
    _ request: DescribedRequest, _ type: String?, _ path: [String]
  ) -> [DescribedText] {
    guard let match = match(request), let schema = bodyValue(match, type: type, at: path) else {
      return []
    }
    var seen: Set<String> = []
    var choices = schema.namedValues
    if choices.isEmpty { choices = schema.sampleValues }
    let texts = choices.filter { $0.kind != .object && $0.kind != .array }
      .map { String(decoding: $0.source, as: UTF8.self) }
    return texts.filter { seen.insert($0).inserted }
      .map { DescribedText($0, detail: words(schema)) }
  }
}

extension APISecurityScheme {
  /// What stands behind `Authorization:`, with the names of variables for what is secret; `nil` for
  /// what is sent in another way.
  fileprivate var authorization: (text: String, snippet: String)? {
    func reference(_ number: Int, _ name: String) -> String { Snippet.place(number, "{{\(name)}}") }
    switch kind {
    case .basic, .digest:
      let word = kind == .basic ? "Basic" : "Digest"
      return (
        "\(word) {{user}} {{password}}",
        "\(word) \(reference(1, "user")) \(reference(2, "password"))"
      )
    case .bearer, .oauth2, .openIDConnect:
      return ("Bearer {{token}}", "Bearer \(reference(1, "token"))")
    case .apiKey(let name, .header) where name.lowercased() == "authorization":
      return ("{{token}}", reference(1, "token"))
    case .otherHTTP, .apiKey, .mutualTLS, .unknown: return nil
    }
  }
}
