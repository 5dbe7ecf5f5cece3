// `postkit describe coverage`: operations without a request, and requests without an operation.

import PostKitSupport

/// One call of `postkit describe coverage`.
struct CoverageCommand: Sendable {
  /// The options of this form.
  static let options: Set<String> = ["--history", "--env", "--json"]

  private let invocation: Invocation
  /// The file of the description.
  private let description: String
  /// What it is compared with; `nil` for the history.
  private let requests: String?

  /// Takes up a call.
  init(_ invocation: Invocation) throws(Arguments.Problem) {
    self.invocation = invocation
    let arguments = invocation.arguments
    try arguments.allow(Self.options, in: "describe coverage")
    let words = arguments.positional.dropFirst()
    guard let description = words.first else {
      throw Arguments.Problem(message: "name the file of the description")
    }
    self.description = description
    requests = words.dropFirst().first
    guard (requests == nil) == arguments.has("--history"), words.count <= 2 else {
      throw Arguments.Problem(message: "name a folder or a request file, or write `--history`")
    }
  }

  /// Compares and answers the exit code.
  func execute() async throws(Arguments.Problem) -> Int32 {
    throw Arguments.Problem(message: "`describe coverage` is not built yet")
  }
}
