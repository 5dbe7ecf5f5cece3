// How `postkit collections` changes the tree: saving, making, moving, deleting.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitTransfer

extension CollectionsCommand {
  // MARK: - Saving

  /// Saves a request of a file. One with its name that lies there already is brought up to date.
  func save(_ path: String) async throws(Arguments.Problem) -> Int32 {
    guard let target = arguments.value("--to") else {
      throw Arguments.Problem(message: "`collections save` needs `--to PATH`")
    }
    let run = try RunCommand(invocation, path: path)
    switch run.chosen(oneOnly: true) {
    case .failure(let failure):
      console.complain(failure.message)
      return 2
    case .success(let (file, blocks)):
      guard let index = blocks.first, blocks.count == 1,
        let text = RequestText(
          file.document.blocks[index], of: file.document, file.workspace.reading)
      else {
        console.complain("\(path): choose one request with --name or --line")
        return 2
      }
      let origin = RequestOrigin(file: file.path, name: text.block.name)
      let content = text.content(origin: origin)
      return await withStore { store throws(Stop) in
        let id = try await save(content, to: target, store)
        let block = file.document.blocks[index]
        if arguments.has("--with-variables") {
          let needed = FileVariables.needed(by: block, in: file.document, file.dialect)
          try await copy(needed, to: id, of: file, store)
        }
        let given = try await ask { () throws(StoreFailure) in
          try await store.look { reader throws(StoreFailure) in
            try reader.request(id: id).map { request throws(StoreFailure) in
              try reader.variables(givenTo: request)
            }
          }
        }
        noteMissing(
          block, of: file, in: target,
          given: given.map { $0.defaults.union($0.environment) } ?? [])
      }
    }
  }

  private func save(
    _ content: StoredRequestContent, to target: String, _ store: Store
  ) async throws(Stop) -> String {
    let id = Identifier.next()
    let (result, _) = try await change(store) { reader throws(StoreFailure) in
      var edits: [CollectionEdit] = []
      let container = try container(target, reader, &edits)
      return CollectionPlan(edits + [.saveRequest(id: id, content, in: container)])
    }
    let word = result.ids.last == id ? "Saved" : "Updated"
    let place = Display.line("\(target)/\(content.displayName)".shown)
    console.line("\(word) \(place)  \(result.ids.last ?? "")")
    return result.ids.last ?? id
  }

  /// Puts variables that a request needs of its file into its collection.
  private func copy(
    _ variables: [FileVariables.Variable], to request: String, of file: RequestFile,
    _ store: Store
  ) async throws(Stop) {
    guard !variables.isEmpty else { return }
    let copy = VariableCopy(
      variables, environment: arguments.environment ?? file.settings[.environment])
    let (_, outcome) = try await change(store) {
      reader throws(StoreFailure) -> CollectionPlan<VariableCopy.Outcome> in
      try copy.plan(for: request, reader)
    }
    guard !outcome.names.isEmpty else { return }
    let names = outcome.names.map { "`\($0)`" }.joined(separator: ", ")
    console.line(Display.line("Copied \(names) into the environment `\(outcome.environment)`."))
  }

  /// Says which definitions of the file the request uses, as they don't come with it, and how its
  /// collection gets them; `given` are those that it has.
  private func noteMissing(
    _ block: ParsedBlock, of file: RequestFile, in target: String, given: Set<String>
  ) {
    let own = Set(block.variables.map { block.text($0.nameRange) })
    let others = Set(
      file.document.blocks.filter { $0.index != block.index }.flatMap { other in
        other.variables.map { other.text($0.nameRange) }
      })
    let used = Set(
      block.references.compactMap { reference -> String? in
        if case .path(let name, _) = reference.expression { name } else { nil }
      })
    var copied: Set<String> = []
    if arguments.has("--with-variables") {
      copied = Set(FileVariables.needed(by: block, in: file.document, file.dialect).map(\.name))
    }
    let missing = used.intersection(others).subtracting(own).subtracting(copied)
      .subtracting(given).sorted()
    guard !missing.isEmpty else { return }
    let names = missing.map { "`\($0)`" }.joined(separator: ", ")
    let top = target.split(separator: "/").first.map(String.init) ?? target
    let collection = Identifier.isValid(top) ? "COLLECTION" : ShellText.quote(top)
    let values = missing.map {
      "`postkit collections set \($0)=VALUE --env NAME --collection \(collection)`"
    }
    console.note(
      "postkit: warning: the request uses \(names), defined elsewhere in \(file.path). "
        + (arguments.has("--with-variables")
          ? "Give" : "Repeat it with `--with-variables` to copy what is there, or give")
        + " its collection an environment with that: \(values.joined(separator: ", ")), and choose "
        + "it: `postkit collections use \(collection) NAME`.")
  }

  /// The container of a path; what is missing of it is made by the edits.
  private func container(
    _ path: String, _ reader: CollectionReader, _ edits: inout [CollectionEdit]
  ) throws(StoreFailure) -> RequestContainer {
    let found = try reader.items(path: path)
    if Identifier.isValid(path) || !found.filter({ $0.container != nil }).isEmpty {
      let item = found.count == 1 ? found[0] : try item(path, reader)
      if let container = item.container { return container }
      throw refused("`\(path)` is a request; name a collection or folder")
    }
    let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
    let id = Identifier.next()
    guard let slash = trimmed.lastIndex(of: "/") else {
      edits.append(.createCollection(id: id, name: trimmed))
      return .collection(id)
    }
    let parent = try container(String(trimmed[..<slash]), reader, &edits)
    let name = String(trimmed[trimmed.index(after: slash)...])
    edits.append(.createFolder(id: id, name: name, in: parent))
    return .folder(id)
  }

