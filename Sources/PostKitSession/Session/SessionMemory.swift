// What was sent in this session, with true values: references read them, and they can be shown when
// there is no history.

import PostKitEvaluate
package import PostKitHTTP
import PostKitLanguage
package import PostKitStore

/// The exchanges of this session; bounded, oldest forgotten first.
package struct SessionMemory: Sendable {
  /// An exchange as it was and as it may be shown.
  package struct Entry: Sendable {
    package var exchange: Exchange
    var masked: Exchange
    /// The secrets that were known when it was masked.
    package var secrets: Set<String> = []
    /// Whether the history has it, or had it before it was forgotten there.
    var isRecorded = false
    /// Bytes of the names and values of all its header fields and trailers.
    let headBytes: Int

    init(
      exchange: Exchange, masked: Exchange, secrets: Set<String> = [], isRecorded: Bool = false
    ) {
      (self.exchange, self.masked) = (exchange, masked)
      (self.secrets, self.isRecorded) = (secrets, isRecorded)
      let hops = exchange.hops.flatMap { $0.request.headers.fields + $0.headers.fields }
      let fields = exchange.request.headers.fields + (exchange.response?.headers.fields ?? [])
      headBytes = (hops + fields).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// The masked one for references that are only shown: what is masked can be sent all the same.
    var shown: Exchange {
      var result = masked
      result.isRedacted = exchange.isRedacted
      return result
    }

    /// What a display must not quote: the secrets, and the fields that are always masked.
    var hiddenTexts: Set<String> {
      let fields = exchange.request.headers.fields + (exchange.response?.headers.fields ?? [])
      return secrets.union(fields.filter { SecretMask.isAlwaysMasked($0.name) }.map(\.value))
    }
  }

  private var entries: [Entry] = []
  /// Bytes of the heads of all entries.
  private var headBytes: Int { entries.reduce(0) { $0 + $1.headBytes } }
  /// How often something was remembered or recorded, in all and by file.
  private var additions: UInt64 = 0
  private var additionsByFile: [String: UInt64] = [:]
  /// How often what was remembered before has changed.
  private var revisions: UInt64 = 0
  /// What was recorded and is about to be remembered.
  private var recorded: Set<String> = []
  /// Where what is not in the history yet waits for it, by ids.
  private(set) var waiting: [String: String] = [:]
  private var environments: [String: String?] = [:]
  private var trusted: [String: Bool] = [:]
  /// By folder, then by the question's name.
  private var answers: [String: [String: String]] = [:]
  private var globals: [WorkspaceEnvironment: [String: GlobalValue]] = [:]
  /// Globals that runs have removed, as long as a store may still have them.
  private var removedGlobals: [WorkspaceEnvironment: Set<String>] = [:]

  /// Enough for the requests of a file that refer to each other.
  private static let limit = 64
  /// Bytes of heads; in memory they take up to ten times as much. A server can send 300 kB each
  /// time, and nobody reads that.
  private static let headLimit = 2 << 20

  private mutating func noteAddition(of file: String) {
    additions += 1
    additionsByFile[file, default: 0] += 1
  }

  /// Remembers an exchange, and answers those that are forgotten for it.
  mutating func add(_ exchange: Exchange, masked: Exchange, secrets: Set<String>) -> [Exchange] {
    noteAddition(of: exchange.file)
    let isRecorded = recorded.remove(masked.id) != nil
    entries.append(
      Entry(exchange: exchange, masked: masked, secrets: secrets, isRecorded: isRecorded))
    var excess = headBytes - SessionMemory.headLimit
    var count = 0
    while entries.count - count > (excess > 0 ? 1 : SessionMemory.limit) {
      excess -= entries[count].headBytes
      count += 1
    }
    let oldest = entries.prefix(count)
    for entry in oldest { waiting[entry.masked.id] = nil }
    entries.removeFirst(count)
    return oldest.map(\.exchange)
  }

  /// Whether a response of the session was saved to a file, which has one of these paths.
  func hasSaved(_ paths: [String]) -> Bool {
    entries.contains { !Set($0.exchange.savedTo).isDisjoint(with: paths) }
  }

  /// Whether an exchange that is about to be remembered is in the history.
  func isRecorded(_ id: String) -> Bool { recorded.contains(id) }

  /// Notes that an exchange of a file, which is remembered or will be, is in the history.
  package mutating func noteRecorded(_ id: String, of file: String) {
    noteAddition(of: file)
    if let index = entries.lastIndex(where: { $0.masked.id == id }) {
      entries[index].isRecorded = true
    } else {
      recorded.insert(id)
    }
  }

  /// Notes that an exchange, which is remembered or will be, waits in a file for the history.
  package mutating func noteWaiting(_ id: String, at path: String) { waiting[id] = path }

  /// The remembered exchanges that are or were in the history, after those with these ids have come
  /// into it: whichever process takes one into it takes its file away.
  mutating func recordedIDs(withoutFiles gone: Set<String>) -> [String] {
    for entry in entries where gone.contains(entry.masked.id) {
      waiting[entry.masked.id] = nil
      noteRecorded(entry.masked.id, of: entry.masked.file)
    }
    return entries.filter(\.isRecorded).map(\.masked.id)
  }

  /// Forgets exchanges that a person made the history forget, and answers them.
  mutating func forget(_ ids: Set<String>) -> [Exchange] {
    let forgotten = entries.filter { ids.contains($0.masked.id) }
    entries.removeAll { ids.contains($0.masked.id) }
    if !forgotten.isEmpty { revisions += 1 }
    return forgotten.map(\.exchange)
  }

  /// Forgets all exchanges, and answers them.
  mutating func forgetAll() -> [Exchange] {
    defer { entries = [] }
    return entries.map(\.exchange)
  }

  /// The secrets of the remembered exchanges.
  package var secrets: Set<String> { entries.reduce(into: []) { $0.formUnion($1.hiddenTexts) } }

  /// A number that changes when an exchange of a file is remembered, recorded or forgotten, or one
  /// of any file.
  func additions(of file: String?) -> UInt64 {
    (file.map { additionsByFile[$0] ?? 0 } ?? additions) &+ revisions << 32
  }

  /// The exchange of an id, secrets masked.
  package func masked(id: String) -> Exchange? { entries.last { $0.exchange.id == id }?.masked }

  /// The exchange of an id with its true values; `nil` where nothing of it is hidden.
  package func revealed(id: String) -> Exchange? {
    guard let entry = entries.last(where: { $0.exchange.id == id }),
      entry.exchange.response != entry.masked.response || entry.exchange.hops != entry.masked.hops
    else { return nil }
    return entry.exchange
  }

  /// The newest exchange of all, secrets masked.
  package var newest: Exchange? { entries.last?.masked }

  /// The newest answered exchange of the same request before this one, secrets masked.
  package func masked(before exchange: Exchange) -> Exchange? {
    let request = RequestIdentity(exchange)
    return entries.last { entry in
      let other = entry.masked
      return other.response != nil && RequestIdentity(other) == request
        && (other.startedAt, other.id) < (exchange.startedAt, exchange.id)
    }?.masked
  }

  /// The newest answered exchange of a request (PK-58). A body that went to a
  /// file belongs to the store by now, so the store is asked for it.
  func latest(file: String, requestName: String, environment: String?) -> Entry? {
    entries.last { entry in
      guard let response = entry.exchange.response, case .bytes = response.body else {
        return false
      }
      return entry.exchange.file == file && entry.exchange.requestName == requestName
        && entry.exchange.environment == environment
    }
  }

  /// Gives what was sent from files that have other names now to these.
  package mutating func follow(_ moves: [FileMove]) {
    for index in entries.indices {
      let file = moves.moved(entries[index].exchange.file)
      entries[index].exchange.file = file
      entries[index].masked.file = file
    }
    // What was looked up by file is looked up anew.
    revisions += 1
  }

  /// The names of a file's requests that were answered.
  func requestNames(file: String) -> Set<String> {
    Set(entries.filter { $0.exchange.file == file }.compactMap(\.exchange.requestName))
  }

  /// The newest results of a file's requests, newest first.
  func results(file: String) -> [LastResult] {
    entries.reversed().filter { $0.masked.file == file }.map { entry in
      var result = LastResult(entry.masked)
      // Compared with the text of the file and never shown, so it must not be masked.
      result.template = entry.exchange.template
      result.noteLines(entry.masked)
      return result
    }
  }

  /// The environment chosen for a folder where no store could keep it.
  package func environment(folder: String) -> String?? { environments[folder] }

  /// The answer that lasts for this session.
  package func answer(_ name: String, folder: String) -> String? { answers[folder]?[name] }

  /// Remembers an answer for this session.
  package mutating func keep(_ answer: String, for name: String, folder: String) {
    answers[folder, default: [:]][name] = answer
  }

  /// The globals that only this session knows: secrets, and what no store keeps (PK-59).
  func globals(of owner: WorkspaceEnvironment) -> [String: GlobalValue] { globals[owner] ?? [:] }

  /// The globals that are gone although a store may have them.
  func removedGlobals(of owner: WorkspaceEnvironment) -> Set<String> {
    removedGlobals[owner] ?? []
  }

  /// Remembers for this session what a run has done to globals.
  mutating func keep(_ changes: GlobalChanges, of owner: WorkspaceEnvironment) {
    globals[owner, default: [:]].merge(changes.set) { _, new in new }
    for name in changes.removed { globals[owner]?[name] = nil }
    removedGlobals[owner, default: []].subtract(changes.set.keys)
    removedGlobals[owner, default: []].formUnion(changes.removed)
  }

  /// Leaves globals to the store.
  mutating func leave(globals names: [String], of owner: WorkspaceEnvironment) {
    for name in names { globals[owner]?[name] = nil }
    removedGlobals[owner]?.subtract(names)
  }

  /// Forgets the values that would be session values in a store.
  package mutating func forget(where isMeant: (WorkspaceEnvironment, SessionKey) -> Bool) {
    func isKept(_ folder: String, _ key: SessionKey) -> Bool {
      !isMeant(WorkspaceEnvironment(folder: folder, environment: nil), key)
    }
    environments = environments.filter { isKept($0.key, .environment) }
    trusted = trusted.filter { isKept($0.key, .trust) }
    for (folder, kept) in answers {
      answers[folder] = kept.filter { isKept(folder, .answer($0.key)) }
    }
    for (owner, kept) in globals {
      globals[owner] = kept.filter { !isMeant(owner, .global($0.key)) }
    }
  }

  /// Whether the user trusts a folder, where no store could keep it.
  package func isTrusted(folder: String) -> Bool? { trusted[folder] }

  /// Remembers whether the user trusts a folder.
  package mutating func trust(_ isTrusted: Bool, folder: String) { trusted[folder] = isTrusted }

  /// Leaves the choice for a folder to the store.
  package mutating func leaveEnvironment(folder: String) { environments[folder] = nil }

  /// Remembers the environment chosen for a folder.
  package mutating func choose(_ environment: String?, folder: String) {
    environments[folder] = .some(environment)
  }
}

extension LastResult {
  /// The line about an exchange.
  package init(_ exchange: Exchange) {
    self.init(
      id: exchange.id, requestName: exchange.requestName, line: exchange.line,
      method: exchange.request.method, url: exchange.request.url,
      status: LastResult.status(
        exchange.state, exchange.response?.status, exchange.response?.reason,
        exchange.failure?.code),
      isFailure: exchange.state != .done, milliseconds: Int((exchange.timings.total + 500) / 1_000),
      size: exchange.response?.decodedSize ?? 0, startedAt: exchange.startedAt)
    checks = exchange.tests
    contract = exchange.contract?.summary ?? ""
    hasFailedScript = exchange.state == .done && exchange.failure?.code == .scriptFailed
    if exchange.state == .failed { note(reason: exchange.failure?.message ?? "") }
  }

  /// What is said of the end of an exchange: `200 OK`, else why there was none.
  static func status(
    _ state: ExchangeState, _ status: Int?, _ reason: String?, _ failure: FailureCode?
  ) -> String {
    switch state {
    case .cancelled: return cancelled
    case .failed: return "failed: \(failure?.rawValue ?? "no response")"
    case .done:
      guard let status else { return "no response" }
      let phrase = reason.flatMap { $0.isEmpty ? nil : $0 } ?? Status.reason(status) ?? ""
      return phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
    }
  }
}
