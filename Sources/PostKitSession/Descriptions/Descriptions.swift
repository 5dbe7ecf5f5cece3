// The owner of what was read of APIs, descriptions and GraphQL schemas alike: each is read once,
// when something asks for it, and again when its files change or its service is asked anew.

import PostKitRunner
import PostKitStore
import PostKitSupport

/// Reads descriptions and schemas on threads that nobody types on, and keeps them while documents
/// are open.
package actor Descriptions {
  /// What was read.
  enum Reading: Sendable {
    case description(FileDescriptions.Reading)
    case schema(SchemaReading)
  }

  /// What was read once.
  struct Entry: Sendable {
    let reading: Reading
    /// The files that it was read of.
    var files: ReadFiles
    /// When what a service says was fetched, in milliseconds since 1970-01-01T00:00:00Z; `nil` for
    /// files.
    var time: Int64?
    /// The number of the last question for it.
    fileprivate(set) var asked = 0

    /// Makes an entry.
    init(_ reading: Reading, _ files: ReadFiles, time: Int64? = nil) {
      (self.reading, self.files, self.time) = (reading, files, time)
    }
  }

  /// What somebody asks for.
  struct Wish: Sendable {
    let key: String
    /// What people call it.
    let name: String
    let workspace: Workspace
    /// When it was fetched.
    var time: Int64?
    let read: @Sendable () async -> Entry
  }

  private var entries: [String: Entry] = [:]
  private var loading: [String: Task<Void, Never>] = [:]
  /// Who is to be told once all that is being read is read, by their documents.
  private var waiting: [String: @Sendable () -> Void] = [:]
  /// What is meant where no tag says anything, by folder.
  var surroundings: [String: Surroundings] = [:]
  /// How often something was asked.
  private var questions = 0
  /// Whether no document is open.
  private var isResting = false

  /// How many readings are kept: the descriptions of a folder and a few schemas.
  private static let limit = DescriptionFinder.limit + 4
  /// After how long without an open document and a question all is forgotten.
  private static let keptMicroseconds: Int64 = 60_000_000

  /// Where what was fetched is kept.
  private let store: StoreAccess?

  /// Does something after so many microseconds.
  private let later: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void

  /// Nothing was read; tests turn a clock of their own.
  package init(
    _ store: StoreAccess? = nil,
    later: @escaping @Sendable (Int64, @escaping @Sendable () -> Void) -> Void = { span, act in
      _ = Alarm.shared.schedule(afterMicroseconds: span, act)
    }
  ) {
    (self.store, self.later) = (store, later)
  }

  // MARK: - Reading

  /// What was read under a key, or what it was before it changed; `nil` for nothing yet.
  func known(_ key: String) -> Reading? { entries[key]?.reading }

  /// Reads what is wished for and was not read, or is not as it was, in at most so many
  /// milliseconds; whether all is known as it is now. What takes longer goes on.
  func read(_ wishes: [Wish], within milliseconds: Int?, _ client: ClientProxy) async -> Bool {
    questions += 1
    // What is being read already may be what was there before.
    for _ in 0..<2 {
      let tasks = wishes.compactMap { reading(of: $0, client) }
      if tasks.isEmpty { return true }
      if milliseconds == 0 { return false }
      let wait: @Sendable () async -> Bool = {
        for task in tasks { await task.value }
        return true
      }
      if let milliseconds {
        guard await Waiting.value(within: milliseconds, of: wait) == true else { return false }
      } else {
        _ = await wait()
      }
    }
    return wishes.allSatisfy(isCurrent)
  }

  private func isCurrent(_ wish: Wish) -> Bool {
    guard let entry = entries[wish.key] else { return false }
    return entry.time == wish.time && entry.files.isCurrent(in: wish.workspace)
  }

  /// The task that reads something; `nil` where it is known as it is now.
  private func reading(of wish: Wish, _ client: ClientProxy) -> Task<Void, Never>? {
    entries[wish.key]?.asked = questions
    if isCurrent(wish) { return nil }
    if let task = loading[wish.key] { return task }
    // Unstructured on purpose: it goes on when whoever asked has given up.
    let task = Task(executorPreference: WorkerPool.acting) {
      let entry = await ProgressScope.around(
        client, clientToken: nil, title: "Reading \(wish.name)", onShown: { _ in }
      ) { _ in await wish.read() }
      await self.keep(wish.key, entry)
    }
    loading[wish.key] = task
    return task
  }

  /// Calls `tell` once all is read that is being read; the last word of a document counts.
  func whenRead(_ document: String, _ tell: (@Sendable () -> Void)?) {
    if !loading.isEmpty, let tell { waiting[document] = tell }
  }

  private func keep(_ key: String, _ entry: Entry) {
    loading[key] = nil
    var entry = entry
    entry.asked = questions
    entries[key] = entry
    let oldest = entries.min { $0.value.asked < $1.value.asked }
    if entries.count > Self.limit, let oldest, oldest.value.asked < questions {
      entries[oldest.key] = nil
    }
    guard loading.isEmpty else { return }
    for tell in waiting.values { tell() }
    waiting = [:]
  }

  /// The row of what a service has said; `nil` for a service that was not asked.
  func service(
    _ kind: Model.DescribedService.Kind, _ key: String, _ environment: String
  ) async -> Model.DescribedService? {
    // A store that can't be read has none, which its own messages tell.
    try? await store?.existing()?.service(kind, key: key, environment: environment)
  }

  /// When descriptions were fetched that have a URL, by that.
  func times(of urls: [String]) async -> [String: Int64] {
    var result: [String: Int64] = [:]
    let kind = Model.DescribedService.Kind.openAPI
    for url in urls where url.contains("://") {
      guard let key = kind.key(of: url), let store = await store?.existing() else { continue }
      // A store that can't be read has none.
      result[url] = (try? await store.serviceTime(kind, key: key, environment: "")) ?? nil
    }
    return result
  }

  // MARK: - Forgetting

  /// Notes whether documents are open. A minute after the last was closed all is forgotten, unless
  /// something was asked in that minute; while one is open the readings stay that were asked for
  /// last.
  package func rest(_ isResting: Bool) {
    self.isResting = isResting
    if isResting { forgetLater() }
  }

  private func forgetLater() {
    guard !entries.isEmpty || !surroundings.isEmpty || !loading.isEmpty else { return }
    let seen = questions
    later(Self.keptMicroseconds) {
      // Unstructured on purpose: nobody waits for it.
      Task(executorPreference: WorkerPool.acting) { await self.forget(unlessAskedSince: seen) }
    }
  }

  private func forget(unlessAskedSince seen: Int) {
    guard isResting else { return }
    if questions == seen {
      (entries, surroundings) = ([:], [:])
      // Nothing else happens in a server that rests, so that it would be kept for ever.
      Heap.giveBack(ifAtLeast: 0)
    } else {
      forgetLater()
    }
  }
}
