// A collection as a value: where those who read and write the forms of tools meet the store.

/// A collection with all that belongs to it.
package struct ImportedCollection: Sendable, Hashable {
  package var name: String
  package var folders: [ImportedFolder]
  package var requests: [ImportedRequest]
  package var environments: [ImportedEnvironment]
  /// The name of the environment in use.
  package var activeEnvironment: String?
  /// The paths of the collection and its folders that give something to their requests.
  package var withDefaults: [String] = []

  /// Makes a collection.
  package init(
    name: String, folders: [ImportedFolder] = [], requests: [ImportedRequest] = [],
    environments: [ImportedEnvironment] = [], activeEnvironment: String? = nil
  ) {
    self.name = name
    self.folders = folders
    self.requests = requests
    self.environments = environments
    self.activeEnvironment = activeEnvironment
  }
}

/// A folder with what lies in it.
package struct ImportedFolder: Sendable, Hashable {
  package var name: String
  package var folders: [ImportedFolder]
  package var requests: [ImportedRequest]

  /// Makes a folder.
  package init(
    name: String, folders: [ImportedFolder] = [], requests: [ImportedRequest] = []
  ) {
    self.name = name
    self.folders = folders
    self.requests = requests
  }
}

/// A request: its text says all.
package struct ImportedRequest: Sendable, Hashable {
  /// The exact text, bytes that are no UTF-8 included (`String(keeping:)`).
  package var source: String
  /// The preset by which the text is read, where it is not the usual one.
  package var dialect: String?
  /// The file on the disk that it was read from, beside which its relative paths lead.
  package var file: String?

  /// Makes a request.
  package init(source: String, dialect: String? = nil, file: String? = nil) {
    self.source = source
    self.dialect = dialect
    self.file = file
  }
}

/// An environment with its variables in order.
package struct ImportedEnvironment: Sendable, Hashable {
  package var name: String
  package var variables: [ImportedVariable]

  /// Makes an environment.
  package init(name: String, variables: [ImportedVariable] = []) {
    self.name = name
    self.variables = variables
  }
}

/// A variable.
package struct ImportedVariable: Sendable, Hashable {
  package var name: String
  /// The value; of a secret only where a file had it, and never in an export.
  package var value: String?
  package var isSecret: Bool

  /// Makes a variable.
  package init(name: String, value: String?, isSecret: Bool = false) {
    self.name = name
    self.value = value
    self.isSecret = isSecret
  }
}
