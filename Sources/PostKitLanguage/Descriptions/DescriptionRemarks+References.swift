// References into responses that the description does not have.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension Analysis {
  /// The references of a block that read a member of a response which is not described, and the
  /// names that this depends on. Where a response was received, that says what there is.
  func responsePathFindings(
    _ block: ParsedBlock
  ) -> (findings: [DescriptionRemarks.Finding], names: Set<String>) {
    var result: [DescriptionRemarks.Finding] = []
    var names: Set<String> = []
    var known: [String: ResponseMembers?] = [:]
    for reference in block.references {
      guard case .path(let name, let rest) = reference.expression, exchangeIDs[name] == nil,
        let path = ResponsePath(rest)
      else { continue }
      let members = known[name] ?? responseMembers(name, &names)
      known[name] = members
      guard let members, let (step, nearest) = members.missing(path) else { continue }
      let start =
        block.absolute(reference.inner).lowerBound + name.utf8.count + step.range.lowerBound
      let range = start..<start + step.range.count
      guard document.bytes[range].elementsEqual(step.text.utf8) else { continue }
      result.append(
        DescriptionRemarks.Finding(
          diagnostic: Diagnostic(
            .openAPIResponsePath, range,
            "The response of `\(name)` has no member `\(step.text)` in the description. "
              + (nearest.map { "Did you mean `\($0)`?" } ?? "Correct the path.")),
          fixes: nearest.map { [QuickFix("Write `\($0)`", TextEdit(range, $0))] } ?? []))
    }
    return (result, names)
  }

  private func responseMembers(_ name: String, _ names: inout Set<String>) -> ResponseMembers? {
    names.insert(name)
    guard let block = ownRequest(referredToAs: name) else { return nil }
    guard let request = block.request, request.curl == nil else { return nil }
    let target = ResolvedTarget(self, block, request)
    names.formUnion(target.names)
    guard let described = description(of: block, target.text), let match = described.match,
      match.isExact
    else { return nil }
    for status in 200...206 {
      let schema = described.index.responseSchema(match, status: status, type: "application/json")
      if let schema { return ResponseMembers(index: described.index, schema: schema) }
    }
    return nil
  }
}

/// What a response has by its description.
private struct ResponseMembers {
  let index: DescriptionIndex
  let schema: DescribedValue

  /// The first step of a path that leads to nothing, and the member that was meant.
  func missing(_ path: ResponsePath) -> (ResponsePath.Step, nearest: String?)? {
    var way: [String] = []
    for step in path.steps {
      guard let flat = index.schema(schema, at: way) else { return nil }
      if !step.isPosition {
        let names = flat.properties.map(\.name)
        let isOpen = flat["additionalProperties"].map { $0.view.bool != false } ?? false
        let mayBeOther = names.isEmpty || isOpen || flat["patternProperties"] != nil
        if !names.contains(step.text) {
          if mayBeOther || step.text == "length" { return nil }
          return (step, Suggestion.nearest(to: step.text, among: names))
        }
      }
      way.append(step.text)
    }
    return nil
  }
}

/// The plain steps of a path into the body of a response: `.response.body.$.user.name`.
struct ResponsePath {
  /// A name or a position.
  struct Step {
    /// Either, without signs.
    let text: String
    /// Its bytes in what follows the request's name.
    let range: Range<Int>
    /// Whether it is an element of a list.
    let isPosition: Bool
  }

  /// The steps in order.
  private(set) var steps: [Step] = []

  /// Reads what follows the name of a request; it ends before the first step that may select
  /// several values.
  init?(_ rest: String) {
    let bytes = Array(rest.utf8)
    let starts = [".response.body", ".response.parsedBody"].map { Array($0.utf8) }
    guard let start = starts.first(where: { bytes.starts(with: $0) }) else { return nil }
    var at = start.count
    if bytes[at...].starts(with: ".$".utf8) { at += 2 }
    while at < bytes.count {
      let isDot = bytes[at] == UInt8(ascii: ".")
      guard isDot || bytes[at] == UInt8(ascii: "[") else { return }
      var end = at + 1
      while end < bytes.count, Self.isOfName(bytes[end]) { end += 1 }
      let range = at + 1..<end
      let isPosition = range.allSatisfy { (48...57).contains(bytes[$0]) }
      guard !range.isEmpty,
        isDot || isPosition && end < bytes.count && bytes[end] == UInt8(ascii: "]")
      else { return }
      steps.append(
        Step(
          text: String(decoding: bytes[range], as: UTF8.self), range: range,
          isPosition: isPosition))
      at = isDot ? end : end + 1
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-") || byte >= 0x80
  }
}
