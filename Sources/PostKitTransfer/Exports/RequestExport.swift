// Requests in the forms of other tools: which there are, and what each comes to.

import PostKitHTTP

/// A form that requests can be exported in (IO-28).
package enum RequestExportFormat: String, Sendable, Hashable, CaseIterable {
  case postman, bruno, opencollection, hurl, curl, k6, locust, http

  /// Whether the form is a folder of files.
  package var isFolder: Bool { self == .bruno || self == .opencollection }

  /// Whether it has forms for clients of OAuth 2 and for keys.
  var keepsAuth: Bool { isFolder || self == .postman }

  /// The words for all of them, for messages.
  package static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

/// What an export comes to.
package struct RequestExport: Sendable, Hashable {
  /// The files with paths below the place of the export; the first is what was asked for, the
  /// others stand beside it.
  package var files: [TransferFile]
  /// Whether the export is a folder by nature; else it is one file, perhaps with others beside it.
  package var isFolder: Bool
  /// What could not be carried over.
  package var notes: [ImportNote]
  /// The number of requests.
  package var requestCount: Int
  /// Why there is nothing to write; else `nil`.
  package var problem: String?

  /// Writes sources in a form; `fileName` is that of the one file that is asked for.
  package static func make(
    _ sources: [ExportSource], name: String, as format: RequestExportFormat, fileName: String?
  ) -> RequestExport {
    if format == .http {
      let notes = ImportNotes()
      let (text, count) = HTTPExport.text(of: sources, notes)
      let file = TransferFile(path: fileName ?? "requests.http", bytes: text.keptBytes)
      return RequestExport(
        files: [file], isFolder: false, notes: notes.notes, requestCount: count)
    }
    let (collection, notes) = ExportReader.read(sources, name: name, keepsAuth: format.keepsAuth)
    let isLoad = format == .k6 || format == .locust
    if isLoad, !collection.order.contains(where: { !collection.requests[$0].isDisabled }) {
      let left = (collection.omissionLines + collection.disabledLines).map(ExportNotes.oneLine)
      let told = left.prefix(10) + (left.count > 10 ? ["\(left.count - 10) more."] : [])
      return RequestExport(
        files: [], isFolder: false, notes: notes.notes, requestCount: 0,
        problem: "nothing to send is left. " + told.joined(separator: " "))
    }
    let told = ExportNotes(notes)
    let word = CodeWords.word(name).lowercased()
    let stem = word.isEmpty ? "requests" : word
    func one(_ ending: String, _ text: (String) -> String) -> [TransferFile] {
      let path = fileName ?? stem + ending
      return [TransferFile(path: path, bytes: Array(text(path).utf8))]
    }
    let files: [TransferFile] =
      switch format {
      case .postman:
        PostmanExport.files(
          of: collection, file: fileName ?? stem + ".postman_collection.json", told)
      case .bruno: BrunoExport.files(of: collection, told)
      case .opencollection: OpenCollectionExport.files(of: collection, told)
      case .hurl:
        HurlExport.files(of: collection, file: fileName ?? stem + ".hurl", stem: stem, told)
      case .curl: one(".sh") { _ in ShellExport.text(of: collection, told) }
      case .http: []
      case .locust: one("_load.py") { LocustExport.text(of: collection, file: $0, told) }
      case .k6: one("_load.js") { K6Export.text(of: collection, file: $0, told) }
      }
    return RequestExport(
      files: files, isFolder: format.isFolder, notes: notes.notes,
      requestCount: collection.requestCount)
  }
}

extension ImportReport {
  /// The report of an export: what was made, and what could not be carried over. `paths` are the
  /// files that were written, as the user would call them.
  package init(
    of export: RequestExport, as format: RequestExportFormat, sources: [String], name: String,
    environments: [String], paths: [String]
  ) {
    self.init(sources: sources)
    self.format = format.rawValue
    self.name = name
    self.environments = environments
    requests = export.requestCount
    files = paths.map { ChangedFile(path: $0, action: .created) }
    notes = export.notes
  }
}
