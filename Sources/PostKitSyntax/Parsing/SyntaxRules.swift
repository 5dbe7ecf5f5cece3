// What a line is where tools differ: the answers of each preset that decide the structure of a
// file.

import PostKitText

/// How the lines of a file are read.
package struct SyntaxRules: Sendable, Hashable {
  /// Where a request line begins a request of its own without `###` before it (PK-3).
  package enum ImplicitSplit: Sendable, Hashable { case beforeBodies, never, anywhere }
  /// Which `@name = value` lines after a request line are definitions (PK-26).
  package enum BodyDefinitions: Sendable, Hashable {
    case none
    /// The last lines of a body.
    case atEnds
    /// All, made before the request is sent.
    case all
    /// All, made after its response.
    case allAfterResponse
  }

  package var implicitSplit = ImplicitSplit.beforeBodies
  package var bodyDefinitions = BodyDefinitions.atEnds
  /// Whether `# @key` lines in bodies are metadata (PK-36).
  package var metadataInBodies = false
  /// Whether `@name value` without an operator is a definition (PK-31).
  package var bareDefinitions = false
  /// Whether `??` lines and `{{` blocks of scripts are more than text (PK-25).
  package var readsAssertions = true
  /// Whether only a blank line begins a body; else any line does that is nothing of a head (PK-15).
  package var needsBlankLine = true
  /// Whether `> {% %}` and `> file.js` are handlers (PK-24).
  package var readsHandlers = true

  /// The reading of `auto`.
  package init() {}

  /// The reading of a preset by its name; that of `auto` where there is none of that name.
  package init(preset: String) {
    switch preset {
    case "httpyac":
      implicitSplit = .anywhere
      bodyDefinitions = .allAfterResponse
      metadataInBodies = true
      bareDefinitions = true
      needsBlankLine = false
    case "kulala":
      implicitSplit = .never
      bodyDefinitions = .all
      metadataInBodies = true
      readsAssertions = false
    case "restclient", "visualstudio":
      implicitSplit = .never
      bodyDefinitions = .none
      readsAssertions = false
      readsHandlers = false
    case "jetbrains", "restnvim":
      implicitSplit = .never
      bodyDefinitions = .none
      readsAssertions = false
    default: break
    }
  }

  /// The preset that a file names with `# @dialect NAME` before its first request, in small
  /// letters.
  package static func pragma(of bytes: [UInt8], format: DocumentFormat = .http) -> String? {
    bytes.withView { view in
      if format == .http { return pragma(view, bytes.byteOrderMarkLength..<bytes.count).preset }
      let lines = LineIndex(bytes)
      return LineStarts.find(bytes, lines) { starts in
        for segment in Segmenter.segments(of: view, starts, format: format)
        where segment.kind == .requests {
          let (preset, isOver) = pragma(view, segment.range)
          if isOver { return preset }
        }
        return nil
      }
    }
  }

  /// Reads the lines up to the first request; `isOver` where there is one, or the pragma.
  private static func pragma(
    _ bytes: ByteView, _ range: Range<Int>
  ) -> (preset: String?, isOver: Bool) {
    var at = range.lowerBound
    var closing: StaticString?
    while at < range.upperBound {
      if bytes[at].isBlank || bytes[at] == Byte.lineFeed {
        at += 1
        continue
      }
      let line = SourceLine(bytes, start: at, limit: range.upperBound)
      let text = bytes.trimmed(line.content)
      let first = bytes[at]
      at = line.end
      if let end = closing {
        if bytes.ends(text, with: end) { closing = nil }
        continue
      }
      if first == Byte.at || bytes.starts(text, with: "import ") { continue }
      if let end = closer(of: text, bytes) {
        if !bytes.ends(text, with: end) { closing = end }
        continue
      }
      guard first == Byte.hash || bytes.starts(text, with: "//") else { return (nil, true) }
      if let preset = preset(bytes, text, marker: first) { return (preset, true) }
    }
    return (nil, false)
  }

  /// What ends the script or the comment that a line begins.
  private static func closer(of line: Range<Int>, _ bytes: ByteView) -> StaticString? {
    if bytes.starts(line, with: "< {%") { return "%}" }
    return bytes.starts(line, with: "/*") ? "*/" : nil
  }

  private static func preset(_ bytes: ByteView, _ line: Range<Int>, marker: UInt8) -> String? {
    var at = line.lowerBound
    while at < line.upperBound, bytes[at] == marker { at += 1 }
    at = bytes.skipBlanks(at, line.upperBound)
    let key = at..<min(at + 8, line.upperBound)
    guard bytes.equalsIgnoringCase(key, "@dialect"), key.upperBound < line.upperBound else {
      return nil
    }
    var value = bytes.skipBlanks(key.upperBound, line.upperBound)
    let hasEquals = value < line.upperBound && bytes[value] == Byte.equals
    guard hasEquals || value > key.upperBound else { return nil }
    if hasEquals { value = bytes.skipBlanks(value + 1, line.upperBound) }
    return bytes.string(value..<line.upperBound).lowercased()
  }
}

/// How blocks are found in a file.
package enum DocumentFormat: Sendable, Hashable {
  /// `.http` and `.rest`: blocks between `###` lines.
  case http
  /// Markdown: the `http` and `rest` fences at column 0 (PK-102).
  case markdown
}
