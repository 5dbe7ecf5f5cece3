// Requests that were copied for other programs, checked by what arrives on the wire when these are
// run, beside what we send ourselves.

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import PostKitTransfer
import Testing

@testable import PostKitRunner

@Suite struct CopyRoundTripTests {
  /// Each with what makes it hard; `$URL` is the recorder, `\u{1}` the byte 0xE9.
  static let sources: [String] = [
    "GET $URL/a?b=c&d=%20",
    "GET $URL",
    "DELETE $URL/x\nX-Empty:\nx-lOwer: it's \"q\" $HOME `id` \\n 100%",
    "POST $URL/\nContent-Type: application/json\n\n{\n  \"a\": 1.50,\n  \"t\": \"é \\\\ \\\"\"\n}",
    "POST $URL/\nContent-Type: text/plain\n\n  it's \"\"\" and ''' `x` ${y} $HOME \\(z) #{w}\n\\",
    "PUT $URL/\nContent-Type: text/plain\n\na\tb\n\n\"\"\"\"",
    "POST $URL/\nContent-Type: application/octet-stream\n\n< b.bin",
    "POST $URL/\nContent-Type: text/plain\n\nfrom\n< \"it's.txt\"\nto\n< b.bin",
    "POST $URL/\nContent-Type: text/plain\n\na\u{0}b\u{1}c",
    "PATCH $URL/\nContent-Type: text/plain; charset=utf-8\n\n\u{2028}\u{FEFF}x\u{7F}\u{202E}é😀",
    "POST $URL/empty",
    "PURGE $URL/p\nAuthorization: Basic ann:secret word\nCookie: a=1; b=2",
  ]

  @Test("a copied request sends what we send", arguments: sources.indices, CopyTarget.scripts)
  func copied(index: Int, target: CopyTarget) async throws {
    guard try Interpreter.isThere(target) else { return }
    let recorder = try #require(RequestRecorder(count: 2))
    let copy = try await Copy(CopyRoundTripTests.sources[index], recorder, target)
    try await Interpreter.run(target, copy.text, in: copy.track.directory)
    let received = recorder.received().map { WireMessage($0) }
    expectSame(received, copy, target)
  }

  @Test("a copied block sends what the request sent", arguments: sources)
  func block(source: String) async throws {
    let recorder = try #require(RequestRecorder(count: 2))
    let copy = try await Copy(source, recorder, .http)
    let isText = copy.spec.body.allSatisfy {
      guard case .bytes(let bytes) = $0 else { return true }
      return String(validating: bytes, as: UTF8.self) != nil
    }
    #expect(copy.text.contains("A part of the request is missing") == !isText)
    let track = try Track(copy.text)
    let result = await track.run { $0.defaults.options.proxy = "" }
    #expect(result.result.outcomes.first?.failure == nil, "\(copy.text)")
    let received = recorder.received().map { WireMessage($0) }
    #expect((received[1] == received[0]) == isText, "\(copy.text)")
  }

  @Test func `copies in Swift, compiled as one program, send what we send`() async throws {
    guard try Require.tool("swiftc", reason: "it compiles the copies") != nil else { return }
    let sources = CopyRoundTripTests.sources
    let recorder = try #require(RequestRecorder(count: 2 * sources.count))
    var copies: [Copy] = []
    for source in sources { copies.append(try await Copy(source, recorder, .swift)) }
    let directory = try TemporaryDirectory()
    let functions = copies.enumerated().map { number, copy in
      let body = copy.text.split(separator: "#endif\n", maxSplits: 1)[1]
      return "func copy\(number)() async throws {\n\(body)\n}"
    }
    let calls = copies.indices.map { "try await copy\($0)()" }
    let head = copies[0].text.split(separator: "#endif\n", maxSplits: 1)[0]
      .split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n")
    let file = try directory.write(
      "main.swift", "\(head)\n#endif\n" + (functions + calls).joined(separator: "\n"))
    let program = directory.path("copies")
    let compiled = try await Subprocess.run(
      "swiftc", ["-Onone", "-o", program, file], environment: ["HOME": directory.path],
      timeoutSeconds: 240)
    try #require(compiled.status == 0, "\(compiled.errorOutput)\n\(functions.joined())")
    let run = try await Subprocess.run(
      program, [], environment: ["HOME": directory.path], timeoutSeconds: 60)
    try #require(run.status == 0, "\(run.errorOutput)")
    let received = recorder.received().map { WireMessage($0) }
    for (number, copy) in copies.enumerated() {
      expectSame([received[number], received[sources.count + number]], copy, .swift)
    }
  }

