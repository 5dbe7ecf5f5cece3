// The seam for formats of other tools: each reads a source into one and the same value (IO-1).

import PostKitJSON

/// The formats of other tools.
package enum OriginFormat: String, Sendable, Hashable, CaseIterable {
  case postman, insomnia, bruno, opencollection, openapi, har, hurl, curl, fetch, powershell
  case thunder, hoppscotch
}

/// A file or folder that is imported, without the disk.
package struct OriginSource: Sendable, Hashable {
  /// How the one who imports called it, such as `api/shop.json`.
  package var name: String
  /// The bytes of a file; of a folder none.
  package var bytes: [UInt8] = [] { didSet { taken = nil } }
  /// The files of a folder in order, with paths below it; `nil` for a file.
  package var files: [TransferFile]?
  /// The first look at its JSON, once it was taken: each format asks for it.
  private(set) var taken: JSONLook?

  /// Makes the source that a file is.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Makes the source that a folder is.
  package init(name: String, files: [TransferFile]) {
    self.name = name
    self.files = files
  }

  /// Takes the first look for all that ask for it.
  mutating func takeLook() { taken = look }

  /// Whether it was fetched: its name is a URL then.
  var isRemote: Bool { name.hasPrefix("https://") || name.hasPrefix("http://") }

  /// The last part of its name.
  var lastName: String { String(name.split(separator: "/").last ?? "") }
}

/// What an importer may ask for and tells; it reads no file itself (IO-2).
struct OriginContext {
  /// What is told.
  let notes: ImportNotes
  /// The bytes of a file that the source names, by its path beside the source, or why it can't be
  /// had. Only files below the source's folder, or below `--root`, are answered.
  let file: (String) -> OriginFileAnswer
  /// What was fetched of a URL that the source names; `nil` where nothing may be fetched.
  var remote: (String) -> OriginFileAnswer? = { _ in nil }
  var options = OriginOptions()
}

/// What is answered to an importer that asks for a file.
enum OriginFileAnswer: Sendable, Hashable {
  case bytes([UInt8])
  case missing
  /// It lies outside of the folder, or is a link out of it.
  case outside
  /// It is no regular file, too large, or can't be read; a sentence says why.
  case unreadable(String)
}

/// What the one who imports has asked for.
package struct OriginOptions: Sendable, Hashable {
  /// The kinds of a capture's resources that are taken (`--types`); empty for those of calls.
  package var types: Set<String> = []
  /// The tags of a description whose operations are taken (`--tag`); empty for all.
  package var tags: Set<String> = []
  /// The URL that relative servers are joined to (`--base`).
  package var baseURL: String?
  /// Whether recorded answers are taken as examples where the format's default is not to.
  package var takesExamples: Bool?

  /// The places of what an earlier import has named secrets for, by those names.
  package var secretNames: [String: String] = [:]

  /// Makes the defaults.
  package init() {}
}

/// Why a source can't be imported; nothing is written then.
package struct OriginFailure: Error, Sendable, Hashable {
  /// What is wrong, where, and what to do, as a sentence.
  package var message: String

  init(_ message: String) { self.message = message }
}

/// A format of another tool that can be read. Importers are pure: no file, clock or network.
protocol OriginImporter: Sendable {
  /// The format it reads.
  static var format: OriginFormat { get }

  /// How sure it is that a source is of its format, by a first look (IO-4).
  static func recognises(_ source: OriginSource) -> Bool

  /// Whether a further source may stand beside the collection, such as an environment.
  static func accompanies(_ source: OriginSource) -> Bool

  /// Reads a collection and what stands beside it. What it does not carry over it tells.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection
}

extension OriginImporter {
  /// Nothing stands beside a collection unless a format says so.
  static func accompanies(_ source: OriginSource) -> Bool { false }
}
