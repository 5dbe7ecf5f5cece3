// `postkit collections`: requests that are kept apart from files, and their environments.

import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport

extension Command {
  /// Lists, changes and sends stored requests.
  static let collections = Command(
    name: .collections,
    operands: "[--json] | find [TEXT] | show PATH | save FILE --to PATH | send PATH | create PATH "
      + "| rename PATH NAME | move PATH --to PATH | duplicate PATH | delete PATH | environments "
      + "| set KEY=VALUE | unset KEY | use COLLECTION [ENVIRONMENT] | defaults PATH "
      + "| favourite PATH | recent | undo [ID] | export --all FILE | restore FILE",
    summary: "Keeps requests in collections and sends them; a PATH is `Collection/Folder/Request`.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(names: ["--to"], value: "PATH", help: "the collection or folder to put it in"),
      Option(names: ["--before"], value: "PATH", help: "move it before this"),
      Option(names: ["--after"], value: "PATH", help: "move it after this"),
      Option(names: ["--index"], value: "N", help: "move it to this place, counted from 0"),
      Option(names: ["--line"], value: "N", help: "save the request on this line of the file"),
      Option(names: ["--name"], value: "NAME", help: "save the request with this name"),
      Option(
        names: ["--with-variables"], value: nil,
        help: "copy the variables that the request needs of its file into its collection"),
      Option(
        names: ["--collection"], value: "NAME",
        help: "the collection that has the environment; without it, a global one"),
      Option(
        names: ["--secret"], value: nil,
        help: "keep the value in the keyring, not in the database; without =VALUE it is asked for"),
      Option(
        names: ["--force"], value: nil,
        help: "delete it even if it is not empty; for `export`, replace an existing file"),
    ] + CollectionsCommand.findingOptions + CollectionsCommand.defaultsOptions
      + CollectionsCommand.keepingOptions + RunCommand.sendingOptions
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    guard let word = words.first else {
      try invocation.arguments.allow(["--json"], in: "collections")
      return try await CollectionsCommand(invocation).list()
    }
    guard let form = CollectionsForm(rawValue: word) else {
      let forms = CollectionsForm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw Arguments.Problem(message: "`collections` lists, or can \(forms)")
    }
    let operands = words.count - 1
    guard form.operands.contains(operands) else {
      throw Arguments.Problem(message: "usage: `\(form.usage)`")
    }
    try invocation.arguments.allow(form.options, in: "collections \(word)")
    return try await CollectionsCommand(invocation).run(form, Array(words.dropFirst()))
  }
}

/// What `postkit collections` can do.
enum CollectionsForm: String, CaseIterable {
  case find, show, save, send, create, rename, move, duplicate, delete, environments, set, unset
  case use, defaults, favourite, recent, undo, export, restore

  /// How many operands it takes.
  var operands: ClosedRange<Int> {
    switch self {
    case .find: 0...Int.max
    case .rename: 1...2
    case .environments, .undo, .delete: 0...1
    case .recent: 0...0
    case .use: 1...2
    default: 1...1
    }
  }

  /// The options that it takes.
  var options: Set<String> {
    switch self {
    case .find: Set(CollectionsCommand.findingOptions.map { $0.names[0] } + ["--json"])
    case .show, .environments: ["--json"]
    case .save: ["--to", "--line", "--name", "--dialect", "--with-variables", "--env"]
    case .send: Set(RunCommand.sendingOptions.map { $0.names[0] })
    case .create, .duplicate, .use, .restore: []
    case .defaults:
      Set(CollectionsCommand.defaultsOptions.map { $0.names[0] } + ["--header", "--json"])
    case .favourite: ["--off"]
    case .recent: ["--limit", "--json"]
    case .undo: ["--list", "--purge", "--json"]
    case .export: ["--all", "--force"]
    case .rename: ["--env", "--collection"]
    case .move: ["--to", "--before", "--after", "--index"]
    case .delete: ["--force", "--env", "--collection"]
    case .set: ["--env", "--collection", "--secret"]
    case .unset: ["--env", "--collection"]
    }
  }

