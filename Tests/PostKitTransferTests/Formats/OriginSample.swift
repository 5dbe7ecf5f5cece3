// Reads hand-made sources of other tools in tests.

import PostKitJSON
import Testing

@testable import PostKitTransfer

/// What an importer made of a source, and what it told.
struct OriginSample {
  var collection: OriginCollection
  var notes: [ImportNote]

  /// Reads sources by the importer of a format; `files` are what they may name.
  init(
    _ importer: any OriginImporter.Type, _ sources: [(name: String, text: String)],
    files: [String: String] = [:], options: OriginOptions = OriginOptions()
  ) throws {
    let notes = ImportNotes()
    let context = OriginContext(
      notes: notes,
      file: { path in
        files[path].map { .bytes(Array($0.utf8)) } ?? (path.hasPrefix("..") ? .outside : .missing)
      }, options: options)
    collection = try importer.read(
      sources.map { OriginSource(name: $0.name, bytes: Array($0.text.utf8)) }, context)
    self.notes = notes.notes
  }

  /// Reads one source.
  init(_ importer: any OriginImporter.Type, _ text: String) throws {
    try self.init(importer, [("shop.json", text)])
  }

  /// The notes as `CODE PLACE`, in order.
  var told: [String] { notes.map { "\($0.code.rawValue) \($0.place)" } }

  /// All requests in the order of folders.
  var requests: [OriginRequest] { Self.requests(collection.root) }

  private static func requests(_ folder: OriginFolder) -> [OriginRequest] {
    folder.requests + folder.folders.flatMap(requests)
  }
}

extension OriginSample {
  /// Puts other values into each place of a document: it must have as many requests as before, or
  /// tell what it lost.
  static func expectLossesToBeTold(
    of importer: any OriginImporter.Type, _ complete: String, others: [JSONValue], requests: Int
  ) throws {
    let whole = try JSONTree(parsing: Array(complete.utf8)).root.value
    let usual: [JSONValue] = [
      .null, .bool(true), .number("5"), .string("x\n### y"), .array([]), .object([]),
      .array([.number("5"), .null]),
    ]
    for place in whole.places {
      for other in usual + others {
        let changed = whole.changing(place) { _ in other }.text
        guard let after = try? OriginSample(importer, changed) else { continue }
        let isEmpty = [.null, .array([]), .object([])].contains(other)
        let isTold = after.notes.contains { [.itemMalformed, .memberUnknown].contains($0.code) }
        if after.collection.requestCount < requests, !isEmpty, !isTold {
          Issue.record("\(place) \(other)")
        }
      }
    }
  }
}

extension OriginPair {
  /// `name=value`, with `#` before what is off, and `name` alone without a value.
  var line: String { (isOn ? "" : "#") + name.text + (value.map { "=" + $0.text } ?? "") }
}

extension JSONValue {
  /// The places of all objects in it, outermost first.
  var objects: [[String]] {
    switch self {
    case .object(let members):
      [[]] + members.flatMap { member in member.value.objects.map { [member.key] + $0 } }
    case .array(let elements):
      elements.enumerated().flatMap { index, element in
        element.objects.map { ["\(index)"] + $0 }
      }
    default: []
    }
  }

  /// The places of all values in it, its own left out.
  var places: [[String]] {
    switch self {
    case .object(let members):
      members.flatMap { member in [[member.key]] + member.value.places.map { [member.key] + $0 } }
    case .array(let elements):
      elements.enumerated().flatMap { index, element in
        [["\(index)"]] + element.places.map { ["\(index)"] + $0 }
      }
    default: []
    }
  }

  /// The same with another value at a place.
  func changing(_ place: some Collection<String>, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard let step = place.first else { return change(self) }
    switch self {
    case .object(let members):
      return .object(
        members.map {
          $0.key == step ? JSONMember($0.key, $0.value.changing(place.dropFirst(), change)) : $0
        })
    case .array(let elements):
      return .array(
        elements.enumerated().map {
          "\($0)" == step ? $1.changing(place.dropFirst(), change) : $1
        })
    default: return self
    }
  }
}
