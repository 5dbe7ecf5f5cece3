// Parts of forms whose files stand in the request itself: other tools read them from files.

import PostKitHTTP

/// The files that an export puts beside requests. It belongs to the one who exports.
final class AttachedFiles {
  private(set) var files: [TransferFile] = []
  private let program: String
  private let notes: ExportNotes

  /// Begins without files.
  init(_ program: String, _ notes: ExportNotes) {
    self.program = program
    self.notes = notes
  }

  /// The parts of a form as tools have them: a text with a file name becomes a file of that name.
  /// Unless a tool `keepsNames`, it calls each file by its path.
  func parts(
    _ parts: [ExportedBody.Part], of request: ExportedRequest, keepsNames: Bool = false
  ) -> [ExportedBody.Part] {
    parts.map { part in
      var part = part
      switch part.content {
      case .text(let text):
        guard let name = part.fileName else { break }
        guard let literal = text.literal, let path = add(literal.keptBytes, called: name) else {
          notes.tell(
            .fileMissing,
            "The part `\(part.name)` is sent without its file name: its content has variables, or "
              + "no file can have the name.", of: request)
          break
        }
        part.content = .file(path)
      case .file(let path):
        if part.fileName == nil {
          notes.tell(
            .headerOmitted, "\(program) sends a file name with the part `\(part.name)`.",
            of: request)
        } else if !keepsNames, let name = part.fileName, !part.isNamedByPath {
          notes.tell(
            .headerOmitted,
            "\(program) sends the part `\(part.name)` with the file name of `\(path)`, not as "
              + "`\(name)`.", of: request)
        }
      }
      return part
    }
  }

  /// Keeps bytes in a file of a name; `nil` where no file can have it. Equal files are one.
  private func add(_ bytes: [UInt8], called name: String) -> String? {
    var plain = PortableFileNames(taken: [])
    guard plain.name(for: name, extension: "", fallback: "file") == name else { return nil }
    var (path, number) = ("bodies/\(name)", 1)
    while let known = files.first(where: { $0.path == path }) {
      if known.bytes == bytes { return path }
      number += 1
      path = "bodies/\(number)/\(name)"
    }
    files.append(TransferFile(path: path, bytes: bytes))
    return path
  }
}
