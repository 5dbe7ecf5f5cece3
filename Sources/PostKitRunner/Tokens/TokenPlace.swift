// Whose a token is.

/// Whose a token is, beside the configuration that it was got with.
package struct TokenPlace: Sendable, Hashable {
  /// The root of the workspace.
  package var folder: String
  /// The environment; `nil` for none.
  package var environment: String?
  /// The absolute path of the request file, for messages that name a command.
  package var file: String

  /// Makes a place.
  package init(folder: String, environment: String?, file: String) {
    self.folder = folder
    self.environment = environment
    self.file = file
  }
}
