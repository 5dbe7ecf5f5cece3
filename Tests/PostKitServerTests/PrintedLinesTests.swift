// What scripts print in the log of a client: gathered, in order, and not too much of it.

import LanguageServerProtocol
import PostKitSupport
import Testing

@testable import PostKitSession

struct PrintedLinesTests {
  @Test func linesOfOneKindAreOneMessage() {
    var lines = PrintedLines()
    let starts = [
      lines.add(.log, "a", at: 0), lines.add(.log, "b", at: 10), lines.add(.error, "c", at: 20),
      lines.add(.log, "d", at: 30),
    ]
    #expect(starts == [true, false, false, false])
    let (messages, again) = lines.take(at: 100_000)
    #expect(messages.map(\.text) == ["a\nb", "c", "d"])
    #expect(messages.map(\.type) == [.log, .error, .log])
    #expect(!again)
    let startsAgain = lines.add(.log, "e", at: 110_000)
    #expect(startsAgain)
  }

  @Test func whatIsTooMuchIsCounted() {
    var lines = PrintedLines()
    let limit = Limits.printedLinesPerSecond
    for number in 0..<limit + 5 { _ = lines.add(.log, "\(number)", at: Int64(number)) }
    let first = lines.take(at: 100_000)
    #expect(first.messages.map { $0.text.split(separator: "\n").count } == [limit])
    #expect(first.again)
    // It is told once the second is over, whether or not more is printed.
    let meanwhile = lines.take(at: 200_000)
    #expect(meanwhile.messages.isEmpty)
    let last = lines.take(at: 1_000_000)
    #expect(last.messages.map(\.text) == ["5 lines left out"])
    #expect(!last.again)
    for number in 0..<limit + 1 { _ = lines.add(.log, "", at: 2_000_000 + Int64(number)) }
    _ = lines.add(.log, "next", at: 3_000_000)
    let end = lines.take(at: 3_000_001)
    #expect(end.messages.last?.text == "1 line left out\nnext")
  }

  @Test func levelsAreKindsOfMessages() {
    #expect(["log", "info", "debug"].allSatisfy { LSP.MessageType(printed: $0) == .log })
    #expect(LSP.MessageType(printed: "warn") == .warning)
    #expect(LSP.MessageType(printed: "error") == .error)
  }
}
