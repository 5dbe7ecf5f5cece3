// Texts in the grammar of Hurl files.

import PostKitHTTP
import PostKitJSON

/// Writes literals of Hurl.
enum HurlLiteral {
  /// A literal in a key, a value or a URL: what ends it or has a meaning is escaped.
  static func plain(_ text: String) -> String {
    text.shown.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "#": result += "\\#"
      case "{", "}": result += unicode(scalar)
      default: result += scalar.value < 32 ? unicode(scalar) : String(scalar)
      }
    }
  }

  /// A key, in which a colon would end it.
  static func key(_ text: String) -> String { plain(text).replacing(":", with: "\\:") }

  /// The name of a file, which a blank or a semicolon would end.
  static func fileName(_ path: String) -> String {
    path.shown.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\", "#", ";", "{", "}", " ": result += "\\" + String(scalar)
      default: result += scalar.value < 32 ? unicode(scalar) : String(scalar)
      }
    }
  }

  /// The inner of a literal in double quotes.
  static func quoted(_ text: String) -> String {
    text.shown.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "{", "}": result += unicode(scalar)
      default: result += scalar.value < 32 ? unicode(scalar) : String(scalar)
      }
    }
  }

  /// The inner of a literal of one line in backticks.
  static func ticked(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "`": result += "\\`"
      case "{", "}": result += unicode(scalar)
      default: result += scalar.value < 32 ? unicode(scalar) : String(scalar)
      }
    }
  }

  private static func unicode(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16))}"
  }

  /// The value that is expected where it is JSON and no text; a header is always a text.
  static func typed(_ check: ExportedCheck) -> String? {
    guard let written = check.expected.literal else { return nil }
    switch check.subject {
    case .part(.header), .part(.body): return nil
    default: break
    }
    if written.count > 1, written.hasPrefix("'"), written.hasSuffix("'") {
      return "\"\(quoted(String(written.dropFirst().dropLast())))\""
    }
    // What is no JSON is a text.
    guard let tree = try? JSONTree(parsing: Array(written.utf8)) else { return nil }
    switch tree.root.value {
    case .null: return "null"
    case .bool(let flag): return "\(flag)"
    case .number(let digits): return digits
    case .string(let text): return "\"\(quoted(text))\""
    case .array, .object: return nil
    }
  }
}
