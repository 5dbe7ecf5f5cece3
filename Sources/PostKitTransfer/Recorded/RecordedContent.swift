// The bodies that one operation sent, or got with one status, by media type (IO-29).

import PostKitDescription
import PostKitHTTP
import PostKitJSON

/// What all parts of a description share while it is made.
final class RecordedLimits {
  /// Samples of the bodies of an operation's requests, and of each of its answers.
  static let samples = 200
  /// A body up to this is read as a whole; of a longer one that is a stream the head is.
  static let bodyBytes = 1 << 20
  static let exampleBytes = 4 << 10
  /// Operations that are told apart; others are left out.
  static let operations = 8_000

  let budget = InferenceBudget()
  /// The bytes of examples that may still be kept.
  var exampleRest = 4 << 20
  /// Bodies that say what they are and could not be read as that.
  var unreadBodies = 0
}

/// Bodies of one kind by media type. It belongs to the one who describes.
final class RecordedContent {
  /// A sample that is shown.
  private struct Example {
    let value: JSONValue
    /// The place of its exchange; the newest has the smallest.
    let order: Int
  }

  /// The bodies of one media type.
  private struct Media {
    let type: MediaType
    let values: SchemaInference
    let fields = RecordedFields()
    var example: Example?

    var isStream: Bool { type.isNewlineDelimitedJSON || type.essence == "text/event-stream" }
  }

  private var media: [String: Media] = [:]
  /// The number of samples.
  private(set) var count = 0

  /// Takes in a body.
  func add(
    _ bytes: [UInt8], _ type: MediaType?, isWhole: Bool, order: Int, _ limits: RecordedLimits,
    keepsExample: Bool
  ) {
    count += 1
    guard let type = type ?? MediaType(Self.untyped(bytes)) else { return }
    var media = media[type.essence] ?? Media(type: type, values: Self.inference(limits))
    defer { self.media[type.essence] = media }
    var example: JSONValue?
    if type.isJSON {
      let isShort = bytes.count <= RecordedLimits.bodyBytes
      // What says of itself that it is JSON and is none is counted with what is too long.
      if isWhole, isShort, let tree = try? JSONTree(parsing: bytes) {
        media.values.add(tree.root)
        if bytes.count <= RecordedLimits.exampleBytes {
          example = RecordedSecrets.masked(tree.root.value)
        }
      } else {
        limits.unreadBodies += 1
      }
    } else if media.isStream {
      for event in EventTexts.texts(bytes, type).prefix(RecordedLimits.samples) {
        // Events need not be JSON.
        if let tree = try? JSONTree(parsing: Array(event)) { media.values.add(tree.root) }
      }
    } else if type.isForm || type.essence == "multipart/form-data" {
      let fields = type.isForm ? FormFields.form(bytes) : FormFields.parts(bytes, type)
      media.fields.add(fields, counts: isWhole, limits.budget)
    }
    if example == nil, type.isText, !type.isJSON, !type.isForm, isWhole,
      bytes.count <= RecordedLimits.exampleBytes
    {
      example = String(validating: bytes, as: UTF8.self).map(JSONValue.string)
    }
    guard keepsExample, media.example == nil, let example, bytes.count <= limits.exampleRest else {
      return
    }
    limits.exampleRest -= bytes.count
    media.example = Example(value: example, order: order)
  }

  /// Takes in what another has seen, which is of no use any more.
  func merge(_ other: RecordedContent) {
    count += other.count
    for (essence, theirs) in other.media.sorted(by: { $0.key < $1.key }) {
      guard var own = media[essence] else {
        media[essence] = theirs
        continue
      }
      own.values.merge(theirs.values)
      own.fields.merge(theirs.fields)
      if let example = theirs.example, example.order < own.example?.order ?? .max {
        own.example = example
      }
      media[essence] = own
    }
  }

