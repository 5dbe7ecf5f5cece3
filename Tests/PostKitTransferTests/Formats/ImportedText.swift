// What a reader of texts makes of a source, for tests.

import PostKitJSON
import Testing

@testable import PostKitTransfer

/// A source that was read, with what was told of it.
struct ImportedText {
  var collection: OriginCollection
  var notes: [ImportNote]

  /// All requests, those of folders in the order of the folders.
  var requests: [OriginRequest] {
    var result: [OriginRequest] = []
    func walk(_ folder: OriginFolder) {
      result += folder.requests
      folder.folders.forEach(walk)
    }
    walk(collection.root)
    return result
  }

  /// The codes of all notes in order.
  var codes: [ImportNoteCode] { notes.map(\.code) }

  /// Reads texts; `files` are what lies beside them.
  static func read<Reader: OriginImporter>(
    _ importer: Reader.Type, _ texts: (name: String, text: String)...,
    files: [String: OriginFileAnswer] = [:], options: OriginOptions = OriginOptions()
  ) throws(OriginFailure) -> ImportedText {
    let notes = ImportNotes()
    let context = OriginContext(
      notes: notes, file: { files[$0] ?? .missing }, options: options)
    let sources = texts.map { OriginSource(name: $0.name, bytes: Array($0.text.utf8)) }
    let collection = try Reader.read(sources, context)
    return ImportedText(collection: collection, notes: notes.notes)
  }

  /// Why texts can't be read; `nil` where they can.
  static func failure<Reader: OriginImporter>(
    _ importer: Reader.Type, _ name: String, _ text: String
  ) -> String? {
    do throws(OriginFailure) {
      _ = try read(importer, (name, text))
      return nil
    } catch {
      return error.message
    }
  }
}

extension OriginRequest {
  /// The URL with the query as it is written.
  var target: String {
    let pairs = query.map { $0.name.text + ($0.value.map { "=" + $0.text } ?? "") }
    return url.text + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// The headers as lines.
  var headerLines: [String] { headers.map { "\($0.name.text): \($0.value?.text ?? "")" } }

  /// A body that is a text.
  var bodyText: String? {
    if case .text(let text) = body { return text.text }
    return nil
  }

  /// The checks as lines.
  var checkLines: [String] { checks.map(\.line) }

  /// The statements of its scripts.
  var handlers: [String] {
    scripts.flatMap { $0.translation ?? [] }.compactMap { statement in
      if case .handler(let line) = statement { line } else { nil }
    }
  }
}
