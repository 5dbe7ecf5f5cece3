// The query and the variables of a GraphQL request as they stand in its file, for who checks and
// completes them.

import PostKitHTTP
package import PostKitSyntax

/// A GraphQL body in its parts. Ranges are bytes of the file.
package struct GraphQLParts: Sendable, Hashable {
  /// What is read beside the text that stands there, and files that it names.
  package enum Reach: Sendable, Hashable {
    /// Nothing, as for names.
    case written
    /// The fragments that it uses.
    case used
    /// All fragments of the file.
    case all
  }

  /// The lines of the query; where nothing is written yet, the empty place for it.
  package let query: Range<Int>
  /// The query as it stands there, with blanks in the place of what is sent otherwise: comments of
  /// request files, and lines that name files.
  package let text: [UInt8]
  /// What is sent with it from elsewhere: files that it names, and fragments that it uses.
  package let added: [UInt8]
  /// How many bytes of that are from files which the body names.
  package let included: Int
  /// The fragments of the file that it could use, too, for who has asked for these.
  package let unused: [UInt8]
  /// The lines of the variables; `nil` where there are none.
  package let variables: Range<Int>?
  /// The variables as they stand there; `nil` where there are none, or where they are in a file.
  package let variablesText: [UInt8]?
  /// Whether variables stand in a file: what is missing may be there.
  package let hasVariablesInFile: Bool
  /// Whether variables can stand below the query; a body of `application/graphql` is the query.
  package let takesVariables: Bool
}

extension Lowering {
  /// The parts of a block's GraphQL; `nil` where it sends none, or sends JSON that holds it.
  package static func graphQLParts(
    of block: ParsedBlock, evaluator: consuming Evaluator, defaults: RequestDefaults,
    reach: GraphQLParts.Reach = .used
  ) -> GraphQLParts? {
    guard block.mayBeGraphQL else { return nil }
    var lowering = BlockLowering(block: block, evaluator: evaluator, defaults: defaults)
    return lowering.graphQLParts(reach)
  }
}

extension Lowering {
  /// The parts of the fragments that stand before a request, or of that at an offset of the file;
  /// none for those in files.
  package static func fragmentParts(
    of block: ParsedBlock, evaluator: consuming Evaluator, defaults: RequestDefaults,
    reach: GraphQLParts.Reach = .used, at offset: Int? = nil
  ) -> [GraphQLParts] {
    // One for all, because it keeps what it has read.
    var lowering = BlockLowering(block: block, evaluator: evaluator, defaults: defaults)
    var result: [GraphQLParts] = []
    for fragment in block.syntax.fragments where fragment.path == nil {
      let range = block.absolute(fragment.range)
      if let offset, offset < range.lowerBound || range.upperBound < offset { continue }
      result.append(lowering.parts(of: fragment, reach))
    }
    return result
  }
}

extension ParsedBlock {
  /// Whether a first look at the words of the block allows for GraphQL, as it does for few.
  package var mayBeGraphQL: Bool {
    guard let request = syntax.request, request.curl == nil else { return false }
    if request.method.map({ text($0).uppercased() }) == "GRAPHQL" { return true }
    guard let body = request.body else { return false }
    if syntax.metadata.contains(where: { $0.kind == .graphQL }) { return true }
    if request.headers.contains(where: { isAboutGraphQL($0) }) { return true }
    let first = slice(body.range).first { $0 > 32 && $0 != UInt8(ascii: ",") }
    // A keyword or a comment before it.
    return first.map { "qmsfg#/".utf8.contains($0) } ?? false
  }

  private func isAboutGraphQL(_ header: HeaderSyntax) -> Bool {
    let name = text(header.name)
    if name.equalsIgnoringASCIICase("X-Request-Type") { return true }
    guard name.equalsIgnoringASCIICase("Content-Type"), let value = header.value.first else {
      return false
    }
    return text(value).lowercased().contains("graphql")
  }
}