  /// Compares what the author wrote: the fields that each program adds by itself are its own.
  private func expectSame(_ received: [WireMessage], _ copy: Copy, _ target: CopyTarget) {
    let (ours, theirs) = (received[0], received[1])
    #expect(theirs.line == ours.line, "\(copy.text)")
    #expect(theirs.body == ours.body, "\(copy.text)")
    var expected = copy.spec.headers.fields
    if target == .swift { expected.removeAll { $0.value.keepsBytes } }
    for field in expected {
      let values = theirs.values(field.name, anyCase: target == .javascript || target == .swift)
      let value = field.value.keptBytes.reduce(into: "") {
        $0.unicodeScalars.append(Unicode.Scalar($1))
      }
      #expect(values == [value], "\(field.name) in\n\(theirs)\n\(copy.text)")
    }
  }
}

extension CopyTarget {
  /// The targets that are run by something that is there anyway.
  fileprivate static var scripts: [CopyTarget] { [.curl, .httpie, .wget, .python, .javascript] }
}

/// A request that we sent, and its copy.
struct Copy {
  let track: Track
  let spec: RequestSpec
  let text: String

  /// Sends a request to a recorder, and copies it.
  init(_ source: String, _ recorder: RequestRecorder, _ target: CopyTarget) async throws {
    let text = source.replacing("$URL", with: "http://127.0.0.1:\(recorder.port)")
    let kept = String(keeping: text.utf8.map { $0 == 1 ? 0xE9 : $0 })
    track = try Track(
      "# @no-redirect\n" + kept, ["b.bin": "\u{0}\u{1}é\r\n'\"\n", "it's.txt": "a\nb\n"])
    let result = await track.run { $0.defaults.options.proxy = "" }
    try #require(result.result.outcomes.first?.failure == nil, "\(source)")
    spec = try #require(track.lowered())
    self.text = target.text(for: spec)
  }
}

/// Runs what was copied.
enum Interpreter {
  /// Whether what runs copies for a target is there.
  static func isThere(_ target: CopyTarget) throws -> Bool {
    let reason = "it runs copies"
    return switch target {
    case .curl: try Require.tool("curl", reason: reason) != nil
    case .httpie, .python: try Require.tool("http", reason: reason) != nil
    case .wget: try Require.tool("wget", reason: reason) != nil
    case .javascript: try Require.tool("node", reason: reason) != nil
    case .swift, .http: true
    }
  }

  /// Runs a copy, which must end well.
  static func run(
    _ target: CopyTarget, _ text: String, in directory: TemporaryDirectory
  ) async throws {
    let environment = ["HOME": directory.path, "NO_PROXY": "127.0.0.1"]
    let result: SubprocessResult
    switch target {
    case .python, .javascript:
      let file = try directory.write("sent.\(target.fileExtension)", text)
      result = try await Subprocess.run(
        target == .python ? "python3" : "node", [file], environment: environment,
        timeoutSeconds: 60)
    default:
      result = try await Subprocess.run(
        "sh", ["-c", text], environment: environment, timeoutSeconds: 60)
    }
    try #require(result.status == 0, "\(text)\n\(result.errorOutput)")
  }
}

/// A request as it arrived, as Latin-1 characters.
struct WireMessage: Equatable {
  var line: String
  var headers: [String]
  var body: String

  init(_ text: String) {
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    var lines = parts[0].split(separator: "\r\n").map(String.init)
    line = lines.removeFirst()
    headers = lines
    body = parts.count > 1 ? String(parts[1]) : ""
  }

  /// The values of the fields of a name.
  func values(_ name: String, anyCase: Bool) -> [String] {
    headers.compactMap { header in
      let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let isSame = anyCase ? name.equalsIgnoringASCIICase(String(parts[0])) : name == parts[0]
      return isSame && parts.count == 2 ? String(parts[1]).trimmingASCIIBlanks() : nil
    }
  }
}
