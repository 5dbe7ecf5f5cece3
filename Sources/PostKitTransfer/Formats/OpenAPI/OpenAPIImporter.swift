// Descriptions of APIs as collections: OpenAPI 3.0 and 3.1, Swagger 2.0 (IO-23, IO-24).

import PostKitDescription
import PostKitJSON

/// Reads descriptions of APIs.
enum OpenAPIImporter: OriginImporter {
  static let format = OriginFormat.openapi

  static func recognises(_ source: OriginSource) -> Bool {
    source.files == nil && DescriptionLook.isDescription(source.bytes)
  }

  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    guard let source = sources.first else { throw OriginFailure("There is no description.") }
    let tree = try DescriptionLook.tree(source.bytes, name: source.name, context.notes)
    let documents = DescriptionDocuments(tree, path: source.lastName) { path in
      switch context.file(path) {
      case .bytes(let bytes):
        do throws(OriginFailure) {
          return .tree(try DescriptionLook.tree(bytes, name: path, context.notes))
        } catch {
          return .unreadable(error.message)
        }
      case .missing: return .missing
      case .outside: return .outside
      case .unreadable(let why): return .unreadable(why)
      }
    }
    guard let description = APIDescription(documents) else {
      throw OriginFailure(
        "\(source.name) says no version of OpenAPI that PostKit reads; it reads 2.0 (`swagger`), "
          + "3.0, 3.1 and 3.2 (`openapi`).")
    }
    let reading = OpenAPIReading(
      description, context, OriginPlace(file: sources.count > 1 ? source.name : nil))
    return reading.collection()
  }
}

/// What a first look tells of a source, and its text as a tree.
enum DescriptionLook {
  private static let words = ["openapi", "swagger"]

  /// Whether one of the outermost members is `openapi` or `swagger`.
  static func isDescription(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if first == UInt8(ascii: "{") { return hasMember(bytes) }
    return hasLine(bytes[start...])
  }

  /// Reads a text as JSON; tells what was read in another way than it is written.
  static func tree(
    _ bytes: [UInt8], name: String, _ notes: ImportNotes
  ) throws(OriginFailure) -> JSONTree {
    do throws(JSONSyntaxError) {
      return try JSONTree(parsing: bytes)
    } catch {
      throw OriginFailure(
        "\(name) is no JSON: at byte \(error.offset), \(error.explanation).")
    }
  }

  /// Whether the outermost object of a JSON text has such a member, by its brackets and strings.
  private static func hasMember(_ bytes: [UInt8]) -> Bool {
    let words = words.map { Array("\"\($0)\"".utf8) }
    return bytes.withUnsafeBufferPointer { bytes in
      var depth = 0
      var at = 0
      while at < bytes.count {
        switch bytes[at] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: "\""):
          let start = at
          at += 1
          while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
          }
          guard depth == 1, at < bytes.count else { break }
          let text = UnsafeBufferPointer(rebasing: bytes[start...at])
          if words.contains(where: { text.elementsEqual($0) }), isName(bytes, at + 1) {
            return true
          }
        default: break
        }
        at += 1
      }
      return false
    }
  }

  private static func isName(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    var at = place
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    return at < bytes.count && bytes[at] == UInt8(ascii: ":")
  }

  /// Whether a line begins with such a word and a colon, as the outermost members of YAML do.
  private static func hasLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    var isStart = true
    for at in bytes.indices {
      if isStart, bytes[at] == UInt8(ascii: "o") || bytes[at] == UInt8(ascii: "s")
        || bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'")
      {
        let line = bytes[at...].prefix(12)
        for word in words + words.flatMap({ ["\"\($0)\"", "'\($0)'"] })
        where line.starts(with: "\(word):".utf8) {
          return true
        }
      }
      isStart = bytes[at] == 0x0A || bytes[at] == 0x0D
    }
    return false
  }
}
