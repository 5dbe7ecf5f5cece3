// Requests to curl and back, checked by what arrives on the wire.

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import PostKitTransfer
import PostKitTransport
import Testing

@testable import PostKitRunner

@Suite struct CurlRoundTripTests {
  @Test("a copied curl line sends the bytes that we send", arguments: 0..<40)
  func copied(seed: UInt64) async throws {
    let recorder = try #require(RequestRecorder(count: 2))
    var generator = RepeatableGenerator(seed: seed)
    try await checkCopy(RandomRequest.source(&generator, port: recorder.port), recorder)
  }

  @Test(
    "a copied curl line sends bytes that are no UTF-8",
    arguments: [
      "GET $URL/\u{1}", "GET $URL/\nX-A: '\u{1}' \\ %s \\\\ $HOME \u{1}0`id`!", "GET $URL/\nX-A: \u{1}",
      "GET $URL/\nCookie: a=\u{1}", "GET $URL/\nAuthorization: Basic \u{1} a",
      "POST $URL/\nContent-Type: text/x-\u{1}\n\n\u{1}\n'\u{1}%s\\n0",
      "POST $URL/\nContent-Type: application/x-www-form-urlencoded\n\na=\u{1}",
    ])
  func copiedBytes(_ source: String) async throws {
    let recorder = try #require(RequestRecorder(count: 2))
    let text = source.replacing("$URL", with: "http://127.0.0.1:\(recorder.port)")
    try await checkCopy(String(keeping: text.utf8.map { $0 == 1 ? 0xE9 : $0 }), recorder)
  }

  /// Sends a request, and its copy with curl.
  private func checkCopy(_ source: String, _ recorder: RequestRecorder) async throws {
    guard try Require.tool("curl", reason: "it runs the lines") != nil else { return }
    let track = try Track(source, ["b.bin": RandomRequest.fileText, "it's.txt": "a\nb\n"])
    let result = await track.run { $0.defaults.options.proxy = "" }
    let outcome = try #require(result.result.outcomes.first)
    #expect(outcome.failure == nil, "\(source)")
    var lowered = try #require(track.lowered())
    lowered.options.proxy = ""
    let line = CurlCommand.line(for: lowered)
    let shell = try await Subprocess.run(
      "sh", ["-c", line], environment: ["HOME": track.directory.path], timeoutSeconds: 60)
    try #require(shell.status == 0, "\(line)\n\(shell.errorOutput)")
    let received = recorder.received()
    #expect(
      WireMessage(received[1]).withCookiesLast == WireMessage(received[0]).withCookiesLast,
      "\(source)\n\(line)")
  }

  @Test("a curl command, run and converted, sends what curl sends", arguments: 100..<150)
  func converted(seed: UInt64) async throws {
    guard try Require.tool("curl", reason: "it runs the commands") != nil else { return }
    let recorder = try #require(RequestRecorder(count: 3))
    var generator = RepeatableGenerator(seed: seed)
    let command = RandomRequest.command(&generator, port: recorder.port)
    let files = ["b.bin": RandomRequest.fileText, "d.txt": "x"]
    let executed = try Track(command, files)
    let shell = try await Subprocess.run(
      "sh", ["-c", "cd \(ShellText.quote(executed.directory.path)) && \(command)"],
      environment: ["HOME": executed.directory.path], timeoutSeconds: 60)
    try #require(shell.status == 0, "\(command)\n\(shell.errorOutput)")
    let text = try #require(CurlConversion.request(for: command))
    try #require(!text.contains("# Not converted"), "\(command)\n\(text)")
    for track in [executed, try Track(text, files)] {
      let result = await track.run { $0.defaults.options.proxy = "" }
      #expect(result.result.outcomes.first?.failure == nil, "\(command)\n\(text)")
    }
    let messages = recorder.received().map { WireMessage($0).withoutDefaults }
    #expect(messages[1] == messages[0], "\(command)")
    #expect(messages[2] == messages[0], "\(command)\n\(text)")
  }
}

extension Track {
  /// The first request of the file as it is handed to the transport.
  func lowered() -> RequestSpec? {
    let document = ParsedDocument(bytes: text.keptBytes)
    let workspace = Workspace(file: directory.path("a.http"))
    guard let block = document.requests.first else { return nil }
    let evaluator = Evaluator(
      context: workspace.analysisContext(environment: nil) { _ in nil },
      scope: workspace.scope(of: document, environment: nil, dialect: Dialect()))
    return Lowering.lower(
      block, evaluator: evaluator, defaults: Settings().requestDefaults
    ).spec
  }
}

extension WireMessage {
  /// libcurl sets cookies before other fields where a jar takes part, and curl's has none.
  fileprivate var withCookiesLast: WireMessage {
    var copy = self
    let isCookie: (String) -> Bool = { $0.hasPrefix("Cookie: ") }
    copy.headers = headers.filter { !isCookie($0) } + headers.filter(isCookie)
    return copy
  }

