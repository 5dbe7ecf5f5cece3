// What is said of scripts in files of their own. Most clients ask about request files alone, so
// they are told of these, by the documents that name them.

package import LanguageServerProtocol

/// The diagnostics of script files, by the open documents that name them.
package struct ScriptFileFindings: Sendable {
  /// What is known of one file.
  package struct File: Sendable, Hashable {
    /// Whether other scripts require or import it; else it is run as a whole.
    package let isModule: Bool
    package let diagnostics: [LSP.Diagnostic]

    /// Makes what is known.
    package init(isModule: Bool, diagnostics: [LSP.Diagnostic]) {
      (self.isModule, self.diagnostics) = (isModule, diagnostics)
    }
  }

  private struct Look {
    var version: Int?
    var files: [String: File]
  }

  private var looks: [DocumentURI: Look] = [:]

  /// Nothing is known.
  package init() {}

  /// Whether no document names a script file.
  package var isEmpty: Bool { looks.isEmpty }

  /// Takes in what a look at a version of a document has found, by the paths of the files; gives
  /// the paths of which something else is said now.
  package mutating func note(
    _ files: [String: File], of document: DocumentURI, version: Int?
  ) -> Set<String> {
    let old = looks[document]
    if let new = version, let known = old?.version, known > new { return [] }
    looks[document] = files.isEmpty ? nil : Look(version: version, files: files)
    let before = old?.files ?? [:]
    return Set(before.keys).union(files.keys).filter { before[$0] != files[$0] }
  }

  /// Forgets documents that are not open; gives the paths of their files.
  package mutating func keep(only isOpen: (DocumentURI) -> Bool) -> Set<String> {
    let closed = looks.keys.filter { !isOpen($0) }
    return Set(closed.flatMap { looks.removeValue(forKey: $0).map { Array($0.files.keys) } ?? [] })
  }

  /// What is known of a file; `nil` for one that no open document names.
  package func file(_ path: String) -> File? {
    let all = looks.sorted { $0.key.spelling < $1.key.spelling }.compactMap { $0.value.files[path] }
    guard let first = all.first else { return nil }
    var seen: Set<LSP.Diagnostic> = []
    let diagnostics = all.flatMap(\.diagnostics).filter { seen.insert($0).inserted }
    return File(isModule: first.isModule, diagnostics: diagnostics)
  }
}
