// The diagnostics of requests that differ from the description of their API (IO-38).

extension DiagnosticCode {
  /// Whether it is about a description of an API.
  package var isAboutDescription: Bool { rawValue.hasPrefix("openapi-") }
}

extension DiagnosticEntry {
  /// A difference from a description; how serious it is says the setting `openapi.diagnostics`.
  private static func differing(
    _ code: DiagnosticCode, _ meaning: String, _ remedy: String
  ) -> DiagnosticEntry {
    .init(.hint, meaning, remedy, edit: { $0.described(code) })
  }

  /// A path that the description doesn't have.
  static var openAPIPath: DiagnosticEntry {
    differing(
      .openAPIPath, "The OpenAPI description has no such path.",
      "Correct the path, or describe it.")
  }

  /// A method that the path doesn't have.
  static var openAPIMethod: DiagnosticEntry {
    differing(
      .openAPIMethod, "The OpenAPI description does not have this method for the path.",
      "Use a method that the message names.")
  }

  /// A pair of the query that the operation doesn't have.
  static var openAPIQuery: DiagnosticEntry {
    differing(
      .openAPIQuery, "The operation has no query parameter of that name.",
      "Correct the name, or remove the parameter.")
  }

  /// A parameter or a body that the operation needs.
  static var openAPIMissing: DiagnosticEntry {
    differing(
      .openAPIMissing, "The operation needs a parameter or a body that is not there.",
      "Add it.")
  }

  /// A value of a parameter that doesn't fit.
  static var openAPIType: DiagnosticEntry {
    differing(
      .openAPIType, "The value of a parameter is not what the OpenAPI description says.",
      "Write a value that fits.")
  }

  /// A header that the operation doesn't have.
  static var openAPIHeader: DiagnosticEntry {
    differing(
      .openAPIHeader, "The operation describes headers, but none of that name.",
      "Correct the name, or remove the header.")
  }

  /// A media type that the operation doesn't have.
  static var openAPIContentType: DiagnosticEntry {
    differing(
      .openAPIContentType, "The operation does not take, or does not answer, this media type.",
      "Use one that the message names.")
  }

  /// A body that doesn't fit.
  static var openAPIBody: DiagnosticEntry {
    differing(
      .openAPIBody, "The body does not fit its schema.", "Change it as the message says.")
  }

  /// A description that can't be read, or does not have the operation of the tag.
  static var openAPIFile: DiagnosticEntry {
    .init(
      .warning, "`@openapi` names a description that can't be used, or no operation of it.",
      "Correct the path or the operation, or the description.",
      edit: { $0.described(.openAPIFile) })
  }

  /// A member of a response that isn't described.
  static var openAPIResponsePath: DiagnosticEntry {
    differing(
      .openAPIResponsePath,
      "A reference reads a member of a response that the OpenAPI description does not have.",
      "Correct the path.")
  }
}
