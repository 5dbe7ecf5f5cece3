// The earlier responses that references read, kept while neither the references nor the history
// change: a file may read those of thousands of requests, and somebody types into it.

import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitSyntax
import Synchronization

/// What the references of a file find, by the name that they have there.
struct EarlierExchanges: Sendable {
  /// The exchanges with true values where they were sent in this session.
  var exchanges: [String: ReferencedExchange] = [:]
  /// The same as they are shown.
  var shown: [String: ReferencedExchange] = [:]
  /// What a display must not quote.
  var secrets: Set<String> = []
  /// Which exchanges they are, and whether they are whole.
  var ids: [String: String] = [:]

  init(_ entries: [String: SessionMemory.Entry] = [:]) {
    for (name, entry) in entries {
      exchanges[name] = ReferencedExchange(entry.exchange)
      shown[name] = ReferencedExchange(entry.shown)
      secrets.formUnion(entry.hiddenTexts)
      ids[name] = entry.exchange.id + (entry.exchange.isRedacted ? " masked" : "")
    }
  }
}

/// The last look-ups of a session.
final class EarlierExchangesCache: Sendable {
  /// What an answer was made of.
  private struct Found {
    let file: String
    let environment: String?
    let revision: UInt64
    // Objects, so that no other can have their identity while they are held.
    let names: NameIndex
    let reads: ExchangeNames
    let exchanges: EarlierExchanges
  }

  /// The names of a file's requests that were sent, and when that was so.
  private struct Sent {
    let revision: UInt64
    let names: Set<String>
  }

  private struct State {
    var found: [DocumentURI: Found] = [:]
    var sent: [String: Sent] = [:]
  }

  private let state = Mutex(State())

  /// The answer for a document of which nothing has changed that it depends on.
  func exchanges(of context: DocumentContext, revision: UInt64) -> EarlierExchanges? {
    guard let found = state.withLock({ $0.found[context.document.uri] }),
      found.revision == revision, found.file == context.file,
      found.environment == context.environment, found.names === context.document.parsed.names,
      found.reads === context.document.parsed.exchangeNames
    else { return nil }
    return found.exchanges
  }

  /// Keeps an answer.
  func keep(_ exchanges: EarlierExchanges, of context: DocumentContext, revision: UInt64) {
    let parsed = context.document.parsed
    let found = Found(
      file: context.file, environment: context.environment, revision: revision,
      names: parsed.names, reads: parsed.exchangeNames, exchanges: exchanges)
    state.withLock { $0.found[context.document.uri] = found }
  }

  /// The names of the requests of a file that were sent.
  func sent(of file: String, revision: UInt64) -> Set<String>? {
    state.withLock { $0.sent[file].flatMap { $0.revision == revision ? $0.names : nil } }
  }

  /// Keeps the names of the requests of a file that were sent.
  func keep(sent names: Set<String>, of file: String, revision: UInt64) {
    state.withLock { $0.sent[file] = Sent(revision: revision, names: names) }
  }

  /// Forgets documents that are no longer open, and all files, which are looked up fast enough.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    state.withLock { state in
      guard state.found.keys.contains(where: { !isOpen($0) }) else { return }
      state.found = state.found.filter { isOpen($0.key) }
      state.sent = [:]
    }
  }
}

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
    let revision = await services.rememberedNow(of: context.file).revision
    let cache = services.earlierExchanges
    // What an open document imports may change without a trace in it.
    let isAlone =
      chosen == nil && scope.files.files.count == 1 && documents[context.document.uri] != nil
    if isAlone, let known = cache.exchanges(of: context, revision: revision) { return known }
    let found = EarlierExchanges(await exchanges(names, context, scope))
    if isAlone { cache.keep(found, of: context, revision: revision) }
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
    let revision = await services.rememberedNow(of: file).revision
    if let known = services.earlierExchanges.sent(of: file, revision: revision) { return known }
    var names = services.memory.requestNames(file: file)
    if let store = await services.store.atHand() {
      do throws(StoreFailure) {
        names.formUnion(try await store.requestNames(file: file))
      } catch {
        Log.warning("What was sent before can't be read: \(error.message)")
      }
    }
    services.earlierExchanges.keep(sent: names, of: file, revision: revision)
    return names
  }

  /// The latest answered exchange of a request: with true values where it was sent in this session,
  /// and as it is shown.
  package func earlier(
    _ name: String, file: String, _ context: DocumentContext
  ) async -> SessionMemory.Entry? {
    if let own = await services.remembered().latest(
      file: file, requestName: name, environment: context.environment)
    {
      return own
    }
    guard let store = await services.store.atHand() else { return nil }
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
