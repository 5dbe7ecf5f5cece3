// Lists for pickers and tree views, and pages of bodies.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers of `postkit/history`, `exchange`, `environments` and `variables`.
enum HistoryPages {
  /// `postkit/history`: a page, newest first or in the order that is asked for.
  static func history(
    _ snapshot: Snapshot, _ params: LSP.PostkitHistoryParams
  ) async throws(RPCError) -> LSP.PostkitHistoryResult {
    let limit = min(max(params.limit ?? 50, 1), 200)
    var query = try HistoryQuery(params, limit: limit + 1)
    if let cursor = params.cursor {
      guard let after = HistoryQuery.Cursor(text: cursor) else {
        throw RPCError(.invalidParams, "params.cursor: expected the cursor of an earlier page.")
      }
      guard after.sort == query.sort else {
        throw RPCError(
          .invalidParams,
          "params.cursor: it is from the order `\(after.sort.rawValue)`. Ask for the first page "
            + "again.")
      }
      query.after = after
    }
    query = try await resolved(snapshot, query)
    // Before the rows: a revision newer than them would hide what is missing in them.
    let revision = await revision(snapshot)
    let (entries, notice) = try await search(snapshot, query)
    let page = entries.prefix(limit)
    return LSP.PostkitHistoryResult(
      items: page.map(item),
      cursor: entries.count > limit
        ? page.last.map { HistoryQuery.Cursor($0, sort: query.sort).text } : nil,
      revision: Double(revision), notice: notice,
      count: params.count == true ? try await count(snapshot, query) : nil)
  }

