// The requests of a send: what each of them waits for, and which were left behind.

package import PostKitLanguage
import PostKitSupport
import PostKitText

/// One request of a send, as the document has it now.
struct SendPart: Sendable, Hashable {
  /// Its block.
  var range: Range<Int>
  /// When it began, in microseconds of the monotonic clock; `nil` while it waits.
  var began: Int64?
}

/// A request whose turn never came, because its run ended before.
struct UnsentRequest: Sendable, Hashable {
  /// Its block, as the document has it now.
  var range: Range<Int>
  /// Why, as a sentence.
  var reason: String
  /// When the run ended, in milliseconds since 1970: a newer result says more.
  var time: Int64
}

/// What the requests of a document that are being sent, or were left behind, show at their lines.
package struct SendMarks: Sendable {
  /// The parts of all sends.
  var parts: [SendPart] = []
  /// The requests that were left behind.
  var unsent: [UnsentRequest] = []

  /// The marks by the blocks that have them.
  package var marks: [Range<Int>: SendMark] {
    let now = Clock.monotonicMicroseconds
    var result: [Range<Int>: SendMark] = [:]
    for one in unsent { result[one.range] = .notSent(reason: one.reason, time: one.time) }
    for part in parts {
      if let began = part.began {
        result[part.range] = .sending(milliseconds: Int((now - began) / 1_000))
      } else if result[part.range]?.isSending != true {
        result[part.range] = .waiting
      }
    }
    return result
  }

  /// Moves a range with an edit.
  static func moved(_ range: Range<Int>, by edit: TextEdit) -> Range<Int> {
    let start = edit.moved(range.lowerBound)
    return start..<max(start, edit.moved(range.upperBound))
  }
}
