// A collection as a folder of request files: a file a request, a directory a folder, and the
// environments in the form that other tools read.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

/// Writes collections.
package enum RequestFolderWriter {
  /// The files of a collection, and what could not be written as it is. The same collection gives
  /// the same bytes, and values of secrets are never among them.
  package static func files(
    of collection: ImportedCollection
  ) -> (files: [TransferFile], warnings: [String]) {
    var manifest = FolderManifest()
    manifest.name = collection.name
    var files: [TransferFile] = []
    var warnings: [String] = []
    if let active = collection.activeEnvironment {
      if collection.environments.contains(where: { $0.name == active }) {
        manifest.activeEnvironment = active
      } else {
        warnings.append("The active environment `\(active)` is global and is not written.")
      }
    }
    if !collection.withDefaults.isEmpty {
      warnings.append(
        "The defaults of \(collection.withDefaults.map { "`\($0)`" }.joined(separator: ", ")) are "
          + "not written: files have no place for them. `postkit collections export --all` has "
          + "them.")
    }
    if collection.folders.contains(where: { depth(of: $0) > FolderFiles.depthLimit }) {
      warnings.append(
        "Folders lie deeper than \(FolderFiles.depthLimit) in each other; an import leaves those "
          + "below out.")
    }
    if !collection.environments.isEmpty {
      files.append(environments(collection.environments, &manifest, &warnings))
    }
    let folder = ImportedFolder(
      name: collection.name, folders: collection.folders, requests: collection.requests)
    files += self.files(of: folder, at: "", manifest)
    return (files, warnings.map(\.oneLine))
  }

  /// How many folders lie in each other, with this one.
  private static func depth(of folder: ImportedFolder) -> Int {
    1 + (folder.folders.map(depth).max() ?? 0)
  }

  private static func files(
    of folder: ImportedFolder, at path: String, _ start: FolderManifest
  ) -> [TransferFile] {
    var manifest = start
    manifest.name = folder.name
    var names = PortableFileNames(taken: FolderManifest.ownFiles)
    var files: [TransferFile] = []
    for request in folder.requests {
      let preset = request.dialect.flatMap(DialectPreset.init(rawValue:))
      var bytes = request.source.keptBytes
      let title = FileReading(preset: preset ?? .auto).document(bytes, format: .http).blocks.lazy
        .compactMap { $0.name ?? $0.methodAndTarget }.first
      let name = names.name(for: title ?? "", extension: ".http", fallback: "request")
      manifest.requests.append(name)
      // A text that names its preset needs no other to do it.
      if let dialect = request.dialect, DialectPreset.named(by: bytes) == nil {
        manifest.dialects.append(JSONMember(name, .string(dialect)))
        if let preset { bytes = DialectLine.added(preset, to: bytes) }
      }
      files.append(TransferFile(path: path + name, bytes: bytes))
    }
    for child in folder.folders {
      let name = names.name(for: child.name, extension: "", fallback: "folder")
      manifest.folders.append(name)
      files += self.files(of: child, at: "\(path)\(name)/", FolderManifest())
    }
    return [TransferFile(path: path + FolderManifest.fileName, bytes: manifest.bytes)] + files
  }

  private static func environments(
    _ environments: [ImportedEnvironment], _ manifest: inout FolderManifest,
    _ warnings: inout [String]
  ) -> TransferFile {
    var members: [JSONMember] = []
    for environment in environments {
      guard !members.contains(where: { $0.key == environment.name }) else {
        warnings.append(
          "Two environments are called `\(environment.name)`; only the first is written.")
        continue
      }
      var (plain, secrets): ([JSONMember], [JSONMember]) = ([], [])
      for (place, variable) in environment.variables.enumerated() {
        if variable.isSecret {
          secrets.append(JSONMember(variable.name, .int(place)))
        } else {
          plain.append(JSONMember(variable.name, .string(variable.value ?? "")))
        }
      }
      members.append(JSONMember(environment.name, .object(plain)))
      if !secrets.isEmpty {
        manifest.secrets.append(JSONMember(environment.name, .object(secrets)))
        let names = secrets.map { "`\($0.key)`" }.joined(separator: ", ")
        warnings.append(
          "The values of \(names) in `\(environment.name)` are secrets and are not written.")
      }
    }
    return TransferFile(
      path: FolderManifest.environmentFile, bytes: FolderManifest.lines(.object(members)))
  }
}
