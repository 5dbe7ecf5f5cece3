// What an editor shows in the GraphQL of a request: the answers of the language, at their places in
// the file (IO-41).

import PostKitDescription
package import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax
import PostKitText

/// The GraphQL of one request, with what is known of its service.
package struct GraphQLRequest: Sendable {
  /// Where the query and its variables stand.
  let parts: GraphQLParts
  private let schema: ServiceSchema?
  /// What can be asked about them.
  let query: GraphQLQuery
  /// How many bytes of the query stand in the file.
  let own: Int

  /// Makes a request; `caret` may stand behind its query, where no text is yet.
  package init(_ parts: GraphQLParts, _ schema: ServiceSchema?, caret: Int? = nil) {
    self.parts = parts
    self.schema = schema
    var text = parts.text
    if let caret, parts.variables == nil, caret > parts.query.upperBound {
      text += repeatElement(32, count: caret - parts.query.upperBound)
    }
    own = text.count
    // What could be used is of no matter to who looks at what is used.
    let added = caret == nil ? parts.added : parts.added + parts.unused
    query = GraphQLQuery(
      text + added, own: own, variables: parts.variablesText, schema: schema?.schema)
  }

  /// A place in one of the two texts.
  enum Place {
    case query(Int)
    case variables(Int)
  }

  /// The place in one of the texts that an offset of the file is; `nil` outside of both.
  func place(_ offset: Int) -> Place? {
    if let variables = parts.variables, offset >= variables.lowerBound {
      guard parts.variablesText != nil, offset <= variables.upperBound else { return nil }
      return .variables(offset - variables.lowerBound)
    }
    let place = offset - parts.query.lowerBound
    return (0...own).contains(place) ? .query(place) : nil
  }

  /// A range of the query as bytes of the file; empty at its end for what stands elsewhere.
  func inQuery(_ range: Range<Int>) -> Range<Int> {
    let range = range.clamped(to: 0..<own)
    let start = parts.query.lowerBound
    return start + range.lowerBound..<start + range.upperBound
  }

  /// A range of the variables as bytes of the file; the first line of the query where it has none.
  func inVariables(_ range: Range<Int>) -> Range<Int> {
    guard let variables = parts.variables else {
      // What is missing is missing of the operation: its first line tells so.
      let text = parts.text
      let start = text.firstIndex { $0 > 32 } ?? 0
      let end = text[start...].firstIndex { $0 == 10 || $0 == 13 } ?? text.count
      return inQuery(start..<end)
    }
    return variables.lowerBound + range.lowerBound..<variables.lowerBound + range.upperBound
  }

  // MARK: - Answers

  /// What the name at an offset stands for; `now` in milliseconds since 1970-01-01T00:00:00Z.
  package func hover(at offset: Int, now: Int64) -> Hover? {
    let (found, range): (GraphQLHover?, Range<Int>)
    switch place(offset) {
    case .query(let place):
      found = query.hover(at: place)
      range = found.map { inQuery($0.range) } ?? offset..<offset
    case .variables(let place):
      found = query.variableHover(at: place)
      range = found.map { inVariables($0.range) } ?? offset..<offset
    case nil: return nil
    }
    guard let found, !range.isEmpty else { return nil }
    var lines = [Markdown.block(found.declaration.split(separator: "\n").map(String.init))]
    if let reason = found.deprecation { lines.append(Self.deprecated(reason)) }
    if let text = found.description, !text.isEmpty { lines.append(Markdown.text(text)) }
    if let schema { lines.append(schema.sentence(now: now)) }
    return Hover(range: range, markdown: lines.joined(separator: "\n\n"))
  }

  /// That something should not be used any more, in Markdown.
  static func deprecated(_ reason: String) -> String {
    reason.isEmpty ? "Deprecated." : "Deprecated: \(Markdown.text(reason))"
  }

  /// Where the name at an offset is declared: in the file, or in one of the schema, of which the
  /// path is a URL where a service has told it.
  package func definitions(at offset: Int, in document: ParsedDocument) -> [DefinitionPlace] {
    let (found, origin): (GraphQLPlace?, Range<Int>)
    switch place(offset) {
    case .query(let place):
      found = query.definition(at: place)
      origin = query.hover(at: place).map { inQuery($0.range) } ?? offset..<offset
    case .variables(let place):
      found = query.variableDefinition(at: place)
      origin = query.variableHover(at: place).map { inVariables($0.range) } ?? offset..<offset
    case nil: return []
    }
    switch found {
    case .text(let range) where range.lowerBound < own:
      return [DefinitionPlace(origin: origin, path: nil, range: inQuery(range))]
    case .text(let range):
      return fragment(query.text(in: range), from: origin, in: document)
    case .schema(let source, let range):
      let (paths, isFetched) =
        switch schema?.origin {
        case .files(let files): (files, false)
        case .service(let url, _): ([url], true)
        case nil: ([String](), false)
        }
      guard paths.indices.contains(source) else { return [] }
      // The definitions are made of an answer, which has them elsewhere.
      let isAnswer = !isFetched && paths[source].lowercased().hasSuffix(".json")
      return [
        DefinitionPlace(origin: origin, path: paths[source], range: isAnswer ? 0..<0 : range)
      ]
    case nil: return []
    }
  }

  /// The fragment of a name that stands before another request of the file.
  private func fragment(
    _ name: String, from origin: Range<Int>, in document: ParsedDocument
  ) -> [DefinitionPlace] {
    guard let place = document.names.fragments[name] else { return [] }
    let block = document.blocks[place.block]
    let range = block.absolute(block.syntax.fragments[place.index].name)
    return [DefinitionPlace(origin: origin, path: nil, range: range)]
  }

  /// How many findings of a request are told.
  private static let findingLimit = 50

  /// What its service would refuse, and what is not what it seems.
  package var diagnostics: [Diagnostic] {
    let own = query.findings().map { Diagnostic($0, at: inQuery($0.range)) }
    let ofVariables =
      parts.hasVariablesInFile ? [] : query.variableFindings().map(ofVariable)
    return Array((own + ofVariables).prefix(Self.findingLimit))
  }

  /// A finding about the variables; what stands in quotes stays in quotes.
  private func ofVariable(_ finding: GraphQLFinding) -> Diagnostic {
    var diagnostic = Diagnostic(finding, at: inVariables(finding.range))
    let first = parts.variablesText?.dropFirst(finding.range.lowerBound).first
    if first == UInt8(ascii: "\"") {
      diagnostic.replacement = finding.suggestion.map { "\"\($0)\"" }
    }
    return diagnostic
  }
}

