// Collections of Bruno and OpenCollection for tests: files as texts, and what reading them gives.

import Testing

@testable import PostKitTransfer

/// What an importer made of a source.
struct ReadOrigin {
  let collection: OriginCollection
  let notes: [ImportNote]

  /// The request of that name, wherever it is.
  func request(_ name: String) throws -> OriginRequest {
    try #require(Self.requests(of: collection.root).first { $0.name == name })
  }

  /// The only request.
  var request: OriginRequest {
    get throws { try #require(Self.requests(of: collection.root).first) }
  }

  /// The codes of the notes, in order.
  var codes: [String] { notes.map(\.code.rawValue) }

  private static func requests(of folder: OriginFolder) -> [OriginRequest] {
    folder.requests + folder.folders.flatMap(requests)
  }
}

extension OriginImporter {
  /// Reads a folder.
  static func read(folder: [String: String], named name: String = "shop") throws -> ReadOrigin {
    let files = folder.sorted { $0.key < $1.key }.map {
      TransferFile(path: $0.key, bytes: Array($0.value.utf8))
    }
    return try read(OriginSource(name: name, files: files))
  }

  /// Reads one file.
  static func read(file text: String, named name: String) throws -> ReadOrigin {
    try read(OriginSource(name: name, bytes: Array(text.utf8)))
  }

  private static func read(_ source: OriginSource) throws -> ReadOrigin {
    #expect(recognises(source))
    let notes = ImportNotes()
    let context = OriginContext(notes: notes, file: { _ in .missing })
    let collection = try read([source], context)
    return ReadOrigin(collection: collection, notes: notes.notes)
  }

  /// The message with which a folder is refused.
  static func failure(folder: [String: String]) throws -> String {
    do {
      _ = try read(folder: folder)
    } catch let failure as OriginFailure {
      return failure.message
    }
    throw MissingFailure()
  }
}

/// A source was read that must be refused.
struct MissingFailure: Error {}

/// Texts of `.bru` files.
enum BruSample {
  static let config = #"{"version": "1", "name": "Shop", "type": "collection"}"#

  /// A request: what stands in its `get` block beyond the URL, and the blocks behind it.
  static func get(_ url: String = "http://a.test/", _ members: String = "", _ rest: String = "")
    -> String
  {
    """
    meta {
      name: One
      type: http
      seq: 1
    }

    get {
      url: \(url)
    \(members.isEmpty ? "" : members + "\n")}

    \(rest)
    """
  }

  /// What a request file alone is read as, in a folder with its configuration.
  static func read(
    _ url: String = "http://a.test/", _ members: String = "", _ rest: String = ""
  ) throws -> ReadOrigin {
    try BrunoImporter.read(folder: ["bruno.json": config, "One.bru": get(url, members, rest)])
  }
}

extension OriginPair {
  /// `name=value`, with `~` before one that is switched off.
  var row: String { "\(isOn ? "" : "~")\(name.text)\(value.map { "=\($0.text)" } ?? "")" }
}

extension OriginVariable {
  /// `name=value`, with `~` before one that is switched off and `!` before a secret.
  var row: String {
    "\(isOn ? "" : "~")\(isSecret ? "!" : "")\(name)\(value.map { "=\($0.text)" } ?? "")"
  }
}
