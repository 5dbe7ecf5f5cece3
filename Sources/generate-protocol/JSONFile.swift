// JSON as people lay it out, and changes to a file of JSON that leave the rest of it as it is.

import PostKitJSON

extension JSONValue {
  /// The value on one line; `padding` stands inside the braces of objects.
  func line(padding: String = "") -> String {
    switch self {
    case .object(let members) where !members.isEmpty:
      let inner = members.map { member in
        "\(JSONValue.string(member.key).text): \(member.value.line(padding: padding))"
      }
      return "{\(padding)\(inner.joined(separator: ", "))\(padding)}"
    case .array(let elements):
      return "[\(elements.map { $0.line(padding: padding) }.joined(separator: ", "))]"
    default: return text
    }
  }

  /// The value where it begins in a column of a line with that indent; what fits into 100 columns
  /// is on one line.
  func lines(indent: Int, column: Int) -> String {
    let short = line(padding: " ")
    if column + short.count < 100 { return short }
    let outer = String(repeating: " ", count: indent)
    let inner = outer + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let parts = members.map { member in
        let key = inner + JSONValue.string(member.key).text + ": "
        return key + member.value.lines(indent: indent + 2, column: key.count)
      }
      return "{\n\(parts.joined(separator: ",\n"))\n\(outer)}"
    case .array(let elements):
      let parts = elements.map { inner + $0.lines(indent: indent + 2, column: indent + 2) }
      return "[\n\(parts.joined(separator: ",\n"))\n\(outer)]"
    default: return short
    }
  }
}

/// A file of JSON in which some values are written anew.
struct JSONFile {
  private let bytes: [UInt8]
  private var edits: [(range: Range<Int>, text: String)] = []

  /// The value of the file as it was.
  let root: JSONView

  init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    self.bytes = bytes
    root = try JSONTree(parsing: bytes).root
  }

  /// Writes a value anew; it stands below members of these names.
  mutating func set(_ path: [String], to value: JSONValue) throws(ModelFailure) {
    let view = try member(path)
    let indent = 2 * path.count
    let column = indent + (path.last ?? "").count + "\"\": ".count
    edits.append((view.range, value.lines(indent: indent, column: column)))
  }

  /// Writes objects of a list anew; those with the same `command` make way, others come last.
  mutating func merge(_ path: [String], _ items: [JSONValue]) throws(ModelFailure) {
    let list = try member(path).elements
    let indent = 2 * path.count + 2
    for item in items {
      let text = item.lines(indent: indent, column: indent)
      if let old = list.first(where: { $0["command"]?.string == item["command"]?.string }) {
        edits.append((old.range, text))
      } else if let end = list.last?.range.upperBound {
        edits.append((end..<end, ",\n\(String(repeating: " ", count: indent))\(text)"))
      }
    }
  }

  /// The file with all changes.
  var text: String {
    var result: [UInt8] = []
    var place = 0
    // What is added at one place stays in its order, as this sort is stable.
    for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[place..<range.lowerBound] + Array(text.utf8)
      place = range.upperBound
    }
    return String(decoding: result + bytes[place...], as: UTF8.self)
  }

  private func member(_ path: [String]) throws(ModelFailure) -> JSONView {
    var view = root
    for name in path {
      guard let next = view[name] else {
        throw ModelFailure("there is no \(path.joined(separator: ".")) in package.json")
      }
      view = next
    }
    return view
  }
}
