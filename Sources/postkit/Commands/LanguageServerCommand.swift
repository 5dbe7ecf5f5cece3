// `postkit lsp`: the language server on standard input and output.

import Libc
import PostKitServer
import PostKitSupport

extension Command {
  /// Runs the language server.
  static let lsp = Command(
    name: .lsp, operands: "[--stdio] [--clientProcessId N]",
    summary: "Runs the language server for an editor.",
    options: [
      Option(names: ["--stdio"], value: nil, help: "speak on standard input and output (always)"),
      Option(names: ["--clientProcessId"], value: "N", help: "end when this process ends"),
    ]
  ) { invocation throws(Arguments.Problem) in
    let client = try invocation.arguments.integer("--clientProcessId", minimum: 1)
    guard invocation.arguments.positional.isEmpty else {
      throw Arguments.Problem(message: "`lsp` takes no files; the editor names them")
    }
    if isatty(0) == 1 {
      invocation.console.note(
        "This is a language server: an editor starts it. Try `postkit demo` or `postkit help`.")
      return 2
    }
    let options = ServerOptions(
      clientProcessID: client.flatMap { Int32(exactly: $0) },
      storeDirectory: invocation.arguments.value("--store").map { FileSystem.absolute($0) },
      version: Version.number)
    return await LanguageServer.run(options: options)
  }
}
