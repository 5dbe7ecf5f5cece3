// What stored requests have from around them, and how a person writes that.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
package import PostKitStore

/// The defaults of a collection or folder.
package struct PlacedDefaults: Sendable, Hashable {
  /// The names from the collection to it, with slashes between.
  package let path: String
  package let defaults: StoredDefaults

  /// The defaults around a request that are not empty, the outermost first.
  static func around(
    _ request: Model.HTTPRequest, _ collection: Model.Collection, _ reader: CollectionReader
  ) throws(StoreFailure) -> [PlacedDefaults] {
    var folders: [Model.Folder] = []
    var next = request.folderID
    while let id = next, case .folder(let folder) = try reader.item(id: id),
      !folders.contains(folder)
    {
      folders.append(folder)
      next = folder.parentID
    }
    var path = collection.name
    var found = [PlacedDefaults(path: path, defaults: StoredDefaults(collection.defaults))]
    for folder in folders.reversed() {
      path += "/" + folder.name
      found.append(PlacedDefaults(path: path, defaults: StoredDefaults(folder.defaults)))
    }
    return found.filter { !$0.defaults.isEmpty }
  }

  /// The defaults as evaluation reads them.
  var source: EnvironmentSource {
    var headers = defaults.headers.map { JSONMember($0.name, .string($0.value)) }
    if let auth = defaults.auth { headers.append(JSONMember("Authorization", .string(auth))) }
    let members = defaults.variables.map { JSONMember($0.name, .string($0.value)) }
    let shared = JSONValue.object([JSONMember("$default_headers", .object(headers))] + members)
    return EnvironmentSource(
      kind: .defaults,
      file: SourceFile(
        path: VariableOrigin.defaultsFolder + path,
        bytes: JSONValue.object([JSONMember("$shared", shared)]).bytes))
  }
}

extension StoredDefaults {
  /// What is wrong with defaults, in a sentence; `nil` where all of them can be sent.
  package var mistake: String? {
    for header in headers {
      let name = header.name
      if name.equalsIgnoringASCIICase("Authorization") {
        return "`Authorization` is set by `auth`: write its value there."
      }
      guard HeaderName.isToken(name) else { return "`\(name)` is not a valid header name." }
      if header.value.hasControlCharacters {
        return "The header `\(name)` must be a single line."
      }
    }
    if auth?.hasControlCharacters == true { return "`auth` must be a single line." }
    for variable in variables {
      let name = variable.name
      guard !name.isEmpty, !name.hasControlCharacters, EnvironmentSet.holdsVariables(name),
        !EnvironmentSet.isReserved(name)
      else { return "`\(name)` can't be the name of a variable." }
    }
    let names = headers.map { $0.name.lowercased() } + variables.map { "=" + $0.name }
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      return "`\(twice.trimmingPrefix("="))` is given twice. Keep one of both."
    }
    return nil
  }
}

extension StoredDefaults {
  /// The defaults with masks in the places of what may be a secret: credentials, and what is named
  /// like one. What refers to a variable is shown.
  package var masked: StoredDefaults {
    func masked(_ entry: Entry) -> Entry {
      VariableDefinition.nameIsSecret(entry.name) && !entry.value.contains("{{")
        ? Entry(entry.name, SecretMask.text) : entry
    }
    let credentials = auth.map { auth in
      guard !auth.contains("{{") else { return auth }
      let scheme = auth.prefix { $0 != " " }
      return scheme.count == auth.count ? SecretMask.text : "\(scheme) \(SecretMask.text)"
    }
    return StoredDefaults(
      headers: headers.map(masked), auth: credentials, variables: variables.map(masked))
  }

  /// The defaults with the values of others where they have the masks of these: who changes what
  /// was shown keeps what was not.
  package func unmasked(by others: StoredDefaults) -> StoredDefaults {
    func unmasked(_ entries: [Entry], _ known: [Entry]) -> [Entry] {
      entries.map { entry in
        entry.value == SecretMask.text ? known.first { $0.name == entry.name } ?? entry : entry
      }
    }
    return StoredDefaults(
      headers: unmasked(headers, others.headers),
      auth: auth == others.masked.auth ? others.auth : auth,
      variables: unmasked(variables, others.variables))
  }
}

extension CollectionItem {
  /// What a collection or folder gives to its requests; `nil` for a request.
  package var defaults: StoredDefaults? {
    switch self {
    case .collection(let row): StoredDefaults(row.defaults)
    case .folder(let row): StoredDefaults(row.defaults)
    case .request: nil
    }
  }
}
