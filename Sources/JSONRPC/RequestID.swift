// The id that ties a response to its request.

package import PostKitJSON

/// An id of a request; `1` and `"1"` are different ids (PROMISES.md F9).
package enum RequestID: Sendable, Hashable, CustomStringConvertible {
  case int(Int)
  case string(String)
  /// The JSON of an id that fits into neither: an integer of more than 64 bits, or a string with a
  /// lone surrogate. It goes back as it came.
  case verbatim(String)

  /// Reads an id; `nil` for `null`, fractions and anything that is no id.
  package init?(_ view: JSONView) {
    if let text = view.string {
      // A lone surrogate is read as this character.
      self = text.contains("\u{FFFD}") ? .verbatim(RequestID.source(of: view)) : .string(text)
    } else if let number = view.int {
      self = .int(number)
    } else if let digits = view.numberText, !digits.contains(where: { ".eE".contains($0) }) {
      self = .verbatim(digits)
    } else {
      return nil
    }
  }

  private static func source(of view: JSONView) -> String {
    String(decoding: view.source, as: UTF8.self)
  }

  /// The id as it stands in a message, so that a string is told from a number in a log.
  package var description: String {
    switch self {
    case .int(let number): String(number)
    case .string(let text): "\"\(text)\""
    case .verbatim(let json): json
    }
  }

  /// Writes the id with the type that it came with.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .int(let number): writer.int(number)
    case .string(let text): writer.string(text)
    case .verbatim(let json): writer.raw(json.utf8)
    }
  }
}
