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
    "GET $URL/q?a&b=&c=1&d=%2f%7E",
    "GET $URL/r?f[]=1&g={x}|y'z",
    "GET $URL/s//t/../u/./v",
    "GET $URL/h\nX-Twice: a\nX-Twice: b",
    "POST $URL/m\nContent-Type: multipart/form-data; boundary=b-1\n\n"
      + "--b-1\nContent-Disposition: form-data; name=\"a\"\n\n1\n--b-1\n"
      + "Content-Disposition: form-data; name=\"f\"; filename=\"b.bin\"\n\n< b.bin\n--b-1--",
    "OPTIONS $URL/o\nX-Quotes: \u{2018}a\u{2019} ${b} $(c) #{d} `e` 'f' \"g\"",
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

  @Test("copies, compiled as one program, send what we send", arguments: CompiledCopies.all)
  func compiled(language: CompiledCopies) async throws {
    guard try language.isThere() else { return }
    let plain = CopyRoundTripTests.sources
    let sources = plain + CopyRoundTripTests.secretSources
    let recorder = try #require(RequestRecorder(count: 2 * sources.count))
    var copies: [Copy] = []
    for (number, source) in sources.enumerated() {
      let secrets = number < plain.count ? nil : CopyRoundTripTests.secrets
      copies.append(try await Copy(source, recorder, language.target, reading: secrets))
    }
    let directory = try TemporaryDirectory()
    try await language.run(copies.map(\.text), in: directory, CopyRoundTripTests.environment)
    let received = recorder.received().map { WireMessage($0) }
    for (number, copy) in copies.enumerated() {
      expectSame([received[number], received[sources.count + number]], copy, language.target)
    }
  }

  /// Why copies for a target are not run: each other target is.
  private static let notRun: [CopyTarget: String] = [
    .powershell: "neither Debian nor PyPI has PowerShell; the copy says that none has tried it",
    .hurl: "Debian has no Hurl; our own reader of Hurl files reads the copies",
  ]

  @Test func `each target is run, or has a reason not to be`() {
    let run = CopyTarget.scripts + CompiledCopies.all.map(\.target) + [.http]
    #expect(Set(run).union(Self.notRun.keys) == Set(CopyTarget.allCases))
    #expect(Set(run).isDisjoint(with: Self.notRun.keys))
    #expect(CopyTarget.powershell.text(for: RequestSpec(method: "GET", url: "http://h/"))
      .contains("no PowerShell has tried it"))
  }

  /// Secrets of requests, and what the variables of the environment that have them are called.
  static let secrets = [
    CopySecret(variable: "token", value: "plain-s3cret"),
    CopySecret(variable: "odd", value: "it's \"q\" \\ $1 #{x}"),
  ]
  static let environment = [
    "TOKEN": "plain-s3cret", "ODD": "it's \"q\" \\ $1 #{x}",
    "AUTHORIZATION": "Basic " + Base64.encode(Array("ann:secret word".utf8)), "COOKIE": "a=1; b=2",
  ]
  /// Requests with secrets: in each part, at both ends of texts, alone and on several lines.
  static let secretSources = [
    "POST $URL/s?t=plain-s3cret&u=1\nAuthorization: Bearer plain-s3cret\n"
      + "X-Odd: <it's \"q\" \\ $1 #{x}>\nX-Key: plain-s3cret\nContent-Type: text/plain\n\n"
      + "plain-s3cret\n\"\"\" it's \"q\" \\ $1 #{x} é\nplain-s3cret",
    "PUT $URL/plain-s3cret\nContent-Type: text/plain\n\nit's \"q\" \\ $1 #{x}",
    "PURGE $URL/p\nAuthorization: Basic ann:secret word\nCookie: a=1; b=2",
  ]

  @Test(
    "code reads secrets from its environment, and sends them", arguments: secretSources.indices,
    CopyTarget.scripts.filter(\.readsSecrets))
  func secret(index: Int, target: CopyTarget) async throws {
    guard try Interpreter.isThere(target) else { return }
    let recorder = try #require(RequestRecorder(count: 2))
    let copy = try await Copy(
      CopyRoundTripTests.secretSources[index], recorder, target,
      reading: CopyRoundTripTests.secrets)
    for value in ["plain-s3cret", "$1 #{x}", "YW5uOnN", "a=1"] {
      #expect(!copy.text.contains(value), "\(copy.text)")
    }
    try await Interpreter.run(
      target, copy.text, in: copy.track.directory, CopyRoundTripTests.environment)
    expectSame(recorder.received().map { WireMessage($0) }, copy, target)
  }

  /// Compares what the author wrote: the fields that each program adds by itself are its own, and
  /// what it says that it can't do is not asked of it.
  private func expectSame(_ received: [WireMessage], _ copy: Copy, _ target: CopyTarget) {
    let (ours, theirs) = (received[0], received[1])
    if !copy.text.contains("may write the target of") {
      #expect(theirs.line == ours.line, "\(copy.text)")
    }
    #expect(theirs.body == ours.body, "\(copy.text)")
    for field in copy.spec.headers.fields {
      if copy.text.contains("can't send the field `\(field.name): ") { continue }
      let values = theirs.values(field.name, anyCase: target.renamesFields)
      let all = copy.spec.headers.values(field.name).map { text in
        text.keptBytes.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
      }
      #expect(
        values == all || values == [all.joined(separator: ", ")],
        "\(field.name) in\n\(theirs)\n\(copy.text)")
    }
  }
}

