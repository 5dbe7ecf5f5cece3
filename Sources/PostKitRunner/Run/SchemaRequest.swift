// How a service is asked what it is: a request of a file with another body, and what the answer has
// to be (IO-39).

package import PostKitHTTP
import PostKitJSON
import PostKitStore
package import PostKitSyntax
import PostKitText

/// A request that asks a GraphQL service for its schema, as the request of a file asks it for data:
/// with its method, headers, scripts before it and sign-in.
package enum SchemaRequest {
  /// The text of a file in which a block has a query as its body, and nothing that looks at the
  /// response. Its blocks are at the same places among each other.
  package static func text(
    of document: ParsedDocument, block index: Int, query: String
  ) -> Result<[UInt8], Failure> {
    let block = document.blocks[index]
    guard let request = block.syntax.request else {
      return .failure(Failure(.requestNotFound, "There is no request to ask with."))
    }
    guard request.curl == nil else {
      return .failure(
        Failure(
          .syntax,
          "A curl command can't be sent with another body. Convert it to a request first."))
    }
    let ends =
      [request.line.upperBound] + request.target.map(\.upperBound)
      + request.headers.map(\.line.upperBound)
    let head = block.absolute(0..<(ends.max() ?? 0)).upperBound
    let lineEnd = document.lineEndText
    let body = lineEnd + lineEnd + query.split(separator: "\n").joined(separator: lineEnd) + lineEnd
    var edits: [TextEdit] = []
    func drop(_ range: Range<Int>, _ replacement: String = "") {
      // What stands below the head goes with the body.
      if range.upperBound <= head || range.lowerBound >= block.range.upperBound
        || range.upperBound <= block.range.lowerBound
      {
        edits.append(TextEdit(range, replacement))
      }
    }
    for other in document.blocks {
      for script in other.syntax.scripts
      where (other.index == index || script.isForAll) && !script.isBeforeResponse {
        drop(other.absolute(script.range))
      }
    }
    let metadata = block.syntax.metadata.filter { $0.kind.map(isLeftOut) ?? false }.map(\.line)
    let variables = block.syntax.variables.filter(\.isAfterResponse).map(\.line)
    // An empty line would end the headers.
    for line in metadata + variables { drop(block.absolute(line), "#") }
    edits.append(TextEdit(head..<block.range.upperBound, body))
    guard let text = TextEdit.apply(edits, to: document.bytes) else {
      return .failure(Failure(.internal, "The request can't be sent with another body."))
    }
    return .success(text)
  }

  /// Whether a tag is about the body that is replaced, or about the response.
  private static func isLeftOut(_ tag: MetadataTag) -> Bool {
    switch tag {
    case .loop, .noGraphQLParsing, .injectVariables, .expectStatusCode, .envJSONKey, .envHeaderKey,
      .save:
      true
    default: false
    }
  }
}

extension ScriptSyntax {
  /// Whether it runs before there is a response.
  fileprivate var isBeforeResponse: Bool {
    switch phase {
    case .imports, .pre, .request: true
    case .streaming, .response, .logging, .after: false
    }
  }
}

/// What came of asking a service.
package enum SchemaAnswer {
  /// The most bytes of a description.
  package static let limit = 64 << 20

  /// What a service has said, and to which URL, before redirects: that is what a request names. The
  /// failure says why it is nothing to be kept.
  package static func body(of result: RunResult) -> Result<(url: String, bytes: [UInt8]), Failure> {
    if let failure = result.failure { return .failure(failure) }
    guard let outcome = result.outcomes.last else {
      let reason = result.skipped.last.map { "`\($0.request.title)` is not sent: \($0.reason)." }
      return .failure(Failure(.cancelled, reason ?? "The request ended without a result."))
    }
    if let failure = outcome.failure { return .failure(failure) }
    guard let exchange = outcome.masked, let response = exchange.response else {
      return .failure(Failure(.internal, "The request ended without a response."))
    }
    let url = (exchange.hops.first?.request ?? exchange.request).url
    guard !response.isTruncated, response.body.count <= limit else {
      return .failure(
        Failure(.protocol, "The answer of \(name(url)) is too long to be kept."))
    }
    return .success((url, StoredBody.whole(response.body)))
  }

  private static func name(_ url: String) -> String {
    Model.DescribedService.Kind.graphQL.name(of: url)
  }

  /// Whether an answer is that of a service which knows GraphQL only as it was before October 2021:
  /// then it can be asked in the older words.
  package static func isOlder(_ bytes: [UInt8]) -> Bool {
    guard bytes.count < 1 << 20, let root = (try? JSONTree(parsing: bytes))?.root else {
      return false
    }
    return (root["errors"]?.elements ?? []).contains {
      $0["message"]?.string?.contains("isRepeatable") == true
    }
  }

  /// Why an answer is no schema, as a sentence that says what to do.
  /// `reason` is a clause about JSON that has neither a schema nor an error in it.
  package static func refusal(
    _ bytes: [UInt8], of result: RunResult, reason: String
  ) -> Failure {
    guard let response = result.outcomes.last?.masked?.response else {
      return Failure(.internal, "The request ended without a response.")
    }
    let url = name(result.outcomes.last?.url ?? "")
    let status = "\(response.status)" + (response.reason.isEmpty ? "" : " \(response.reason)")
    let other = "Check the URL; or save the schema beside the file, as `schema.graphql`."
    // What is no JSON is told by its type.
    guard let root = (try? JSONTree(parsing: bytes))?.root, root.kind == .object else {
      let written = response.headers.first("Content-Type").flatMap(MediaType.init)?.essence
      let isPage = written == "text/html" || bytes.first { $0 > 32 } == UInt8(ascii: "<")
      let kind = isPage ? "a web page" : written.map { "`\($0)`" } ?? "something"
      return Failure(
        .protocol, "\(url) answers \(status) with \(kind) that is no answer of GraphQL. \(other)")
    }
    if let message = root["errors"]?.elements.first?["message"]?.string {
      let sentence = message.excerpt.inOneLine
      return Failure(
        .protocol,
        "\(url) does not tell its schema: \(sentence)\(sentence.hasSuffix(".") ? "" : ".") "
          + "If it refuses introspection, save its schema beside the file, as `schema.graphql`.")
    }
    return Failure(
      .protocol, "\(url) answers \(status) with JSON that is no schema: \(reason). \(other)")
  }
}
