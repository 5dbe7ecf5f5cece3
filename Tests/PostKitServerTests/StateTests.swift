// The small owners of state, by themselves.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSupport
import PostKitText
import Synchronization
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct StateTests {
  private func profile(_ capabilities: String) throws -> ClientProfile {
    let text = #"{"processId":null,"rootUri":null,"capabilities":\#(capabilities)}"#
    return ClientProfile(
      try LSP.InitializeParams(decoding: JSONTree(parsing: Array(text.utf8)).root))
  }

  @Test(arguments: [
    (nil, .utf16), ([], .utf16), (["utf-16"], .utf16), (["utf-16", "utf-8"], .utf8),
    (["utf-32", "utf-16"], .utf32), (["utf-7", "utf-32"], .utf32), (["utf-7"], .utf16),
  ] as [([String]?, PositionEncoding)])
  func `the encoding is UTF-8 if offered, else the first that is known`(
    offers: [String]?, expected: PositionEncoding
  ) {
    let kinds = offers.map { $0.map { LSP.PositionEncodingKind(rawValue: $0) } }
    #expect(ClientProfile.encoding(kinds) == expected)
  }

  @Test func `each ability is read from its own place`() throws {
    let none = try profile("{}")
    #expect(none == ClientProfile())
    let cases: [(String, (ClientProfile) -> Bool)] = [
      (#"{"textDocument":{"diagnostic":{}}}"#, \.pullsDiagnostics),
      (#"{"window":{"workDoneProgress":true}}"#, \.showsProgress),
      (#"{"window":{"showDocument":{"support":true}}}"#, \.showsDocuments),
      (#"{"window":{"showMessage":{}}}"#, \.asksWithButtons),
      (#"{"workspace":{"textDocumentContent":{}}}"#, \.readsContentDocuments),
      (#"{"workspace":{"inlayHint":{"refreshSupport":true}}}"#, \.refreshesInlayHints),
      (#"{"textDocument":{"documentLink":{"tooltipSupport":true}}}"#, \.showsLinkTooltips),
      (#"{"textDocument":{"foldingRange":{"rangeLimit":5}}}"#, { $0.folding.limit == 5 }),
      (
        #"{"textDocument":{"foldingRange":{"lineFoldingOnly":true}}}"#,
        \.folding.takesOnlyLines
      ),
      (
        #"{"textDocument":{"foldingRange":{"foldingRange":{"collapsedText":true}}}}"#,
        \.folding.showsText
      ),
      (#"{"workspace":{"semanticTokens":{"refreshSupport":true}}}"#, \.refreshesTokens),
      (
        #"{"textDocument":{"semanticTokens":{"requests":{"full":{"delta":true}},"#
          + #""tokenTypes":[],"tokenModifiers":[],"formats":[]}}}"#,
        { $0.tokens?.takesDeltas == true && $0.tokens?.takesRanges == false }
      ),
      (#"{"workspace":{"codeLens":{"refreshSupport":true}}}"#, \.refreshesCodeLenses),
      (#"{"workspace":{"diagnostics":{"refreshSupport":true}}}"#, \.refreshesDiagnostics),
      (#"{"workspace":{"configuration":true}}"#, \.answersConfiguration),
      (#"{"experimental":{"postkit":{"version":1}}}"#, { $0.postkit != nil }),
      (#"{"workspace":{"workspaceEdit":{"documentChanges":true}}}"#, \.takesDocumentChanges),
      (#"{"workspace":{"workspaceEdit":{"resourceOperations":["create"]}}}"#, \.createsFiles),
      (
        #"{"workspace":{"workspaceEdit":{"changeAnnotationSupport":{}}}}"#,
        \.showsChangeAnnotations
      ),
      (#"{"textDocument":{"diagnostic":{"relatedInformation":true}}}"#, \.relatesDiagnostics),
    ]
    for (text, ability) in cases {
      #expect(try ability(profile(text)), "\(text)")
      #expect(!ability(none))
    }
    let contradiction =
      #"{"workspace":{"workspaceEdit":{"documentChanges":false,"resourceOperations":["create"]}}}"#
    #expect(try !profile(contradiction).createsFiles)
    // Nonsense under our own name is as good as nothing, and no error.
    #expect(try profile(#"{"experimental":{"postkit":7}}"#).postkit == nil)
  }

  @Test func `a request about a document is given up when its time is over`() async {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    var inFlight = InFlight(events: EventSink(continuation), admission: Admission())
    let (ends, end) = AsyncStream<Void>.makeStream()
    let wait: @Sendable () async -> [UInt8]? = {
      for await _ in ends { break }
      return [1]
    }
    #expect(inFlight.start(.int(1), on: nil, replacing: nil, within: 0, wait) == nil)
    #expect(inFlight.start(.int(2), on: nil, replacing: nil, within: 3_600_000, wait) == nil)
    inFlight.start(.int(3), wait)
    for await event in stream {
      if case .answersDue = event { break }
    }
    #expect(inFlight.takeOverdue() == [.int(1)])
    #expect(inFlight.takeOverdue() == [])
    #expect(!inFlight.contains(.int(1)))
    #expect(inFlight.contains(.int(2)) && inFlight.contains(.int(3)))
    end.finish()
  }

  @Test func `large documents have threads of their own, others none`() {
    let lanes = Lanes()
    let small = Limits.pooledWholeBytes
    let large = Limits.pooledDocumentBytes + 1
    #expect(lanes.lane(for: .wholeDocument, bytes: small) == nil)
    #expect(lanes.lane(for: .position, bytes: large - 1) == nil)
    let whole = lanes.lane(for: .wholeDocument, bytes: small + 1)
    #expect(whole != nil && whole === lanes.lane(for: .wholeDocument, bytes: large))
    let place = lanes.lane(for: .position, bytes: large)
    let diagnostics = lanes.lane(for: .diagnostics, bytes: large)
    #expect(place != nil && place !== whole)
    #expect(diagnostics != nil && diagnostics !== whole && diagnostics !== place)
  }

  @Test func `a refresh goes out at once, later ones four times a second`() {
    var throttle = RefreshThrottle()
    let decisions = [0, 1_000, 2_000, 249_000].map { throttle.want(at: $0) }
    #expect(decisions == [.now, .later(milliseconds: 249), .nothing, .nothing])
    throttle.isDue(at: 250_000)
    let next = throttle.want(at: 300_000)
    #expect(next == .later(milliseconds: 200))
    throttle.isDue(at: 500_000)
    let last = throttle.want(at: 800_000)
    #expect(last == .now)
  }

  @Test func `a send is cancelled by its id, its place, its progress or with all others`() {
    let session = SessionState()
    let cancelled = Mutex<[String]>([])
    func begin(_ name: String, _ uri: String, _ range: Range<Int>) -> Int {
      session.beginSend(DocumentURI(uri), range, parts: [:]) {
        cancelled.withLock { $0.append(name) }
      }
    }
    let first = begin("first", "file:///a%20b", 0..<10)
    let second = begin("second", "file:///a b", 10..<20)
    session.update { $0.sends.note(id: "id-1", of: first) }
    session.update { $0.sends.note(progressToken: "token", of: second) }
    #expect(session.sends.count == 2)
    #expect(session.cancelSend(id: "id-1") == 1)
    #expect(session.cancelSend(id: "none") == 0)
    #expect(session.cancelSends(of: DocumentURI("file:///a%20b"), at: 15) == 1)
    #expect(session.cancelSends(of: DocumentURI("file:///other"), at: nil) == 0)
    session.cancelSend(progressToken: "token")
    #expect(cancelled.withLock { $0 } == ["first", "second", "second"])
    session.update { $0.sends.end(first) }
    #expect(session.cancelSends() == 1)
    session.update { $0.sends.end(second) }
    #expect(session.cancelSends() == 0)
  }

  @Test func `a send is found at its place after edits`() {
    let session = SessionState()
    let uri = DocumentURI("untitled:a")
    let number = session.beginSend(uri, 6..<12, parts: [:]) {}
    func edit(_ old: String, _ new: String, at offset: Int, finds count: Int) {
      session.update { values in
        values.sends.follow(
          uri, from: TextSnapshot(uri: "", version: 1, text: old),
          to: TextSnapshot(uri: "", version: 2, text: new))
      }
      #expect(session.cancelSends(of: uri, at: offset) == count)
    }
    edit("GET /\nGET /a", "# one\nGET /\nGET /a", at: 17, finds: 1)
    edit("# one\nGET /\nGET /a", "# one\nGET /\nGET /abc", at: 20, finds: 1)
    edit("# one\nGET /\nGET /abc", "GET /abc", at: 0, finds: 1)
    edit("GET /abc", "# two\nGET /abc", at: 3, finds: 0)
    session.update { $0.sends.end(number) }
    edit("# two\nGET /abc", "", at: 0, finds: 0)
  }

  @Test func `diagnostics of a document are looked at one after the other`() {
    var publisher = DiagnosticsPublisher()
    let uri = DocumentURI("file:///a")
    let started = [publisher.begin(uri), publisher.begin(uri), publisher.begin(uri)]
    #expect(started == [true, false, false])
    let hasChanged = publisher.end(uri)
    let again = publisher.begin(uri)
    let isClean = publisher.end(uri)
    #expect(hasChanged && again && !isClean)
  }

  @Test func `markdown is plain where the client can't show it`() {
    let text = "**Accept**: `text/html`\n\n```http\nGET /\n```"
    #expect(ToProtocol.plain(text) == "Accept: text/html\n\nGET /")
    #expect(ToProtocol.markup(text, isMarkdown: true).value == text)
  }

  @Test func `commands carry the client's prefix and only that`() {
    var options = LSP.PostkitInitializationOptions(commandPrefix: "x.")
    #expect(CommandID.send.name(options) == "x.postkit.send")
    #expect(CommandID(name: "x.postkit.send", options) == .send)
    #expect(CommandID(name: "postkit.send", options) == nil)
    options.commandPrefix = nil
    #expect(CommandID(name: "postkit.send", options) == .send)
    #expect(CommandID(name: "postkit.none", options) == nil)
  }

  @Test func `the commands are those of the protocol folder`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = try FileSystem.read(path: "/\(root)/protocol/commands.json", limit: 1 << 20)
    let listed = try JSONTree(parsing: bytes).root.elements.compactMap { $0["command"]?.string }
    #expect(listed == CommandID.allCases.map(\.rawValue))
  }

  @Test func `every request is answered exactly once, whatever is cancelled`() async throws {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    var inFlight = InFlight(events: EventSink(continuation), admission: Admission())
    var answered: [RequestID: Int] = [:]
    for number in 0..<200 {
      inFlight.start(.int(number)) { [UInt8(number)] }
      if number % 3 == 0, inFlight.cancel(.int(number)) { answered[.int(number), default: 0] += 1 }
      let isStillKnown = inFlight.cancel(.string("\(number)"))
      #expect(!isStillKnown)
    }
    let isWaiting = !inFlight.wait(.string("barrier"))
    #expect(isWaiting)
    var ended = 0
    for await event in stream {
      guard case .finished(let task, let frame) = event else { continue }
      ended += 1
      let released = inFlight.finish(task) {
        if let first = frame?.first { answered[.int(Int(first)), default: 0] += 1 }
      }
      if ended < 200 { #expect(released.isEmpty) } else { #expect(released == [.string("barrier")]) }
      if inFlight.isEmpty { break }
    }
    #expect(answered.count == 200)
    #expect(answered.values.allSatisfy { $0 == 1 })
  }
}
