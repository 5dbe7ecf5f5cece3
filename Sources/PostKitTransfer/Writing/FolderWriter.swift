// A collection of another tool as a folder of request files: the one place that knows how `.http`
// text says what other tools say.

/// Writes collections of other tools. It reads no file itself; the same collection gives the same
/// folder.
enum FolderWriter {
  /// Writes a collection; what can't be carried over is told to `notes`. `file` answers for files
  /// that requests name, by their path beside the source.
  static func write(
    _ collection: OriginCollection, options: WritingOptions, notes: ImportNotes,
    file: (String) -> OriginFileAnswer
  ) -> WrittenFolder {
    withoutActuallyEscaping(file) { file in
      write(collection, options, notes, SourceFiles(file))
    }
  }

  private static func write(
    _ collection: OriginCollection, _ options: WritingOptions, _ notes: ImportNotes,
    _ source: SourceFiles
  ) -> WrittenFolder {
    let variables = WrittenVariables(collection, options, notes: notes)
    let secrets = SecretNames(variables)
    let scripts = ScriptPlaces(collection)
    let names = DirectoryNames(taken: collection.attachments.map(\.path))
    let context = WritingContext(
      options: options, format: collection.format, notes: notes, variables: variables,
      auth: AuthWriter(secrets: secrets, variables: variables, notes: notes), scripts: scripts,
      names: names, source: source)
    let layout = RequestFileLayout(
      collection.root, name: options.name ?? collection.root.name, layout: options.layout, scripts,
      names, variables, notes)
    var folder = WrittenFolder()
    let kept = collection.attachments.filter {
      options.writesSecrets || !WrittenFolder.isDotenv($0.path)
    }
    folder.attachments = kept + layout.attachments
    let files = ReferencedFiles(layout.files, collection)
    let plannedFiles = layout.files.filter { !$0.requests.isEmpty }
    for planned in plannedFiles {
      let written = PlannedFileWriter(planned, files, context).write()
      folder.files.append(written.file)
      folder.attachments += written.attachments
    }
    folder.environments = variables.written(withSecrets: options.writesSecrets)
    NotePlaces.locate(notes, zip(plannedFiles, folder.files))
    return folder
  }
}
