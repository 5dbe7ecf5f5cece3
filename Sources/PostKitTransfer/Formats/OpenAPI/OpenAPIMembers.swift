// The members of a description that are read or without effect; every other one is told (IO-3).

import PostKitDescription
import PostKitJSON

/// The objects of a description, each with the members that PostKit reads or that change nothing.
/// What begins with `x-` is for other tools by the standard's own word.
enum OpenAPIObject {
  case root, info, tag, server, pathItem, operation, parameter, requestBody, mediaType, encoding
  case response, securityScheme, components

  /// The members of the object in all versions.
  var members: Set<String> {
    switch self {
    case .root: Self.rootMembers
    case .info: Self.infoMembers
    case .tag: Self.tagMembers
    case .server: Self.serverMembers
    case .pathItem: Self.pathMembers
    case .operation: Self.operationMembers
    case .parameter: Self.parameterMembers
    case .requestBody: Self.requestBodyMembers
    case .mediaType: Self.mediaMembers
    case .encoding: Self.encodingMembers
    case .response: Self.responseMembers
    case .securityScheme: Self.schemeMembers
    case .components: Self.componentMembers
    }
  }

  private static let rootMembers: Set<String> = [
    "openapi", "$self", "info", "jsonSchemaDialect", "servers", "paths", "webhooks", "components",
    "security", "tags", "externalDocs",
    "swagger", "host", "basePath", "schemes", "consumes", "produces", "definitions", "parameters",
    "responses", "securityDefinitions",
  ]
  private static let infoMembers: Set<String> = [
    "title", "summary", "description", "termsOfService", "contact", "license", "version",
  ]
  private static let tagMembers: Set<String> = [
    "name", "summary", "description", "externalDocs", "parent", "kind",
  ]
  private static let serverMembers: Set<String> = ["url", "name", "description", "variables"]
  private static let pathMembers = Set(
    APIDescription.methods + [
      "$ref", "summary", "description", "servers", "parameters", "additionalOperations",
    ])
  private static let operationMembers: Set<String> = [
    "tags", "summary", "description", "externalDocs", "operationId", "parameters", "requestBody",
    "responses", "callbacks", "deprecated", "security", "servers", "consumes", "produces",
    "schemes",
  ]
  private static let parameterMembers: Set<String> = [
    "name", "in", "description", "required", "deprecated", "allowEmptyValue", "style", "explode",
    "allowReserved", "schema", "example", "examples", "content",
    "type", "format", "items", "collectionFormat", "default", "maximum", "exclusiveMaximum",
    "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems",
    "uniqueItems", "enum", "multipleOf",
  ]
  private static let requestBodyMembers: Set<String> = ["description", "content", "required"]
  private static let mediaMembers: Set<String> = ["schema", "example", "examples", "encoding"]
  private static let encodingMembers: Set<String> = [
    "contentType", "headers", "style", "explode", "allowReserved",
  ]
  private static let responseMembers: Set<String> = [
    "summary", "description", "headers", "content", "links", "schema", "examples",
  ]
  private static let schemeMembers: Set<String> = [
    "type", "description", "name", "in", "scheme", "bearerFormat", "flows", "openIdConnectUrl",
    "deprecated", "flow", "authorizationUrl", "tokenUrl", "scopes", "refreshUrl",
  ]
  private static let componentMembers: Set<String> = [
    "schemas", "responses", "parameters", "examples", "requestBodies", "headers",
    "securitySchemes", "links", "callbacks", "pathItems", "mediaTypes",
  ]
}

