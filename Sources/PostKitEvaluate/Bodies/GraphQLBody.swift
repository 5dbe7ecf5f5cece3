// GraphQL requests: the query and its variables as JSON, or in the URL of a GET (PK-21, PK-104).

import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

/// What a GraphQL body says; names of members are those of the protocol.
struct GraphQLPayload {
  var query: [UInt8]
  var operationName: String?
  /// JSON without blanks between its tokens, every token as written.
  var variables: [UInt8]?

  /// What a body of GraphQL alone is.
  static let type = MediaType("application/graphql")

  /// The body of a POST.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("query")
    var text = JSONWriter()
    text.string(String(keeping: query))
    writer.raw(text.bytes.restoringKept)
    if let operationName {
      writer.key("operationName")
      writer.string(operationName)
    }
    if let variables {
      writer.key("variables")
      writer.raw(variables)
    }
    writer.endObject()
    return writer.bytes
  }

  /// The pairs of a GET.
  var urlQuery: String {
    let texts = [
      ("query", query), ("operationName", operationName.map { Array($0.utf8) }),
      ("variables", variables),
    ]
    return texts.compactMap { name, value -> String? in
      guard let value else { return nil }
      return "\(name)=\(PercentEncoding.encodeComponent(String(keeping: value)))"
    }.joined(separator: "&")
  }
}

extension BlockLowering {
  /// Whether a request is one of GraphQL.
  func isGraphQL(_ request: RequestSyntax, method: String, _ headers: HeaderFields) -> Bool {
    if settings.readsGraphQL == false { return false }
    if method == "GRAPHQL" || settings.readsGraphQL == true { return true }
    if headers.first("X-Request-Type")?.equalsIgnoringASCIICase("graphql") == true { return true }
    let type = headers.first("Content-Type")
    guard let body = request.body, type == nil || type.flatMap(MediaType.init)?.isJSON == true
    else { return false }
    if cannotBeGraphQL(body) { return false }
    let lines = graphQLLines(body)
    if let first = lines.first, importedQuery(first) != nil { return true }
    return GraphQLDocument.isBegun(by: lines.map(outline))
  }

  /// Whether the first byte tells already that a body which says nothing of itself is no GraphQL,
  /// as it does for nearly all.
  private func cannotBeGraphQL(_ body: BodySyntax) -> Bool {
    guard let line = body.lines.first, case .text = line.kind,
      let first = block.slice(line.content).first, first > 32
    else { return false }
    return !GraphQLScanner.mayBegin(with: first)
  }

  /// The payload of a GraphQL body; `nil` where the body is to be sent as it is written.
  mutating func graphQLPayload(_ body: BodySyntax) -> GraphQLPayload? {
    let lines = graphQLLines(body)
    let outlines = lines.map(outline)
    if GraphQLDocument.isJSONPayload(outlines) { return nil }
    let split = GraphQLDocument.variablesLine(outlines) ?? lines.count
    var name: String?
    var query: [[UInt8]] = []
    for line in lines[..<split] {
      if let (operation, path) = importedQuery(line) {
        name = operation.map { block.text($0) }
        query.append(included(path))
      } else {
        query.append(content(line))
      }
    }
    while let last = query.last, last.allSatisfy({ $0 <= 32 }) { query.removeLast() }
    let text = Array(query.joined(separator: [10]))
    return GraphQLPayload(
      query: text + fragments(usedBy: text, body),
      operationName: name ?? GraphQLDocument.operationName(text),
      variables: variables(lines[split...]))
  }

  /// The lines of a body that are sent.
  func graphQLLines(_ body: BodySyntax) -> SyntaxList<BodyLineSyntax> {
    kept(body, GraphQLPayload.type, looksLikeJSON: false)
  }

  /// A line without what stands in its place.
  func outline(_ line: BodyLineSyntax) -> GraphQLLine {
    line.isText && importedQuery(line) == nil ? .text(Array(block.slice(line.content))) : .file
  }

  /// The name and the path of `gql NAME < path` and `gql < path`.
  func importedQuery(_ line: BodyLineSyntax) -> (name: Range<Int>?, path: Range<Int>)? {
    guard block.slice(line.content).starts(with: "gql ".utf8) else { return nil }
    let bytes = Array(block.slice(line.content))
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "<")), mark + 1 < bytes.count,
      bytes[mark - 1] == 32, bytes[mark + 1] == 32
    else { return nil }
    let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 || $0 == 13 }
    func trimmed(_ range: Range<Int>) -> Range<Int>? {
      guard let start = range.first(where: { !isBlank(bytes[$0]) }),
        let end = range.last(where: { !isBlank(bytes[$0]) })
      else { return nil }
      return start + line.content.lowerBound..<end + 1 + line.content.lowerBound
    }
    guard let path = trimmed(mark + 1..<bytes.count) else { return nil }
    let name = trimmed(4..<mark)
    if let name, block.slice(name).contains(where: isBlank) { return nil }
    return (name, path)
  }

  /// The bytes of the file of a `gql` line.
  mutating func included(_ path: Range<Int>) -> [UInt8] {
    let bytes = evaluator.expand(path, of: block, place: .path)
    return included(bytes, reportedAt: block.absolute(path))
  }

  /// The bytes of the file at a path.
  mutating func included(_ path: [UInt8], reportedAt range: Range<Int>) -> [UInt8] {
    let written = String(decoding: path, as: UTF8.self).withoutPathEscapes
    guard let file = evaluator.context.resolvePath(written) else {
      report(.fileNotFound(path: written), range)
      return []
    }
    return fileBytes(file, range).withoutByteOrderMark
  }

  /// The bytes of a line or of the file that it names: they become part of a text.
  mutating func content(_ line: BodyLineSyntax) -> [UInt8] {
    var chunks = BodyChunks()
    append(line, nil, to: &chunks)
    return chunks.chunks.flatMap { chunk -> [UInt8] in
      switch chunk {
      case .bytes(let bytes): return bytes.withoutByteOrderMark
      case .file(let path):
        return fileBytes(path, block.absolute(line.content)).withoutByteOrderMark
      }
    }
  }

  /// The variables, which must be a JSON object; what an unresolved reference left is no mistake of
  /// theirs.
  private mutating func variables(_ lines: Slice<SyntaxList<BodyLineSyntax>>) -> [UInt8]? {
    guard let first = lines.first, let last = lines.last else { return nil }
    let problems = evaluator.problems.count
    var parts: [[UInt8]] = []
    for line in lines { parts.append(content(line)) }
    let text = Array(parts.joined(separator: [10]))
    guard text.contains(where: { $0 > 32 }) else { return nil }
    if evaluator.problems.count > problems { return text }
    let range = block.absolute(first.content.lowerBound..<last.content.upperBound)
    do {
      let tree = try JSONTree(parsing: text)
      guard tree.root.kind == .object else {
        report(.graphQLVariables("they are not an object"), range)
        return nil
      }
      return GraphQLPayload.withoutBlanks(text)
    } catch {
      report(.graphQLVariables(error.explanation), range)
      return nil
    }
  }
}

extension [UInt8] {
  /// The bytes of a file that becomes part of a text, where a mark of its encoding has no meaning.
  fileprivate var withoutByteOrderMark: [UInt8] {
    Array(dropFirst(byteOrderMarkLength))
  }
}

extension GraphQLPayload {
  /// JSON without the blanks between its tokens.
  static func withoutBlanks(_ json: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(json.count)
    var isText = false
    var isEscaped = false
    for byte in json {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else if byte <= 32 {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      }
      output.append(byte)
    }
    return output
  }
}