extension CopyTarget {
  /// The targets that are run by an interpreter.
  fileprivate static var scripts: [CopyTarget] {
    [.curl, .httpie, .wget, .python, .httpx, .javascript, .axios, .php, .ruby]
  }

  /// Whether names of fields arrive in letters of another size.
  fileprivate var renamesFields: Bool {
    [.javascript, .swift, .ruby, .rust].contains(self)
  }
}

/// A request that we sent, and its copy.
struct Copy {
  let track: Track
  let spec: RequestSpec
  let text: String

  /// Sends a request to a recorder, and copies it.
  /// Its secrets are those that it reads; without any it has them.
  init(
    _ source: String, _ recorder: RequestRecorder, _ target: CopyTarget,
    reading secrets: [CopySecret]? = nil
  ) async throws {
    let text = source.replacing("$URL", with: "http://127.0.0.1:\(recorder.port)")
    let kept = String(keeping: text.utf8.map { $0 == 1 ? 0xE9 : $0 })
    track = try Track(
      "# @no-redirect\n" + kept, ["b.bin": "\u{0}\u{1}é\r\n'\"\n", "it's.txt": "a\nb\n"])
    let result = await track.run { $0.defaults.options.proxy = "" }
    try #require(result.result.outcomes.first?.failure == nil, "\(source)")
    spec = try #require(track.lowered())
    guard let secrets else {
      self.text = target.text(for: spec)
      return
    }
    self.text = target.text(for: spec, reading: secrets)
  }
}

/// Runs what was copied.
enum Interpreter {
  /// The program that runs copies for a target; `nil` for those that need none of their own.
  private static func program(_ target: CopyTarget) -> String? {
    switch target {
    case .curl: "curl"
    case .wget: "wget"
    case .httpie, .python: "http"
    case .httpx: "python3"
    case .javascript, .axios: "node"
    case .php: "php"
    case .ruby: "ruby"
    default: nil
    }
  }

  /// Whether what runs copies for a target is there.
  static func isThere(_ target: CopyTarget) throws -> Bool {
    guard let program = program(target) else { return true }
    return try Require.tool(program, reason: "it runs copies") != nil
  }

  /// Runs a copy, which must end well.
  static func run(
    _ target: CopyTarget, _ text: String, in directory: TemporaryDirectory,
    _ variables: [String: String] = [:]
  ) async throws {
    var environment = variables
    environment["HOME"] = directory.path
    environment["NO_PROXY"] = "127.0.0.1"
    // Where Debian keeps the libraries of Node.
    if target == .axios { environment["NODE_PATH"] = "/usr/share/nodejs" }
    let result: SubprocessResult
    switch target {
    case .curl, .httpie, .wget:
      result = try await Subprocess.run(
        "sh", ["-c", text], environment: environment, timeoutSeconds: 60)
    default:
      let file = try directory.write("sent.\(target.fileExtension)", text)
      let program = target == .python || target == .httpx ? "python3" : self.program(target)
      result = try await Subprocess.run(
        program ?? "sh", [file], environment: environment, timeoutSeconds: 60)
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
