// A request of the history, made ready to be sent anew where it came from.

package import PostKitHTTP
package import PostKitSyntax

/// The text to send a kept request from: its file as it is now, with the request as it was then.
package struct KeptRequest: Sendable, Hashable {
  package let bytes: [UInt8]
  /// A place inside of the request's block.
  package let offset: Int
  /// Why it is not simply the request of the file; `nil` where it is.
  package let remark: String?

  /// Looks for the request of an exchange in its file, which is `nil` where that is gone. A kept
  /// request has masks in place of its secrets, which are never sent: then only the file can tell
  /// what they were.
  package static func find(
    _ exchange: Exchange, in document: ParsedDocument?
  ) -> Result<KeptRequest, Failure> {
    let template = exchange.template.keptBytes
    let requests = document?.blocks.filter(\.isRunnable) ?? []
    let same = requests.filter { exchange.requestName == nil || $0.name == exchange.requestName }
      .first { says($0.bytes[$0.range], template) }
    if let document, let same {
      return .success(
        KeptRequest(
          bytes: document.bytes, offset: same.requestLine.lowerBound, remark: nil))
    }
    let title = exchange.requestName ?? "\(exchange.request.method) \(exchange.request.url)"
    let isStored = StoredRequestFile.isHistoryName(exchange.file)
    let home = isStored ? "the stored request" : exchange.file
    if exchange.template.contains(SecretMask.text) {
      let place = document == nil ? "is gone" : "no longer has this request"
      return .failure(
        Failure(
          .unresolvedVariable,
          "The history has `\(title)` without its secrets, and \(home) \(place). Write it "
            + (isStored ? "anew" : "there again") + ", with a variable for the secret."))
    }
    guard let document else {
      return .success(
        KeptRequest(
          bytes: template, offset: max(0, template.count - 1),
          remark: isStored
            ? "the stored request `\(title)` is gone; PostKit sends it as recorded, without the "
              + "environments of its collection."
            : "\(home) is gone with its definitions; PostKit sends `\(title)` as recorded."
        ))
    }
    let named = exchange.requestName.flatMap { name in requests.first { $0.name == name } }
    let change = named == nil ? "no longer has" : "has changed"
    let remark = isStored
      ? "the stored request `\(title)` has changed since; PostKit sends it as recorded."
      : "\(home) \(change) `\(title)`; PostKit sends it as recorded."
    return .success(named.map { replacing($0, in: document, template, remark) }
      ?? appending(to: document, template, remark))
  }

  /// Puts the kept text in place of the request that has its name now.
  private static func replacing(
    _ block: ParsedBlock, in document: ParsedDocument, _ template: [UInt8], _ remark: String
  ) -> KeptRequest {
    let end: [UInt8] = template.last == 0x0A ? [] : [0x0A]
    var bytes = document.bytes
    bytes.replaceSubrange(block.range, with: template + end)
    let offset = block.range.lowerBound + max(0, template.count - 1)
    return KeptRequest(bytes: bytes, offset: offset, remark: remark)
  }

  /// Puts the kept text behind all others, where it sees every definition.
  private static func appending(
    to document: ParsedDocument, _ template: [UInt8], _ remark: String
  ) -> KeptRequest {
    let isSeparated = template.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "###".utf8)
    let text = (isSeparated ? [] : Array("###\n".utf8)) + template
    let before = Array((document.format == .markdown ? "\n\n```http\n" : "\n").utf8)
    let after = Array((document.format == .markdown ? "\n```\n" : "\n").utf8)
    let offset = document.bytes.count + before.count + max(0, text.count - 1)
    return KeptRequest(
      bytes: document.bytes + before + text + after, offset: offset, remark: remark)
  }

  /// Whether a block is what was kept, whatever stands in place of the masks; blanks around both
  /// don't count.
  private static func says(_ block: ArraySlice<UInt8>, _ template: [UInt8]) -> Bool {
    var rest = trimmed(block)
    var pieces = trimmed(template[...])
      .split(separator: Array(SecretMask.text.utf8), omittingEmptySubsequences: false)
    guard let first = pieces.first, let last = pieces.popLast() else { return false }
    if pieces.isEmpty { return rest.elementsEqual(last) }
    guard rest.starts(with: first) else { return false }
    rest = rest.dropFirst(first.count)
    for piece in pieces.dropFirst() {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let text = bytes.drop(while: isBlank)
    return text[..<(text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? text.startIndex)]
  }
}
