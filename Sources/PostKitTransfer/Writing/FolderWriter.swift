// A collection of another tool as a folder of request files: the one place that knows how `.http`
// text says what other tools say.

import PostKitSupport
import PostKitSyntax

/// Writes collections of other tools. It reads no file itself; the same collection gives the same
/// folder.
enum FolderWriter {
  /// Writes a collection; what can't be carried over is told to `notes`. `file` answers for files
  /// that requests name, by their path beside the source. `goesOn` is asked after each file with
  /// the requests that were written before it and with it; `false` ends it early. `haveParts` says
  /// of a file that was read back whether it has exactly its parts.
  static func write(
    _ collection: OriginCollection, options: WritingOptions, notes: ImportNotes,
    file: (String) -> OriginFileAnswer,
    haveParts: @escaping (ParsedDocument, WrittenFile) -> Bool = { _, _ in false },
    goesOn: (Int, Int) -> Bool = { _, _ in true }
  ) -> WrittenFolder {
    withoutActuallyEscaping(file) { file in
      write(collection, options, notes, SourceFiles(file), haveParts, goesOn)
    }
  }

  private static func write(
    _ collection: OriginCollection, _ options: WritingOptions, _ notes: ImportNotes,
    _ source: SourceFiles, _ haveParts: @escaping (ParsedDocument, WrittenFile) -> Bool,
    _ goesOn: (Int, Int) -> Bool
  ) -> WrittenFolder {
    let variables = WrittenVariables(collection, options, notes: notes)
    let secrets = SecretNames(variables, options)
    let scripts = ScriptPlaces(collection)
    let names = DirectoryNames(taken: collection.attachments.map(\.path))
    let context = WritingContext(
      options: options, format: collection.format, notes: notes, variables: variables,
      auth: AuthWriter(secrets: secrets, variables: variables, notes: notes), scripts: scripts,
      names: names, source: source, haveParts: haveParts)
    let layout = RequestFileLayout(
      collection.root, name: options.name ?? collection.root.name, layout: options.layout, scripts,
      names, variables, notes, standsAlone: options.standsAlone)
    var folder = WrittenFolder()
    let kept = collection.attachments.filter {
      options.writesSecrets || !WrittenFolder.isDotenv($0.path)
    }
    folder.attachments = kept + layout.attachments
    let files = ReferencedFiles(layout.files, collection)
    let plannedFiles = layout.files.filter { !$0.requests.isEmpty }
    folder.partial.lacksRequests = collection.isPartial
    if collection.isPartial {
      // The order of files of which some are out of reach is not known, either.
      let orders = layout.attachments.map(\.path).filter {
        FilePath.name($0) == FolderManifest.fileName
      }
      folder.partial.files.formUnion(orders)
    }
    var count = 0
    for planned in plannedFiles {
      let written = PlannedFileWriter(planned, files, context).write()
      folder.files.append(written.file)
      folder.attachments += written.attachments
      folder.partial.requests.formUnion(written.partial.requests)
      folder.partial.files.formUnion(written.partial.files)
      if written.namesSource { folder.filesNamingSource.insert(written.file.path) }
      let before = count
      count += planned.requests.count
      if !goesOn(before, count) { break }
    }
    folder.credentials = secrets.used
    folder.namedHere = variables.namedHere
    folder.environments = variables.written(withSecrets: options.writesSecrets)
    NotePlaces.locate(notes, zip(plannedFiles, folder.files))
    return folder
  }
}
