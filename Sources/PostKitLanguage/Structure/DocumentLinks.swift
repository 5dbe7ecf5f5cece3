// What in a file leads elsewhere: to files that it names, and to URLs.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A place in the file that leads elsewhere.
package struct DocumentLink: Sendable, Hashable {
  /// Where a link leads.
  package enum Target: Sendable, Hashable {
    /// The absolute path of a file that exists.
    case file(String)
    /// A URL as it is written.
    case url(String)
    /// The URL of a request, which is worked out when it is asked for.
    case request
  }
  /// The bytes of the path or the URL.
  package var range: Range<Int>
  package var target: Target
}

/// The URL of a request as a link: without secrets.
package struct ResolvedLink: Sendable, Hashable {
  /// The URL; `nil` where a secret is in it or where it can't be worked out.
  package var url: String?
  /// What is shown about it.
  package var tooltip: String
}

extension Analysis {
  /// The files that the file names, bodies, scripts, fragments, imports, saved and expected
  /// responses, and the URLs in it. Paths with secrets in them are none.
  package func documentLinks() -> [DocumentLink] {
    var result: [DocumentLink] = []
    for block in document.blocks {
      if isAbandoned() { break }
      let paths = block.pathRanges.compactMap { link(block.absolute($0), block.text($0)) }
      let links = paths + scriptLinks(of: block) + urls(of: block)
      result += links.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
    return result
  }

  /// The files that the scripts of a block require and import.
  private func scriptLinks(of block: ParsedBlock) -> [DocumentLink] {
    if block.scripts.isEmpty { return [] }
    return block.scriptPlaces.flatMap { place in
      place.reading.paths.compactMap { range -> DocumentLink? in
        let path = ScriptModules.candidates(place.reading.tokens.text(range)).lazy
          .compactMap { context.resolvePath($0) }.first
        return path.map { DocumentLink(range: place.absolute(range), target: .file($0)) }
      }
    }
  }

  /// The path of the file that a path at an offset names.
  package func linkedFile(at position: Int) -> DocumentLink? {
    let offset = max(0, min(position, document.bytes.count))
    guard let block = document.block(at: offset) else { return nil }
    let place = offset - block.range.lowerBound
    return block.pathRanges.first { $0.touches(place) }
      .flatMap { link(block.absolute($0), block.text($0)) }
  }

  private func link(_ range: Range<Int>, _ written: String) -> DocumentLink? {
    var evaluator = Evaluator(context: context, scope: scope, masksSecrets: true)
    let text = evaluator.display(written, at: range.lowerBound)
    let unescaped = text.split(separator: "\\ ", omittingEmptySubsequences: false)
      .joined(separator: " ")
    guard evaluator.problems.isEmpty else { return nil }
    return context.resolvePath(unescaped).map { DocumentLink(range: range, target: .file($0)) }
  }

  /// The target of the request, tags that are URLs (`# @docs`), and the schema of a body.
  private func urls(of block: ParsedBlock) -> [DocumentLink] {
    var result = block.metadata.filter { $0.region != .body }
      .compactMap { url(block.absolute($0.value)) }
    guard let request = block.request else { return result }
    if let target = request.target.first, request.curl == nil {
      let range = block.absolute(target)
      let text = block.slice(target)
      let hasReference = text.starts(with: "{{".utf8) || TextLinks.begins(text)
      if block.references.contains(where: { target.contains($0.range.lowerBound) }) {
        if hasReference { result.append(DocumentLink(range: range, target: .request)) }
      } else if let link = url(range) {
        let isWhole = request.target.count == 1
        result.append(isWhole ? link : DocumentLink(range: range, target: .request))
      }
    }
    guard let body = request.body, mayNameSchema(block.absolute(body.range)),
      let json = block.bodyJSON
    else { return result }
    for (place, node) in json.nodes.enumerated() where node.kind == .key && node.range.count == 9 {
      guard document.bytes[node.range].elementsEqual("\"$schema\"".utf8),
        json.nodes.indices.contains(place + 1), json.nodes[place + 1].kind == .value
      else { continue }
      let value = json.nodes[place + 1].range
      if value.count > 2, let link = url(value.lowerBound + 1..<value.upperBound - 1) {
        result.append(link)
      }
    }
    return result
  }

  /// Whether a range may name a schema: few do, and to read all bodies takes long.
  private func mayNameSchema(_ range: Range<Int>) -> Bool {
    range.contains { place in
      document.bytes[place] == UInt8(ascii: "$")
        && document.bytes[place..<range.upperBound].starts(with: "$schema".utf8)
    }
  }

  /// A range that is a URL as a whole, one without references or a password in it.
  private func url(_ range: Range<Int>) -> DocumentLink? {
    let bytes = document.bytes[range]
    guard TextLinks.begins(bytes), !bytes.contains(where: { $0 <= 32 || $0 == 64 || $0 == 123 })
    else { return nil }
    return DocumentLink(range: range, target: .url(String(decoding: bytes, as: UTF8.self)))
  }

  /// The URL of the request at an offset, for a link to it; `nil` where there is no request.
  package func resolvedLink(at offset: Int) -> ResolvedLink? {
    guard let block = request(at: offset) else { return nil }
    let lowered = lowered(block)
    let secrets = lowered.secrets.union(context.exchangeSecrets)
    guard let url = lowered.spec?.url else {
      let failure = lowered.failure?.masking(secrets).message
      return ResolvedLink(url: nil, tooltip: failure ?? "The URL can't be resolved.")
    }
    let shown = displayURL(block, url, secrets)
    // What the mask had to change holds a secret or a password.
    let isPlain = shown == url && TextLinks.begins(Array(url.utf8)[...])
    return ResolvedLink(url: isPlain ? url : nil, tooltip: shown)
  }
}

/// Finds URLs in any text.
package enum TextLinks {
  /// How many links of an answer are of use to anybody.
  private static let limit = 1_000

  /// The URLs of a text, such as an answer, in order; those with a password in them are left out.
  package static func urls(in bytes: [UInt8]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var at = 0
    while at < bytes.count, result.count < limit {
      guard bytes[at] == UInt8(ascii: "h"), begins(bytes[at...]) else {
        at += 1
        continue
      }
      var end = at
      while end < bytes.count, !bytes[end].endsURL { end += 1 }
      while end > at, bytes[end - 1].isPunctuation { end -= 1 }
      let rest = bytes[at..<end].drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      if !host.isEmpty, !host.contains(UInt8(ascii: "@")) { result.append(at..<end) }
      at = max(end, at + 1)
    }
    return result
  }

  /// Whether a text begins like a URL of the web.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: "http://".utf8) || bytes.starts(with: "https://".utf8)
  }
}

extension UInt8 {
  fileprivate var endsURL: Bool {
    switch self {
    case 0...32, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"), 127:
      true
    default: false
    }
  }

  /// What ends a sentence rather than a URL.
  fileprivate var isPunctuation: Bool {
    switch self {
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
      UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "!"):
      true
    default: false
    }
  }
}