  /// How it is written.
  var usage: String {
    let environment = "--env NAME [--collection NAME]"
    let rest = switch self {
    case .find:
      "[TEXT] [--method M] [--header NAME[=VALUE]] [--param NAME[=VALUE]] [--tag T] [--in PATH] "
        + "[--favourite] [--sort ORDER] [--limit N] [--json]"
    case .show: "PATH [--json]"
    case .save: "FILE [--name NAME] [--line N] --to PATH [--with-variables [--env NAME]]"
    case .send: "PATH [--env NAME] [options]"
    case .create, .duplicate: "PATH"
    case .rename: "PATH NAME, or rename NAME \(environment)"
    case .move: "PATH [--to PATH] [--before PATH] [--after PATH] [--index N]"
    case .delete: "PATH [--force], or delete \(environment)"
    case .environments: "[COLLECTION] [--json]"
    case .set: "KEY=VALUE \(environment), or set KEY --secret \(environment)"
    case .unset: "KEY \(environment)"
    case .use: "COLLECTION [ENVIRONMENT]"
    case .defaults:
      "PATH [--header 'Name: value'] [--remove-header NAME] [--auth TEXT] [--variable KEY=VALUE] "
        + "[--remove-variable KEY] [--json]"
    case .favourite: "PATH [--off]"
    case .recent: "[--limit N] [--json]"
    case .undo: "[ID], or undo --list [--json], or undo --purge [ID]"
    case .export: "--all FILE [--force]"
    case .restore: "FILE"
    }
    return "postkit collections \(rawValue) \(rest)"
  }
}

/// One call of `postkit collections`.
struct CollectionsCommand: Sendable {
  let invocation: Invocation

  /// Takes up a call.
  init(_ invocation: Invocation) { self.invocation = invocation }

  var console: Console { invocation.console }
  var arguments: Arguments { invocation.arguments }

  /// Why a command can't go on: it was told of already, or is to be.
  enum Stop: Error {
    /// What was named is not there, or not clear; with a sentence.
    case usage(String)
    case store(StoreFailure)
    /// A request that can't be read or sent; the exit code was decided.
    case told(Int32)
  }

  /// Does what a form asks for.
  func run(_ form: CollectionsForm, _ operands: [String]) async throws(Arguments.Problem) -> Int32 {
    let operand = operands.first ?? ""
    switch form {
    case .find: return try await find(operands)
    case .show: return await withStore { store throws(Stop) in
        try await show(operand, store)
      }
    case .save: return try await save(operand)
    case .send: return try await send(operand)
    case .create: return await withStore { store throws(Stop) in
        try await create(operand, store)
      }
    case .rename: return try await rename(operands)
    case .move: return try await move(operand)
    case .duplicate: return await withStore { store throws(Stop) in
        try await duplicate(operand, store)
      }
    case .delete: return try await delete(operands.first)
    case .environments: return await withStore { store throws(Stop) in
        try await environments(operands.first, store)
      }
    case .set: return try await set(operand)
    case .unset: return try await unset(operand)
    case .use:
      return await withStore { store throws(Stop) in
        try await use(operand, operands.dropFirst().first, store)
      }
    case .defaults: return try await defaults(operand)
    case .favourite: return await withStore { store throws(Stop) in
        try await favour(operand, store)
      }
    case .recent: return try await recent()
    case .undo: return try await undo(operands.first)
    case .export: return try await export(operand)
    case .restore: return try await restore(operand)
    }
  }

  /// Opens the store for some work, and closes it.
  func withOpenStore<Result>(
    _ work: (Store) async throws(Stop) -> Result
  ) async throws(Stop) -> Result {
    try await invocation.withStore { store throws(Stop) in
      // Somebody may have been killed while a secret was being set or deleted.
      await CollectionEditor(store).settle()
      return try await work(store)
    } failing: {
      .store($0)
    }
  }

  /// Opens the store for some work, tells what went wrong, and closes it.
  func withStore(_ work: (Store) async throws(Stop) -> Void) async -> Int32 {
    do throws(Stop) {
      try await withOpenStore(work)
      return 0
    } catch {
      switch error {
      case .usage(let sentence):
        console.complain(sentence)
        return 2
      case .store(let failure):
        console.complain(failure.message(on: .commandLine))
        if case .collection = failure { return 2 }
        return 5
      case .told(let code): return code
      }
    }
  }

