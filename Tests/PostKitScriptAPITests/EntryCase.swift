// A line of `Entries`: what entries of the table do, as an expression and what comes of it.

import Foundation
import PostKitScripting

/// What one line of the files in `Entries` says.
struct EntryCase: Sendable {
  /// What must come of an expression.
  enum Outcome: Sendable {
    case value(String)
    case error(String)
    case output([String])
    case stop(String)

    fileprivate static let marks: [(String, @Sendable (String) -> Outcome)] = [
      (" ==> ", Outcome.value), (" !!> ", Outcome.error), (" ##> ", Outcome.stop),
      (" >>> ", { Outcome.output($0.components(separatedBy: " | ")) }),
    ]
  }

  /// Where scripts of a section run.
  struct Place: Sendable {
    /// `nil` for expressions.
    var phase: ScriptPhase?
    var family = ScriptFamily.jetbrains
    var response = ScriptBench.response()
  }

  let paths: [String]
  let expression: String
  let outcome: Outcome
  let place: Place
  let line: String

  /// The lines of a file.
  static func all(of file: String) throws -> [EntryCase] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Entries")
    let text = try String(contentsOf: folder.appending(path: file + ".txt"), encoding: .utf8)
    var place = Place()
    var result: [EntryCase] = []
    for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
      if line.hasPrefix("@ ") {
        place = Place(line.split(separator: " ").dropFirst().map(String.init))
      } else {
        result.append(try EntryCase(line, place))
      }
    }
    return result
  }

  private init(_ line: String, _ place: Place) throws {
    guard let colons = line.range(of: " :: "),
      let (range, make) = Outcome.marks.lazy.compactMap({ mark in
        line.range(of: mark.0).map { ($0, mark.1) }
      }).first
    else { throw EntryMistake(line: line) }
    paths = line[..<colons.lowerBound].components(separatedBy: ", ")
    expression = String(line[colons.upperBound..<range.lowerBound])
    outcome = make(String(line[range.upperBound...]))
    self.place = place
    self.line = line
  }

  /// What is wrong when the expression runs; `nil` where nothing is.
  func mistake(_ bench: ScriptBench) async -> String? {
    guard let phase = place.phase else {
      let found = await bench.evaluate(expression)
      if case .value(found) = outcome { return nil }
      return "\(line)\n  gave \(found)"
    }
    var script = "await (\(expression))"
    if case .value = outcome { script = Self.shown(expression) }
    let result = await bench.run(script, phase, place.family, response: place.response)
    // Without the place in front.
    let error = result.error.flatMap { $0.firstRange(of: ": ").map { range in
      String(result.error?[range.upperBound...] ?? "")
    } }
    let isRight =
      switch outcome {
      case .value(let text): error == nil && result.output.last == text
      case .error(let text): error == text
      case .output(let lines): error == nil && result.output == lines
      case .stop(let kind): result.stopped?.rawValue == kind && !result.output.contains("b")
      }
    if isRight { return nil }
    return "\(line)\n  gave \(error ?? result.output.joined(separator: " | "))"
      + (result.stopped.map { " (\($0))" } ?? "")
  }

  private static func shown(_ expression: String) -> String {
    "const $show = (v) => typeof v === 'function' ? 'function' : typeof v === 'string' ? v"
      + " : typeof v === 'bigint' || v === undefined ? `${v}` : JSON.stringify(v);"
      + "client.log($show(await (\(expression))))"
  }
}

extension EntryCase.Place {
  /// Reads the words behind `@`.
  fileprivate init(_ words: [String]) {
    phase = ScriptPhase(rawValue: words[0])
    if words.count > 1 { family = ScriptFamily(rawValue: words[1]) ?? .jetbrains }
    switch words.count > 2 ? words[2] : "" {
    case "stream":
      response = ScriptBench.response(
        "{\"a\":1}\n{\"a\":2}\n", .stream, mime: "application/x-ndjson")
      if phase == .streaming { response.body = nil }
    case "empty": response = ScriptBench.response("", .empty, mime: "")
    case "xml":
      response = ScriptBench.response(
        #"<a><b x="1">p&amp;</b><b x="2">q</b></a>"#, .xml, mime: "text/xml")
    default: break
    }
  }
}

/// A line that can't be read.
struct EntryMistake: Error { let line: String }
