// A response as it is shown: where its head and its body are, and what is in its JSON. It is read
// from the text, so that what an editor shows and what is answered about it are the same.

import PostKitHTTP
import PostKitText

/// The text of a response, or of its body alone.
package struct ShownResponse: Sendable {
  private let bytes: [UInt8]
  /// The status line; `nil` where the text is a body, or there was no response.
  private let statusLine: Range<Int>?
  /// The lines of the header fields.
  private let headers: [Range<Int>]
  private let body: Range<Int>
  private let json: JSONOutline?
  /// The page of a long body that the text shows.
  private let page: PageHeading?
  /// The numbers of the first elements of arrays of which earlier pages have others.
  private let firsts: [Int: Int]

  /// Reads a text; `isBody` says that nothing stands above the body.
  package init(_ bytes: [UInt8], isBody: Bool) {
    self.bytes = bytes
    var (at, status, fields) = (0, Range<Int>?.none, [Range<Int>]())
    while !isBody, at < bytes.count {
      let end = bytes[at...].firstIndex(of: 10) ?? bytes.count
      let line = at..<end
      at = min(end + 1, bytes.count)
      if status == nil {
        if bytes[line].first != UInt8(ascii: "#") { status = line }
      } else if line.isEmpty {
        break
      } else {
        fields.append(line)
      }
    }
    statusLine = status
    headers = fields
    let line = at..<(bytes[at...].firstIndex(of: 10) ?? bytes.count)
    page = PageHeading(line: String(decoding: bytes[line], as: UTF8.self))
    body = (page == nil ? at : line.upperBound)..<bytes.count
    let first = body.first { bytes[$0] > 32 }.map { bytes[$0] }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    let json = isJSON ? JSONOutline(bytes, body, references: []) : nil
    firsts = page.flatMap(\.elements).map { ShownResponse.firsts($0, json?.nodes ?? []) } ?? [:]
    self.json = json
  }

  /// The arrays around the first element of a page, with the numbers that the elements shown of
  /// them begin with.
  private static func firsts(_ numbers: [Int], _ nodes: [JSONOutline.Node]) -> [Int: Int] {
    var result: [Int: Int] = [:]
    var left = numbers[...]
    // The nodes that lead to the first element stand at the beginning, each behind its holder.
    for (index, node) in nodes.enumerated() where node.kind == .array {
      guard let number = left.popFirst() else { break }
      result[index] = number
    }
    return result
  }

  // MARK: - Paths

  /// The JSONPath of the value, or of the member, at an offset; `nil` outside of JSON.
  package func path(at offset: Int) -> String? {
    guard let json, let place = place(at: offset, json), page?.path != nil || page == nil else {
      return nil
    }
    return "$" + steps(to: place, json).reversed().joined()
  }

  /// The innermost node that holds an offset.
  private func place(at offset: Int, _ json: JSONOutline) -> Int? {
    var found: Int?
    for (index, node) in json.nodes.enumerated() {
      if node.range.lowerBound > offset { break }
      // At the end of a value the caret is still at it, unless another one begins there.
      if offset <= node.range.upperBound { found = index }
    }
    return found
  }

  /// The steps from a node up to the whole.
  private func steps(to place: Int, _ json: JSONOutline) -> [String] {
    var result: [String] = []
    var at: Int? = place
    while let index = at {
      let node = json.nodes[index]
      at = node.parent
      if node.kind == .member {
        let key = json.nodes[index...].first { $0.kind == .key && $0.parent == index }
        if let key { result.append(PathStep.member(quoted: Array(bytes[key.range]))) }
      } else if let parent = node.parent, json.nodes[parent].kind == .array {
        let before = json.nodes[parent..<index].count { $0.parent == parent }
        result.append(PathStep.element(firsts[parent, default: 0] + before))
      }
    }
    return result
  }

  // MARK: - Structure

  /// How much of a body is listed: more is of no use to anybody.
  private static let listed = (depth: 3, count: 1_000)

  /// The status line, the headers and what is in the body.
  package func symbols() -> [DocumentSymbol] {
    var result: [DocumentSymbol] = []
    if let statusLine, !statusLine.isEmpty {
      result.append(
        DocumentSymbol(
          name: text(statusLine), detail: "", kind: .requestLine, range: statusLine,
          selection: statusLine))
    }
    if let first = headers.first, let last = headers.last {
      result.append(
        DocumentSymbol(
          name: "Headers (\(headers.count))", detail: "", kind: .headers,
          range: first.lowerBound..<last.upperBound, selection: first,
          children: headers.map { header($0) }))
    }
    let shown = trimmedBody
    if !shown.isEmpty {
      var left = ShownResponse.listed.count
      let first = shown.lowerBound..<(shown.first { bytes[$0] == 10 } ?? shown.upperBound)
      result.append(
        DocumentSymbol(
          name: "Body", detail: "", kind: json == nil ? .textBody : .structuredBody, range: shown,
          selection: first,
          children: json.flatMap { json in
            json.nodes.isEmpty ? nil : children(of: 0, json, depth: 1, &left)
          } ?? []))
    }
    return result
  }

  private func header(_ line: Range<Int>) -> DocumentSymbol {
    let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) ?? line.upperBound
    let value = min(colon + 1, line.upperBound)..<line.upperBound
    return DocumentSymbol(
      name: colon > line.lowerBound ? text(line.lowerBound..<colon) : text(line),
      detail: text(value).trimmingASCIIBlanks(), kind: .header, range: line,
      selection: line.lowerBound..<colon)
  }

  /// The members or elements of a bracket.
  private func children(
    of bracket: Int, _ json: JSONOutline, depth: Int, _ left: inout Int
  ) -> [DocumentSymbol] {
    guard depth <= ShownResponse.listed.depth else { return [] }
    var result: [DocumentSymbol] = []
    for index in json.nodes.indices.dropFirst(bracket + 1) where left > 0 {
      let node = json.nodes[index]
      if node.range.lowerBound >= json.nodes[bracket].range.upperBound { break }
      guard node.parent == bracket else { continue }
      left -= 1
      let isMember = node.kind == .member
      let key =
        isMember
        ? json.nodes[index...].first { $0.kind == .key && $0.parent == index } : nil
      let inner =
        isMember
        ? json.nodes[index...].firstIndex { $0.parent == index && $0.kind != .key } : index
      let isBracket = inner.map { json.nodes[$0].kind.isBracket } ?? false
      result.append(
        DocumentSymbol(
          name: key.map { text($0.range).trimmingQuotes }
            ?? PathStep.element(firsts[bracket, default: 0] + result.count),
          detail: isBracket ? "" : inner.map { text(json.nodes[$0].range).excerpt } ?? "",
          kind: .bodyKey, range: node.range, selection: key?.range ?? node.range.prefixOfOne,
          children: inner.map { isBracket ? children(of: $0, json, depth: depth + 1, &left) : [] }
            ?? []))
    }
    return result
  }

  /// What can be folded in a body that stands alone: its brackets.
  package func folds() -> [FoldingRange] {
    guard let json else { return [] }
    var depths: [Int] = []
    var result: [FoldingRange] = []
    for node in json.nodes {
      let above = node.parent.map { depths[$0] } ?? -1
      depths.append(node.kind.isBracket ? above + 1 : above)
      if node.kind.isBracket, node.isClosed, bytes[node.range].contains(10) {
        result.append(
          FoldingRange(
            range: node.range, kind: nil, label: "", level: above + 1, hasBrackets: true))
      }
    }
    return result
  }

  /// The ranges that a selection at an offset of a body can grow to, the innermost first.
  package func selections(at offset: Int) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for node in (json?.nodes ?? []).reversed() where node.range.touches(offset) {
      let isText = bytes[node.range.lowerBound] == UInt8(ascii: "\"")
      if node.isClosed, node.range.count > 2, node.kind.isBracket || isText {
        let inside = node.range.lowerBound + 1..<node.range.upperBound - 1
        if inside.lowerBound <= offset, offset <= inside.upperBound { result.append(inside) }
      }
      result.append(node.range)
    }
    result.append(0..<bytes.count)
    // What only touches the offset doesn't hold what comes before it.
    return result.reduce(into: []) { chain, range in
      guard let last = chain.last else { return chain.append(range) }
      let holds = range.lowerBound <= last.lowerBound && last.upperBound <= range.upperBound
      if holds, range != last { chain.append(range) }
    }
  }

  private var trimmedBody: Range<Int> {
    var end = body.upperBound
    while end > body.lowerBound, bytes[end - 1] <= 32 { end -= 1 }
    return body.lowerBound..<end
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension JSONOutline.Kind {
  fileprivate var isBracket: Bool { self == .object || self == .array }
}

extension Range<Int> {
  fileprivate var prefixOfOne: Range<Int> { lowerBound..<Swift.min(lowerBound + 1, upperBound) }
}

extension String {
  fileprivate var trimmingQuotes: String {
    count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
