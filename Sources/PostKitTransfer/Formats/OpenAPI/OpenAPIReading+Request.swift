// An operation of a description as a request.

import PostKitDescription
import PostKitHTTP
import PostKitJSON

extension OpenAPIReading {
  /// The request that an operation is, with samples for what it takes.
  func request(_ operation: APIOperation) -> OriginRequest {
    let place = place(of: operation)
    let id = identifier(operation)
    var request = OriginRequest(
      id: id, name: operation.summary ?? operation.id ?? "\(operation.method) \(operation.path)",
      place: place, url: "")
    let origin = request.name.isEmpty ? id : request.name
    request.description = [operation.description, Self.link(operation.value)].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: "\n")
    request.referenceName = operation.id.flatMap(Self.word)
    request.tags = Array(operation.tags.dropFirst())
    request.method = operation.method
    if operation.isDeprecated { request.comments.append("deprecated") }
    checkMembers(of: operation, at: place, origin: origin)

    var failures: [ReferenceFailure] = []
    let parameters = description.parameters(of: operation, &failures)
    var samples = OpenAPISamples(description, context)
    setTarget(operation, parameters, &samples, &request)
    setServer(operation, &request)
    setHead(parameters, &samples, &request)
    setBody(operation, &samples, &request, &failures)
    setAccept(operation, &request, &failures)
    setSecurity(operation, &request, &failures, origin: origin)
    if context.options.takesExamples ?? true {
      setExamples(operation, &samples, &request, &failures)
    }
    request.isPartial = failures.contains(where: \.isElsewhere)
      || samples.problems.contains {
        if case .reference(let failure) = $0 { failure.isElsewhere } else { false }
      }
    for failure in failures { tell(failure, at: place, origin: origin) }
    tell(samples, at: place, origin: origin)
    return request
  }

  private func tell(_ samples: OpenAPISamples, at place: OriginPlace, origin: String) {
    if samples.usesPassword { share("password", nil, isSecret: true, at: place) }
    for problem in samples.problems {
      switch problem {
      case .cycle:
        context.notes.tell(
          .schemaCycle, "A schema holds itself; the sample ends where it would begin again.",
          at: place, origin: origin)
      case .cut:
        context.notes.tell(
          .schemaCut, "The sample would become too large; the rest of it is left out.", at: place,
          origin: origin)
      case .pattern(let pattern):
        context.notes.tell(
          .schemaCut,
          "The sample does not match the pattern `\(pattern)`; write a text that "
            + "does.", at: place, origin: origin)
      case .reference(let failure): tell(failure, at: place, origin: origin)
      }
    }
  }

  /// The word of an operation as `# @name` takes it.
  private static func word(_ id: String) -> String? {
    var word = ""
    for byte in id.utf8 {
      let isKept = (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == 95
      word.unicodeScalars.append(isKept ? Unicode.Scalar(byte) : "_")
    }
    return word.utf8.allSatisfy { $0 == 95 } ? nil : word
  }

  // MARK: - The target

  private func setTarget(
    _ operation: APIOperation, _ parameters: [APIParameter], _ samples: inout OpenAPISamples,
    _ request: inout OriginRequest
  ) {
    let halves = operation.path.prefix { $0 != "#" }
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let inPath = parameters.filter { $0.location == .path }
    var path = ""
    var rest = halves[0]
    while let open = rest.firstIndex(of: "{"),
      let close = rest[open...].firstIndex(of: "}")
    {
      path += DescribedURLText.literalPath(rest[..<open])
      let name = String(rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
      let parameter = inPath.first { $0.name.utf8.elementsEqual(name.utf8) }
      path += pathText(name, parameter, &samples, &request)
    }
    path += DescribedURLText.literalPath(rest)
    request.url = OriginText("{{baseUrl}}" + path)
    for pair in halves.count > 1 ? halves[1].split(separator: "&") : [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      request.query.append(
        OriginPair(
          name: OriginText(String(parts[0])),
          value: parts.count > 1 ? OriginText(String(parts[1])) : nil))
    }
    for parameter in parameters where parameter.location == .query {
      request.query += queryPairs(parameter, &samples)
    }
  }

  /// The text that stands for a parameter in the path: a template with a variable of the request
  /// where the value is one text, else the value itself.
  private func pathText(
    _ name: String, _ parameter: APIParameter?, _ samples: inout OpenAPISamples,
    _ request: inout OriginRequest
  ) -> String {
    let sample = parameter.map { samples.value(of: $0) } ?? .string("string")
    var variable = name
    while variable == "baseUrl" || isShared(variable) { variable += "_" }
    let writer = ParameterWriter(
      name: name, style: parameter?.style ?? .simple, isExploded: parameter?.isExploded ?? false,
      encode: DescribedURLText.encoded)
    // What has `content` is sent in that form, whatever its style (OpenAPI 3.1, 4.8.12).
    if parameter?.mediaType != nil { return DescribedURLText.encodedStep(sample.text) }
    switch sample {
    case .array, .object: return writer.text(sample)
    default: break
    }
    if !request.pathVariables.contains(where: { $0.name == variable }) {
      request.pathVariables.append(
        OriginVariable(
          name: variable, value: .text(DescribedURLText.encodedStep(ParameterWriter.plain(sample))),
          place: request.place))
    }
    switch parameter?.style {
    case .label: return ".{{\(variable)}}"
    case .matrix: return ";\(DescribedURLText.encoded(name))={{\(variable)}}"
    default: return "{{\(variable)}}"
    }
  }

  private func queryPairs(
    _ parameter: APIParameter, _ samples: inout OpenAPISamples
  ) -> [OriginPair] {
    let sample = samples.value(of: parameter)
    let writer = ParameterWriter(parameter) {
      parameter.allowsReserved && parameter.mediaType == nil
        ? DescribedURLText.encodedButReserved($0) : DescribedURLText.encoded($0)
    }
    let pairs = writer.pairs(sample)
    var result: [OriginPair] = []
    for (name, value) in pairs {
      // A `&` that may stay makes a further pair of what follows it.
      let parts = value.split(separator: "&", omittingEmptySubsequences: false)
      result.append(
        OriginPair(
          name: OriginText(name), value: OriginText(String(parts[0])),
          isOn: parameter.isRequired))
      for part in parts.dropFirst() {
        result.append(
          OriginPair(name: OriginText(String(part)), value: nil, isOn: parameter.isRequired))
      }
    }
    return result
  }

  /// A server of the operation or its path alone, as a variable of the request.
  private func setServer(_ operation: APIOperation, _ request: inout OriginRequest) {
    guard let server = description.ownServers(of: operation).first else { return }
    for variable in server.variables {
      request.variables.append(
        OriginVariable(name: variable.name, value: .text(variable.value), place: request.place))
    }
    request.variables.append(
      OriginVariable(
        name: "baseUrl", value: .text(url(of: server, at: request.place)), place: request.place))
  }

  // MARK: - The head

  private func setHead(
    _ parameters: [APIParameter], _ samples: inout OpenAPISamples, _ request: inout OriginRequest
  ) {
    // These three are said by other parts of a description (OpenAPI 3.1, 4.8.12).
    let others = ["accept", "content-type", "authorization"]
    for parameter in parameters where parameter.location == .header {
      guard !others.contains(parameter.name.lowercased()) else {
        if description.version == .swagger2 {
          context.notes.tell(
            .headerOmitted, "The header `\(parameter.name)` is left out; security and media types "
              + "say it.", at: request.place, origin: request.name)
        }
        continue
      }
      let sample = samples.value(of: parameter)
      let text = ParameterWriter(parameter) { $0 }.text(sample)
      request.headers.append(
        OriginPair(
          name: OriginText(parameter.name), value: samples.text(text),
          isOn: parameter.isRequired))
    }
    for isRequired in [true, false] {
      let cookies = parameters.filter { $0.location == .cookie && $0.isRequired == isRequired }
      let pairs = cookies.flatMap { parameter in
        ParameterWriter(parameter) { $0 }.pairs(samples.value(of: parameter))
      }
      guard !pairs.isEmpty else { continue }
      let text = pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
      request.headers.append(
        OriginPair(name: "Cookie", value: samples.text(text), isOn: isRequired))
    }
  }

  private func setAccept(
    _ operation: APIOperation, _ request: inout OriginRequest,
    _ failures: inout [ReferenceFailure]
  ) {
    let responses = description.responses(of: operation, &failures)
    guard let success = responses.first(where: { $0.status.hasPrefix("2") }),
      let type = success.media.first?.type, !type.contains("*"),
      MediaType(type)?.isJSON != true
    else { return }
    request.headers.append(OriginPair(name: "Accept", value: OriginText(literal: type)))
  }

  // MARK: - Examples

  private func setExamples(
    _ operation: APIOperation, _ samples: inout OpenAPISamples, _ request: inout OriginRequest,
    _ failures: inout [ReferenceFailure]
  ) {
    let responses = description.responses(of: operation, &failures)
    for response in responses {
      let place = request.place.member("responses").member(response.status)
      if let links = response.value["links"], links.view.count > 0 {
        let names = links.members.map(\.name).joined(separator: ", ")
        context.notes.tell(
          .memberUnknown, "Links to other operations are left out: \(names).",
          at: place.member("links"), origin: request.name)
      }
      guard let status = Self.status(of: response, among: responses) else { continue }
      for media in response.media {
        for (name, value) in samples.examples(of: media, response, &failures) {
          let label = name.isEmpty ? response.value.string("description") ?? "" : name
          request.examples.append(
            OriginExample(
              name: label.isEmpty ? "example" : label, status: status,
              headers: [
                OriginPair(name: "Content-Type", value: OriginText(literal: media.type))
              ], body: Array(OpenAPISamples.written(value).utf8), place: place))
        }
      }
    }
  }
}

extension ReferenceFailure {
  /// Whether what is meant may be there at another time: it is elsewhere, or can't be read now.
  var isElsewhere: Bool {
    switch reason {
    case .remote, .unreadable: true
    case .missing, .outside, .cycle: false
    }
  }
}

extension OpenAPIReading {
  /// The status of an example: that of its answer, the first of a range such as `2XX`, and of
  /// `default` one that no other answer has: success where none is described, else an error.
  private static func status(of response: APIResponse, among all: [APIResponse]) -> Int? {
    let written = all.map { $0.status.uppercased() }
    if response.status == "default" {
      if !written.contains(where: { $0.hasPrefix("2") }) { return 200 }
      return [500, 400, 501, 418].first { !written.contains("\($0)") }
    }
    let digits = response.status.uppercased().hasSuffix("XX")
      ? response.status.prefix(1) + "00" : response.status[...]
    return Int(digits).flatMap { (100...599).contains($0) ? $0 : nil }
  }
}

/// Percent signs in the parts of a URL.
enum DescribedURLText {
  /// A name or value with all but unreserved characters encoded; characters beyond ASCII stay,
  /// since the language encodes them itself. A template of ours stays whole.
  static func encoded(_ text: String) -> String { encoded(text, but: "") }

  /// The same with the signs that `allowReserved` keeps.
  static func encodedButReserved(_ text: String) -> String {
    encoded(text, but: ":/?[]@!$&'()*,;")
  }

  /// A value that is one step of a path.
  static func encodedStep(_ text: String) -> String { encoded(text, but: ":@") }

  /// A piece of a path as a description writes it: what would end the path or be a template is
  /// encoded.
  static func literalPath(_ text: Substring) -> String {
    encoded(String(text), but: "/:@!$&'()*+,;=%")
  }

  private static func encoded(_ text: String, but kept: String) -> String {
    if text == SchemaSampler.passwordTemplate { return text }
    let kept = ASCIISet(alphanumericsAnd: "-._~" + kept)
    var result: [UInt8] = []
    for byte in text.utf8 {
      if byte >= 0x80 {
        result.append(byte)
      } else {
        PercentEncoding.append(byte, allowing: kept, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
