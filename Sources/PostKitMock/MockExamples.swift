// Examples beside request files (`# @example`) and responses that stand in them, as recordings.

import PostKitHTTP
import PostKitLoopback
package import PostKitSyntax
import PostKitTransfer

/// Reads the examples of a request file.
package struct MockExamples {
  /// The name of the file, for messages.
  private let name: String
  private let rank: Int
  /// The bytes of a file that the request file names, relative to it; `nil` where it can't be had.
  private let file: (String) -> [UInt8]?
  /// What could not be read, as sentences.
  package private(set) var remarks: [String] = []

  /// Makes a reader.
  package init(name: String, rank: Int, file: @escaping (String) -> [UInt8]?) {
    self.name = name
    self.rank = rank
    self.file = file
  }

  /// The recordings that a document holds or names, in the order in which they stand.
  package mutating func recordings(_ document: ParsedDocument) -> [MockRecording] {
    var result: [MockRecording] = []
    for block in document.requests {
      guard let request = block.request else { continue }
      let text = request.target.map { block.text($0) }.joined()
      let target = MockTarget(text)
      let paths = paths(of: target, base: base(of: text, document))
      let method = request.method.map(block.text) ?? "GET"
      let tags = block.syntax.metadata.filter { block.text($0.key).lowercased() == "example" }
      if paths.isEmpty {
        if !tags.isEmpty || block.syntax.inlineResponse != nil {
          remarks.append("\(name): the path of \(text) is not known; its examples are left out.")
        }
        continue
      }
      for tag in tags {
        let words = block.text(tag.value).split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { continue }
        guard let bytes = file(words[1]), let answer = AnswerText(bytes) else {
          remarks.append("\(name): the example \(words[1]) can't be read; it is left out.")
          continue
        }
        let status = Int(words[0]) ?? answer.status
        result += recordings(block, method, target, paths, answer, status, of: words[1])
      }
      if let range = block.syntax.inlineResponse,
        let answer = AnswerText(Array(block.text(range).utf8))
      {
        result += recordings(block, method, target, paths, answer, answer.status, of: nil)
      }
    }
    return result
  }

  /// The paths that clients may ask for: with `@base = https://h/v1` and `{{base}}/users`
  /// `/v1/users` or `/users`. None where the path is in a reference that the file does not define.
  private func paths(of target: MockTarget, base: [MockSegment]?) -> [[MockSegment]] {
    if target.hasHiddenPath { return target.isReference ? base.map { [$0] } ?? [] : [] }
    guard let base, !base.isEmpty else { return [target.path] }
    return [target.path, base + target.path]
  }

  /// The path of what a target begins with; `nil` where the file does not define it.
  private func base(of target: String, _ document: ParsedDocument) -> [MockSegment]? {
    guard target.hasPrefix("{{"), let end = target.firstRange(of: "}}") else { return nil }
    let name = target[target.index(target.startIndex, offsetBy: 2)..<end.lowerBound]
    guard let place = document.names.definitions[String(name).trimmingASCIIBlanks()]?.first else {
      return nil
    }
    let block = document.blocks[place.block]
    let value = MockTarget(block.text(block.syntax.variables[place.index].value))
    return value.hasHiddenPath ? nil : value.path
  }

  private func recordings(
    _ block: ParsedBlock, _ method: String, _ target: MockTarget, _ paths: [[MockSegment]],
    _ answer: AnswerText, _ status: Int, of file: String?
  ) -> [MockRecording] {
    paths.map { path in
      var recording = MockRecording(
        source: "\(name), \(file ?? "the response of \(block.name ?? method)")", method: method,
        path: path, query: target.query, status: status, headers: answer.headers,
        body: .bytes(answer.body))
      recording.rank = rank
      recording.name = file.map(AnswerText.name) ?? block.name
      return recording
    }
  }
}

/// The target of a request as it is written: references may be anything.
struct MockTarget {
  let path: [MockSegment]
  /// The pairs without references; `nil` where there is none, so that any query will do.
  let query: [HeaderField]?
  /// Whether the path may be in a reference, and `path` is none therefore.
  let hasHiddenPath: Bool
  /// Whether one reference is all that stands before the query.
  let isReference: Bool

  /// Reads a target, which may be an absolute URL, begin with a reference, or be a path.
  init(_ text: String) {
    // A target goes on in other lines.
    let url = URLText(text.filter { !$0.isWhitespace }, as: .written)
    path = URLText.steps(of: url.text[url.path]).filter { !$0.isEmpty }.map { segment in
      segment.contains("{{") ? .parameter
        : .literal(String(decoding: PercentEncoding.decode(String(segment)), as: UTF8.self))
    }
    let pairs = (url[url.query] ?? "").split(separator: "&").filter { !$0.contains("{{") }
    hasHiddenPath = url.hasHiddenPath
    isReference =
      url.beforeQuery.hasPrefix("{{")
      && url.beforeQuery.firstRange(of: "}}")?.upperBound == url.beforeQuery.endIndex
    query = pairs.isEmpty ? nil : LoopbackRequest.formFields(pairs.joined(separator: "&"))
  }
}