extension Diagnostic {
  /// That the schema which a tag names can't be read.
  package static func schemaFailure(_ message: String, at range: Range<Int>) -> Diagnostic {
    Diagnostic(.graphQLSchema, range, message)
  }

  /// That something is wrong with the schema of a block: at the tag that names it, and where none
  /// does, a hint at its request line.
  package static func schemaFailure(
    _ message: String, of block: ParsedBlock, in document: ParsedDocument
  ) -> Diagnostic {
    guard let tag = document.schemaTag(of: block) else {
      return Diagnostic(.graphQLSchema, block.requestLine, message, severity: .hint)
    }
    let isURL = URLParts(tag.path).map { ["http", "https"].contains($0.scheme) } ?? false
    guard isURL else { return schemaFailure(message, at: tag.range) }
    return schemaFailure(
      "A schema is not read from a URL; use the action Fetch the GraphQL schema, without this tag.",
      at: tag.range)
  }

  /// A finding of GraphQL at its place in the file.
  fileprivate init(_ finding: GraphQLFinding, at range: Range<Int>) {
    let severity: DiagnosticSeverity =
      switch finding.severity {
      case .error: .error
      case .warning: .warning
      case .hint: .hint
      }
    // Each rule has its code; a test holds them against each other.
    let code = DiagnosticCode(rawValue: finding.rule.rawValue) ?? .graphQLSyntax
    self.init(code, range, finding.message, severity: severity)
    replacement = finding.suggestion
  }
}
