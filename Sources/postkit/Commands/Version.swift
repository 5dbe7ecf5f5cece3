// `postkit version`: one line that scripts can read.

import PostKitSupport

extension Command {
  /// Prints the version.
  static let version = Command(
    name: Name.version, operands: "", summary: "Prints the version.", options: []
  ) { invocation throws(Arguments.Problem) in
    try invocation.arguments.refuseOperands()
    invocation.console.line("postkit \(Version.number)")
    return 0
  }
}
