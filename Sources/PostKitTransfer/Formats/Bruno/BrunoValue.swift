// Values that have a type, as JSON.

import PostKitEvaluate
import PostKitJSON

/// Reads texts as the values that a type makes of them.
enum BrunoValue {
  /// The JSON that a text is by its type; `nil` for a text, and for what is no such value.
  static func json(_ text: String, type: String?) -> OriginJSON? {
    let text = text.trimmingBlanks
    if type == "null" { return OriginJSON(text: "null") }
    // What is no JSON stays the text that it is.
    guard let type, let tree = try? JSONTree(parsing: Array(text.utf8)) else { return nil }
    let isOfType =
      switch (type, tree.root.kind) {
      case ("number", .number), ("boolean", .true), ("boolean", .false): true
      case ("object", .object), ("object", .array): true
      default: false
      }
    return isOfType ? OriginJSON(text: tree.root.value.text) : nil
  }
}