  /// Makes a collection, or a folder with those above it.
  func create(_ path: String, _ store: Store) async throws(Stop) {
    let (result, _) = try await change(store) { reader throws(StoreFailure) in
      var edits: [CollectionEdit] = []
      _ = try container(path, reader, &edits)
      guard !edits.isEmpty else { throw refused("`\(path)` already exists") }
      return CollectionPlan(edits)
    }
    console.line("Created \(Display.line(path))  \(result.ids.last ?? "")")
  }

  // MARK: - Changing

  /// Gives something another name: what a path means, or with `--env` an environment.
  func rename(_ words: [String]) async throws(Arguments.Problem) -> Int32 {
    let environment = arguments.value("--env")
    guard words.count == (environment == nil ? 2 : 1), let name = words.last else {
      throw Arguments.Problem(message: "usage: `\(CollectionsForm.rename.usage)`")
    }
    return await withStore { store throws(Stop) in
      try await change(store) { reader throws(StoreFailure) in
        let id: String
        if let environment {
          let owner = try chosenCollection(reader)
          id = try existingEnvironment(environment, of: owner, reader).environment.id
        } else {
          id = try item(words[0], reader).id
        }
        return CollectionPlan([.rename(id: id, to: name)])
      }
    }
  }

  /// Puts something elsewhere.
  func move(_ path: String) async throws(Arguments.Problem) -> Int32 {
    let index = try arguments.integer("--index", minimum: 0)
    let given = ["--before", "--after", "--index"].filter(arguments.has)
    guard given.count <= 1, !given.isEmpty || arguments.has("--to") else {
      throw Arguments.Problem(
        message: "`collections move` needs `--to`, or one of `--before`, `--after`, `--index`")
    }
    return await withStore { store throws(Stop) in
      try await change(store) { reader throws(StoreFailure) in
        let item = try item(path, reader)
        var edits: [CollectionEdit] = []
        var target: RequestContainer?
        if let path = arguments.value("--to") {
          target = try container(path, reader, &edits)
        }
        var position = SiblingPosition.last
        if let index { position = .index(index) }
        if let path = arguments.value("--before") {
          let other = try self.item(path, reader)
          (target, position) = (target ?? other.place, .before(other.id))
        }
        if let path = arguments.value("--after") {
          let other = try self.item(path, reader)
          (target, position) = (target ?? other.place, .after(other.id))
        }
        return CollectionPlan(edits + [.move(id: item.id, to: target, at: position)])
      }
    }
  }

  /// Puts a copy behind something.
  func duplicate(_ path: String, _ store: Store) async throws(Stop) {
    let id = Identifier.next()
    let (_, name) = try await change(store) { reader throws(StoreFailure) in
      let item = try item(path, reader)
      var edits = [CollectionEdit.duplicate(id: item.id, as: id)]
      if case .request(let request) = item {
        edits.append(.rename(id: id, to: request.displayName + " copy"))
      }
      return CollectionPlan(edits, value: item.name)
    }
    console.line("Copied \(Display.line(name))  \(id)")
  }

  // MARK: - Deleting

  /// How a deletion is taken back.
  static let undoSentence = "`postkit collections undo` takes it back."

  /// Deletes what a path means, or with `--env` an environment; what is not empty with `--force`.
  func delete(_ path: String?) async throws(Arguments.Problem) -> Int32 {
    let environment = arguments.value("--env")
    guard (path == nil) != (environment == nil) else {
      throw Arguments.Problem(message: "usage: `\(CollectionsForm.delete.usage)`")
    }
    return await withStore { store throws(Stop) in
      let (_, (name, contents)) = try await change(store) { reader throws(StoreFailure) in
        let (id, name): (String, String)
        if let environment {
          let owner = try chosenCollection(reader)
          let found = try existingEnvironment(environment, of: owner, reader).environment
          (id, name) = (found.id, found.name)
        } else {
          let item = try item(path ?? "", reader)
          (id, name) = (item.id, item.name)
        }
        let contents = try reader.contents(of: id)
        guard contents.isEmpty || arguments.has("--force") else {
          throw refused(
            "`\(Display.line(name))` is not empty: this also deletes \(contents.words). Repeat it "
              + "with --force to delete all")
        }
        return CollectionPlan([.delete(id: id)], value: (name, contents))
      }
      let rest = contents.isEmpty ? "" : " with \(contents.words)"
      console.line("Deleted \(Display.line(name))\(rest). \(CollectionsCommand.undoSentence)")
    }
  }
}

extension CollectionContents {
  /// What there is, in words.
  var words: String {
    let parts = [
      (folders, "folder"), (requests, "request"), (environments, "environment"),
      (variables, "variable"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return parts.joined(separator: ", ")
  }
}

extension CollectionItem {
  /// What it lies in; `nil` for a collection.
  fileprivate var place: RequestContainer? {
    switch self {
    case .collection: nil
    case .folder(let row): row.parentID.map { .folder($0) } ?? .collection(row.collectionID)
    case .request(let row): row.folderID.map { .folder($0) } ?? .collection(row.collectionID)
    }
  }
}
