// What an import came to, as people and programs read it (IO, 2.1).

import PostKitJSON

/// The result of an import from another tool.
package struct ImportReport: Sendable, Hashable {
  /// Why an import did not end well, in a word.
  package enum Word: String, Sendable, Hashable {
    /// The order can't be carried out: two collections, or a target that is another's.
    case usage
    /// A source, or a file of the target, can't be read.
    case unreadable
    /// A source is in no format that is known, or not well-formed.
    case format
    /// Both the user and the origin have changed something, and nobody is to win.
    case conflict
    /// `--check` found that something would change.
    case changes
    /// The target can't be written.
    case disk
    /// The store can't be had, or refuses.
    case store
    case cancelled

    /// The exit code of the command line.
    var exitCode: Int32 {
      switch self {
      case .usage, .unreadable, .format: 2
      case .conflict, .changes: 1
      case .disk, .store: 5
      case .cancelled: 130
      }
    }
  }

  /// The sources as the user called them.
  package var sources: [String]
  package var format: String?
  package var version: String?
  package var name: String?
  package var requests = 0
  /// The names of the environments, without what holds in all of them.
  package var environments: [String] = []
  /// The files by their paths as the user would call them.
  package var files: [ChangedFile] = []
  package var notes: [ImportNote] = []
  /// Notes beyond those that are kept.
  package var uncountedNotes = 0
  package var conflicts: [ImportConflict] = []
  package var error: Word?
  /// What went wrong and what to do, as a sentence.
  package var message: String?
  /// The target as the user called it; `nil` where none was chosen.
  package var target: String?
  /// Whether nothing was to be written.
  package var isDry = false
  /// The request files that the origin makes.
  package var requestFileCount = 0
  /// The name of the collection of the store that it was brought into; `nil` for a folder.
  package var collection: String?

  /// Makes the report of an import of sources.
  package init(sources: [String]) { self.sources = sources }

  /// The exit code of the command line.
  package var exitCode: Int32 { error?.exitCode ?? 0 }

  /// The report as JSON, with a line end.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("source")
    writer.write(.array(sources.map(JSONValue.string)))
    let texts = [("format", format), ("version", version), ("name", name)]
    for (key, text) in texts {
      writer.key(key)
      writer.write(.optional(text))
    }
    writer.key("requests")
    writer.int(requests)
    writer.key("environments")
    writer.write(.array(environments.map(JSONValue.string)))
    writer.key("files")
    writer.write(
      .array(files.map { ["path": .string($0.path), "action": .string($0.action.rawValue)] }))
    writer.key("notes")
    writer.write(.array(notes.map(Self.json)))
    writer.key("conflicts")
    writer.write(.array(conflicts.map(Self.json)))
    writer.key("error")
    writer.write(.optional(error?.rawValue))
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private static func json(_ note: ImportNote) -> JSONValue {
    [
      "code": .string(note.code.rawValue),
      "severity": .string(note.isWarning ? "warning" : "info"),
      "place": .string(note.place), "origin": .optional(note.origin),
      "file": .optional(note.file), "line": note.line.map { .int($0) } ?? .null,
      "message": .string(note.message),
    ]
  }

  private static func json(_ conflict: ImportConflict) -> JSONValue {
    [
      "origin": .string(conflict.origin), "file": .string(conflict.file),
      "part": .string(conflict.part), "kept": .string(conflict.kept),
    ]
  }
}

extension ImportReport {
  /// What came of it, in a sentence; empty where something went wrong before anything was read.
  package var sentence: String {
    guard let name else { return "" }
    let verb = isDry ? "Would import" : "Imported"
    var place = ""
    if let collection { place = " into the collection `\(collection)`" }
    if let target { place = " into \(target.hasSuffix("/") ? target : target + "/")" }
    var parts = collection == nil ? [Self.count(requestFileCount, "file")] : changeCounts
    if !environments.isEmpty { parts.append(Self.count(environments.count, "environment")) }
    let count = notes.count + uncountedNotes
    let told = count == 0 ? "" : "; \(Self.count(count, "note"))"
    let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    return "\(verb) \(Self.count(requests, "request")) of \(name)\(place)\(details)\(told)."
  }

  /// How many requests were made, changed and deleted, as far as there are some.
  private var changeCounts: [String] {
    let all: [FileAction] = [.created, .updated, .removed]
    return all.compactMap { action in
      let count = files.count { $0.action == action }
      return count == 0 ? nil : "\(count) \(action.rawValue)"
    }
  }

  /// What would change, or has changed, a file a line.
  package var changedFiles: [String] {
    files.filter { $0.action != .unchanged && $0.action != .kept }
      .map { "\($0.action.rawValue) \($0.path)" }
  }

  /// All of it as a text for people: the sentence, then the files and the notes, a line each.
  package var text: String {
    var lines = [LineText.oneLine(message ?? sentence)]
    func add(_ title: String, _ more: [String]) {
      if !more.isEmpty { lines += ["", title + ":"] + more.map { "  " + LineText.oneLine($0) } }
    }
    add(isDry ? "What would change" : "What changed", changedFiles)
    add("What is different here", notes.map(Self.line))
    if uncountedNotes > 0 { lines.append("  … and \(uncountedNotes) more") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A note as a line for people, with its place.
  package static func line(_ note: ImportNote) -> String {
    let kind = note.isWarning ? "warning" : "note"
    let line = note.line.map { ":\($0)" } ?? ""
    let place = note.file.map { $0 + line } ?? note.place
    return "\(kind): \(place.isEmpty ? "" : "\(place): ")\(note.message) [\(note.code.rawValue)]"
  }

  /// A number with a word, such as "1 file".
  static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}
