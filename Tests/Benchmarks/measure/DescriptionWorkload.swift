// Reading a large description of an API, and what is made of it.

import CYAML
import PostKitDescription
import PostKitJSON
import PostKitSupport
import PostKitYAML

/// The description of a large service, in JSON and in YAML.
struct DescriptionWorkload: Workload {
  private let json: [UInt8]
  private let yaml: [UInt8]
  private var tree: JSONTree?
  private var made: DescriptionIndex?

  /// What is read is no description.
  struct Unreadable: Error {}

  /// Reads the same description from two files.
  init(json: String, yaml: String) throws {
    self.json = try FileSystem.read(path: json, limit: 1 << 30)
    self.yaml = try FileSystem.read(path: yaml, limit: 1 << 30)
  }

  var names: [String] { [] }

  mutating func size(of name: String) -> Int? {
    (tree, made) = (nil, nil)
    switch name {
    case "parse", "index": return json.count
    case "events", "yaml": return yaml.count
    case "samples":
      if let tree = try? JSONTree(parsing: json) { made = try? Self.index(tree) }
      return json.count
    default: return nil
    }
  }

  mutating func run(_ name: String) throws -> Int {
    switch name {
    case "events": return Self.events(yaml)
    case "samples": return made.map(Self.samples) ?? 0
    case "parse":
      let parsed = try JSONTree(parsing: json)
      tree = parsed
      return parsed.nodeCount
    default:
      let index = try Self.index(
        name == "yaml" ? YAMLText(parsing: yaml).tree : JSONTree(parsing: json))
      made = index
      return index.operations.count
    }
  }

  /// What was made is kept until the next work, for who looks at the memory.
  mutating func clear() {}

  private static func index(_ tree: JSONTree) throws -> DescriptionIndex {
    guard let description = APIDescription(DescriptionDocuments(tree)) else { throw Unreadable() }
    return DescriptionIndex(description)
  }

  /// The bytes of all samples: of what each operation is sent, else of what it answers.
  private static func samples(_ index: DescriptionIndex) -> Int {
    let description = index.description
    var sampler = SchemaSampler(description.documents, description.version.schemaDialect)
    var bytes = 0
    for operation in description.operations {
      var failures: [ReferenceFailure] = []
      let media =
        description.body(of: operation, &failures)?.media
        ?? description.responses(of: operation, &failures).first?.media
      guard let schema = media?.first?.schema, let sample = sampler.sample(of: schema)
      else { continue }
      var writer = JSONWriter(indent: 2)
      writer.write(sample)
      bytes += writer.bytes.count
    }
    return bytes
  }

  /// The yardstick of YAML: the events of libyaml and nothing made of them.
  private static func events(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      let reader = postkit_yaml_open(bytes.baseAddress, bytes.count)
      defer { postkit_yaml_close(reader) }
      guard let reader else { return 0 }
      var event = postkit_yaml_event()
      var count = 0
      repeat {
        postkit_yaml_next(reader, &event)
        count += 1
      } while event.kind.rawValue > POSTKIT_YAML_END.rawValue
        && event.kind.rawValue < POSTKIT_YAML_BAD_TEXT.rawValue
      return count
    }
  }
}
