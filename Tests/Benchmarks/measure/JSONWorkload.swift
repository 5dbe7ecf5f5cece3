// Parsing a large JSON body, and selecting from it.

import PostKitJSON
import PostKitSupport

/// A body with a long list of items.
struct JSONWorkload: Workload {
  private let bytes: [UInt8]
  private let tree: JSONTree?
  private var paths: [String: JSONPath] = [:]
  private var parsed: JSONTree?
  private var selected: [JSONView] = []

  init(size: Int) {
    bytes = Self.text(size)
    tree = try? JSONTree(parsing: bytes)
  }

  /// The JSON of a file, which is only parsed.
  init(path: String) throws {
    bytes = try FileSystem.read(path: path, limit: 1 << 30)
    tree = nil
  }

  var names: [String] { [] }

  mutating func size(of name: String) -> Int? {
    if name != "parse", paths[name] == nil {
      guard let path = try? JSONPath(name) else { return nil }
      paths[name] = path
    }
    return bytes.count
  }

  mutating func run(_ name: String) throws -> Int {
    if name == "parse" {
      let tree = try JSONTree(parsing: bytes)
      parsed = tree
      return tree.root.count
    }
    guard let tree, let path = paths[name] else { return 0 }
    selected = try path.nodes(in: tree.root)
    return selected.count
  }

  mutating func clear() {
    parsed = nil
    selected = []
  }

  /// A list of items of about that many bytes.
  static func text(_ size: Int) -> [UInt8] {
    var bytes = Array(#"{"items": ["#.utf8)
    bytes.reserveCapacity(size + 300)
    var index = 0
    repeat {
      let item = """
        {"id": \(index), "name": "Item \(index)", "x": \(index % 11), "price": \(index % 90).95, \
        "tags": ["new", "caf\u{E9}"], "owner": {"id": "u\(index % 97)", "active": true}, \
        "note": null},

        """
      bytes.append(contentsOf: item.utf8)
      index += 1
    } while bytes.count < size
    bytes.append(contentsOf: #"{"id": -1}]}"#.utf8)
    return bytes
  }
}
