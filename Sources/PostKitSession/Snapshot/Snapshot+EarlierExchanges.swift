// Looks for the earlier responses that references read.

import PostKitEvaluate
import PostKitHTTP
import PostKitStore
import PostKitSupport
import PostKitSyntax

extension Scope {
  /// The requests of a name whose answers give other names their values.
  fileprivate var definingRequests: [(name: String, place: RequestPlace)] {
    definingPlaces.compactMap { place in
      guard let name = files.block(place).name, files.place(ofRequest: name, from: file) == place
      else { return nil }
      return (name, place)
    }
  }

  /// Takes over what the names mean that are defined after earlier responses.
  mutating func define(after earlier: EarlierExchanges, _ context: EvaluationContext) {
    for (name, place) in definingRequests {
      guard let exchange = earlier.exchanges[name] else { continue }
      var scope = self
      scope.file = place.file
      add(
        Evaluator(context: context, scope: scope)
          .definitions(after: exchange, of: files.block(place)))
    }
  }
}

extension Snapshot {
  /// The earlier responses that references in the document read, or those of `chosen` requests
  /// alone.
  func earlierExchanges(
    of context: DocumentContext, _ scope: Scope, _ chosen: Set<String>?
  ) async -> EarlierExchanges {
    let read = chosen.map { $0.sorted() } ?? context.document.parsed.exchangeNames.names
    let names = read + scope.definingRequests.map(\.name)
    if names.isEmpty { return EarlierExchanges() }
    // Read before what it is the revision of, so that it is never newer than that.
    let revision = await rememberedNow(of: context.file).revision
    // What an open document imports may change without a trace in it.
    let isAlone =
      chosen == nil && scope.files.files.count == 1 && documents[context.document.uri] != nil
    if isAlone, let known = caches[context.document.uri]?.earlier,
      known.holds(for: context, revision: revision)
    {
      return known.exchanges
    }
    let found = EarlierExchanges(await exchanges(names, context, scope))
    if isAlone {
      let earlier = FoundExchanges(found, of: context, revision: revision)
      caches.keep(context.document.uri) { $0.earlier = earlier }
    }
    return found
  }

  private func exchanges(
    _ names: [String], _ context: DocumentContext, _ scope: Scope
  ) async -> [String: SessionMemory.Entry] {
    var sent: [Set<String>] = []
    for (index, file) in scope.files.files.enumerated() {
      sent.append(await sentRequests(of: index == 0 ? context.file : file.path))
    }
    var result: [String: SessionMemory.Entry] = [:]
    if sent.allSatisfy(\.isEmpty) { return result }
    for name in Set(names.flatMap(Evaluator.requestNames)).sorted() {
      guard let place = scope.files.place(ofRequest: name, from: 0) else { continue }
      let file = place.file == 0 ? context.file : scope.files.files[place.file].path
      let title = scope.files.block(place).name ?? name
      guard sent[place.file].contains(title) else { continue }
      result[name] = await earlier(title, file: file, context)
    }
    return result
  }

  /// The names of the requests of a file that were sent at all, here or by another process.
  private func sentRequests(of file: String) async -> Set<String> {
    let revision = await rememberedNow(of: file).revision
    if let known = caches.sentRequests(of: file, revision: revision) { return known }
    var names = session.memory.requestNames(file: file)
    if let store = await store.atHand() {
      do throws(StoreFailure) {
        names.formUnion(try await store.requestNames(file: file))
      } catch {
        Log.warning("What was sent before can't be read: \(error.message)")
      }
    }
    caches.keep(sent: names, of: file, revision: revision)
    return names
  }

  /// The latest answered exchange of a request: with true values where it was sent in this session,
  /// and as it is shown.
  package func earlier(
    _ name: String, file: String, _ context: DocumentContext
  ) async -> SessionMemory.Entry? {
    if let own = await remembered().latest(
      file: file, requestName: name, environment: context.environment)
    {
      return own
    }
    guard let store = await store.atHand() else { return nil }
    do throws(StoreFailure) {
      guard
        var stored = try await store.latestExchange(
          file: file, requestName: name, environment: context.environment)
      else { return nil }
      // Whatever its response held, its request has masks where credentials were.
      stored.isRedacted = true
      return SessionMemory.Entry(exchange: stored, masked: stored)
    } catch {
      Log.warning("An earlier response can't be read: \(error.message)")
      return nil
    }
  }
}
