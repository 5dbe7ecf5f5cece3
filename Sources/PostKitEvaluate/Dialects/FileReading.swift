// Which reading a file has: by the run's preset, by `# @dialect PRESET` before its first request,
// by the project, else `auto`.

package import PostKitJSON
package import PostKitSyntax

/// How the request files of a project are read: the one answer for those who send, check, lay out,
/// import and show them.
package struct FileReading: Sendable, Hashable {
  /// The preset chosen for a run; it stands above what files say.
  package var chosen: DialectPreset?
  /// The preset of files that name none.
  package var preset: DialectPreset
  /// The single readings that the project chooses.
  package var knobs: [JSONMember]

  /// Makes a reading.
  package init(
    chosen: DialectPreset? = nil, preset: DialectPreset = .auto, knobs: [JSONMember] = []
  ) {
    self.chosen = chosen
    self.preset = preset
    self.knobs = knobs
  }

  /// What the references, definitions and bodies of a file mean.
  package func dialect(of document: ParsedDocument) -> Dialect {
    Dialect(preset(of: document.bytes, document.format), knobs: knobs)
  }

  /// Parses a file; blocks that are those of `previous` are taken over.
  package func document(
    _ bytes: [UInt8], format: DocumentFormat, reusing previous: ParsedDocument? = nil
  ) -> ParsedDocument {
    ParsedDocument(bytes: bytes, format: format, rules: rules(of: bytes, format), reusing: previous)
  }

  /// Parses a file again where it was parsed by other rules than its own.
  package func document(
    _ document: ParsedDocument, reusing previous: @autoclosure () -> ParsedDocument?
  ) -> ParsedDocument {
    let rules = rules(of: document.bytes, document.format)
    if document.rules == rules { return document }
    return ParsedDocument(
      bytes: document.bytes, format: document.format, rules: rules, lines: document.lines,
      reusing: previous())
  }

  private func rules(of bytes: [UInt8], _ format: DocumentFormat) -> SyntaxRules {
    SyntaxRules(preset: preset(of: bytes, format).rawValue)
  }

  private func preset(of bytes: [UInt8], _ format: DocumentFormat) -> DialectPreset {
    if let chosen { return chosen }
    return DialectPreset.named(by: bytes, format) ?? preset
  }
}

extension DialectPreset {
  /// The preset that a file names itself; `nil` where it names none, or one that there isn't.
  package static func named(by bytes: [UInt8], _ format: DocumentFormat = .http) -> DialectPreset? {
    SyntaxRules.pragma(of: bytes, format: format).flatMap(DialectPreset.init(rawValue:))
  }
}
