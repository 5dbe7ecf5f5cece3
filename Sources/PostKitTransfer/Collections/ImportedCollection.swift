// A collection as a value: where those who read and write the forms of tools meet the store.

/// A collection with all that belongs to it.
package struct ImportedCollection: Sendable, Hashable {
  package var name: String
  package var folders: [ImportedFolder] = []
  package var requests: [ImportedRequest] = []
  package var environments: [ImportedEnvironment] = []
  /// The name of the environment in use.
  package var activeEnvironment: String?
  /// The paths of the collection and its folders that give something to their requests.
  package var withDefaults: [String] = []
}

/// A folder with what lies in it.
package struct ImportedFolder: Sendable, Hashable {
  package var name: String
  package var folders: [ImportedFolder] = []
  package var requests: [ImportedRequest] = []
}

/// A request: its text says all.
package struct ImportedRequest: Sendable, Hashable {
  /// The exact text, bytes that are no UTF-8 included (`String(keeping:)`).
  package var source: String
  /// The preset by which the text is read, where it is not the usual one.
  package var dialect: String?
  /// The file on the disk that it was read from, beside which its relative paths lead.
  package var file: String?
  /// The path of the file that it alone is in, below the folder that was read.
  var path: String?
}

/// An environment with its variables in order.
package struct ImportedEnvironment: Sendable, Hashable {
  package var name: String
  package var variables: [ImportedVariable] = []
}

/// A variable.
package struct ImportedVariable: Sendable, Hashable {
  package var name: String
  /// The value; of a secret only where a file had it, and never in an export.
  package var value: String?
  package var isSecret = false
}
