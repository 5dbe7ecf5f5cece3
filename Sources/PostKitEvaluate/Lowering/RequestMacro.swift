// A request line that is one reference, whose value is more than a target: REST Client puts values
// in before it reads the lines, so that they may be whole lines (PK-45).

import PostKitHTTP
package import PostKitSyntax

/// What the value of such a reference says, read as the text of a request.
struct RequestMacro {
  let method: String?
  let target: String
  let version: String?
  let headers: [(name: String, value: String)]
  let body: [UInt8]
  /// Whether a line of it is neither a header nor the start of a body.
  let isMalformed: Bool

  /// Reads a value; `nil` for one that is only a target.
  init?(_ text: String) {
    let document = ParsedDocument(bytes: text.keptBytes, rules: SyntaxRules(preset: "restclient"))
    guard document.blocks.count == 1, let block = document.requests.first,
      let request = block.syntax.request, request.curl == nil, !request.target.isEmpty,
      request.method != nil || request.version != nil || text.contains(where: \.isNewline)
    else { return nil }
    method = request.method.map { MethodCatalog.canonical(block.text($0)) }
    target = request.target.map { block.keptText($0) }.joined()
    version = request.version.map { block.text($0) }
    headers = request.headers.map { header in
      (block.text(header.name), header.value.map { block.keptText($0) }.joined(separator: " "))
    }
    body = request.body.map { Array(block.slice($0.range)) } ?? []
    isMalformed =
      request.headers.contains { $0.isSpread || $0.value.isEmpty }
      || block.syntax.problems.contains { $0.kind == .malformedHeader }
  }

  /// The macro that the request line of a block is, and the evaluator that has seen its value.
  fileprivate static func found(
    in block: ParsedBlock, _ evaluator: Evaluator
  ) -> (RequestMacro, Evaluator)? {
    guard let request = block.request, request.method == nil,
      let line = request.target.first, line == request.line,
      TemplateParser.isWholeReference(block.bytes, block.absolute(line))
    else { return nil }
    var evaluator = evaluator
    let bytes = evaluator.expand(line, of: block, place: .target)
    let text = String(keeping: bytes).trimmingBlanks
    return RequestMacro(text).map { ($0, evaluator) }
  }
}

extension BlockLowering {
  /// What the request line stands for; `nil` where it is written out, or a target.
  mutating func macro(_ request: RequestSyntax) -> RequestMacro? {
    if request.method != nil { return nil }
    guard let (macro, evaluator) = RequestMacro.found(in: block, evaluator) else { return nil }
    self.evaluator = evaluator
    if macro.isMalformed { report(.malformedHeader, block.absolute(request.line)) }
    return macro
  }

  /// Adds the headers of a request line's value.
  mutating func addHeaders(
    of macro: RequestMacro, _ request: RequestSyntax, to fields: inout HeaderFields
  ) {
    for (name, value) in macro.headers {
      addLine(name, value, at: block.absolute(request.line), to: &fields)
    }
  }
}

extension Evaluator {
  /// Whether the request line of a block is one reference whose value is more than a target.
  package func readsRequestLineAsText(of block: ParsedBlock) -> Bool {
    RequestMacro.found(in: block, self) != nil
  }
}