extension OpenAPIReading {
  /// Tells the members of the outermost objects that PostKit does not know, and what describes
  /// requests that the service sends itself.
  func checkMembers(_ root: DescribedValue) {
    check(root, .root, place)
    if let info = root["info"] { check(info, .info, place.member("info")) }
    checkAll(root["tags"], .tag, place.member("tags"))
    checkAll(root["servers"], .server, place.member("servers"))
    if root.view["openapi"]?.string?.hasPrefix("3.2") == true {
      context.notes.tell(
        .memberUnknown,
        "OpenAPI 3.2 is read as 3.1; what 3.2 has beyond it is told where it stands.",
        at: place.member("openapi"))
    }
    if let hooks = root["webhooks"], hooks.view.count > 0 {
      tellSent("webhooks", hooks, at: place, origin: nil)
    }
    for (path, item) in root["paths"]?.members ?? [] {
      let place = place.member("paths").member(path)
      if path.hasPrefix("/") {
        if item.string("$ref") == nil { check(item, .pathItem, place) }
        checkParameters(item["parameters"], place, nil)
      } else if !path.hasPrefix("x-") {
        context.notes.tell(
          .itemMalformed, "`\(path)` is no path, as it does not begin with `/`, and is left out.",
          at: place)
      }
    }
    let components = root["components"]
    if let components { check(components, .components, place.member("components")) }
    let isOld = description.version == .swagger2
    let groups: [(String, OpenAPIObject)] = [
      ("parameters", .parameter), ("responses", .response), ("requestBodies", .requestBody),
      (isOld ? "securityDefinitions" : "securitySchemes", .securityScheme),
    ]
    for (name, kind) in groups {
      let place = isOld ? place.member(name) : place.member("components").member(name)
      for (key, value) in ((isOld ? root : components)?[name])?.members ?? [] {
        check(value, kind, place.member(key))
      }
    }
  }

  /// Tells the members of an operation that PostKit does not know.
  func checkMembers(of operation: APIOperation, at place: OriginPlace, origin: String) {
    check(operation.value, .operation, place, origin)
    checkParameters(operation.value["parameters"], place, origin)
    checkAll(operation.value["servers"], .server, place.member("servers"), origin)
    if description.version == .swagger2, !description.hasHost,
      operation.value["schemes"]?.view.count ?? 0 > 0
    {
      context.notes.tell(
        .serverMissing, "The description names no host that `schemes` could be for.",
        at: place.member("schemes"), origin: origin)
    }
    if let body = operation.value["requestBody"] {
      let place = place.member("requestBody")
      check(body, .requestBody, place, origin)
      checkContent(body["content"], place.member("content"), origin)
    }
    for (status, response) in operation.value["responses"]?.members ?? []
    where !status.hasPrefix("x-") {
      let place = place.member("responses").member(status)
      check(response, .response, place, origin)
      checkContent(response["content"], place.member("content"), origin)
    }
    if let callbacks = operation.value["callbacks"], callbacks.view.count > 0 {
      tellSent("callbacks", callbacks, at: place, origin: origin)
    }
  }

  private func tellSent(
    _ member: String, _ value: DescribedValue, at place: OriginPlace, origin: String?
  ) {
    let names = value.members.map(\.name).joined(separator: ", ")
    context.notes.tell(
      .memberUnknown,
      "The \(member) are left out, since the service itself sends these requests: \(names).",
      at: place.member(member), origin: origin)
  }

  private func checkContent(_ content: DescribedValue?, _ place: OriginPlace, _ origin: String) {
    for (type, media) in content?.members ?? [] {
      let place = place.member(type)
      check(media, .mediaType, place, origin)
      for (name, encoding) in media["encoding"]?.members ?? [] {
        check(encoding, .encoding, place.member("encoding").member(name), origin)
      }
    }
  }

  private func checkParameters(
    _ parameters: DescribedValue?, _ place: OriginPlace, _ origin: String?
  ) {
    let place = place.member("parameters")
    for (index, value) in (parameters?.elements ?? []).enumerated() {
      let place = place.element(index)
      check(value, .parameter, place, origin)
      guard value.string("$ref") == nil else { continue }
      let isKnown =
        value.string("name") != nil
        && value.string("in").flatMap(ParameterLocation.init) != nil
      if !isKnown {
        context.notes.tell(
          .itemMalformed, "The parameter has no `name` or no `in` that is known and is left out.",
          at: place, origin: origin)
      }
    }
  }

  private func checkAll(
    _ values: DescribedValue?, _ kind: OpenAPIObject, _ place: OriginPlace, _ origin: String? = nil
  ) {
    for (index, value) in (values?.elements ?? []).enumerated() {
      check(value, kind, place.element(index), origin)
    }
  }

  /// Tells what an object has beyond what is known of its kind. A reference is checked where it
  /// leads.
  private func check(
    _ value: DescribedValue, _ kind: OpenAPIObject, _ place: OriginPlace, _ origin: String? = nil
  ) {
    let known = kind.members
    if value.string("$ref") != nil, kind != .pathItem { return }
    guard value.view.members.contains(where: { !known.contains($0.key.string ?? "") }),
      let object = OriginObject(value.view, at: place, notes: context.notes)
    else { return }
    for name in object.names where known.contains(name) || name.hasPrefix("x-") {
      object.ignore(name)
    }
    object.finish(origin: origin)
  }
}
