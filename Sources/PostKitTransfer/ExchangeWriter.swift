// The forms that an export of exchanges has, written piece by piece.

package import PostKitHTTP
import PostKitJSON
import PostKitSupport

/// Writes exchanges one after the other, so that none is held longer than it takes.
package protocol ExchangeWriter {
  /// What stands before the first exchange.
  mutating func head() -> [UInt8]

  /// An exchange; `read` gives the bytes of a body.
  mutating func exchange(_ exchange: Exchange, read: (BodyContent) -> [UInt8]) -> [UInt8]

  /// What stands behind the last exchange.
  mutating func tail() -> [UInt8]
}

/// An HTTP Archive, which browsers and other HTTP tools read.
package struct HARWriter: ExchangeWriter {
  private var isFirst = true

  /// The beginning.
  package mutating func head() -> [UInt8] {
    let creator: JSONValue = ["name": "PostKit", "version": .string(Version.number)]
    return Array(#"{"log":{"version":"1.2","creator":\#(creator.text),"entries":["#.utf8)
  }

  /// One exchange.
  package mutating func exchange(_ exchange: Exchange, read: (BodyContent) -> [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in HAREntry.entries(exchange, read: read) {
      bytes += (isFirst ? "\n" : ",\n").utf8
      bytes += entry.bytes
      isFirst = false
    }
    return bytes
  }

  /// The end.
  package mutating func tail() -> [UInt8] { Array("\n]}}\n".utf8) }
}

/// A JSON object a line, the same as of `history show --json`.
package struct JSONLinesWriter: ExchangeWriter {
  /// The beginning.
  package func head() -> [UInt8] { [] }

  /// One exchange.
  package func exchange(_ exchange: Exchange, read: (BodyContent) -> [UInt8]) -> [UInt8] {
    ExchangeJSON.value(exchange, read: read).bytes + [UInt8(ascii: "\n")]
  }

  /// The end.
  package func tail() -> [UInt8] { [] }
}