extension BlockLowering {
  /// The parts of the body. Not optimised: Swift 6 frees the text of the variables before it is
  /// filled, where it inlines what makes that.
  @_optimize(none)
  fileprivate mutating func graphQLParts(_ reach: GraphQLParts.Reach) -> GraphQLParts? {
    guard let request = block.syntax.request else { return nil }
    let method = request.method.map { evaluator.text($0, of: block, place: .target) } ?? "GET"
    var headers = HeaderFields()
    addHeaders(request, to: &headers)
    addSharedHeaders(to: &headers)
    let type = headers.first("Content-Type").flatMap(MediaType.init)
    let isAlone = type?.essence == GraphQLPayload.type?.essence
    guard isAlone || isGraphQL(request, method: method.uppercased(), headers) else { return nil }
    guard let body = request.body else {
      let end = block.range.upperBound
      return GraphQLParts(
        query: end..<end, text: [], added: [], included: 0,
        unused: reach == .all ? fragments(beside: []) : [], variables: nil, variablesText: nil,
        hasVariablesInFile: false, takesVariables: !isAlone)
    }
    let lines = graphQLLines(body)
    let outlines = lines.map(outline)
    if GraphQLDocument.isJSONPayload(outlines) { return nil }
    // A body of GraphQL alone has no room for variables.
    let split = isAlone ? lines.count : GraphQLDocument.variablesLine(outlines) ?? lines.count
    let (query, rest) = (lines[..<split], lines[split...])
    let start = block.absolute(body.range).lowerBound
    let end = query.last.map { block.absolute($0.content).upperBound } ?? start
    var added: [UInt8] = []
    for line in query where !isWritten(line) {
      added.append(0x0A)
      added += importedQuery(line).map { included($0.path) } ?? content(line)
    }
    let filesCount = added.count
    let text = text(of: query, in: start..<end)
    if reach != .written { added += fragments(usedBy: text + added, body) }
    let variables = rest.first.flatMap { first in
      rest.last.map { block.absolute(first.content.lowerBound..<$0.content.upperBound) }
    }
    let isInFile = rest.contains { !isWritten($0) }
    return GraphQLParts(
      query: start..<end, text: text, added: added, included: filesCount,
      unused: reach == .all ? fragments(beside: text + added) : [], variables: variables,
      variablesText: isInFile ? nil : variables.map { self.text(of: rest, in: $0) },
      hasVariablesInFile: isInFile, takesVariables: !isAlone)
  }

  /// The parts of a fragment, to which those belong that it uses.
  fileprivate mutating func parts(
    of fragment: FragmentSyntax, _ reach: GraphQLParts.Reach
  ) -> GraphQLParts {
    let range = block.absolute(fragment.range)
    let text = Array(block.bytes[range])
    let added = reach == .written ? [] : fragments(usedBy: text, nil)
    return GraphQLParts(
      query: range, text: text, added: added, included: 0,
      unused: reach == .all ? fragments(beside: text + added) : [], variables: nil,
      variablesText: nil, hasVariablesInFile: false, takesVariables: false)
  }

  /// Whether a line is sent as it stands there.
  private func isWritten(_ line: BodyLineSyntax) -> Bool {
    if case .text = outline(line) { true } else { false }
  }

  /// The bytes of a range of the file with those of some lines, all others being blanks.
  @inline(never)
  private func text(of lines: Slice<SyntaxList<BodyLineSyntax>>, in range: Range<Int>) -> [UInt8] {
    let bytes = evaluator.scope.document.bytes
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    func blanks(_ range: Range<Int>) -> some Sequence<UInt8> {
      bytes[range].lazy.map { $0 == 10 || $0 == 13 ? $0 : 32 }
    }
    var at = range.lowerBound
    for line in lines where isWritten(line) {
      let part = block.absolute(line.content).clamped(to: range)
      if part.isEmpty || part.lowerBound < at { continue }
      text += blanks(at..<part.lowerBound)
      text += bytes[part]
      at = part.upperBound
    }
    text += blanks(at..<range.upperBound)
    return text
  }
}
