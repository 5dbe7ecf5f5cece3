// Holding a JSON body against the schema of a description.

import PostKitDescription
import PostKitJSON

/// A body that fits a schema of about 200 parts, which are references and branches as people write
/// them.
struct SchemaWorkload: Workload {
  private let bytes: [UInt8]
  private let tree: JSONTree
  private let schema: DescribedValue
  private let documents: DescriptionDocuments
  private var parsed: JSONTree?

  init(size: Int) throws {
    bytes = JSONWorkload.text(size)
    tree = try JSONTree(parsing: bytes)
    documents = DescriptionDocuments(try JSONTree(parsing: Array(Self.description.utf8)))
    schema = documents.root["components"]?["schemas"]?["List"] ?? documents.root
  }

  var names: [String] { ["check"] }

  func size(of name: String) -> Int? { ["parse", "check"].contains(name) ? bytes.count : nil }

  mutating func run(_ name: String) throws -> Int {
    if name == "parse" {
      let tree = try JSONTree(parsing: bytes)
      parsed = tree
      return tree.root.count
    }
    var check = SchemaCheck(documents, .current, direction: .response)
    return check.deviations(of: tree.root, from: schema).count
  }

  mutating func clear() { parsed = nil }

  /// An item of the list is one of twenty kinds that refer to each other.
  private static var description: String {
    let kinds = (0..<20).map { index in
      """
      "Item\(index)": {"type": "object", "required": ["id"], "properties": {
      "id": {"type": "integer"}, "name": {"type": "string", "maxLength": 200},
      "x": {"type": "integer", "minimum": 0, "maximum": 1000},
      "price": {"type": "number", "minimum": 0},
      "tags": {"type": "array", "items": {"type": "string", "enum": ["new", "caf\u{E9}", "old"]}},
      "owner": {"$ref": "#/components/schemas/Owner"},
      "note": {"oneOf": [{"type": "null"}, {"type": "string"}]},
      "other": {"$ref": "#/components/schemas/Item\((index + 1) % 20)"}}}
      """
    }
    return """
      {"components": {"schemas": {\(kinds.joined(separator: ",\n")),
      "Owner": {"type": "object", "required": ["id"],
      "properties": {"id": {"type": "string", "minLength": 1}, "active": {"type": "boolean"}}},
      "List": {"type": "object", "required": ["items"], "properties": {"items": {
      "type": "array", "items": {"$ref": "#/components/schemas/Item0"}}}}}}}
      """
  }
}
