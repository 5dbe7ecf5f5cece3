// The body of an operation as that of a request.

import PostKitDescription
import PostKitHTTP
import PostKitJSON

extension OpenAPIReading {
  /// Gives a request the body that its operation takes, in the form that people read best.
  func setBody(
    _ operation: APIOperation, _ samples: inout OpenAPISamples, _ request: inout OriginRequest,
    _ failures: inout [ReferenceFailure]
  ) {
    guard let body = description.body(of: operation, &failures),
      let media = Self.preferred(body.media)
    else { return }
    let others = body.media.map(\.type).filter { $0 != media.type }
    if !others.isEmpty { request.comments.append("also: \(others.joined(separator: ", "))") }
    let place = request.place.member(
      description.version == .swagger2 ? "parameters" : "requestBody")
    let type = MediaType(media.type)
    if type?.isMultipart == true {
      setType(media.type, &request)
      request.body = .multipart(parts(media, &samples, &request, &failures, at: place))
    } else if type?.isForm == true {
      setType(media.type, &request)
      request.body = .form(formPairs(media, &samples))
    } else if type?.isJSON == true || media.type.contains("*") {
      guard let (value, isGiven) = samples.value(of: media) else {
        return setType(media.type, &request)
      }
      let isFile = !isGiven && media.schema.map { samples.sampler.chosen([$0]).isBinary } == true
      setType(type?.isJSON == true || isFile ? media.type : "application/json", &request)
      request.body =
        isFile
        ? .file(nil) : .text(samples.text(samples.json(value, isGiven: isGiven, media.schema)))
    } else {
      setType(media.type, &request)
      setOtherBody(media, type, &samples, &request)
    }
  }

  private func setOtherBody(
    _ media: APIMedia, _ type: MediaType?, _ samples: inout OpenAPISamples,
    _ request: inout OriginRequest
  ) {
    let isBinary = media.schema.map { samples.sampler.chosen([$0]).isBinary } ?? true
    guard let (value, isGiven) = samples.value(of: media) else {
      if type?.isText != true { request.body = .file(nil) }
      return
    }
    if !isGiven, type?.isText != true || isBinary {
      request.body = .file(nil)
    } else if !isGiven, type?.isXML == true, let schema = media.schema {
      request.body = .text(samples.text(SampleXML(samples.sampler).text(value, schema)))
    } else {
      request.body = .text(samples.text(OpenAPISamples.written(value)))
    }
  }

  /// JSON before forms, parts and texts; else the first that the description lists.
  private static func preferred(_ media: [APIMedia]) -> APIMedia? {
    let kinds: [(MediaType) -> Bool] = [
      { $0.essence == "application/json" }, { $0.isJSON }, { $0.isForm }, { $0.isMultipart },
      { $0.isText },
    ]
    for kind in kinds {
      if let hit = media.first(where: { MediaType($0.type).map(kind) == true }) { return hit }
    }
    return media.first
  }

  private func setType(_ type: String, _ request: inout OriginRequest) {
    // A pattern such as `image/*` names no type that could be sent, and a boundary is Writing's.
    guard !type.contains("*"), MediaType(type)?.essence != "multipart/form-data" else { return }
    request.headers.append(
      OriginPair(name: "Content-Type", value: OriginText(literal: type)))
  }

  // MARK: - Forms

  private func formPairs(_ media: APIMedia, _ samples: inout OpenAPISamples) -> [OriginPair] {
    var pairs: [(name: String, value: String)] = []
    if !media.fields.isEmpty {
      for field in media.fields {
        pairs += ParameterWriter(field, isForURL: false) { $0 }.pairs(samples.value(of: field))
      }
    } else if case .object(let members)? = samples.value(of: media)?.value {
      for member in members { pairs += formPairs(member, media.value?["encoding"]?[member.key]) }
    }
    return pairs.map { OriginPair(name: samples.text($0.name), value: samples.text($0.value)) }
  }

  private func formPairs(
    _ member: JSONMember, _ encoding: DescribedValue?
  ) -> [(name: String, value: String)] {
    let style = encoding?.string("style").flatMap(ParameterStyle.init)
    if case .object = member.value, style == nil, encoding?["explode"] == nil {
      return [(member.key, member.value.text)]
    }
    if encoding?.string("contentType").flatMap({ MediaType($0) })?.isJSON == true, style == nil {
      return [(member.key, member.value.text)]
    }
    let writer = ParameterWriter(
      name: member.key, style: style ?? .form,
      isExploded: encoding?.view["explode"]?.bool ?? (style == nil || style == .form),
      isForURL: false
    ) { $0 }
    return writer.pairs(member.value)
  }

  // MARK: - Parts

  private func parts(
    _ media: APIMedia, _ samples: inout OpenAPISamples, _ request: inout OriginRequest,
    _ failures: inout [ReferenceFailure], at place: OriginPlace
  ) -> [OriginPart] {
    var parts: [OriginPart] = []
    if !media.fields.isEmpty {
      for field in media.fields {
        let name = samples.text(field.name)
        if field.value.string("type") == "file" {
          parts.append(OriginPart(name: name, content: .file(nil)))
          continue
        }
        let writer = ParameterWriter(field, isForURL: false) { $0 }
        for pair in writer.pairs(samples.value(of: field)) {
          parts.append(OriginPart(name: name, content: .text(samples.text(pair.value))))
        }
      }
      return parts
    }
    guard case .object(let members)? = samples.value(of: media)?.value else { return [] }
    let properties = media.schema.map { samples.sampler.chosen([$0]).properties } ?? []
    let schemas = Dictionary(properties.map { ($0.name, $0.schemas) }) { first, _ in first }
    for member in members {
      let encoding = media.value?["encoding"]?[member.key]
      if let style = encoding?.string("style"), style != "form" {
        context.notes.tell(
          .styleUnsupported,
          "The style `\(style)` of the part `\(member.key)` is not used; its value is JSON.",
          at: place, origin: request.name)
      }
      parts += self.parts(member, schemas[member.key] ?? [], encoding, samples, &failures)
    }
    return parts
  }

  private func parts(
    _ member: JSONMember, _ schemas: [DescribedValue], _ encoding: DescribedValue?,
    _ samples: OpenAPISamples, _ failures: inout [ReferenceFailure]
  ) -> [OriginPart] {
    let flat = samples.sampler.chosen(schemas)
    let isList = flat.type == "array"
    let element = isList ? samples.sampler.chosen(flat.items) : flat
    let type = encoding?.string("contentType").map { $0.prefix { $0 != "," } }
    var part = OriginPart(name: samples.text(member.key), content: .file(nil))
    part.contentType = type.flatMap { $0.contains("*") || $0.isEmpty ? nil : String($0) }
    for (name, value) in encoding?["headers"]?.members ?? []
    where name.lowercased() != "content-type" {
      guard let header = description.header(name, value, &failures) else { continue }
      var samples = samples
      let text = ParameterWriter(header) { $0 }.text(samples.value(of: header))
      part.headers.append(OriginPair(name: OriginText(name), value: samples.text(text)))
    }
    if element.isBinary { return [part] }
    let values: [JSONValue] =
      isList && !member.value.elements.isEmpty
      ? member.value.elements : [member.value]
    return values.map { value in
      var part = part
      switch value {
      case .object, .array:
        if part.contentType == nil { part.contentType = "application/json" }
        part.content = .text(samples.text(OpenAPISamples.written(value)))
      default: part.content = .text(samples.text(ParameterWriter.plain(value)))
      }
      return part
    }
  }
}
