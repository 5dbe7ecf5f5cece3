// Runs the real program as a user would, in a folder, a home and a store of its own.

import Foundation
import PostKitHTTP
import PostKitJSON
import PostKitSupport
import PostKitTestSupport
import Testing

/// A folder with files, a store, and a server that answers.
struct Bench: Sendable {
  let directory: TemporaryDirectory
  let server: StubServer

  /// The program: `POSTKIT_BIN`, else the one built beside these tests.
  static var program: String {
    if let path = ProcessEnvironment.value("POSTKIT_BIN") { return path }
    let tests = FileSystem.realPath("/proc/self/exe") ?? CommandLine.arguments[0]
    return FilePath.join(FilePath.parent(tests), "postkit")
  }

  /// Writes files, in which `$URL` stands for the server; by default the server says `{"ok":true}`.
  init(
    _ files: [String: String] = [:],
    _ script: @escaping StubServer.Script = { _ in
      [.response(headers: ["Content-Type: application/json"], body: #"{"ok":true}"#)]
    }
  ) throws {
    directory = try TemporaryDirectory()
    server = try StubServer(script)
    for (name, text) in files { try write(name, text) }
  }

  /// Writes a file, in which `$URL` stands for the server.
  func write(_ name: String, _ text: String) throws {
    let url = String(server.url().dropLast())
    try directory.write(name, text.replacingOccurrences(of: "$URL", with: url))
  }

  /// Where the store is unless a test says otherwise.
  var store: String { directory.path("store") }

  /// What the program finds in its environment.
  var environment: [String: String?] {
    [
      "POSTKIT_HOME": store, "HOME": directory.path, "XDG_DATA_HOME": nil, "XDG_STATE_HOME": nil,
      "XDG_CONFIG_HOME": nil, "NO_COLOR": nil, "TZ": "UTC",
      // The keyring of whoever runs the tests is left alone.
      "DBUS_SESSION_BUS_ADDRESS": "",
    ]
  }

  /// Runs the program; a minute without an end fails the test.
  func postkit(
    _ arguments: String..., environment more: [String: String?] = [:]
  ) async throws -> SubprocessResult {
    try await postkit(arguments, environment: more)
  }

  /// Runs the program; a minute without an end fails the test.
  func postkit(
    _ arguments: [String], environment more: [String: String?] = [:]
  ) async throws -> SubprocessResult {
    let result = try await Subprocess.run(
      Bench.program, arguments, directory: directory.path,
      environment: environment.merging(more) { $1 })
    #expect(!result.isTimedOut)
    return result
  }

  /// Runs a shell line in which `$POSTKIT` is the program.
  func shell(_ line: String) async throws -> SubprocessResult {
    let result = try await Subprocess.run(
      "/bin/sh", ["-c", line], directory: directory.path,
      environment: environment.merging(["POSTKIT": Bench.program]) { $1 })
    #expect(!result.isTimedOut)
    return result
  }

  /// A JSON file of the folder.
  func json(_ name: String) throws -> JSONValue { try Bench.json(try directory.read(name)) }

  /// The lines of the history, newest first.
  func history(_ arguments: String...) async throws -> [JSONValue] {
    let result = try await postkit(["history", "--json"] + arguments)
    return try Bench.json(result.output).elements
  }

  static func json(_ text: String) throws -> JSONValue {
    try JSONTree(parsing: Array(text.utf8)).root.value
  }

  /// Every byte in every file of a folder, folders below it too.
  static func bytes(below path: String) throws -> [UInt8] {
    try FileSystem.list(path).flatMap { name -> [UInt8] in
      let child = FilePath.join(path, name)
      if FileSystem.isDirectory(child) { return try bytes(below: child) }
      return try FileSystem.read(path: child, limit: 1 << 30)
    }
  }
}
