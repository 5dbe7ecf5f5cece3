// The request files that open documents import, parsed once: an editor asks for something at each
// key, and what is imported may be long.

import PostKitEvaluate
import PostKitSupport
import PostKitSyntax
import Synchronization

/// Keeps the parses of files while these stay as they are, on disk or in an editor.
package final class ParsedFiles: Sendable, Hashable {
  private struct Entry {
    var document: ParsedDocument
    /// The version on disk; `nil` for the text in an editor.
    var version: FileVersion?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var byteCount = 0
  }

  /// Bytes of the files that are kept; of more all are parsed anew.
  private static let byteLimit = 64 << 20

  private let state = Mutex(State())

  /// Knows no file yet.
  package init() {}

  /// Two are the same only if they are one.
  package static func == (left: ParsedFiles, right: ParsedFiles) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The parse of a file that has not changed on disk; `nil` where it has, or is not known.
  func document(_ path: String, at version: FileVersion) -> ParsedDocument? {
    state.withLock { state in
      state.entries[path].flatMap { $0.version == version ? $0.document : nil }
    }
  }

  /// The last parse of a file, whose blocks can be taken over.
  func last(_ path: String) -> ParsedDocument? { state.withLock { $0.entries[path]?.document } }

  /// Keeps a parse; `version` is that of the file before it was read, `nil` for an editor's text.
  func keep(_ document: ParsedDocument, of path: String, at version: FileVersion?) {
    state.withLock { state in
      if let old = state.entries.removeValue(forKey: path) {
        state.byteCount -= old.document.bytes.count
      }
      if state.byteCount + document.bytes.count > ParsedFiles.byteLimit { state = State() }
      state.byteCount += document.bytes.count
      state.entries[path] = Entry(document: document, version: version)
    }
  }
}

extension Workspace {
  /// Another request file as this one's surroundings have it read.
  func imported(_ path: String) -> RequestFileLoader.Loaded {
    // It may have been read before, or the settings beside it.
    if let refusal = refusal(path) { return .outside(refusal) }
    let reading = reading(of: path)
    func loaded(_ document: ParsedDocument) -> RequestFileLoader.Loaded {
      .parsed(document, reading.dialect(of: document))
    }
    let isOpen = openFile(path) != nil
    let version = isOpen ? nil : FileSystem.version(path)
    let last = parsedFiles?.last(path)
    if let version, let known = parsedFiles?.document(path, at: version) {
      return loaded(reading.document(known, reusing: nil))
    }
    switch content(path) {
    case .missing: return .unreadable("it is gone")
    case .unreadable(let explanation): return .unreadable(explanation)
    case .outside(let explanation): return .outside(explanation)
    case .bytes(let bytes):
      if let last, last.bytes == bytes { return loaded(reading.document(last, reusing: nil)) }
      let document = reading.document(
        bytes, format: ParsedDocument.format(ofPath: path), reusing: last)
      if isOpen || version?.isSettled == true {
        parsedFiles?.keep(document, of: path, at: version)
      }
      return loaded(document)
    }
  }
}

extension FileVersion {
  /// Whether another change would have another time: a clock of files has steps, and what is
  /// written twice within one can have the same length.
  fileprivate var isSettled: Bool {
    Clock.wallMilliseconds - modifiedNanoseconds / 1_000_000 > 1_000
  }
}
