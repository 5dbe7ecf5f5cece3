// What scripts print in the log of a client: gathered, in order, and not too much of it.

import LanguageServerProtocol
import PostKitSupport
import Testing

@testable import PostKitSession

struct PrintedLinesTests {
  @Test func linesOfOneKindAreOneMessage() {
    var lines = PrintedLines()
    #expect(lines.add(.log, "a", at: 0))
    #expect(!lines.add(.log, "b", at: 10))
    #expect(!lines.add(.error, "c", at: 20))
    #expect(!lines.add(.log, "d", at: 30))
    let (messages, again) = lines.take(at: 100_000)
    #expect(messages.map(\.text) == ["a\nb", "c", "d"])
    #expect(messages.map(\.type) == [.log, .error, .log])
    #expect(!again)
    #expect(lines.add(.log, "e", at: 110_000))
  }

  @Test func whatIsTooMuchIsCounted() {
    var lines = PrintedLines()
    let limit = Limits.printedLinesPerSecond
    for number in 0..<limit + 5 { _ = lines.add(.log, "\(number)", at: Int64(number)) }
    let first = lines.take(at: 100_000)
    #expect(first.messages.map { $0.text.split(separator: "\n").count } == [limit])
    #expect(first.again)
    // It is told once the second is over, whether or not more is printed.
    #expect(lines.take(at: 200_000).messages.isEmpty)
    let last = lines.take(at: 1_000_000)
    #expect(last.messages.map(\.text) == ["5 lines left out"])
    #expect(!last.again)
    for number in 0..<limit + 1 { _ = lines.add(.log, "", at: 2_000_000 + Int64(number)) }
    _ = lines.add(.log, "next", at: 3_000_000)
    #expect(lines.take(at: 3_000_001).messages.map(\.text).suffix(2) == ["1 line left out", "next"])
  }

  @Test func levelsAreKindsOfMessages() {
    #expect(["log", "info", "debug"].allSatisfy { LSP.MessageType(printed: $0) == .log })
    #expect(LSP.MessageType(printed: "warn") == .warning)
    #expect(LSP.MessageType(printed: "error") == .error)
  }
}
