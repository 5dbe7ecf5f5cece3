// Examples beside request files (`# @example`) and responses that stand in them, as recordings.

import PostKitExampleServer
import PostKitHTTP
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
      let base = base(of: text, document)
      let method = request.method.map(block.text) ?? "GET"
      for tag in block.syntax.metadata where block.text(tag.key).lowercased() == "example" {
        let words = block.text(tag.value).split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { continue }
        guard let bytes = file(words[1]), let answer = AnswerText(bytes) else {
          remarks.append("\(name): the example \(words[1]) can't be read; it is left out.")
          continue
        }
        let status = Int(words[0]) ?? answer.status
        result += recordings(block, method, target, base, answer, status, of: words[1])
      }
      if let range = block.syntax.inlineResponse,
        let answer = AnswerText(Array(block.text(range).utf8))
      {
        result += recordings(block, method, target, base, answer, answer.status, of: nil)
      }
    }
    return result
  }

  /// The path of what a target begins with, where the file defines it: with `@base = https://h/v1`
  /// and `{{base}}/users` clients may ask for `/v1/users` or for `/users`.
  private func base(of target: String, _ document: ParsedDocument) -> [MockSegment] {
    guard target.hasPrefix("{{"), let end = target.firstRange(of: "}}") else { return [] }
    let name = target[target.index(target.startIndex, offsetBy: 2)..<end.lowerBound]
    guard let place = document.names.definitions[String(name).trimmingASCIIBlanks()]?.first else {
      return []
    }
    let block = document.blocks[place.block]
    return MockTarget(block.text(block.syntax.variables[place.index].value)).path
  }

  private func recordings(
    _ block: ParsedBlock, _ method: String, _ target: MockTarget, _ base: [MockSegment],
    _ answer: AnswerText, _ status: Int, of path: String?
  ) -> [MockRecording] {
    (base.isEmpty ? [[]] : [[], base]).map { before in
      var recording = MockRecording(
        source: "\(name), \(path ?? "the response of \(block.name ?? method)")", method: method,
        path: before + target.path, query: target.query, status: status, headers: answer.headers,
        body: .bytes(answer.body))
      recording.rank = rank
      recording.name = path.map(AnswerText.name) ?? block.name
      return recording
    }
  }
}

/// The target of a request as it is written: references may be anything.
struct MockTarget {
  let path: [MockSegment]
  /// The pairs without references; `nil` where there is none, so that any query will do.
  let query: [HeaderField]?

  /// Reads a target, which may be an absolute URL, begin with a reference, or be a path.
  init(_ text: String) {
    // A target goes on in other lines.
    let url = URLText(text.filter { !$0.isWhitespace }, as: .written)
    path = url.text[url.path].split(separator: "/").map { segment in
      segment.contains("{{") ? .parameter
        : .literal(String(decoding: PercentEncoding.decode(String(segment)), as: UTF8.self))
    }
    let pairs = (url[url.query] ?? "").split(separator: "&").filter { !$0.contains("{{") }
    query = pairs.isEmpty ? nil : ExampleRequest.formFields(pairs.joined(separator: "&"))
  }
}
