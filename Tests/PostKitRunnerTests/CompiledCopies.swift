// Copies in languages that are compiled: all of them become one program, because compiling takes
// longer than running.

import PostKitSupport
import PostKitTestSupport
import PostKitTransfer
import Testing

/// How copies for a target become one program that sends one after the other.
struct CompiledCopies: Sendable, CustomTestStringConvertible {
  let target: CopyTarget
  /// What must be there.
  let tools: [String]
  /// A folder that must be there, too.
  var folder: String?
  /// The file of a copy, from its number.
  let file: @Sendable (Int) -> String
  /// What is replaced in a copy so that others can call it.
  let replacements: @Sendable (Int) -> [(String, String)]
  /// The file that calls them all, and its text.
  let main: @Sendable (Int) -> (String, String)
  /// Further files that the build needs.
  var extras: [String: String] = [:]
  /// What is run to build the program, in its folder.
  let build: [String]
  /// What runs it.
  let start: [String]

  var testDescription: String { target.rawValue }

  static let all = [go, rust, java, kotlin, csharp, swift]

  /// Calls of all copies, a line each.
  private static func calls(_ count: Int, _ call: (Int) -> String) -> String {
    (0..<count).map(call).joined(separator: "\n")
  }

  private static let go = CompiledCopies(
    target: .go, tools: ["go"], file: { "copy\($0).go" },
    replacements: { [("func main()", "func copy\($0)()")] },
    main: { count in
      ("main.go", "package main\n\nfunc main() {\n\(calls(count) { "copy\($0)()" })\n}\n")
    },
    extras: ["go.mod": "module copies\n\ngo 1.19\n"], build: ["go", "build", "-o", "copies"],
    start: ["sh", "-c", "./copies"])

  private static let rust = CompiledCopies(
    target: .rust, tools: ["cargo"], folder: "/usr/share/cargo/registry/reqwest-0.11.13",
    file: { "src/copy\($0).rs" }, replacements: { _ in [("fn main()", "pub fn main()")] },
    main: { count in
      let modules = calls(count) { "mod copy\($0);" }
      return (
        "src/main.rs",
        "\(modules)\nfn main() {\n\(calls(count) { "copy\($0)::main().unwrap();" })\n}\n"
      )
    },
    extras: [
      "Cargo.toml": """
        [package]
        name = "copies"
        version = "0.1.0"
        edition = "2021"
        [dependencies]
        reqwest = { version = "0.11", default-features = false, features = ["blocking"] }
        [profile.dev]
        debug = false

        """,
      ".cargo/config.toml": """
        [source.crates-io]
        replace-with = "debian"
        [source.debian]
        directory = "/usr/share/cargo/registry"

        """,
    ], build: ["sh", "-c", "cargo build --offline --quiet"], start: ["sh", "-c", "target/debug/copies"])

  private static let java = CompiledCopies(
    target: .java, tools: ["javac", "java"], file: { "Copy\($0).java" },
    replacements: { [("public class Main", "public class Copy\($0)")] },
    main: { count in
      let calls = calls(count) { "Copy\($0).main(arguments);" }
      return (
        "Main.java",
        "public class Main {\npublic static void main(String[] arguments) throws Exception {\n"
          + "\(calls)\n}\n}\n"
      )
    }, build: ["javac", "-encoding", "UTF-8", "Main.java"], start: ["java", "Main"])

  private static let kotlin = CompiledCopies(
    target: .kotlin, tools: ["kotlinc", "java"], file: { "copy\($0).kt" },
    replacements: { [("fun main()", "fun copy\($0)()")] },
    main: { count in ("main.kt", "fun main() {\n\(calls(count) { "copy\($0)()" })\n}\n") },
    build: ["sh", "-c", "kotlinc -nowarn -jvm-target 1.8 *.kt -include-runtime -d copies.jar"],
    start: ["java", "-jar", "copies.jar"])

  private static let csharp = CompiledCopies(
    target: .csharp, tools: ["mcs", "mono"], file: { "copy\($0).cs" },
    replacements: {
      [("class Program", "class Copy\($0)"), ("static async Task Main", "public static async Task Main")]
    },
    main: { count in
      let calls = calls(count) { "Copy\($0).Main().Wait();" }
      return ("main.cs", "class All\n{\nstatic void Main()\n{\n\(calls)\n}\n}\n")
    },
    build: ["sh", "-c", "mcs -r:System.Net.Http.dll -main:All -out:copies.exe *.cs"],
    start: ["mono", "copies.exe"])

  private static let swift = CompiledCopies(
    target: .swift, tools: ["swiftc"], file: { "copy\($0).swift" },
    replacements: { number in
      [
        ("#endif\n", "#endif\nfunc copy\(number)() async throws {\n"),
        // The end of every copy.
        ("print(String(decoding: data, as: UTF8.self))",
          "print(String(decoding: data, as: UTF8.self))\n}"),
      ]
    },
    main: { count in ("main.swift", calls(count) { "try await copy\($0)()" } + "\n") },
    build: ["sh", "-c", "swiftc -Onone -o copies *.swift"], start: ["sh", "-c", "./copies"])

  /// Whether all that is needed is there.
  func isThere() throws -> Bool {
    for tool in tools {
      guard try Require.tool(tool, reason: "it compiles copies") != nil else { return false }
    }
    guard let folder else { return true }
    return try Require.condition(
      FileSystem.isDirectory(folder), reason: "\(folder) is not there: copies are compiled with it")
  }

  /// Compiles copies and runs them with variables of the environment.
  func run(
    _ copies: [String], in directory: TemporaryDirectory, _ variables: [String: String] = [:]
  ) async throws {
    for (name, text) in extras { _ = try directory.write(name, text) }
    for (number, copy) in copies.enumerated() {
      let text = replacements(number).reduce(copy) { $0.replacing($1.0, with: $1.1) }
      _ = try directory.write(file(number), text)
    }
    let (name, text) = main(copies.count)
    _ = try directory.write(name, text)
    // Debian's tools go before what asks for a home of its own.
    let environment = [
      "HOME": directory.path, "PATH": "/usr/bin:/bin:\(ProcessEnvironment.value("PATH") ?? "")",
    ]
    let built = try await Subprocess.run(
      build[0], Array(build[1...]), directory: directory.path, environment: environment,
      timeoutSeconds: 400)
    try #require(built.status == 0, "\(built.output)\n\(built.errorOutput)")
    let run = try await Subprocess.run(
      start[0], Array(start[1...]), directory: directory.path,
      environment: environment.merging(variables) { $1 }, timeoutSeconds: 60)
    try #require(run.status == 0, "\(run.output)\n\(run.errorOutput)")
  }
}
