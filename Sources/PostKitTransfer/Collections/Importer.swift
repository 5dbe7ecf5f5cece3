// The seam for formats of collections: each reads files into one and the same value.

package import PostKitEvaluate

/// A file of an import or export, without the disk.
package struct TransferFile: Sendable, Hashable {
  /// The path below the folder, with `/` between its parts.
  package var path: String
  package var bytes: [UInt8]

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
  /// The name of the format in orders of clients.
  static var format: String { get }
  /// How people call its files, such as "request files".
  static var title: String { get }
  /// The endings of the names of its files, such as `.http`.
  static var endings: [String] { get }
  /// What is expected of a file or text in which nothing was found, as a sentence.
  static var expectation: String { get }

  /// Told the path of each file that is taken apart: a folder may have thousands.
  var onFile: @Sendable (String) -> Void { get set }

  /// Makes a reader; `reading` is how the project reads files that say nothing of it.
  init(reading: FileReading)

  /// Whether files look like this format, by their names and first bytes.
  func recognises(_ files: [TransferFile]) -> Bool

  /// Whether there is a request in a file that was named by itself, or in a text.
  func holdsRequest(_ file: TransferFile) -> Bool

  /// Reads what was found at a path, a folder or one file. Reading never fails: what is not
  /// understood is left out and told.
  func read(_ found: FolderFiles.Contents, at path: String) -> ImportResult

  /// Reads one file; `name` is that of a collection which does not say its own.
  func read(_ file: TransferFile, name: String) -> ImportResult
}

/// The formats that can be imported. Orders, the help and sentences about what can't be imported
/// derive from this list.
package enum Importers {
  /// All of them, in the order in which they are asked whether they recognise something.
  package static let all: [any Importer.Type] = [RequestFolderReader.self]

  /// The word for any format that recognises what is imported.
  package static let anyFormat = "auto"

  /// What an order can name as its format.
  package static var formats: [String] { [anyFormat] + all.map { $0.format } }

  /// What can be imported, such as "request files".
  package static var titles: String { all.map { $0.title }.joined(separator: ", ") }

  /// The endings of files that can be imported, such as ".http or .rest".
  static var endings: String { all.flatMap { $0.endings }.joined(separator: " or ") }

  /// Whether a file can be imported by itself, by its name.
  static func takes(_ path: String) -> Bool {
    let path = path.lowercased()
    return all.contains { $0.endings.contains(where: path.hasSuffix) }
  }

  /// What is said of a format that can't be used.
  package static func unsupported(_ format: String, known: [String]) -> String {
    let names = known.map { "`\($0)`" }.joined(separator: ", ")
    return "The format `\(format)` is not supported here. Use one of \(names)."
  }

  /// The formats that an order means; `nil` for an unknown name.
  static func named(_ format: String?) -> [any Importer.Type]? {
    guard let format, format != anyFormat else { return all }
    let named = all.filter { $0.format == format }
    return named.isEmpty ? nil : named
  }
}
