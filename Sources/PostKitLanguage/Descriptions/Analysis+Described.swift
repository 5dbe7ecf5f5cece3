// What a description is asked about: the request of a block, and the part of it at a place.

package import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
package import PostKitSyntax

/// A part of a request that a description may know.
package struct DescribedPart: Sendable, Hashable {
  /// The kinds of parts.
  package enum Kind: Sendable, Hashable {
    /// The method, or the path where it is no parameter's value.
    case operation
    /// A parameter, by its place and name.
    case parameter(ParameterLocation, String)
    /// A member of the JSON body, by the keys that lead to it; `*` for elements.
    case member([String])
    /// A field of a form.
    case field(String)
    /// A member of the answer to a request of the file, by the request's name and the steps that
    /// lead to it.
    case answer(String, [String])
  }

  package let kind: Kind
  /// The bytes of the part in the document.
  package let range: Range<Int>
}

extension Analysis {
  /// What a description needs to know of the request of a block; `nil` where it has none.
  package func describedRequest(of block: ParsedBlock) -> DescribedRequest? {
    guard block.request != nil else { return nil }
    return DescribedRequest(
      method: block.writtenMethod.uppercased(),
      target: describedTarget(block.writtenTarget, at: block.range.lowerBound),
      operation: document.descriptionTag(of: block)?.operation)
  }

  /// A target with its names resolved as far as they are known.
  func describedTarget(_ text: String, at offset: Int) -> String {
    guard text.contains("{{") else { return text }
    var evaluator = Evaluator(context: context, scope: scope)
    return evaluator.display(text, at: offset)
  }

  /// The request at an offset while it is typed, whose target is this text.
  func typedRequest(_ target: String, at offset: Int) -> DescribedRequest {
    let block = document.block(at: offset)
    return DescribedRequest(
      method: block?.writtenMethod.uppercased() ?? "GET",
      target: describedTarget(target, at: offset),
      operation: document.descriptionTag(of: block)?.operation)
  }

  /// The part of a request at an offset that a description may know; `nil` for anything else.
  package func describedPart(at position: Int, in index: DescriptionIndex) -> DescribedPart? {
    let offset = max(0, min(position, document.bytes.count))
    guard let block = document.block(at: offset), let request = block.request,
      request.curl == nil, !block.hasScript(at: offset)
    else { return nil }
    if let part = answerPart(block, at: offset) { return part }
    let place = offset - block.range.lowerBound
    if let method = request.method, method.touches(place) {
      return DescribedPart(kind: .operation, range: block.absolute(method))
    }
    if let target = request.target.first(where: { $0.touches(place) }) {
      return targetPart(block, block.absolute(target), at: offset, in: index)
    }
    if let header = request.headers.first(where: { $0.name.touches(place) }) {
      return DescribedPart(
        kind: .parameter(.header, block.text(header.name)), range: block.absolute(header.name))
    }
    return bodyPart(block, request, at: offset)
  }

  /// The block whose description says something at an offset: the one whose answer is read there,
  /// else the one there.
  package func describedBlock(at offset: Int) -> ParsedBlock? {
    guard let block = document.block(at: offset) else { return nil }
    guard case .answer(let name, _)? = answerPart(block, at: offset)?.kind else { return block }
    return ownRequest(referredToAs: name)
  }

  /// The request of this file that a name means.
  func ownRequest(referredToAs name: String) -> ParsedBlock? {
    guard let place = scope.files.place(referredToAs: name, from: scope.file), place.file == 0
    else { return nil }
    return scope.files.block(place)
  }

  /// A step of a reference into the body of an answer.
  private func answerPart(_ block: ParsedBlock, at offset: Int) -> DescribedPart? {
    let inside = block.references.first { block.absolute($0.inner).touches(offset) }
    guard let inside, case .path(let name, let rest) = inside.expression,
      let steps = ResponsePath(rest)?.steps, ownRequest(referredToAs: name) != nil
    else { return nil }
    let start = block.absolute(inside.inner).lowerBound + name.utf8.count
    func range(_ step: ResponsePath.Step) -> Range<Int> {
      step.range.lowerBound + start..<step.range.upperBound + start
    }
    guard let last = steps.firstIndex(where: { range($0).touches(offset) }),
      document.bytes[range(steps[last])].elementsEqual(steps[last].text.utf8)
    else { return nil }
    return DescribedPart(
      kind: .answer(name, steps[...last].map(\.text)), range: range(steps[last]))
  }