  /// Without what every program adds in its own way, in an order of no meaning; boundaries, which
  /// are random, become one word.
  fileprivate var withoutDefaults: WireMessage {
    var copy = self
    let own = ["User-Agent: curl/", "User-Agent: PostKit/", "Accept-Encoding: "]
    copy.headers.removeAll { header in own.contains { header.hasPrefix($0) } }
    let type = headers.first { $0.contains("boundary=") }
    if let boundary = type?.split(separator: "boundary=").last {
      copy.headers.removeAll { $0.hasPrefix("Content-Length: ") }
      copy.headers = copy.headers.map { $0.replacing(boundary, with: "B") }
      copy.body = body.replacing(boundary, with: "B")
    }
    copy.headers.sort()
    return copy
  }
}

/// Requests by chance.
private enum RandomRequest {
  static let fileText = "\u{0}\u{1}é\r\n'\"\n"

  private static let texts = [
    "a", "it's", "\"x\"", "$HOME", "`id`", "\\", "é", "a b", "%41", "100%", "*", "~", "!", "{}",
    "a=b&c", "#x", ";", "\t.", "@b.bin", "-d", "\\n", "<x>",
  ]

  static func source(_ generator: inout RepeatableGenerator, port: UInt16) -> String {
    var tags: [String] = ["# @no-redirect"]
    if generator.oneIn(3) { tags.append("# @timeout 9 s") }
    let method = generator.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
    let path = generator.pick(["", "/", "/a/../b", "/ü?x[]={1}&y='z", "/a%20b?q=a b#f", "?q"])
    let version = generator.pick(["", " HTTP/1.1", " HTTP/1.0"])
    var lines = tags + ["\(method) http://127.0.0.1:\(port)\(path)\(version)"]
    let names = ["X-a", "x-B", "Accept", "user-agent", "Cookie", "Authorization", "Host", "X-a"]
    for _ in 0..<generator.int(in: 0..<5) {
      let name = generator.pick(names)
      let value = generator.pick(texts) + generator.pick(["", " ", ": ", ","]) + generator.pick(texts)
      lines.append(generator.oneIn(5) && name.hasPrefix("X") ? "\(name):" : "\(name): \(value)")
    }
    lines.append("Content-Type: text/x-any")
    let pieces = texts + ["", "< b.bin", "< \"it's.txt\"", "a < b", "it's\u{0}NUL"]
    let hasBody = method != "GET" && method != "OPTIONS" && generator.int(in: 0..<4) > 0
    if hasBody {
      lines.append("")
      for _ in 0..<generator.int(in: 1..<5) { lines.append(generator.pick(pieces)) }
    }
    return lines.joined(separator: "\n")
  }

  static func command(_ generator: inout RepeatableGenerator, port: UInt16) -> String {
    var words = ["curl", "-s"]
    let paths = ["", "/", "/a?b=c", "/a?", "/%41"]
    let url = "http://127.0.0.1:\(port)" + generator.pick(paths)
    func value(_ generator: inout RepeatableGenerator) -> String {
      let plain = texts.filter { !$0.hasPrefix("@") && !$0.hasPrefix("<") }
      // A definition that begins with a backslash is a path of Windows (PK-33).
      return generator.pick(plain.filter { $0 != "\\" })
        + generator.pick(["", "\n", "\r ", "\n#", "\n\n"]) + generator.pick(plain)
    }
    let kind = generator.int(in: 0..<7)
    switch kind {
    case 0: if generator.oneIn(2) { words += ["-X", "DELETE"] }
    case 1:
      for _ in 0..<generator.int(in: 1..<4) {
        words += [generator.pick(["-d", "--data-binary", "--data-raw"]), value(&generator)]
      }
    case 2:
      words += ["--data-urlencode", "n=" + value(&generator), "--data-urlencode", "=x y&"]
    case 3: words += ["--json", "{\"a\":  1.50,\n# b\n\"t\": \"é\"}"]
    case 4: words += ["--data-binary", "@b.bin", "-H", "Content-Type: a/b"]
    case 5:
      words += ["-F", "a=" + generator.pick(["x y", "l\nm", "é", "\"q;\""]), "-F", "f=@b.bin"]
      if generator.oneIn(2) { words += ["-F", "g=@d.txt;type=x/y;filename=\"n m\""] }
    default: words += ["-G", "-d", "x=1", "-d", "y=%20"]
    }
    if generator.oneIn(2) { words += ["-H", "X-Any: " + generator.pick(["it's", "$A", "\"q\""])] }
    if generator.oneIn(3) { words += ["-H", "X-Empty;"] }
    if generator.oneIn(3) { words += ["-u", "ann:p w:'q"] }
    if generator.oneIn(3) { words += ["-b", "a=1", "-b", "b=2"] }
    if generator.oneIn(3) { words += ["-A", "me 1", "-e", "http://r/"] }
    if generator.oneIn(4) { words += [generator.pick(["--http1.0", "--http1.1", "--compressed"])] }
    words.append(url)
    return words.map { ShellText.quote($0) }.joined(separator: generator.pick([" ", " \\\n  "]))
  }
}
