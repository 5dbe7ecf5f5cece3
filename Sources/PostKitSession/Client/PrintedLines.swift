// What scripts print, for a client that shows it in its log alone: gathered, not too much of it.

package import LanguageServerProtocol
import PostKitSupport

/// Lines of scripts that wait to be logged.
package struct PrintedLines: Sendable {
  /// Lines of one kind, which are one message.
  package struct Message: Sendable, Hashable {
    package var type: LSP.MessageType
    package var text: String
  }

  private var waiting: [Message] = []
  /// Whether somebody will come for them.
  private var isScheduled = false
  /// When the second began in which lines are counted, in microseconds, and how many there were.
  private var second: Int64?
  private var count = 0
  private var leftOut = 0

  /// Nothing was printed yet.
  package init() {}

  /// Adds a line; the answer says whether they are to be taken after `printedMilliseconds`.
  package mutating func add(_ type: LSP.MessageType, _ text: String, at now: Int64) -> Bool {
    if second.map({ now - $0 >= 1_000_000 }) ?? true {
      tellLeftOut()
      (second, count) = (now, 0)
    }
    count += 1
    if count > Limits.printedLinesPerSecond {
      leftOut += 1
    } else if waiting.last?.type == type {
      waiting[waiting.count - 1].text += "\n" + text
    } else {
      waiting.append(Message(type: type, text: text))
    }
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Takes what waits. Where lines were left out, that is told once the second is over; `again`
  /// says whether they are to be taken once more.
  package mutating func take(at now: Int64) -> (messages: [Message], again: Bool) {
    if let second, now - second >= 1_000_000 { tellLeftOut() }
    defer { waiting = [] }
    isScheduled = leftOut > 0
    return (waiting, isScheduled)
  }

  private mutating func tellLeftOut() {
    guard leftOut > 0 else { return }
    let lines = leftOut == 1 ? "1 line" : "\(leftOut) lines"
    waiting.append(Message(type: .log, text: "\(lines) left out"))
    leftOut = 0
  }
}

extension LSP.MessageType {
  /// The kind of a line that a script printed. An error has a kind of its own and opens no dialog,
  /// as it is logged.
  package init(printed level: String) {
    switch level {
    case "error": self = .error
    case "warn": self = .warning
    default: self = .log
    }
  }
}