  /// The part of a target: a pair of the query, a value of the path, or the operation.
  private func targetPart(
    _ block: ParsedBlock, _ line: Range<Int>, at offset: Int, in index: DescriptionIndex
  ) -> DescribedPart? {
    let whole = Array(block.writtenTarget.utf8)
    let shape = TargetShape(whole)
    // Where the line with the offset begins in the target that all lines make.
    let lines = block.request?.target.map(block.absolute) ?? []
    let before = lines.prefix { $0 != line }.reduce(0) { $0 + $1.count }
    let at = before + offset - line.lowerBound
    func absolute(_ range: Range<Int>) -> Range<Int> {
      let start = line.lowerBound - before
      return max(line.lowerBound, range.lowerBound + start)..<max(
        line.lowerBound, min(range.upperBound + start, line.upperBound))
    }
    if let pair = shape.pairs.first(where: {
      $0.name.touches(at) || $0.value?.touches(at) == true
    }) {
      let name = String(decoding: whole[pair.name], as: UTF8.self)
      return DescribedPart(kind: .parameter(.query, name), range: absolute(pair.name))
    }
    guard shape.originEnd <= at, at <= shape.pathEnd else { return nil }
    let operation = DescribedPart(
      kind: .operation, range: absolute(shape.originEnd..<shape.pathEnd))
    guard let request = describedRequest(of: block), let match = index.match(request) else {
      return operation
    }
    // The steps of the description's path stand at the end of the request's.
    var ends = shape.pathEnd
    if ends > shape.originEnd, whole[ends - 1] == UInt8(ascii: "/") { ends -= 1 }
    for step in PathDivergence.steps(of: index.operations[match.operation].path).reversed() {
      let slash = whole[shape.originEnd..<ends].lastIndex(of: UInt8(ascii: "/"))
      let start = slash.map { $0 + 1 } ?? shape.originEnd
      if (start..<ends).touches(at) {
        guard step.hasPrefix("{"), step.hasSuffix("}") else { return operation }
        return DescribedPart(
          kind: .parameter(.path, String(step.dropFirst().dropLast())),
          range: absolute(start..<ends))
      }
      guard let slash else { break }
      ends = slash
    }
    return operation
  }

  /// The member of a JSON body, or the field of a form.
  private func bodyPart(
    _ block: ParsedBlock, _ request: RequestSyntax, at offset: Int
  ) -> DescribedPart? {
    guard let body = request.body.map({ block.absolute($0.range) }), body.touches(offset) else {
      return nil
    }
    let type = contentType(of: block)
    if type?.isForm == true {
      let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "&") || byte == 10 || byte == 13 }
      let bytes = document.bytes
      let start = bytes[body.lowerBound..<offset].lastIndex(where: isEnd).map { $0 + 1 }
      let from = start ?? body.lowerBound
      let stop = bytes[from..<body.upperBound].firstIndex {
        isEnd($0) || $0 == UInt8(ascii: "=")
      }
      let name = from..<(stop ?? body.upperBound)
      guard !name.isEmpty else { return nil }
      return DescribedPart(
        kind: .field(String(decoding: bytes[name], as: UTF8.self)), range: name)
    }
    guard type == nil || type?.isJSON == true else { return nil }
    let sketch = JSONSketch(document.bytes, in: body, caret: offset)
    guard let caret = sketch.caret, let container = caret.container.map({ sketch.containers[$0] })
    else { return nil }
    switch caret.role {
    case .key where !caret.token.isEmpty:
      var name = String(decoding: document.bytes[caret.token], as: UTF8.self)
      if caret.isQuoted { name = String(name.dropFirst()) }
      if caret.isQuoted, name.hasSuffix("\"") { name = String(name.dropLast()) }
      return DescribedPart(kind: .member(container.path + [name]), range: caret.token)
    case .value where !caret.token.isEmpty:
      guard let key = caret.key, container.isObject else { return nil }
      return DescribedPart(kind: .member(container.path + [key]), range: caret.token)
    case .key, .value, .nothing: return nil
    }
  }

  /// The media type that a block says its body has.
  func contentType(of block: ParsedBlock) -> MediaType? {
    let header = block.request?.headers.first {
      block.text($0.name).equalsIgnoringASCIICase("content-type")
    }
    return header.flatMap { MediaType($0.value.map { block.text($0) }.joined(separator: " ")) }
  }
}
