// The id that ties a response to its request.

package import PostKitJSON

/// An id of a request; `1` and `"1"` are different ids (lsp.md F9).
package enum RequestID: Sendable, Hashable, CustomStringConvertible {
  case int(Int)
  case string(String)

  /// Reads an id; `nil` for `null`, fractions and anything that is no id.
  package init?(_ view: JSONView) {
    if let text = view.string {
      self = .string(text)
    } else if let number = view.int {
      self = .int(number)
    } else {
      return nil
    }
  }

  /// The id as it stands in a message, so that a string is told from a number in a log.
  package var description: String {
    switch self {
    case .int(let number): String(number)
    case .string(let text): "\"\(text)\""
    }
  }

  /// Writes the id with the type that it came with.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .int(let number): writer.int(number)
    case .string(let text): writer.string(text)
    }
  }
}
