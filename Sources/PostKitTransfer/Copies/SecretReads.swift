// How programs read secrets: literals of each language taken apart where a secret is in them.

import PostKitHTTP

/// Puts reads of the environment in the place of marks.
struct SecretReads {
  /// A form that literals have in a language.
  private struct Literal {
    let open: String
    let close: String
    /// What reads a variable of the environment, between the two.
    let read: (before: String, after: String)
    /// What joins the pieces of a literal; `nil` where reads stand inside of it.
    var join: String? = " + "
    /// What stands around several pieces; around a single one as well where it `isAlways` needed.
    var around = (before: "(", after: ")")
    var isAlways = false
    /// Whether a backslash keeps the next character from having a meaning.
    var escapes = true
  }

  private let literals: [Literal]
  /// A line that the program needs before it can read.
  private var needed: String?

  /// The reads of a target; `nil` for one that keeps secrets.
  init?(_ target: CopyTarget) {
    func plain(_ before: String, _ after: String) -> [Literal] {
      [Literal(open: "\"", close: "\"", read: (before, after))]
    }
    switch target {
    case .curl, .httpie, .wget, .http: return nil
    case .hurl: literals = []
    case .python, .httpx:
      needed = "import os"
      literals = ["\"\"\"", "\""].flatMap { quotes in
        [
          Literal(
            open: "b" + quotes, close: quotes, read: ("os.environ[\"", "\"].encode()")),
          Literal(open: quotes, close: quotes, read: ("os.environ[\"", "\"]")),
        ]
      }
    case .javascript, .axios:
      literals =
        plain("process.env.", "")
        + [Literal(open: "`", close: "`", read: ("${process.env.", "}"), join: nil)]
    case .go: literals = plain("os.Getenv(\"", "\")")
    case .rust:
      literals = [
        Literal(
          open: "b\"", close: "\"", read: ("std::env::var(\"", "\")?.as_bytes()"), join: ", ",
          around: ("&[b\"\" as &[u8], ", "].concat()"), isAlways: true),
        Literal(
          open: "\"", close: "\"", read: ("std::env::var(\"", "\")?.as_str()"), join: ", ",
          around: ("[", "].concat()"), isAlways: true),
      ]
    case .java, .kotlin: literals = plain("System.getenv(\"", "\")")
    case .csharp: literals = plain("Environment.GetEnvironmentVariable(\"", "\")")
    case .php:
      literals = ["'", "\""].map {
        Literal(open: $0, close: $0, read: ("getenv('", "')"), join: " . ")
      }
    case .ruby: literals = plain("ENV.fetch(\"", "\")")
    case .powershell:
      literals = [Literal(open: "'", close: "'", read: ("$env:", ""), escapes: false)]
    case .swift:
      literals = ["\"\"\"", "\""].map {
        Literal(
          open: $0, close: $0, read: ("\\(ProcessInfo.processInfo.environment[\"", "\"] ?? \"\")"),
          join: nil)
      }
    }
  }

  /// A copy with reads in the place of marks.
  func text(_ copy: String, _ marks: [SecretMarks.Mark], _ target: CopyTarget) -> String {
    let found = marks.filter { copy.contains($0.word) }
    if found.isEmpty { return copy }
    let mark = target.commentMark
    var head: [String] = []
    var code: [String] = []
    var rest = copy[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != "\n" }
      if code.isEmpty, line.hasPrefix(mark) || line == "<?php" {
        head.append(found.reduce(String(line)) { $0.replacing($1.word, with: "$" + $1.name) })
        rest = rest.dropFirst(line.count + 1)
      } else {
        code.append(target == .hurl ? Self.templates(rest, found) : translated(rest, found))
        rest = ""
      }
    }
    let names = found.map(\.name).sorted()
    var told = ["\(mark) The secrets are read from the environment: \(names.listed("and"))."]
    if target == .hurl {
      told = ["\(mark) The secrets are variables: \(names.listed("and")); see --variables-file."]
    }
    for name in names where name.hasSuffix("_ENCODED") {
      told.append("\(mark) \(name) is \(name.dropLast(8)) as a URL has it, percent-encoded.")
    }
    for name in names where name.hasSuffix("_ESCAPED") {
      told.append("\(mark) \(name) is \(name.dropLast(8)) as a string of JSON has it, escaped.")
    }
    let start = head.first == "<?php" ? 1 : 0
    head.insert(contentsOf: told, at: start)
    return (head + (needed.map { [$0] } ?? []) + code).joined(separator: "\n")
  }

  private static func templates(_ text: Substring, _ marks: [SecretMarks.Mark]) -> String {
    marks.reduce(String(text)) { $0.replacing($1.word, with: "{{\($1.name)}}") }
  }

  /// Code with the literals that have marks written anew.
  private func translated(_ code: Substring, _ marks: [SecretMarks.Mark]) -> String {
    let bytes = Array(code.utf8)
    var result: [UInt8] = []
    var at = 0
    while at < bytes.count {
      guard let literal = literals.first(where: { bytes[at...].starts(with: $0.open.utf8) }) else {
        result.append(bytes[at])
        at += 1
        continue
      }
      let start = at + literal.open.utf8.count
      var end = start
      while end < bytes.count, !bytes[end...].starts(with: literal.close.utf8) {
        end += literal.escapes && bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      end = min(end, bytes.count)
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      at = min(end + literal.close.utf8.count, bytes.count)
      result += written(text, as: literal, marks).utf8
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func written(
    _ text: String, as literal: Literal, _ marks: [SecretMarks.Mark]
  ) -> String {
    var pieces: [(text: String, isRead: Bool)] = [(text, false)]
    for mark in marks {
      pieces = pieces.flatMap { piece -> [(text: String, isRead: Bool)] in
        guard !piece.isRead else { return [piece] }
        let parts = piece.text.split(separator: mark.word, omittingEmptySubsequences: false)
        let read = literal.read.before + mark.name + literal.read.after
        return parts.enumerated().flatMap { place, part in
          (place == 0 ? [] : [(read, true)]) + [(String(part), false)]
        }
      }
    }
    guard pieces.count > 1 else { return literal.open + text + literal.close }
    guard let join = literal.join else {
      return literal.open + pieces.map(\.text).joined() + literal.close
    }
    let kept = pieces.filter { !$0.text.isEmpty }
      .map { $0.isRead ? $0.text : literal.open + $0.text + literal.close }
    let all = kept.joined(separator: join)
    let isBare = kept.count == 1 && !literal.isAlways
    return isBare ? all : literal.around.before + all + literal.around.after
  }
}
