// Whether a folder may be written to, and what an import remembers there.

import PostKitJSON
import PostKitSupport
import PostKitText

extension OriginImport {
  /// What the import before remembered; `nil` for a folder that none has made. Throws for a folder
  /// in which something else is, unless it may be written to.
  func manifest(of called: String) throws(Stop) -> ImportManifest? {
    let target = ImportTarget(FilePath.join(folder, called))
    let bytes: [UInt8]?
    let isEmpty: Bool
    do throws(FileFailure) {
      isEmpty = try target.isEmpty()
      bytes = isEmpty ? nil : try target.manifest()
    } catch {
      throw Stop(.usage, error.of(called).description)
    }
    if isEmpty { return nil }
    guard let bytes else {
      if isForced { return nil }
      throw Stop(
        .usage, "\(called) has something in it that no import made; choose another, or --force "
          + "writes beside it.")
    }
    do throws(ImportManifest.Failure) { return try ImportManifest(bytes) } catch {
      if isForced { return nil }
      let file = FilePath.join(called, ImportManifest.fileName)
      switch error {
      case .garbled(let reason):
        throw Stop(
          .usage, "\(file) can't be used: \(reason). Take it back from version control; without "
            + "it, --force writes beside what is there.")
      case .newer(let version):
        throw Stop(
          .usage, "\(file) is of version \(version), which a later PostKit has written. Update "
            + "PostKit; --force writes beside what is there.")
      }
    }
  }

  /// The variables that the environments of a target have.
  func variablesThere(in called: String) -> VariablesThere {
    ImportTarget(FilePath.join(folder, called)).variables
  }

  /// Imports again what the target was made of, where nothing else is named. Answers what is in the
  /// way of that.
  package mutating func takeSources() -> String? {
    let nothing = "name what is imported: a file, a folder, or - for input"
    guard let target else { return nothing }
    let earlier: ImportManifest
    do throws(Stop) {
      guard let found = try manifest(of: target), !found.sources.isEmpty else {
        return "\(target) has no import in it yet: \(nothing)"
      }
      earlier = found
    } catch {
      return error.message
    }
    let place = ImportTarget(FilePath.join(folder, target)).path
    for source in earlier.sources {
      let path = FilePath.normalise(FilePath.join(place, source))
      if Self.isURL(source) {
        if source.contains(OriginCredentials.mask) {
          return "\(target) was made of \(source), whose credentials are not kept. Name the URL."
        }
        inputs.append(.path(source, called: source))
      } else if !source.hasPrefix("/"), FileSystem.exists(path) {
        let isInside = FilePath.isInside(path, directory: folder)
        inputs.append(
          .path(path, called: isInside ? FilePath.relative(path, to: folder) : path))
      } else {
        return "\(target) was made of \(source), which is not there. Name what is imported."
      }
    }
    if format == nil { format = OriginFormat(rawValue: earlier.format) }
    return nil
  }

  /// Chooses what the import before has chosen, where this one does not say otherwise.
  mutating func takeOver(_ manifest: ImportManifest?) {
    writing.layout = layout ?? manifest?.layout ?? .folder
    guard let manifest else { return }
    // An empty one takes all again.
    defer { options.tags.remove("") }
    func option(_ name: String) -> JSONValue? {
      manifest.options.last { $0.key == name }?.value
    }
    func words(_ name: String) -> Set<String> {
      Set((option(name)?.elements ?? []).compactMap(\.string))
    }
    if writing.name == nil { writing.name = option("name")?.string }
    if writing.environments.isEmpty { writing.environments = words("env") }
    if options.tags.isEmpty { options.tags = words("tag") }
    if options.types.isEmpty { options.types = words("types") }
    if options.baseURL == nil { options.baseURL = option("base")?.string }
    wasFetched = option(ImportManifest.fetchOption)?.bool == true
    if option("private")?.bool == false { writing.writesSecrets = false }
    if option("examples")?.bool == false {
      writing.writesExamples = false
      options.takesExamples = false
    } else if option("examples")?.bool == true, options.takesExamples == nil {
      options.takesExamples = true
    }
    writing.credentialNames = manifest.requests.mapValues(\.secrets).filter { !$0.value.isEmpty }
    writing.usedNames = manifest.requests.mapValues { Set($0.secrets.values).union($0.uses.values) }
      .filter { !$0.value.isEmpty }
    if case .object(let members)? = option("secrets") {
      for member in members { options.secretNames[member.key] = member.value.string }
    }
  }

