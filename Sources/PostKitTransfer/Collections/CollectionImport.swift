// An import into the store: in transactions of bounded size, so that others can write in between,
// and with ids that are the same each time, so that one that was broken off can be gone on with.

package import PostKitStore
package import PostKitSupport
import PostKitText

/// Brings a collection into a store.
package struct CollectionImport: Sendable {
  private let collection: ImportedCollection
  private let store: Store
  /// What is stored of a request.
  private let content: @Sendable (ImportedRequest) -> StoredRequestContent

  /// How far an import is, in requests.
  package struct Progress: Sendable, Hashable {
    package var done: Int
    package var total: Int
  }

  /// What came of an import.
  package struct Summary: Sendable, Hashable {
    /// The id of the collection.
    package var collection: String
    /// Its name.
    package var name: String
    /// How many requests were made or brought up to date.
    package var requests: Int
    /// How many were there before and were left as they are.
    package var kept: Int
    /// What was left out, and what is there besides.
    package var warnings: [String]

    /// What came of it, as a sentence.
    package var sentence: String {
      let rest = kept == 0 ? "" : "; \(kept) existed already"
      return "Imported \(requests) request\(requests == 1 ? "" : "s") into `\(name)`\(rest)."
    }
  }

  /// Makes an import of a collection.
  package init(
    of collection: ImportedCollection, into store: Store,
    content: @escaping @Sendable (ImportedRequest) -> StoredRequestContent
  ) {
    self.collection = collection
    self.store = store
    self.content = content
  }

  /// Edits of one transaction at most.
  private static let batchEdits = 250
  /// Bytes of requests in one transaction at most, but for one that alone has more.
  private static let batchBytes = 1 << 20

  /// Puts the collection into the store. Where an earlier import of it was broken off, what is
  /// missing is added and the rest left as it is; with `replaces` all of it is brought up to date.
  /// Between two transactions `progress` is told how far it is, and a cancelled task ends it.
  package func run(
    replaces: Bool, progress: (Progress) async -> Void
  ) async throws(ImportFailure) -> Summary {
    for _ in 0..<Self.attempts {
      let start = try await begin(replaces: replaces)
      if let summary = try await run(start, replaces: replaces, progress) { return summary }
    }
    throw ImportFailure(.store(.collection(.stale)), collection.name)
  }

  /// How often an import begins anew because others have made what it was to make.
  private static let attempts = 8

  /// Carries out what is planned; `nil`, and nothing is changed, where it was planned on what the
  /// collections no longer have when the first transaction begins.
  private func run(
    _ start: Start, replaces: Bool, _ progress: (Progress) async -> Void
  ) async throws(ImportFailure) -> Summary? {
    let total = start.plan.requestCount
    var done = start.plan.edits.count { $0.isRequest && start.isKnown($0) }
    var summary = Summary(
      collection: start.plan.collection, name: collection.storedName, requests: 0,
      kept: replaces ? 0 : done,
      warnings: start.plan.warnings.map(\.oneLine))
    var rest = start.plan.edits[...]
    if replaces {
      done = 0
    } else {
      rest = rest.filter { !start.skips($0) }[...]
    }
    var isFirst = true
    while !rest.isEmpty {
      await progress(Progress(done: done, total: total))
      guard !Task.isCancelled else { throw ImportFailure(.cancelled, collection.name, done, total) }
      let batch = Array(CollectionImport.batch(of: &rest))
      let made = Set(batch.compactMap(\.madeID))
      let secrets = start.plan.secrets.filter { made.contains($0.key) }
      let premise = isFirst ? start.premise : nil
      do throws(StoreFailure) {
        try await CollectionEditor(store).importEdits { reader throws(StoreFailure) in
          if let premise { try premise.check(reader) }
          return CollectionPlan(batch, secrets: secrets)
        }
      } catch {
        if isFirst, error == .collection(.stale) { return nil }
        throw ImportFailure(
          Task.isCancelled ? .cancelled : .store(error), collection.name, done, total)
      }
      isFirst = false
      let count = batch.count(where: \.isRequest)
      (done, summary.requests) = (done + count, summary.requests + count)
    }
    await progress(Progress(done: done, total: total))
    summary.warnings += try await remark(onOthersThan: start.plan, done)
    return summary
  }

  /// What is said of requests of the collection that are not among those imported. Nobody knows
  /// whether they were made there or have gone from the folder, so that they are left alone.
  private func remark(
    onOthersThan plan: ImportPlan, _ done: Int
  ) async throws(ImportFailure) -> [String] {
    let id = plan.collection
    let ids: [String]
    do throws(StoreFailure) {
      ids = try await store.fetch(
        FetchDescriptor<Model.HTTPRequest>(where: { $0.collectionID == id })) { ($0.id) }
    } catch {
      throw ImportFailure(.store(error), collection.name, done, plan.requestCount)
    }
    let imported = Set(plan.edits.compactMap(\.madeID))
    let count = ids.count { !imported.contains($0) }
    if count == 0 { return [] }
    let what = count == 1
      ? "1 request of the collection `\(collection.name)` is not among those imported; it stays"
      : "\(count) requests of the collection `\(collection.name)` are not among those imported; "
        + "they stay"
    return [(what + " until somebody deletes \(count == 1 ? "it" : "them").").oneLine]
  }

  /// What is to be done, and what of it was done before.
  private struct Start: Sendable {
    var plan: ImportPlan
    var premise: Premise
    var hasActiveEnvironment = false

    /// Whether an edit makes what is there.
    func isKnown(_ edit: CollectionEdit) -> Bool {
      edit.madeID.map(premise.known.contains) ?? false
    }

    /// Whether an edit has nothing to add: what was chosen meanwhile stays chosen, too.
    func skips(_ edit: CollectionEdit) -> Bool {
      if case .activate = edit { return hasActiveEnvironment }
      return isKnown(edit)
    }
  }

  /// What an import was planned on. Its first transaction looks at it again, so that of two imports
  /// that found nothing the second goes on with what the first has made.
  private struct Premise: Sendable {
    /// The name of the collection.
    var name: String
    /// The collections that had the name.
    var namesakes: [String]
    /// The ids of what is planned.
    var planned: [String]
    /// Those of them that were there.
    var known: Set<String> = []

    /// Refuses where the collections have changed in this since.
    func check(_ reader: CollectionReader) throws(StoreFailure) {
      guard try reader.collections(named: name).map(\.id) == namesakes,
        try reader.known(planned) == known
      else { throw .collection(.stale) }
    }
  }

  /// Finds the collection that an earlier import has begun, or plans a new one.
  private func begin(replaces: Bool) async throws(ImportFailure) -> Start {
    let (found, namesakes): (Start?, [String])
    do throws(StoreFailure) {
      (found, namesakes) = try await store.look {
        (reader) throws(StoreFailure) -> (Start?, [String]) in
        let namesakes = try reader.collections(named: collection.storedName)
        return (try earlier(among: namesakes, reader), namesakes.map(\.id))
      }
    } catch {
      throw ImportFailure(.store(error), collection.name)
    }
    guard let found else {
      guard namesakes.isEmpty else { throw ImportFailure(.nameTaken, collection.name) }
      return start(as: Identifier.next(), among: [])
    }
    guard replaces || found.premise.known.count < found.premise.planned.count
    else { throw ImportFailure(.complete, collection.name) }
    return found
  }

  /// An import under the id of a collection, with nothing done yet.
  private func start(as id: String, among namesakes: [String]) -> Start {
    let plan = collection.plan(as: id, content: content)
    return Start(
      plan: plan,
      premise: Premise(
        name: collection.storedName, namesakes: namesakes,
        planned: plan.edits.compactMap(\.madeID)))
  }

  /// The collection that has something of this import, or nothing at all.
  private func earlier(
    among namesakes: [Model.Collection], _ reader: CollectionReader
  ) throws(StoreFailure) -> Start? {
    for namesake in namesakes {
      var start = start(as: namesake.id, among: namesakes.map(\.id))
      start.premise.known = try reader.known(start.premise.planned)
      start.hasActiveEnvironment = namesake.activeEnvironmentID != nil
      // The collection itself is one of them.
      if start.premise.known.count > 1 { return start }
      if try reader.contents(of: namesake.id).isEmpty { return start }
    }
    return nil
  }

  /// Takes the edits of the next transaction.
  private static func batch(
    of rest: inout ArraySlice<CollectionEdit>
  ) -> ArraySlice<CollectionEdit> {
    var bytes = 0
    let end = rest.prefix(batchEdits).firstIndex { edit in
      guard case .createRequest(_, let content, _, _) = edit else { return false }
      bytes += content.source.utf8.count
      return bytes > batchBytes
    }
    let count = end.map { max(1, $0 - rest.startIndex) } ?? min(batchEdits, rest.count)
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// Why an import did not come to its end; what was imported until then stays.
package struct ImportFailure: Error, Sendable, Hashable {
  /// What stopped it.
  package enum Reason: Sendable, Hashable {
    case cancelled
    /// A folder or file can't be read.
    case file(FileFailure)
    /// A file of this name is not one that requests are written in.
    case otherFile(String)
    /// There is nothing to import; the reason, and what was left out.
    case unusable(String, warnings: [String] = [])
    case noStore
    /// There is another collection with the name.
    case nameTaken
    /// All of it is there already.
    case complete
    case store(StoreFailure)
  }

  package let reason: Reason
  /// What happened, how far it came, and what to do.
  package let message: String

  /// Makes the failure of an import; `total` is `nil` where nothing had begun.
  init(_ reason: Reason, _ collection: String = "", _ done: Int = 0, _ total: Int? = nil) {
    self.reason = reason
    let what = switch reason {
    case .cancelled: "The import was cancelled."
    case .file(let failure): "\(failure)"
    case .otherFile(let name):
      "\(name) is not a \(Importers.endings) file; name one, or a folder with some."
    case .unusable(let reason, _): reason
    case .noStore: "The store is not available, so nothing was imported."
    case .nameTaken:
      "Another collection is called `\(collection)` already. Choose another name, "
        + "or delete it first."
    case .complete:
      "The collection `\(collection)` already has all of this. Overwrite it to bring it up to "
        + "date, or choose another name."
    case .store(let failure): failure.message
    }
    let rest = total.map {
      " \(done) of \($0) requests are in the collection `\(collection)`; repeat the import to add "
        + "the others."
    }
    message = what + (rest ?? "")
  }
}

extension CollectionEdit {
  /// The id of what the edit makes; `nil` for one that makes nothing.
  var madeID: String? {
    switch self {
    case .createCollection(let id, _, _), .createFolder(let id, _, _, _),
      .createRequest(let id, _, _, _), .createEnvironment(let id, _, _, _),
      .createVariable(let id, _, _, _):
      id
    default: nil
    }
  }

  fileprivate var isRequest: Bool { if case .createRequest = self { true } else { false } }
}
