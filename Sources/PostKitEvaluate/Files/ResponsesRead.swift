// Whose responses are read, so that no others are kept.

import PostKitSyntax

/// The requests whose responses a run may have to read.
package struct ResponsesRead: Sendable {
  /// The requests that are read by name.
  package private(set) var places: Set<RequestPlace> = []
  /// Whether the latest response of all is read.
  package private(set) var latest = false

  /// Looks into the files, into what they include, and into the values of environments and of the
  /// command line, which may refer to responses as well.
  package init(_ scope: Scope, _ included: [RequestPlace: IncludedReferences]) {
    let files = scope.files
    let definesAny = files.files.contains { !$0.document.names.definedAfterResponse.isEmpty }
    for (file, document) in files.files.map(\.document).enumerated() {
      for block in document.blocks {
        var names = block.references.map(\.expression).compactMap(ResponsesRead.name)
        if let tag = block.loopTag, let loop = LoopSyntax(block.text(tag.value)).expression {
          names += [ResponsesRead.name(loop)].compactMap { $0 }
        }
        if names.contains("response") { latest = true }
        note(names + block.assertedNames, from: file, files)
        if definesAny { noteDefining(block.references.map(\.expression), from: file, scope) }
      }
    }
    for (place, found) in included {
      let names = found.references.map(\.expression).compactMap(ResponsesRead.name)
      if names.contains("response") { latest = true }
      note(names, from: place.file, files)
      if definesAny { noteDefining(found.references.map(\.expression), from: place.file, scope) }
    }
    if included.values.contains(where: \.isOpen) { noteAll(files) }
    let names = scope.valuesFromOutside.flatMap(ResponsesRead.names)
    if names.contains("response") { latest = true }
    for file in names.isEmpty ? 0..<0 : files.files.indices { note(names, from: file, files) }
  }

  private mutating func note(_ names: [String], from file: Int, _ files: RequestFiles) {
    for name in names {
      let place = Evaluator.requestNames(in: name).lazy.compactMap {
        files.place(referredToAs: $0, from: file)
      }.first
      if let place { places.insert(place) }
    }
  }

  /// Notes the requests whose answers give names their values: what is remembered of these is read.
  private mutating func noteDefining(
    _ expressions: [ReferenceExpression], from file: Int, _ scope: Scope
  ) {
    var scope = scope
    scope.file = file
    for case .path(let name, let rest) in expressions {
      guard let place = scope.placeDefining(name + rest) ?? scope.placeDefining(name) else {
        continue
      }
      places.insert(place)
    }
  }

  /// Nobody knows yet what will be read.
  private mutating func noteAll(_ files: RequestFiles) {
    latest = true
    for (file, document) in files.files.map(\.document).enumerated() {
      for block in document.requests where block.name != nil {
        places.insert(RequestPlace(file: file, block: block.index))
      }
    }
  }

  /// The requests that a value reads.
  private static func names(in value: String) -> [String] {
    let bytes = Array(value.utf8)
    return TemplateParser.pieces(bytes, in: 0..<bytes.count).compactMap { piece in
      if case .reference(let reference) = piece { name(reference.expression) } else { nil }
    }
  }

  /// The request that an expression reads, if it reads one; the list of a loop's responses is read
  /// without any path, too.
  private static func name(_ expression: ReferenceExpression) -> String? {
    if let name = expression.exchangeName { return name }
    if case .path(let name, "") = expression, name.hasSuffix("List") { return name }
    return nil
  }
}

extension Scope {
  /// The values of environments and of the command line that refer to something.
  fileprivate var valuesFromOutside: [String] {
    let definitions = environments.definitions.values.filter { !$0.isLiteral }
    return (definitions + environments.defaultHeaders).flatMap(\.value.leaves)
      .filter { $0.contains("{{") } + overrides.values.filter { $0.contains("{{") }
  }
}