  /// How many exchanges a query asks for, on whatever page.
  static func count(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> Int {
    guard let store = await snapshot.store.existing() else { return 0 }
    do throws(StoreFailure) { return try await store.historyCount(query) } catch {
      throw RPCError(error)
    }
  }

  /// The query with the id of the stored request that it names by a path.
  static func resolved(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> HistoryQuery {
    guard query.storedRequestID != nil, let store = await snapshot.store.existing() else {
      return query
    }
    do throws(StoreFailure) { return try await store.resolved(query) } catch {
      throw RPCError(error)
    }
  }

  /// Rows of the history; none where there is no history yet. The notice says that some may not
  /// have been found.
  static func search(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> (entries: [ExchangeSummary], notice: String?) {
    guard let store = await snapshot.store.existing() else { return ([], nil) }
    let query = try await resolved(snapshot, query)
    do throws(StoreFailure) {
      let found = try await store.searchHistory(query)
      // Not every client shows it with what was found.
      if query.text != nil { await snapshot.store.tellNotices(of: store) }
      return found
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  /// The revision of the history; 0 where there is none yet.
  static func revision(_ snapshot: Snapshot) async -> Int64 {
    guard let store = await snapshot.store.existing() else { return 0 }
    do throws(StoreFailure) {
      return try await store.revision()
    } catch {
      Log.warning("The revision of the store can't be read: \(error.message)")
      return 0
    }
  }

  /// RFC 3339 in UTC with milliseconds.
  static func time(_ milliseconds: Int64) -> String {
    DateFormat.iso8601(CivilDate(milliseconds: milliseconds))
  }

  private static func item(_ entry: ExchangeSummary) -> LSP.PostkitHistoryItem {
    let last = LastResult(entry)
    return LSP.PostkitHistoryItem(
      id: entry.id, time: time(entry.startedAt), file: entry.file, name: entry.requestName,
      environment: entry.environment, method: entry.method, url: entry.url,
      state: LSP.PostkitExchangeState(rawValue: entry.state.rawValue) ?? .failed,
      status: entry.status, ms: Double(entry.milliseconds), size: Double(entry.size),
      error: entry.failureCode?.rawValue, pinned: entry.isPinned ? true : nil, label: entry.label,
      note: entry.note, summary: last.summary, mood: LSP.PostkitResultMood(last.mood))
  }

  /// A piece of a request or response.
  static func exchange(
    _ snapshot: Snapshot, _ params: LSP.PostkitExchangeParams
  ) async throws(RPCError) -> LSP.PostkitExchangeResult {
    let exchange = try await SendResults.exchange(snapshot, id: params.id)
    let part = try ExchangePart(
      exchange, params.part ?? .response, params.view ?? .raw, select: params.select)
    let length = Int(min(max(params.length ?? 65_536, 1), 1_048_576))
    let offset = Int(min(max(params.offset ?? 0, 0), Double(part.total)))
    var page = part.page(offset: offset, length: length)
    page.size = SizeText.text(part.total)
    if params.view == .record {
      let (last, failed) = (LastResult(exchange), exchange.tests.count { !$0.passed })
      page.summary = last.summary
      page.mood = LSP.PostkitResultMood(last.mood)
      page.tests = exchange.tests.isEmpty
        ? nil : TestsText.text(passed: exchange.tests.count - failed, failed: failed)
    }
    return page
  }

  /// `postkit/environments`.
  static func environments(
    _ snapshot: Snapshot, _ params: LSP.PostkitEnvironmentsParams
  ) async throws(RPCError) -> LSP.PostkitEnvironmentsResult {
    LSP.PostkitEnvironmentsResult(
      items: await environments(snapshot, params.textDocument?.uri),
      stored: await storedEnvironments(snapshot))
  }

  /// The environments that the store keeps for stored requests, secrets masked.
  static func storedEnvironments(_ snapshot: Snapshot) async -> [LSP.PostkitStoredEnvironment] {
    guard let store = await snapshot.store.existing() else { return [] }
    do throws(StoreFailure) {
      return try await store.environmentsWithOwners().map { item, collection in
        LSP.PostkitStoredEnvironment(
          id: item.environment.id, name: item.environment.name, collection: collection?.name,
          active: collection?.activeEnvironmentID == item.environment.id,
          variables: item.variables.map {
            LSP.PostkitStoredVariable(
              id: $0.id, name: $0.key, value: $0.value?.shown, masked: $0.isSecret)
          })
      }
    } catch {
      Log.warning("The stored environments can't be read: \(error.message)")
      return []
    }
  }

  /// The environments around a document, or of all folders: those of the same name in several are
  /// told as one.
  static func environments(
    _ snapshot: Snapshot, _ uri: String?
  ) async -> [LSP.PostkitEnvironment] {
    if let uri { return await environments(snapshot, around: DocumentURI(uri)) }
    let folders = snapshot.folders.compactMap(\.uri.path)
    var result: [LSP.PostkitEnvironment] = []
    for folder in folders.isEmpty ? [FileSystem.homeDirectory] : folders {
      let place = DocumentURI(path: FilePath.join(folder, "x.http"))
      for item in await environments(snapshot, around: place) {
        guard let index = result.firstIndex(where: { $0.name == item.name }) else {
          result.append(item)
          continue
        }
        result[index].files += item.files.filter { !result[index].files.contains($0) }
        result[index].active = result[index].active || item.active
        result[index].confirm = result[index].confirm ?? item.confirm
      }
    }
    return result
  }

  private static func environments(
    _ snapshot: Snapshot, around place: DocumentURI
  ) async -> [LSP.PostkitEnvironment] {
    let folder = snapshot.folder(of: place)
    let workspace = await snapshot.readableWorkspace(of: place)
    let settings = snapshot.settings(of: workspace).settings
    await snapshot.waitForStore()
    let active = await snapshot.activeEnvironment(folder, settings)
    let files = EnvironmentSources(workspace.environmentSources(active: active))
    return files.set(active: active).names.map { name in
      LSP.PostkitEnvironment(
        name: name, files: files.paths(defining: name), active: name == active,
        confirm: files.set(active: name).asksFirst ? true : nil)
    }
  }

  /// `postkit/variables`: what can be used at a place, secrets masked.
  static func variables(
    _ snapshot: Snapshot, _ params: LSP.PostkitVariablesParams
  ) async throws(RPCError) -> LSP.PostkitVariablesResult {
    guard snapshot.holdsRequests(DocumentURI(params.textDocument.uri)) else {
      return LSP.PostkitVariablesResult(items: [])
    }
    let document = try await snapshot.sendable(params.textDocument.uri)
    let revealed = Set(params.reveal ?? [])
    var context = await snapshot.context(of: document, environment: params.environment)
    if !revealed.isEmpty {
      // Masks stand for the secrets of stored environments until somebody needs the values.
      do throws(StoreFailure) { context = try await context.withSecrets(snapshot) } catch {
        throw RPCError(error)
      }
    }
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let offset = params.position.map { context.converter(snapshot).offset($0) }
      ?? document.text.bytes.count
    return LSP.PostkitVariablesResult(
      items: analysis.scope.definitions(at: offset).map { definition in
        let isHidden = definition.isSecret && !revealed.contains(definition.name)
        if definition.isSecret, !isHidden {
          Log.info("The value of \(definition.name) was revealed to the client.")
        }
        let file = definition.origin.path.isEmpty && definition.origin.layer == .file
          ? context.file : definition.origin.path
        return LSP.PostkitVariable(
          name: definition.name, value: isHidden ? nil : definition.shownText,
          masked: isHidden,
          origin: LSP.PostkitVariableOrigin(file: file, line: definition.origin.line))
      })
  }
}
