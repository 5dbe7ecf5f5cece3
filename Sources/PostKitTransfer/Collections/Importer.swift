// The seam for formats of collections: each reads files into one and the same value.

/// A file of an import or export, without the disk.
package struct TransferFile: Sendable, Hashable {
  /// The path below the folder, with `/` between its parts.
  package var path: String
  package var bytes: [UInt8]

  /// Makes a file.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The last part of the path.
  var name: String { String(path.split(separator: "/").last ?? "") }
}

/// What an import came to.
package struct ImportResult: Sendable, Hashable {
  package var collection: ImportedCollection
  /// What has no equivalent here, and what became of it; with the file it is about.
  package var warnings: [String]
}

/// A format of collections that can be read.
package protocol Importer: Sendable {
  /// How people call the format.
  var name: String { get }

  /// Whether files look like this format, by their names and first bytes.
  func recognises(_ files: [TransferFile]) -> Bool

  /// Reads files; `name` is that of a collection which does not say its own. Reading never fails:
  /// what is not understood is left out and told.
  func read(_ files: [TransferFile], name: String) -> ImportResult
}