  /// Does something with the store whose failures end the command.
  func ask<Result: Sendable>(
    _ work: () async throws(StoreFailure) -> Result
  ) async throws(Stop) -> Result {
    do throws(StoreFailure) { return try await work() } catch {
      if case .collection(.sentence(let sentence)) = error { throw .usage(sentence) }
      throw .store(error)
    }
  }

  /// Asks what the collections are at one moment.
  func look<Value: Sendable>(
    _ store: Store, _ question: @escaping @Sendable (CollectionReader) throws(StoreFailure) -> Value
  ) async throws(Stop) -> Value {
    try await ask { () throws(StoreFailure) in try await store.look(question) }
  }

  // MARK: - What is meant

  // What changes the collections asks these inside its transaction.

  /// What a path or an id means now. What is changed must be found inside the transaction.
  func item(_ text: String, _ store: Store) async throws(Stop) -> CollectionItem {
    try await look(store) { reader throws(StoreFailure) in try item(text, reader) }
  }

  /// The collection with a name, a path or an id, as it is now.
  func collection(_ text: String, _ store: Store) async throws(Stop) -> Model.Collection {
    try await look(store) { reader throws(StoreFailure) in try collection(text, reader) }
  }

  /// What a path or an id means.
  func item(_ text: String, _ reader: CollectionReader) throws(StoreFailure) -> CollectionItem {
    let found = Identifier.isValid(text)
      ? try reader.item(id: text).map { [$0] } ?? [] : try reader.items(path: text)
    if let item = found.first, found.count == 1 { return item }
    if found.isEmpty {
      throw refused("`\(text)` not found; `postkit collections` lists all collections")
    }
    let list = found.map { "  \($0.id)  \($0.kind)" }.joined(separator: "\n")
    throw refused("`\(text)` is ambiguous. Use an id:\n\(list)")
  }

  /// The collection with a name, a path or an id.
  func collection(
    _ text: String, _ reader: CollectionReader
  ) throws(StoreFailure) -> Model.Collection {
    guard case .collection(let row) = try item(text, reader) else {
      throw refused("`\(text)` is not a collection")
    }
    return row
  }

  /// The collection of `--collection`; `nil` where global environments are meant.
  func chosenCollection(_ reader: CollectionReader) throws(StoreFailure) -> Model.Collection? {
    guard let name = arguments.value("--collection") else { return nil }
    return try collection(name, reader)
  }

  /// An environment with its variables by its name or id; `nil` where none has that name.
  func environment(
    _ name: String, of collection: Model.Collection?, _ reader: CollectionReader
  ) throws(StoreFailure) -> EnvironmentContents? {
    if Identifier.isValid(name) {
      if let found = try reader.environment(id: name),
        collection == nil || found.environment.collectionID == collection?.id
      { return found }
      throw refused(
        "no environment has the id \(name); `postkit collections environments` lists them")
    }
    let found = try reader.environments(of: collection?.id).filter { $0.environment.name == name }
    guard found.count > 1 else { return found.first }
    let list = found.map { item in
      "  \(item.environment.id)  with \(item.variables.count) variable"
        + (item.variables.count == 1 ? "" : "s")
    }
    throw refused(
      "the environment `\(name)` is ambiguous. Use an id:\n"
        + list.joined(separator: "\n"))
  }

  /// An environment that must be there.
  func existingEnvironment(
    _ name: String, of collection: Model.Collection?, _ reader: CollectionReader
  ) throws(StoreFailure) -> EnvironmentContents {
    if let found = try environment(name, of: collection, reader) { return found }
    let owner = collection.map { "the collection `\($0.name)` has" } ?? "there is"
    throw refused(
      "\(owner) no environment `\(name)`; `postkit collections environments` lists them")
  }

  /// Why a change is not made; with a sentence.
  func refused(_ sentence: String) -> StoreFailure { .collection(.sentence(sentence)) }

  /// Carries out what is decided inside the transaction.
  @discardableResult
  func change<Value: Sendable>(
    _ store: Store, _ decide: @escaping CollectionDecision<Value>
  ) async throws(Stop) -> (result: CollectionEditResult, value: Value) {
    try await ask { () throws(StoreFailure) in
      try await CollectionEditor(store, renaming: RequestText.renaming).edit(deciding: decide)
    }
  }
}
