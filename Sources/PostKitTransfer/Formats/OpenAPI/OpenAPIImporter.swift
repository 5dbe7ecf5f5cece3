// Descriptions of APIs as collections: OpenAPI 3.0 and 3.1, Swagger 2.0 (IO-23, IO-24).

import PostKitDescription
import PostKitJSON

/// Reads descriptions of APIs.
enum OpenAPIImporter: OriginImporter {
  static let format = OriginFormat.openapi

  /// Whether a source looks like one of this format (IO-4).
  static func recognises(_ source: OriginSource) -> Bool {
    DescriptionLook.isDescription(source)
  }

  /// Reads a collection and what stands beside it.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    guard let source = sources.first else { throw OriginFailure("There is no description.") }
    let tree = try source.yaml(context.notes)
    func answer(_ file: OriginFileAnswer, _ path: String) -> DescriptionAnswer {
      switch file {
      case .bytes(let bytes):
        do throws(OriginFailure) {
          return .tree(try OriginYAML.tree(bytes, name: path, context.notes))
        } catch {
          return .unreadable(error.message)
        }
      case .missing: return .missing
      case .outside: return .outside
      case .unreadable(let why): return .unreadable(why)
      }
    }
    let path = source.isRemote ? source.name : source.lastName
    let documents = DescriptionDocuments(tree, path: path) { path in
      answer(context.file(path), path)
    } remote: { url in
      context.remote(url).map { answer($0, url) }
    }
    guard let description = APIDescription(documents) else {
      throw OriginFailure(
        "\(source.name) says no version of OpenAPI that PostKit reads; it reads 2.0 (`swagger`), "
          + "3.0, 3.1 and 3.2 (`openapi`).")
    }
    let reading = OpenAPIReading(
      description, context, source.place(among: sources.count))
    return reading.collection()
  }
}

/// What a first look tells of a source.
enum DescriptionLook {
  private static let words = ["openapi", "swagger"]

  /// Whether one of the outermost members is `openapi` or `swagger`.
  static func isDescription(_ source: OriginSource) -> Bool {
    guard source.files == nil else { return false }
    if let look = source.look { return words.contains { look.has($0) } }
    return hasLine(source.bytes)
  }

  /// Whether a line begins with such a word and a colon, as the outermost members of YAML do.
  private static func hasLine(_ bytes: [UInt8]) -> Bool {
    let starts = words.flatMap { ["\($0):", "\"\($0)\":", "'\($0)':"] }.map { Array($0.utf8) }
    let firsts = Set(starts.map { $0[0] })
    var isStart = true
    var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while at < bytes.count {
      let byte = bytes[at]
      if isStart, firsts.contains(byte),
        starts.contains(where: { bytes[at...].starts(with: $0) })
      {
        return true
      }
      isStart = byte == 0x0A || byte == 0x0D
      at += 1
    }
    return false
  }
}
