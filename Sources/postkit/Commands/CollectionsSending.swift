// How `postkit collections` sends what is stored: a request, or all of a folder or collection.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax

extension CollectionsCommand {
  /// A stored request with the secrets that it is sent with.
  private struct Found: Sendable {
    var path: String
    var stored: StoredRequestFile
    var secrets: [String: String]
  }

  /// Sends a stored request, or all of a folder or collection in their order, as `postkit run`
  /// sends those of a file.
  func send(_ path: String) async throws(Arguments.Problem) -> Int32 {
    let run = try RunCommand(invocation, path: path)
    let found: [Found]
    do throws(Stop) {
      found = try await withOpenStore { store throws(Stop) in
        try await self.found(path, store, dialect: run.dialect)
      }
    } catch {
      switch error {
      case .usage(let sentence): return run.fail(Failure(.requestNotFound, sentence))
      case .store(let failure): return run.fail(Failure(.store, failure.message(on: .commandLine)))
      case .told(let code): return code
      }
    }
    var parts: [RunPart] = []
    for item in found {
      let file = RequestFile(item.stored, secrets: item.secrets, invocation, dialect: run.dialect)
      guard let block = file.document.mainRequest(sharesBlocks: file.dialect.sharesBlocks) else {
        return run.fail(
          Failure(
            .requestNotFound,
            "`\(item.path)` has no request in its text; correct it in an editor"))
      }
      let id = item.stored.request.id
      let input = run.input(
        [block.index], of: file, as: StoredRequestFile.historyName(of: id),
        environment: item.stored.activeEnvironment ?? file.settings[.environment],
        storedRequestID: id)
      parts.append(RunPart(input: input, path: item.path, settings: file.settings))
    }
    for part in parts {
      if let failure = part.input.circle {
        let printer = RunPrinter(console: console, document: part.input.document, path: part.path)
        return run.fail(Failure(failure.code, printer.located(failure) + " Nothing was sent."))
      }
    }
    return await run.send(parts)
  }

  /// The requests that a path means, with the secrets that each is sent with.
  private func found(
    _ path: String, _ store: Store, dialect: DialectPreset?
  ) async throws(Stop) -> [Found] {
    let files = try await files(path, store)
    var found: [Found] = []
    var missing: [String] = []
    for (path, stored) in files {
      let settings = RequestFile(stored, secrets: [:], invocation, dialect: dialect).settings
      let choice = arguments.environment ?? stored.activeEnvironment ?? settings[.environment]
      let secrets = try await ask { () throws(StoreFailure) in
        try await stored.secrets(in: choice, from: store.secrets)
      }
      missing += secrets.missing.filter { !missing.contains($0) }
      found.append(Found(path: path, stored: stored, secrets: secrets.values))
    }
    CollectionsCommand.note(missing: missing, console)
    return found
  }

  /// The stored requests that a path means, in the order of the tree, each with its path.
  func files(
    _ path: String, _ store: Store
  ) async throws(Stop) -> [(path: String, file: StoredRequestFile)] {
    let item = try await item(path, store)
    let files = try await ask { () throws(StoreFailure) in
      guard let container = item.container else {
        return try await StoredRequestFile.read(id: item.id, from: store)
          .map { [(path: path, file: $0)] } ?? []
      }
      return try await StoredRequestFile.readAll(in: container, from: store)
    }
    guard !files.isEmpty else {
      if item.container == nil { throw .store(.collection(.notFound(item.id))) }
      throw .usage("`\(path)` has no requests; `postkit collections save` puts some into it")
    }
    return files
  }

  /// Notes which secret variables have no value, and how they get one.
  static func note(missing: [String], _ console: Console) {
    for name in missing {
      console.note(
        "postkit: warning: the secret variable `\(name)` has no value on this machine. Give it one "
          + "with `\(CollectionsForm.set.usage)`.")
    }
  }
}
