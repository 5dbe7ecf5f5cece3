// What a collection or folder gives to its requests, as a file that is written back when it is
// saved.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The file of the defaults of a collection or folder among the views.
enum DefaultsDocument {
  /// Writes the file, and answers its URI. A text there that was never taken over stays, which is
  /// told.
  static func write(_ snapshot: Snapshot, _ item: CollectionItem) throws(RPCError) -> String {
    let name = item.name.shown
    let directory = FilePath.join(
      snapshot.store.location.viewDirectory, ShownDocument.defaultsFolder)
    let file = StoredRequestView(
      path: FilePath.join(
        FilePath.join(directory, item.id), StoredRequests.fileName(name, or: "defaults")))
    let known = item.defaults ?? StoredDefaults()
    let text = Array(text(of: known, name).utf8)
    if try file.hasTextOfItsOwn(besides: text), try !says(known, in: file) {
      snapshot.client.showMessage(
        .warning,
        "\(file.path) has defaults that were not taken over, so it is unchanged. Save it to take "
          + "them over, or remove it to see those of `\(name)`.")
    } else {
      try file.write(text)
    }
    return DocumentURI(path: file.path).spelling
  }

  /// Whether a file says just these defaults, in whatever form.
  private static func says(
    _ known: StoredDefaults, in file: StoredRequestView
  ) throws(RPCError) -> Bool {
    let text = String(decoding: try file.read(), as: UTF8.self)
    // What can't be read says something else.
    return (try? read(text))?.unmasked(by: known) == known
  }

  /// The text of defaults: variables, then headers, as in a request file.
  static func text(of defaults: StoredDefaults, _ name: String) -> String {
    let shown = defaults.masked
    let heading = [
      "# What the requests of `\(name.oneLine)` have unless they say it themselves.",
      "# Save this file to change it. `\(SecretMask.text)` keeps the value that it stands for.",
      "# Write `@name = value` for a variable, `Name: value` for a header.", "",
    ]
    let variables = shown.variables.map { "@\($0.name) = \($0.value)".shown }
    let auth = shown.auth.map { ["\(authorization): \($0)".shown] } ?? []
    let headers = shown.headers.map { "\($0.name): \($0.value)".shown }
    let gap = variables.isEmpty || (auth + headers).isEmpty ? [] : [""]
    return (heading + variables + gap + auth + headers).joined(separator: "\n") + "\n"
  }

  private static let authorization = "Authorization"

  /// Reads such a text.
  ///
  /// Errors: `requestFailed` with the line that is neither a variable nor a header.
  static func read(_ text: String) throws(RPCError) -> StoredDefaults {
    var defaults = StoredDefaults()
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let line = String(line).trimmingBlanks
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("//") { continue }
      let isVariable = line.hasPrefix("@")
      let parts = line.dropFirst(isVariable ? 1 : 0)
        .split(separator: isVariable ? "=" : ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).trimmingBlanks }
      guard parts.count == 2, !parts[0].isEmpty else {
        throw RPCError(
          .requestFailed,
          "Line \(number + 1), `\(line.excerpt)`, is no default. Write `Name: value` for a header, "
            + "or `@name = value` for a variable.")
      }
      let entry = StoredDefaults.Entry(parts[0], parts[1])
      if isVariable {
        defaults.variables.append(entry)
      } else if entry.name.equalsIgnoringASCIICase(authorization) {
        guard defaults.auth == nil else {
          throw RPCError(.requestFailed, "`\(authorization)` is given twice. Keep one of both.")
        }
        defaults.auth = entry.value.isEmpty ? nil : entry.value
      } else {
        defaults.headers.append(entry)
      }
    }
    if let mistake = defaults.mistake { throw RPCError(.requestFailed, mistake) }
    return defaults
  }

  /// Takes a saved file over, one save after the other.
  static func saved(_ snapshot: Snapshot, _ uri: DocumentURI, id: String) async {
    guard let path = uri.path, let store = await snapshot.store.store() else { return }
    let file = StoredRequestView(path: path)
    _ = await snapshot.session.requestSaves.run(id) {
      do throws(RPCError) {
        try await save(snapshot, file, id, store)
      } catch {
        snapshot.client.showMessage(.error, error.message)
      }
    }
  }

  private static func save(
    _ snapshot: Snapshot, _ file: StoredRequestView, _ id: String, _ store: Store
  ) async throws(RPCError) {
    let bytes = try file.read()
    let given = try read(String(decoding: bytes, as: UTF8.self))
    try await RPCError.ofStore { () throws(StoreFailure) in
      let (item, revision) = try await store.look { reader throws(StoreFailure) in
        (try reader.item(id: id), try reader.revision())
      }
      guard let item, let known = item.defaults else {
        throw .collection(
          .sentence(
            "The folder is no longer in the collections: \(file.path) is the only copy of its "
              + "defaults."))
      }
      let defaults = given.unmasked(by: known)
      guard defaults != known else { return }
      let stored = Array(text(of: known, item.name.shown).utf8)
      if let base = file.base, base != SHA256.hexDigest(stored) {
        // Whoever saves again has seen it.
        try? file.noteBase(stored)
        throw .collection(
          .sentence(
            "The defaults of `\(item.name.shown)` have changed since this file was opened, so they "
              + "are unchanged. Save again to replace them."))
      }
      try await store.edit([.setDefaults(id: id, defaults)], ifRevision: revision)
      let now = Array(text(of: defaults, item.name.shown).utf8)
      // A secret that was typed stays in the store alone.
      if given.masked != given { try? file.write(now) } else { try? file.noteBase(now) }
    }
  }
}

extension StoredDefaults {
  /// Reads what a client gives; throws `invalidParams` for what can't be sent.
  init(_ message: LSP.PostkitDefaults) throws(RPCError) {
    self.init(
      headers: try StoredDefaults.entries(message.headers),
      auth: message.auth?.isEmpty == true ? nil : message.auth,
      variables: try StoredDefaults.entries(message.variables))
    if let mistake { throw RPCError(.invalidParams, "defaults: \(mistake)") }
  }

  private static func entries(_ pairs: [[String]]?) throws(RPCError) -> [Entry] {
    var entries: [Entry] = []
    for pair in pairs ?? [] {
      guard pair.count == 2 else {
        throw RPCError(.invalidParams, "defaults: expected pairs of name and value.")
      }
      entries.append(Entry(pair[0], pair[1]))
    }
    return entries
  }
}

extension LSP.PostkitDefaults {
  /// Writes defaults for a client.
  init(_ defaults: StoredDefaults) {
    func pairs(_ entries: [StoredDefaults.Entry]) -> [[String]]? {
      entries.isEmpty ? nil : entries.map { [$0.name, $0.value] }
    }
    self.init(
      headers: pairs(defaults.headers), auth: defaults.auth, variables: pairs(defaults.variables))
  }
}
