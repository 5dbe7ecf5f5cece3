// A change of files that a person can choose, from a quick fix to a refactoring, and all fixes that
// change nothing of what is meant, in one go.

package import PostKitText

/// A change that is offered at a place of a file.
package struct CodeChange: Sendable, Hashable {
  /// What kind of change it is, in the words of the protocol.
  package enum Kind: String, Sendable, Hashable {
    case quickFix = "quickfix"
    case extract = "refactor.extract"
    case inline = "refactor.inline"
    case rewrite = "refactor.rewrite"
    case fixAll = "source.fixAll.postkit"
  }
  package var kind: Kind
  /// What is done, such as `Split the query onto lines`; the titles of one place differ.
  package var title: String
  /// The edits of this file, whose ranges all mean its text as it is.
  package var edits: [TextEdit]
  /// What is done to other files.
  package var files: [FileChange]
  /// Why it can't be done here, where it can't; then there are no edits.
  package var disabled: String?

  init(
    _ kind: Kind, _ title: String, _ edits: [TextEdit] = [], files: [FileChange] = [],
    disabled: String? = nil
  ) {
    self.kind = kind
    self.title = title
    self.edits = edits
    self.files = files
    self.disabled = disabled
  }
}

extension CodeChange {
  /// A fix that changes this file alone.
  package init(_ fix: QuickFix) { self.init(.quickFix, fix.title, fix.edits) }
}

/// What is done to another file.
package struct FileChange: Sendable, Hashable {
  /// What is done.
  package enum Content: Sendable, Hashable {
    /// Edits whose ranges mean these bytes.
    case edits([TextEdit], of: [UInt8])
    /// The file is made with this text.
    case new(String)
  }
  /// The absolute path.
  package var path: String
  package var content: Content

  /// Makes a change.
  package init(path: String, content: Content) {
    self.path = path
    self.content = content
  }

  /// The last part of the path.
  package var name: String { Analysis.name(of: path) }
}

extension Analysis {
  /// The safe fixes of diagnostics together; `nil` where there are none. One that overlaps with
  /// those before it is left for the next time.
  package func fixAll(_ diagnostics: [Diagnostic]) -> CodeChange? {
    var edits: [TextEdit] = []
    var count = 0
    for diagnostic in diagnostics {
      guard diagnostic.code.entry.isSafe, let fix = fixes(for: diagnostic).first else { continue }
      let new = fix.edits.filter { !edits.contains($0) }
      guard !new.isEmpty, TextEdit.sorted(edits + new) != nil else { continue }
      edits += new
      count += 1
    }
    guard count > 0 else { return nil }
    return CodeChange(
      .fixAll, "Fix \(count == 1 ? "1 problem" : "\(count) problems") safely",
      edits)
  }
}
