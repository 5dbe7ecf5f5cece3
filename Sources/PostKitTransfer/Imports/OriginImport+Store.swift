// An import from another tool into the store: made anew, gone on with, or merged into what people
// have made of it since.

package import PostKitStore
import PostKitSupport

/// Brings what an order names into the store.
package struct OriginStoreImport: Sendable {
  /// What came of it.
  package struct Outcome: Sendable {
    package var report: ImportReport
    /// The id of the collection; `nil` where nothing was written.
    package var collection: String?
    /// What the store could not take, and what is there besides.
    package var warnings: [String] = []
    /// Why the store refuses, for who has words of their own for that.
    package var failure: ImportFailure?
  }

  let order: OriginImport
  /// The store, opened when something was read; `nil` where there is none.
  let open: @Sendable () async throws(StoreFailure) -> Store?
  /// What is stored of a request.
  let content: @Sendable (ImportedRequest) -> StoredRequestContent
  let report: @Sendable (String) -> Void

  /// How often an import is decided anew because others have changed the collections meanwhile.
  private static let attempts = 8

  /// Makes an import; `report` is told how far it is.
  package init(
    _ order: OriginImport, store: @escaping @Sendable () async throws(StoreFailure) -> Store?,
    content: @escaping @Sendable (ImportedRequest) -> StoredRequestContent,
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.order, open, self.content, self.report) = (order, store, content, report)
  }

  /// Reads, merges and writes. A cancelled task ends it between two transactions.
  package func run() async -> Outcome {
    var outcome = Outcome(report: ImportReport(sources: order.inputs.map(\.name)))
    do throws(OriginImport.Stop) {
      do throws(ImportFailure) {
        try await run(&outcome)
      } catch {
        outcome.failure = error
        throw OriginImport.Stop(Self.word(error.reason), error.message)
      }
    } catch {
      outcome.report.error = error.word
      outcome.report.message = error.message
    }
    return outcome
  }

  private static func word(_ reason: ImportFailure.Reason) -> ImportReport.Word {
    switch reason {
    case .cancelled: .cancelled
    case .noStore, .store: .store
    case .file, .otherFile: .unreadable
    case .unusable, .nameTaken, .complete: .usage
    }
  }

  private func run(_ outcome: inout Outcome) async throws(ImportFailure) {
    var read = try await collected(after: nil, &outcome)
    guard var origin = read else { return }
    let store = try await asked(origin.collection) { () throws(StoreFailure) in try await open() }
    guard store != nil || order.mode != .write else { throw ImportFailure(.noStore) }
    for _ in 0..<Self.attempts {
      guard let store, let earlier = try await earlier(origin.collection, in: store) else {
        return try await make(origin, in: store, &outcome)
      }
      let base: ImportManifest
      do throws(ImportManifest.Failure) {
        base = try ImportManifest(Array(earlier.manifest.utf8))
      } catch {
        throw ImportFailure(
          .unusable(
            "What an import remembers of the collection `\(origin.collection.storedName)` can't be "
              + "used. `--name` makes another collection."))
      }
      let there = earlier.variables
      let isOther = origin.credentials.contains { id, names in
        base.requests[id].map { $0.secrets != names } ?? there.has([id: names])
      }
      if base.options != origin.head.options || isOther || there.has(origin.namedHere) {
        read = try await collected(after: base, besides: there, &outcome)
        guard let again = read else { return }
        origin = again
      }
      try requireSame(base, origin)
      if try await merge(origin, into: earlier.id, base, of: store, &outcome) { return }
    }
    throw ImportFailure(.store(.collection(.stale)), origin.collection.name)
  }

  private func collected(
    after earlier: ImportManifest?, besides there: VariablesThere = VariablesThere(),
    _ outcome: inout Outcome
  ) async throws(ImportFailure) -> OriginImport.Collected? {
    var prepared = order
    prepared.writing.variablesThere = there
    let order = prepared
    let (collected, read) = await ImportWatch.perform(report: report) {
      order.collected(after: earlier, $0)
    }
    outcome.report = read
    outcome.report.isDry = order.mode != .write
    outcome.report.collection = collected?.collection.storedName
    return collected
  }

  /// The collection that an import has made, with what that remembers, and its variables.
  private func earlier(
    _ collection: ImportedCollection, in store: Store
  ) async throws(ImportFailure) -> (id: String, manifest: String, variables: VariablesThere)? {
    let name = collection.storedName
    return try await asked(collection) { () throws(StoreFailure) in
      try await store.look { reader throws(StoreFailure) in
        for namesake in try reader.collections(named: name) {
          if let manifest = try reader.importManifest(ofCollection: namesake.id) {
            var variables = VariablesThere()
            for variable in try reader.environments(of: namesake.id).flatMap(\.variables) {
              variables.add(variable.key, variable.isSecret ? nil : variable.value)
            }
            return (namesake.id, manifest, variables)
          }
        }
        return nil
      }
    }
  }

  private func asked<Value>(
    _ collection: ImportedCollection, _ work: () async throws(StoreFailure) -> Value
  ) async throws(ImportFailure) -> Value {
    do throws(StoreFailure) { return try await work() } catch {
      throw ImportFailure(Task.isCancelled ? .cancelled : .store(error), collection.storedName)
    }
  }

  /// Refuses a collection that the import of something else has made: all of that would seem to
  /// have gone from the origin.
  private func requireSame(
    _ base: ImportManifest, _ origin: OriginImport.Collected
  ) throws(ImportFailure) {
    let ids = Set(origin.ids.values)
    let isSame = base.format == origin.head.format
      && (base.requests.isEmpty || ids.isEmpty || ids.contains { base.requests[$0] != nil }
        || !Set(base.sources).isDisjoint(with: origin.head.sources))
    if isSame { return }
    throw ImportFailure(
      .unusable(
        "The collection `\(origin.collection.storedName)` has the import of \(base.format) in it. "
          + "`--name` makes another one."))
  }

  // MARK: - A new collection

  /// Makes a collection, or goes on with one that was broken off, and remembers the import.
  private func make(
    _ origin: OriginImport.Collected, in store: Store?, _ outcome: inout Outcome
  ) async throws(ImportFailure) {
    let collection = origin.collection
    guard let store, order.mode == .write else {
      var merge = CollectionMerge(
        origin, collection.plan(as: Identifier.next(), content: content), in: StoredOrigin(),
        base: nil, rule: order.rule, content: content)
      return try take(try Self.changes(&merge), &outcome)
    }
    let made = CollectionImport(of: collection, into: store, content: content)
    let summary = try await made.run(replaces: order.isForced) { progress in
      report("\(progress.done) of \(progress.total) requests")
    }
    var merge = CollectionMerge(
      origin, collection.plan(as: summary.collection, content: content), in: StoredOrigin(),
      base: nil, rule: order.rule, content: content)
    let changes = try Self.changes(&merge)
    let manifest = changes.edits.filter { if case .setImportManifest = $0 { true } else { false } }
    _ = try await asked(collection) { () throws(StoreFailure) in
      try await CollectionEditor(store).importEdits { _ throws(StoreFailure) in
        CollectionPlan(manifest)
      }
    }
    outcome.collection = summary.collection
    outcome.warnings = summary.warnings
    outcome.report.files = changes.files
    if summary.kept > 0 {
      // Which of them were there is not known one by one.
      outcome.report.files = []
      outcome.warnings.append("\(summary.kept) of the requests existed already and are kept.")
    }
  }

  private static func changes(
    _ merge: inout CollectionMerge
  ) throws(ImportFailure) -> CollectionChanges {
    do throws(OriginFailure) { return try merge.run() } catch {
      throw ImportFailure(.unusable(error.message))
    }
  }

  // MARK: - A merge

  /// Merges into a collection; `false`, and nothing is changed, where the collections have changed
  /// since they were read.
  private func merge(
    _ origin: OriginImport.Collected, into id: String, _ base: ImportManifest, of store: Store,
    _ outcome: inout Outcome
  ) async throws(ImportFailure) -> Bool {
    let (collection, rule, content) = (origin.collection, order.rule, content)
    let plan = collection.plan(as: id, content: content)
    let planned = plan.edits.compactMap(\.madeID)
    let stored = try await asked(collection) { () throws(StoreFailure) in
      try await store.look { reader throws(StoreFailure) in
        try StoredOrigin(of: id, planned: planned, reader)
      }
    }
    let merged = await ImportWatch.perform(report: report) {
      _ -> Result<CollectionChanges, ImportFailure> in
      var merge = CollectionMerge(
        origin, plan, in: stored, base: base, rule: rule, content: content)
      do throws(ImportFailure) { return .success(try Self.changes(&merge)) } catch {
        return .failure(error)
      }
    }
    let changes = try merged.get()
    try take(changes, &outcome)
    outcome.collection = id
    outcome.warnings = plan.warnings
    guard order.mode == .write, outcome.report.error == nil, !changes.edits.isEmpty else {
      return true
    }
    if Task.isCancelled { throw ImportFailure(.cancelled, collection.storedName) }
    do throws(StoreFailure) {
      // What was decided on is what is there.
      try await CollectionEditor(store).importEdits(ifRevision: stored.revision) {
        _ throws(StoreFailure) in
        CollectionPlan(changes.edits, secrets: changes.secrets)
      }
    } catch {
      if error == .collection(.stale) { return false }
      throw ImportFailure(Task.isCancelled ? .cancelled : .store(error), collection.storedName)
    }
    return true
  }

  /// Tells what changes; with `--check` and with conflicts that nobody may win that is the end.
  private func take(
    _ changes: CollectionChanges, _ outcome: inout Outcome
  ) throws(ImportFailure) {
    let name = outcome.report.collection ?? ""
    outcome.report.files = changes.files
    outcome.report.conflicts = changes.conflicts
    outcome.report.notes += changes.notes
    if order.rule == .stop, !changes.conflicts.isEmpty {
      outcome.report.files = []
      outcome.report.error = .conflict
      outcome.report.message = OriginImport.conflictMessage(changes.conflicts.count)
    } else if order.mode == .check, !changes.isUpToDate {
      outcome.report.error = .changes
      outcome.report.message =
        "The collection `\(name)` is not what the source says; import again without --check."
    }
  }
}