  /// What is remembered of this import beside its requests.
  func head(_ collection: OriginCollection, in place: ImportTarget?) -> ImportManifest {
    var head = ImportManifest()
    // A collection lies nowhere: its sources are known by their names.
    head.sources = inputs.map { input in
      place.map { source(input, from: $0) } ?? FilePath.name(input.name)
    }
    head.format = collection.format.rawValue
    head.name = writing.name ?? collection.root.name
    head.layout = writing.layout
    func add(_ name: String, _ value: JSONValue?) {
      if let value { head.options.append(JSONMember(name, value)) }
    }
    func list(_ words: Set<String>) -> JSONValue? {
      words.isEmpty ? nil : .array(words.sorted().map(JSONValue.string))
    }
    add("name", writing.name.map(JSONValue.string))
    add("env", list(writing.environments))
    add("tag", list(options.tags))
    add("types", list(options.types))
    add("base", options.baseURL.map(JSONValue.string))
    add(ImportManifest.fetchOption, wasFetched || fetched?.isEmpty == false ? true : nil)
    add("private", writing.writesSecrets ? nil : false)
    add(
      "examples",
      options.takesExamples.map(JSONValue.bool) ?? (writing.writesExamples ? nil : false))
    let schemes = collection.shared.filter { variable in
      let place = "\(variable.place)"
      return variable.isSecret
        && (place.contains("/securitySchemes/") || place.contains("/securityDefinitions/"))
    }
    if !schemes.isEmpty {
      add("secrets", .object(schemes.map { JSONMember($0.name, .string("\($0.place)")) }))
    }
    return head
  }

  /// The path from the target to a source; its name where they have no folder in common.
  private func source(_ input: Input, from place: ImportTarget) -> String {
    guard case .path(let path, let called) = input else { return input.name }
    let real = FileSystem.realPath(path) ?? path
    let relative = FilePath.relative(real, to: place.path)
    let isFar = relative.split(separator: "/").prefix { $0 == ".." }.count
      == place.path.split(separator: "/").count
    return isFar ? FilePath.name(called) : relative
  }

  /// What changes in the target.
  func changes(
    _ result: Result, in place: ImportTarget, called: String, _ earlier: ImportManifest?,
    _ report: inout ImportReport
  ) throws(Stop) -> FolderChanges {
    let state: FolderState
    do throws(FileFailure) {
      let names = Set(result.folder.attachments.map(\.path))
      let known = Set((earlier?.files ?? [:]).keys)
      state = try place.state(others: names.union(known))
    } catch {
      throw Stop(.unreadable, error.description)
    }
    if let earlier { try requireSame(earlier, result, place, called) }
    var head = head(result.collection, in: place)
    head.renamed = earlier?.renamed ?? result.folder.namesBeside(state)
    let written = result.folder.renamed(head.renamed)
    let changes: FolderChanges
    do throws(OriginFailure) {
      changes = try FolderMerge.changes(
        from: written, in: state, base: earlier, head: head, rule: rule, notes: result.notes)
    } catch {
      throw Stop(.unreadable, error.message)
    }
    report.files = changes.files.map { file in
      ChangedFile(path: FilePath.join(called, file.path), action: file.action)
    }
    report.conflicts = changes.conflicts
    report.notes = result.notes.notes
    report.uncountedNotes = result.notes.uncounted
    return changes
  }

  /// Refuses to write a file that an editor has open and has not saved: one of the two texts would
  /// be lost.
  func requireSaved(
    _ changes: FolderChanges, in place: ImportTarget, _ called: String
  ) throws(Stop) {
    if openFiles.isEmpty { return }
    let names = Set(changes.writes.map(\.path) + changes.removals)
    for (path, open) in openFiles.sorted(by: { $0.key < $1.key }) {
      let real = FileSystem.resolved(path) ?? path
      guard FilePath.isInside(real, directory: place.path) else { continue }
      let name = FilePath.relative(real, to: place.path)
      guard names.contains(name) else { continue }
      // What can't be read has another text than the editor's.
      let saved = try? FileSystem.read(path: real, limit: Limits.importFileBytes)
      // An editor has a text without its mark and with line ends of its own.
      func plain(_ bytes: [UInt8]) -> [UInt8] {
        bytes.dropFirst(bytes.byteOrderMarkLength).filter { $0 != 13 }
      }
      if saved.map(plain) == plain(open) { continue }
      throw Stop(
        .usage, "\(FilePath.join(called, name)) is open with changes that are not saved. Save or "
          + "undo them, then import again; nothing was written.")
    }
  }

  /// Refuses a folder that the import of something else has made: all of that would seem to have
  /// gone from the origin.
  private func requireSame(
    _ earlier: ImportManifest, _ result: Result, _ place: ImportTarget, _ called: String
  ) throws(Stop) {
    if earlier.requests.isEmpty { return }
    let collection = result.collection
    let ids = result.folder.files.flatMap { $0.blocks.map(\.id) }
    let isSame = earlier.format == collection.format.rawValue
      && (ids.isEmpty || ids.contains { earlier.requests[$0] != nil }
        || earlier.name == (writing.name ?? collection.root.name)
          && !Set(earlier.sources).isDisjoint(with: inputs.map { source($0, from: place) }))
    if isSame { return }
    throw Stop(
      .usage, "\(called) has the import of `\(earlier.name)` (\(earlier.format)) in it. Choose "
        + "another folder for this one.")
  }
}
