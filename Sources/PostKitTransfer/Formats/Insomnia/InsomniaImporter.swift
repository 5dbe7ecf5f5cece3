// Reads exports of Insomnia: version 4 in JSON or YAML, version 5 in YAML, and what its git sync
// keeps (IO, 2.7).

import PostKitJSON

/// Insomnia's collections, with global environments beside them.
enum InsomniaImporter: OriginImporter {
  static let format = OriginFormat.insomnia

  /// What a file of Insomnia is.
  enum Kind: Hashable {
    /// A flat list of resources, of version 4 or older.
    case list
    /// A folder of documents, as git sync keeps them.
    case repository
    case collection, environment, spec, mock
  }

  /// Whether a first look finds an export of Insomnia, of any version.
  static func recognises(_ source: OriginSource) -> Bool { kind(of: source) != nil }

  /// Whether it is a global environment.
  static func accompanies(_ source: OriginSource) -> Bool { kind(of: source) == .environment }

  /// What a source is by a first look; `nil` where it is nothing of Insomnia.
  static func kind(of source: OriginSource) -> Kind? {
    if source.files != nil { return InsomniaRepository.isOne(source) ? .repository : nil }
    if let look = source.look {
      if look.string("_type") == "export", look.has("__export_format") { return .list }
      return look.string("type").flatMap(kind)
    }
    let members = InsomniaLook.members(source.bytes)
    if members["_type"] == "export", members["__export_format"] != nil { return .list }
    return members["type"].flatMap(kind)
  }

  /// What the `type` of a file of version 5 says, such as `collection.insomnia.rest/5.0`.
  private static func kind(_ type: String) -> Kind? {
    for (word, kind) in [
      ("collection", Kind.collection), ("environment", .environment), ("spec", .spec),
      ("mock", .mock),
    ] where type.hasPrefix("\(word).insomnia.rest/5") {
      return kind
    }
    return nil
  }

  /// Reads one collection and the global environments beside it, which lie around its own.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    let reader = InsomniaReader(context)
    var trees: [(source: OriginSource, kind: Kind?, object: OriginObject)] = []
    var collections: [OriginCollection] = []
    for source in sources {
      if source.files != nil {
        collections.append(try reader.repository(source))
        continue
      }
      let tree = try source.yaml(context.notes)
      let place = OriginPlace(file: sources.count > 1 ? source.name : nil)
      guard let object = OriginObject(tree.root, at: place, notes: context.notes) else {
        throw OriginFailure(
          "\(source.lastName) is no export of Insomnia: its outermost value is no object.")
      }
      trees.append((source, kind(of: source), object))
      reader.collectNames(tree.root)
    }
    var environments: [OriginCollection] = []
    for (source, kind, object) in trees {
      let stem = InsomniaLook.stem(source.lastName)
      let isList = kind == .list || object.peek("resources") != nil
      let collection =
        isList ? try reader.list(object, name: stem) : reader.file(object, name: stem)
      if kind == .environment {
        environments.append(collection)
      } else {
        collections.append(collection)
      }
      guard collections.count < 2 else {
        throw OriginFailure(
          "\(source.lastName) is a second collection. Import one collection at a time.")
      }
    }
    guard var result = collections.first ?? environments.first else {
      throw OriginFailure("There is nothing to import.")
    }
    for beside in collections.isEmpty ? environments.dropFirst() : environments[...] {
      // A global environment lies around the collection, whose own values win.
      result.shared = beside.shared + result.shared
      result.environments += beside.environments
    }
    reader.finish(&result)
    return result
  }
}

/// What a first look at YAML tells.
enum InsomniaLook {
  /// The outermost members of a text in blocks that stand on one line, as far as 64 KiB.
  static func members(_ bytes: [UInt8]) -> [String: String] {
    var result: [String: String] = [:]
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let looked = bytes[start...].prefix(64 << 10)
    for line in looked.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let first = line.first, first > 0x20, first != UInt8(ascii: "#"),
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      let name = unquoted(line[..<colon])
      if result[name] == nil { result[name] = unquoted(line[(colon + 1)...]) }
    }
    return result
  }

  /// The last part of a source's name without its ending.
  static func stem(_ name: String) -> String {
    for ending in [".json", ".yaml", ".yml"] where name.lowercased().hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return name
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes.drop { $0 <= 0x20 }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    if rest.count > 1, let first = rest.first, first == rest.last,
      first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    {
      rest = rest.dropFirst().dropLast()
    }
    return String(decoding: rest, as: UTF8.self)
  }
}
