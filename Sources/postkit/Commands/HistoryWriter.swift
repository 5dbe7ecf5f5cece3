// The history of a run: opened while the first request is under way, written in groups.

import PostKitEvaluate
import PostKitHTTP
import PostKitStore
import PostKitSupport
import Synchronization

/// Writes exchanges to a store that may still be opening.
final class HistoryWriter: Sendable {
  private let opening: Task<Result<Store, StoreFailure>, Never>
  private let writesEachAtOnce: Bool
  /// Whether there was a history before this run.
  private let isThere: Bool
  private let notice = Mutex<String?>(nil)
  /// What is told where exchanges wait for another process.
  private let waiting = Mutex<StoreNotice?>(nil)

  private let location: StoreLocation
  private let retention: Retention
  private let bodyByteLimit: Int

  /// Starts to open the store, on the thread of `executor`. A single request is committed before it
  /// is reported; the requests of a batch are committed in groups.
  init(
    _ location: StoreLocation, executor: SerialQueueExecutor, isBatch: Bool,
    retention: Retention = Retention(), bodyByteLimit: Int = Limits.keptBodyBytes
  ) {
    writesEachAtOnce = !isBatch
    self.location = location
    self.retention = retention
    self.bodyByteLimit = bodyByteLimit
    isThere = FileSystem.exists(location.historyPath)
    let store = Store.closed(location, bodyByteLimit: bodyByteLimit, executor: executor)
    opening = Task.detached(executorPreference: store.taskExecutor) {
      do throws(StoreFailure) {
        try await store.openForRun()
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Puts an exchange into the history, and answers whether it is kept. Of what is committed in
  /// groups `finish` knows more.
  func record(_ exchange: Exchange) async -> Bool {
    switch await opening.value {
    case .failure(let failure):
      return keepWaiting(exchange, failure)
    case .success(let store):
      if writesEachAtOnce {
        do throws(StoreFailure) { try await store.record(exchange) } catch {
          return keepWaiting(exchange, error)
        }
      } else if store.enqueue(exchange) {
        await store.catchUp()
      }
      return true
    }
  }

  private func keepWaiting(_ exchange: Exchange, _ failure: StoreFailure) -> Bool {
    keepWaiting(because: failure) { () throws(StoreFailure) in
      try location.keepWaiting(exchange, bodyByteLimit: bodyByteLimit)
    }
  }

  /// Keeps something in a file where only another process is in the way.
  private func keepWaiting(
    because failure: StoreFailure, _ file: () throws(StoreFailure) -> Void
  ) -> Bool {
    guard let notice = failure.waitingNotice else {
      keep(failure)
      return false
    }
    do throws(StoreFailure) { try file() } catch {
      keep(error)
      return false
    }
    waiting.withLock { $0 = $0 ?? notice }
    return true
  }

  /// Keeps a change of cookies or session values, in a file where another process is in the way.
  private func keep(_ change: SessionChange) async {
    guard !change.isEmpty else { return }
    let failure: StoreFailure
    switch await opening.value {
    case .failure(let reason): failure = reason
    case .success(let store):
      do throws(StoreFailure) {
        // Whoever has waited in vain once does not wait as long again.
        if waiting.withLock({ $0 == nil }) { return try await store.keep(change) }
        return try await store.waiting(atMost: Limits.storeTurnMilliseconds) {
          store throws(StoreFailure) in
          try store.keep(change)
        }
      } catch {
        failure = error
      }
    }
    _ = keepWaiting(because: failure) { () throws(StoreFailure) in
      try location.keepWaiting(change)
    }
  }

  /// The store; `nil` where it can't be opened, which is told at the end.
  func store() async -> Store? {
    // Nothing is wrong with it in this place.
    try? await opening.value.get()
  }

  /// The last answer to a question in a project; `nil` where there is none.
  func lastAnswer(_ name: String, folder: String) async -> String? {
    guard case .success(let store) = await opening.value else { return nil }
    // Without it nothing is offered; a store that is broken is told of at the end.
    return try? await store.sessionValue(SessionKey.answer(name).text, folder: folder)
  }

  /// Keeps an answer, to be offered the next time.
  func keep(answer: String, to name: String, folder: String) async {
    await keep(.answer(answer, to: name, folder: folder))
  }

  /// What `postkit describe --fetch` has kept of a URL; `nil` for a file.
  func fetched(_ path: String) async -> [UInt8]? {
    let kind = Model.DescribedService.Kind.openAPI
    guard isThere, path.contains("://"), let key = kind.key(of: path),
      case .success(let store) = await opening.value
    else { return nil }
    // A store that can't be read has none, and is told of at the end.
    return try? await store.service(kind, key: key, environment: "")?.content
  }

  /// The cookies of earlier runs. Where there is no history yet, there is nothing to wait for.
  func cookies(of jar: WorkspaceEnvironment) async -> [Cookie] {
    guard isThere, case .success(let store) = await opening.value else { return [] }
    do throws(StoreFailure) { return try await store.cookies(of: jar) } catch { keep(error) }
    return []
  }

  /// Keeps what a run changed in its cookies.
  func change(_ changes: CookieChanges, of jar: WorkspaceEnvironment) async {
    await keep(.cookies(changes, of: jar))
  }

  /// The globals of earlier runs.
  func globals(of owner: WorkspaceEnvironment) async -> [String: GlobalValue] {
    guard isThere, case .success(let store) = await opening.value else { return [:] }
    do throws(StoreFailure) {
      return GlobalValue.kept(try await store.globals(of: owner))
    } catch {
      keep(error)
      return [:]
    }
  }

  /// Keeps what a run has done to globals.
  func keep(globals changes: GlobalChanges, of owner: WorkspaceEnvironment) async {
    let (kept, secret) = changes.set.parted
    await keep(.globals(kept, forgetting: secret + changes.removed, of: owner))
  }

  /// Commits what is left and closes; answers what the user should know, if there is anything, and
  /// the ids of what could not be kept after all.
  func finish() async -> (remark: String?, lost: Set<String>) {
    var remarks = waiting.withLock { $0.map { [$0.message] } } ?? []
    var lost: Set<String> = []
    switch await opening.value {
    case .success(let store):
      // What was sent is shown by now; nobody waits for more than a few milliseconds.
      var patience: Int64 = 50
      if writesEachAtOnce { patience = await store.isTurnToTrim() ? 5 : 0 }
      let end = await store.conclude(trimming: retention, milliseconds: patience)
      if let failure = end.failure { keep(failure) }
      let isTold = !remarks.isEmpty
      remarks += end.notices.filter { !isTold || $0.kind != .exchangesWait }.map(\.message)
      lost = end.lost
    case .failure(let failure):
      if remarks.isEmpty { keep(failure) }
    }
    if let notice = notice.withLock({ $0 }) {
      remarks.insert("the history was not written: \(notice)", at: 0)
    }
    return (remarks.isEmpty ? nil : remarks.joined(separator: " "), lost)
  }

  private func keep(_ failure: StoreFailure) {
    notice.withLock { if $0 == nil { $0 = failure.message(on: .commandLine) } }
  }
}
