// Telling the client that what it shows may be out of date, as often as a person can notice.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// Lets a refresh through at once, and later ones at most four times a second.
struct RefreshThrottle: Sendable {
  private var last: Int64?
  private var isScheduled = false

  /// What to do with a wish to refresh.
  enum Decision: Sendable, Hashable {
    case now
    case later(milliseconds: Int)
    /// One is scheduled that will do for this wish, too.
    case nothing
  }

  /// Decides at a time in microseconds.
  mutating func want(at now: Int64) -> Decision {
    guard let last, now - last < Int64(Limits.refreshMilliseconds) * 1_000 else {
      self.last = now
      return .now
    }
    if isScheduled { return .nothing }
    isScheduled = true
    let left = Int64(Limits.refreshMilliseconds) - (now - last) / 1_000
    return .later(milliseconds: max(1, Int(left)))
  }

  /// Notes that the scheduled time has come.
  mutating func isDue(at now: Int64) {
    isScheduled = false
    last = now
  }
}

extension ServerState {
  /// Something changed that answers depend on.
  mutating func refresh(_ change: Change) {
    guard mayTell else { return }
    stale.add(change)
    if !isWatchingStore { watchStore() }
    switch refreshing.want(at: Clock.monotonicMicroseconds) {
    case .now: tellAll()
    case .later(let time): inFlight.schedule(.refreshDue, afterMilliseconds: time)
    case .nothing: break
    }
  }

  /// What requests show at their lines while they are sent has changed, and nothing else.
  mutating func resultsMoved() {
    guard mayTell, client.profile.refreshesInlayHints else { return }
    switch refreshingResults.want(at: Clock.monotonicMicroseconds) {
    case .now: ask(LSP.InlayHintRefreshRequest.method)
    case .later(let time): inFlight.schedule(.resultsDue, afterMilliseconds: time)
    case .nothing: break
    }
  }

  /// The scheduled drawing of these.
  mutating func resultsDue() {
    refreshingResults.isDue(at: Clock.monotonicMicroseconds)
    if mayTell { ask(LSP.InlayHintRefreshRequest.method) }
  }

  /// More is known of the scripts of a document: only its diagnostics are others now.
  mutating func scriptsChecked(_ uri: DocumentURI) {
    guard mayTell else { return }
    guard client.profile.pullsDiagnostics else { return pushDiagnostics(uri) }
    guard client.profile.refreshesDiagnostics else { return }
    switch refreshingDiagnostics.want(at: Clock.monotonicMicroseconds) {
    case .now: ask(LSP.DiagnosticRefreshRequest.method)
    case .later(let time): inFlight.schedule(.scriptsDue, afterMilliseconds: time)
    case .nothing: break
    }
  }

  /// The scheduled question for these diagnostics.
  mutating func scriptsDue() {
    refreshingDiagnostics.isDue(at: Clock.monotonicMicroseconds)
    if mayTell { ask(LSP.DiagnosticRefreshRequest.method) }
  }

  /// The scheduled refresh.
  mutating func refreshNow() {
    refreshing.isDue(at: Clock.monotonicMicroseconds)
    tellAll()
  }

  private mutating func tellAll() {
    index.raise()
    guard mayTell else { return }
    if client.profile.refreshesInlayHints { ask(LSP.InlayHintRefreshRequest.method) }
    refreshTokens()
    if client.profile.refreshesCodeLenses { ask(LSP.CodeLensRefreshRequest.method) }
    let concerned = takeStale()
    if client.profile.pullsDiagnostics {
      // The client asks for all of its documents then.
      if client.profile.refreshesDiagnostics, !concerned.isEmpty {
        ask(LSP.DiagnosticRefreshRequest.method)
      }
    } else {
      for uri in concerned { pushDiagnostics(uri) }
    }
  }

  /// The open documents that were concerned by what has changed since the last refresh.
  private mutating func takeStale() -> [DocumentURI] {
    let now = stale
    stale = StaleDocuments()
    return documents.all.filter { document in
      now.concerns(document.uri, caches[document.uri]?.reading ?? document.parsed)
    }.map(\.uri)
  }

  /// Sends a request whose answer nobody needs.
  mutating func ask(
    _ method: String, params: (@Sendable (inout JSONWriter) -> Void)? = nil
  ) {
    let id = outgoing.register { _ in }
    reply(OutgoingMessage.request(id: id, method: method, params: params))
    inFlight.schedule(.callTimedOut(id: id), afterMilliseconds: Limits.clientAnswerMilliseconds)
  }

