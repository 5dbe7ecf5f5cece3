// Whether a text was written as a request: to the parser any line is one, with GET before it.

import PostKitEvaluate
import PostKitSyntax

extension RequestFolderReader {
  /// Whether any request of a file was meant as one.
  package func holdsRequest(_ file: TransferFile) -> Bool {
    reading.document(file.bytes, format: .http).blocks.contains(where: \.isMeant)
  }
}

extension ParsedBlock {
  /// Whether the block has what only a request has: a known method, a curl command, a line that
  /// runs others, or a target that can be a URL. Prose has none of them.
  fileprivate var isMeant: Bool {
    guard isRunnable else { return false }
    guard let request else { return true }
    if request.curl != nil { return true }
    if let method = request.method {
      let word = text(method)
      if word.hasPrefix("{{") || MethodCatalog.isKnown(word.uppercased()) { return true }
    }
    return ParsedBlock.canBeURL(writtenTarget)
  }

  private static func canBeURL(_ target: String) -> Bool {
    guard let first = target.unicodeScalars.first else { return false }
    if target.hasPrefix("{{") || target.contains("://") || first == "/" { return true }
    // A host alone, with a port, a path or a domain.
    let isHost = first == "[" || first.properties.isAlphabetic || ("0"..."9").contains(first)
    return isHost && !target.contains(" ") && target.contains { "./:".contains($0) }
      && !target.hasSuffix(".") && !target.hasSuffix(":")
  }
}
