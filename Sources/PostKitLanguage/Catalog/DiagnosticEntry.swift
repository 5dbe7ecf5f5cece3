// What an entry of the catalogue of diagnostics has.

/// What is known of a kind of diagnostic.
package struct DiagnosticEntry: Sendable {
  /// How serious it is, unless the place says otherwise.
  package let severity: DiagnosticSeverity
  /// When it is raised.
  package let meaning: String
  /// What to do about it.
  package let remedy: String
  /// How what it is about may be drawn; `nil` for like anything else.
  package let tag: Tag?
  /// The changes of its file that take it away, the likeliest first.
  let edit: (@Sendable (FixPlace) -> [QuickFix])?
  /// Whether the first of them can be made without looking: what is sent stays, or could not be
  /// sent.
  let isSafe: Bool
  /// The changes of other files that take it away, the likeliest first.
  let file: (@Sendable (FixPlace, EnvironmentFiles) -> [CodeChange])?
  /// The change that takes it away in a file of environments.
  let environment: (@Sendable (EnvironmentDocument, Range<Int>, EnvironmentFiles) -> CodeChange?)?
  /// What takes it away and changes no file.
  let other: FixKind?

  init(
    _ severity: DiagnosticSeverity, _ meaning: String, _ remedy: String, tag: Tag? = nil,
    edit: (@Sendable (FixPlace) -> [QuickFix])? = nil, isSafe: Bool = false,
    file: (@Sendable (FixPlace, EnvironmentFiles) -> [CodeChange])? = nil,
    environment: (@Sendable (EnvironmentDocument, Range<Int>, EnvironmentFiles) -> CodeChange?)? =
      nil,
    other: FixKind? = nil
  ) {
    self.severity = severity
    self.meaning = meaning
    self.remedy = remedy
    self.tag = tag
    self.edit = edit
    self.isSafe = isSafe
    self.file = file
    self.environment = environment
    self.other = other
  }

  /// How an editor may draw what a diagnostic is about, beside the severity.
  package enum Tag: Sendable, Hashable {
    /// It has no effect.
    case unnecessary
    /// It is obsolete.
    case deprecated
  }

  /// What a fix of a diagnostic does.
  package enum FixKind: String, Sendable, Hashable {
    /// It changes the file itself.
    case edit
    /// It changes or makes another file.
    case file
    /// It sends a request.
    case send
    /// It selects an environment.
    case select
  }

  /// What its fixes do; empty where there is none that can be made without thinking.
  package var fixes: [FixKind] {
    // What goes from a request file to another goes there from a file of environments, too.
    let edits = edit != nil || environment != nil && file == nil
    return (edits ? [.edit] : []) + (file == nil ? [] : [.file]) + (other.map { [$0] } ?? [])
  }
}
