// `postkit run --history ID`: a request of the history is sent anew.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax

extension RunCommand {
  /// Sends the request of an exchange, as it was written then, with the environment of then unless
  /// another one is asked for.
  func resend(_ id: String) async -> Int32 {
    let found: Exchange?
    var file: RequestFile?
    do throws(StoreFailure) {
      (found, file) = try await invocation.withStore(
        { store throws(StoreFailure) in try await kept(id, store) }, failing: { $0 })
    } catch {
      if case .ambiguousID = error { return fail(Failure(.requestNotFound, "\(error)")) }
      return fail(Failure(.store, error.message(on: .commandLine)))
    }
    guard let exchange = found else {
      return fail(
        Failure(
          .requestNotFound,
          "exchange `\(id)` not found; `postkit history` lists all"))
    }
    if file == nil, FileSystem.exists(exchange.file) {
      switch RequestFile.read(exchange.file, invocation, dialect: dialect) {
      case .success(let found): file = found
      case .failure(let failure): return fail(failure)
      }
    }
    switch KeptRequest.find(exchange, in: file?.document) {
    case .failure(let failure): return fail(failure)
    case .success(let request): return await send(request, of: exchange, file)
    }
  }

  /// An exchange and, where it was sent from a stored request, that with its secrets of now.
  private func kept(
    _ id: String, _ store: Store
  ) async throws(StoreFailure) -> (Exchange?, RequestFile?) {
    let exchange = try await store.exchange(id: id)
    guard let request = exchange?.storedRequestID else { return (exchange, nil) }
    var found = try await StoredRequestFile.read(id: request, from: store)
    if found == nil {
      found = try await StoredRequestFile.readDeleted(id: request, from: store)
      if let found { invocation.console.note("postkit: \(found.deletedRemark)") }
    }
    guard let stored = found else { return (exchange, nil) }
    let environment = invocation.arguments.environment ?? exchange?.environment
    let secrets = try await stored.secrets(in: environment, from: store.secrets)
    CollectionsCommand.note(missing: secrets.missing, invocation.console)
    return (exchange, RequestFile(stored, secrets: secrets.values, invocation, dialect: dialect))
  }

  private func send(
    _ request: KeptRequest, of exchange: Exchange, _ file: RequestFile?
  ) async -> Int32 {
    if let remark = request.remark { invocation.console.complain(remark) }
    let isStored = StoredRequestFile.isHistoryName(exchange.file)
    // Which collection it was in nobody knows by then; the environments of another one could have
    // secrets that its server must not get.
    let isGone = isStored && file == nil
    if isGone, let name = exchange.environment, invocation.arguments.environment == nil {
      invocation.console.complain(
        "it was sent with the environment `\(name)`; give what it needs of that with `--var "
          + "KEY=VALUE`, or choose an environment with `--env NAME`")
    }
    let place = isStored ? FileSystem.absolute(FilePath.name(exchange.file)) : exchange.file
    let text = file?.with(request.bytes)
      ?? RequestFile(request.bytes, at: place, invocation, dialect: dialect)
    guard let block = text.document.block(at: request.offset), block.isRunnable else {
      return fail(
        Failure(
          .requestNotFound,
          "the history has too little of `\(exchange.id)` to send it again"))
    }
    return await send(
      [block.index], of: text, as: exchange.file, environment: isGone ? nil : exchange.environment,
      storedRequestID: exchange.storedRequestID)
  }
}