  /// Watches the store for changes, by other processes too, where somebody wants to know of them.
  mutating func watchStore() {
    let wantsEvents = client.profile.postkit?.storeEvents == true
    guard
      wantsEvents || client.profile.refreshesInlayHints || client.profile.refreshesCodeLenses
        || client.profile.refreshesDiagnostics || client.profile.readsContentDocuments
        || !session.lists.isEmpty
    else { return }
    isWatchingStore = true
    let access = store
    let (events, hasMissedStore) = (events, hasMissedStore)
    inFlight.startBackground {
      // Only who asked for store events makes a store come into being by that.
      let store = wantsEvents ? await access.store() : await access.existing()
      if let store {
        let changes = store.changes()
        // What came to be with it was told to nobody.
        if hasMissedStore { events.post(.storeWatched) }
        events.post(.storeWatchBegan)
        // Where the store can't be read, what changed counts as another's.
        var seen = try? await store.marks().changes
        for await change in changes {
          let now = try? await store.marks().changes
          events.post(.storeChanged(change, isOwnRecording: now != nil && now == seen))
          seen = now
        }
      }
      events.post(.storeWatchEnded)
    }
  }

  /// Brings the open lists up to date with a store that has come to be since they were opened.
  mutating func storeWatched() { refreshLists(Set(StoreScope.allCases)) }

  /// Passes a change of the store on; an exchange that was recorded here is told by its send.
  mutating func storeChanged(_ change: StoreChange, isOwnRecording: Bool) {
    if change.scopes.contains(.tokens) { session.keptTokens?.lookAgain() }
    guard mayTell else { return }
    if client.profile.postkit?.storeEvents == true {
      // Two may have one word.
      let scopes = StoreScope.allCases.filter(change.scopes.contains)
        .map(LSP.PostkitStoreScope.init)
        .reduce(into: [LSP.PostkitStoreScope]()) { if !$0.contains($1) { $0.append($1) } }
      client.notify(
        LSP.PostkitDidChangeStoreNotification.self,
        LSP.PostkitDidChangeStoreParams(revision: Double(change.revision), scopes: scopes))
    }
    if change.scopes.contains(.session) {
      tellStatus()
      followEnvironments()
    }
    refreshLists(change.scopes)
    refresh(Change(change.scopes, isOwnRecording: isOwnRecording))
  }

  /// Notes the environments that are chosen in the store, and tells of what others have chosen.
  mutating func followEnvironments() {
    let snapshot = snapshot
    inFlight.start(nil) {
      await Environments.followOthers(snapshot)
      return nil
    }
  }

  /// Tells what a status line shows, where the client wants to know.
  mutating func tellStatus() {
    guard client.profile.postkit?.status == true, mayTell else { return }
    let snapshot = snapshot
    let events = events
    inFlight.start(nil) {
      // Who shows one line alone shows the last: that of the first folder.
      for folder in snapshot.folders.reversed() {
        events.post(.status(await snapshot.status(of: folder)))
      }
      if snapshot.folders.isEmpty { events.post(.status(await snapshot.status(of: nil))) }
      return nil
    }
  }

  /// Passes on what the status line shows.
  func tell(_ status: LSP.PostkitStatusParams) {
    guard mayTell else { return }
    client.notify(
      LSP.PostkitStatusNotification.self, status,
      importance: .replaceable(key: "status \(status.folder ?? "")"))
  }
}

extension ServerState {
  /// Asks the client to paint anew where names mean something else now.
  mutating func refreshTokens() {
    guard client.profile.refreshesTokens, caches.hasTokens else { return }
    let snapshot = snapshot
    inFlight.start(nil) {
      guard await SemanticTokens.isOutOfDate(snapshot) else { return nil }
      do throws(RPCError) {
        _ = try await snapshot.client.request(
          LSP.SemanticTokensRefreshRequest.self, LSP.Nothing())
      } catch {
        Log.info("The client does not refresh its tokens: \(error.message)")
      }
      return nil
    }
  }
}

extension LSP.PostkitStoreScope {
  /// The protocol's word for a scope of the store.
  init(_ scope: StoreScope) {
    switch scope {
    case .history: self = .history
    // Clients of the last release know no word for tokens, which are got in an environment.
    case .session, .tokens: self = .environment
    case .cookies: self = .cookies
    case .collections: self = .collections
    }
  }
}

extension ServerState {
  /// Brings the open lists of what has changed up to date.
  mutating func refreshLists(_ scopes: Set<StoreScope>) {
    let snapshot = snapshot
    for document in documents.all {
      let isMeant =
        switch snapshot.shown(document.uri) {
        // What was sent last changes with each send.
        case .collections:
          scopes.contains(.collections) || scopes.contains(.history) && document.isSortedByUse
        case .cookies: scopes.contains(.cookies)
        case .session, .fetched: scopes.contains(.session)
        case .history, .statistics, .searches: scopes.contains(.history)
        default: false
        }
      guard isMeant else { continue }
      if document.uri.path == nil {
        let params = LSP.TextDocumentContentRefreshParams(uri: document.uri.spelling)
        ask(LSP.TextDocumentContentRefreshRequest.method) { params.encode(to: &$0) }
      } else {
        inFlight.start(nil) {
          await snapshot.rewriteList(document)
          return nil
        }
      }
    }
  }
}

extension OpenDocument {
  /// Whether a list of stored requests shows when they were sent.
  fileprivate var isSortedByUse: Bool {
    uri.queryItems.contains { $0 == ("sort", RequestQuery.Sort.recent.rawValue) }
  }
}