  /// The names of the outermost members where the body is a JSON object; else `nil`.
  var memberNames: [String]? {
    guard media.count == 1, let only = media.values.first, only.type.isJSON else { return nil }
    return only.values.memberNames.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// What is to be made schemas of, by media type.
  var inferences: [SchemaInference] { sorted.filter { $0.values.count > 0 }.map(\.values) }

  /// The member `content`.
  func content(_ schemas: InferredSchemas) -> JSONValue {
    .object(
      sorted.map { media in
        var members: [JSONMember] = []
        if media.isStream {
          members.append(JSONMember("schema", ["type": "string"]))
          members.append(JSONMember("x-event", schemas.schema(of: media.values)))
        } else if media.fields.count > 0 {
          members.append(JSONMember("schema", media.fields.formSchema))
        } else if media.type.isJSON {
          members.append(JSONMember("schema", schemas.schema(of: media.values)))
        } else if media.type.isText {
          members.append(JSONMember("schema", ["type": "string"]))
        }
        if let example = media.example { members.append(JSONMember("example", example.value)) }
        return JSONMember(media.type.essence, .object(members))
      })
  }

  private var sorted: [Media] { media.sorted { $0.key < $1.key }.map(\.value) }

  private static func inference(_ limits: RecordedLimits) -> SchemaInference {
    SchemaInference(limits.budget) { RecordedSecrets.isSecret($0) }
  }

  /// The type of a body that tells none.
  private static func untyped(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self) == nil ? "application/octet-stream" : "text/plain"
  }
}

/// The texts of events in streams.
enum EventTexts {
  /// The data of each event of `text/event-stream`, else each line. Of a long stream the head
  /// counts, up to its last whole event.
  static func texts(_ bytes: [UInt8], _ type: MediaType) -> [[UInt8]] {
    let isCut = bytes.count > RecordedLimits.bodyBytes
    let head = bytes.prefix(RecordedLimits.bodyBytes)
    var lines = head.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { $0.last == 0x0D ? $0.dropLast() : $0 }
    if isCut { lines.removeLast() }
    guard !type.isNewlineDelimitedJSON else { return lines.filter { !$0.isEmpty }.map(Array.init) }
    var (events, data): ([[UInt8]], [UInt8]) = ([], [])
    for line in lines {
      if line.isEmpty, !data.isEmpty {
        events.append(data)
        data = []
      } else if line.starts(with: "data:".utf8) {
        if !data.isEmpty { data.append(0x0A) }
        let text = line.dropFirst(5)
        data += text.first == 0x20 ? text.dropFirst() : text
      }
    }
    return events
  }
}

/// The fields of forms.
enum FormFields {
  /// The pairs of a query or of an urlencoded body.
  static func pairs(_ text: String) -> [RecordedValue] {
    text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return RecordedValue(
        name: PercentEncoding.decodeForm(String(halves[0])),
        value: halves.count > 1 ? PercentEncoding.decodeForm(String(halves[1])) : "")
    }
  }

  /// The pairs of an urlencoded body.
  static func form(_ bytes: [UInt8]) -> [RecordedValue] {
    pairs(String(decoding: bytes.prefix(RecordedLimits.bodyBytes), as: UTF8.self))
  }

  /// The parts of a multipart body.
  static func parts(_ bytes: [UInt8], _ type: MediaType) -> [RecordedValue] {
    guard let boundary = type.parameter("boundary"), !boundary.isEmpty else { return [] }
    let text = String(decoding: bytes.prefix(RecordedLimits.bodyBytes), as: UTF8.self)
      .replacing("\r\n", with: "\n")
    return text.split(separator: "--" + boundary).compactMap { part in
      guard let end = part.firstRange(of: "\n\n") else { return nil }
      let head = part[..<end.lowerBound].split(separator: "\n")
      let prefix = "content-disposition:"
      guard let line = head.first(where: { $0.lowercased().hasPrefix(prefix) }),
        let disposition = MediaType("x/" + line.dropFirst(prefix.utf8.count).trimmedBlanks),
        let name = disposition.parameter("name")
      else { return nil }
      let value = part[end.upperBound...]
      return RecordedValue(
        name: name, value: String(value.hasSuffix("\n") ? value.dropLast() : value),
        isFile: disposition.parameter("filename") != nil)
    }
  }
}

extension Substring {
  fileprivate var trimmedBlanks: String { String(self).trimmingASCIIBlanks() }
}
