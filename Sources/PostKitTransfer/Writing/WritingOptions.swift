// What the one who imports decides about the files that are written.

/// How requests lie in files (IO-6).
package enum WritingLayout: String, Sendable, Hashable, CaseIterable {
  /// The requests directly in a folder make one file.
  case folder
  /// Each request makes a file.
  case request
  /// All requests make one file.
  case file
}

/// What the one who imports has decided.
package struct WritingOptions: Sendable, Hashable {
  package var layout = WritingLayout.folder
  /// The collection's name where it is not the origin's (`--name`).
  package var name: String?
  /// The environments that are written (`--env`); empty for all.
  package var environments: Set<String> = []
  /// Whether values of secrets are written, to the private file (`--no-private`).
  package var writesSecrets = true
  /// Whether recorded answers are written (`--no-examples`).
  package var writesExamples = true
  /// The names that an import before has given to the credentials of each request, by what they are
  /// for.
  var credentialNames: [String: [String: String]] = [:]
  /// The names of secrets that each request has used at the import before, for whatever.
  var usedNames: [String: Set<String>] = [:]
  /// The variables that the target has.
  var variablesThere = VariablesThere()
  /// The path from the target to the folder of the source, such as `..` or `../api`; empty where
  /// both are the same.
  package var sourcePath = ""
  /// Whether each request is to be a text that needs no file beside it, as the store keeps it.
  /// Paths of files of the source count from the source's folder then.
  var standsAlone = false

  /// Makes the defaults.
  package init() {}
}

extension WritingOptions {
  /// What is told of a secret: the code, and what is said behind its name.
  func secretWords(isEmpty: Bool) -> (code: ImportNoteCode, text: String) {
    let file = EnvironmentFilesWriter.privateName
    if !isEmpty, writesSecrets {
      return (
        .secretMoved, standsAlone ? "; the store keeps its value" : "; its value is in \(file)"
      )
    }
    let lack = isEmpty ? "without a value" : "whose value is not taken"
    let place = standsAlone ? "set it in the collection's environment" : "write it into \(file)"
    return (.secretEmpty, " \(lack); \(place)")
  }
}
