// Bringing a response in front of the user, by what the client can do.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// Responses as results and as documents.
enum SendResults {
  /// The answer to a send.
  static func result(
    _ snapshot: Snapshot, _ outcome: RunOutcome, _ place: SendPlace
  ) async -> LSP.PostkitSendResult {
    var result = await result(snapshot, outcome)
    let exchange = outcome.masked
    let last = exchange.map(LastResult.init)
    result.name = outcome.name
    result.title = ResponseText.title(
      outcome.name ?? "\(outcome.method) \(ResponseText.place(of: outcome.url))",
      result: last?.status)
    let words = last.map { (text: $0.summary, mood: $0.mood) }
      ?? ResultText.unsent(outcome.state, outcome.failure)
    result.summary = words.text
    result.mood = LSP.PostkitResultMood(words.mood)
    result.line = outcome.path == nil ? outcome.line - 1 : nil
    result.environment = place.context.environment
    result.method = outcome.method
    result.url = outcome.url
    result.remoteAddress = exchange?.remoteAddress
    let checks = exchange?.tests ?? []
    if !checks.isEmpty {
      result.checks = checks.map { LSP.PostkitCheck($0, place, path: outcome.path) }
    }
    if !outcome.output.isEmpty {
      result.output = outcome.output.map { LSP.PostkitOutputLine($0, place, path: outcome.path) }
    }
    let hops = exchange?.hops ?? []
    if !hops.isEmpty { result.redirects = hops.map(LSP.PostkitRedirect.init) }
    let warnings = outcome.problems.filter { $0.severity != .error }
    if !warnings.isEmpty { result.warnings = warnings.map(place.remark) }
    // What only a client that knows us looks at is worked out for those alone.
    guard snapshot.client.profile.postkit != nil else { return result }
    let asksFirst = place.context.environment.map { name in
      EnvironmentSet(
        sources: place.context.workspace.environmentSources(active: name), active: name
      ).asksFirst
    }
    if asksFirst == true { result.confirm = true }
    if let exchange { result.previousId = await ResponseDiff.previousID(snapshot, exchange) }
    return result
  }

  private static func result(
    _ snapshot: Snapshot, _ outcome: RunOutcome
  ) async -> LSP.PostkitSendResult {
    let exchange = outcome.masked
    let response = exchange?.response
    var uri: String?
    if let exchange { uri = await self.uri(snapshot, exchange) }
    let timings = exchange?.timings ?? Timings()
    func milliseconds(_ value: Int64) -> Double { Double(value) / 1_000 }
    return LSP.PostkitSendResult(
      id: outcome.id,
      state: LSP.PostkitExchangeState(rawValue: outcome.state.rawValue) ?? .failed,
      status: response?.status, ms: Double((timings.total + 500) / 1_000),
      size: Double(response?.decodedSize ?? 0), uri: uri,
      error: outcome.failure.map {
        LSP.PostkitFailure(
          code: $0.code.rawValue, message: $0.message, declined: $0.wasDeclined ? true : nil)
      },
      tests: LSP.PostkitTestCounts(
        passed: exchange?.tests.filter(\.passed).count ?? 0,
        failed: exchange?.tests.filter { !$0.passed }.count ?? 0),
      recorded: outcome.isRecorded,
      httpVersion: response?.httpVersion, reason: response?.reason,
      contentType: response?.headers.first("Content-Type"),
      timings: LSP.PostkitTimings(
        nameLookup: milliseconds(timings.nameLookup), connect: milliseconds(timings.connect),
        tls: milliseconds(timings.tls), firstByte: milliseconds(timings.firstByte),
        total: milliseconds(timings.total)))
  }

  /// A URI of the response that this client can open: content documents need no file.
  static func uri(_ snapshot: Snapshot, _ exchange: Exchange) async -> String? {
    // The whole selects nothing, so that nothing can be missing.
    try? await ResponseDocuments.uri(snapshot, exchange, .whole)
  }

  /// The text of a response.
  static func text(_ exchange: Exchange) -> String {
    if let pages = PagedBody(exchange) {
      return ResponseText.whole(exchange, body: [], page: pages.text(of: 1))
    }
    // Nothing is selected that could be missing.
    let part = try? ExchangePart(exchange, .response, .raw)
    let body = part?.lines(offset: 0, length: Limits.viewBodyBytes)
    return ResponseText.whole(exchange, body: body ?? [])
  }

  /// Asks the client to open a document; one that cannot is told where it is, unless it knows us,
  /// as it finds it in the answer. Its own is not waited for: a client may give it only when it has
  /// what it asked for itself.
  static func open(
    _ snapshot: Snapshot, _ uri: String, takesFocus: Bool, selection: LSP.Range? = nil
  ) {
    guard snapshot.client.profile.showsDocuments else {
      if snapshot.client.profile.postkit == nil {
        snapshot.client.showMessage(.info, "Open \(DocumentURI(uri).path ?? uri) to see it.")
      }
      return
    }
    snapshot.client.ask(
      LSP.ShowDocumentRequest.self, LSP.ShowDocumentParams(
        uri: uri, takeFocus: takesFocus, selection: selection)
    ) { answer in
      switch answer {
      case .success(let view) where view?["success"]?.bool == true: break
      case .success: Log.info("The client did not show \(uri).")
      case .failure(let error): Log.info("The client did not show \(uri): \(error.message)")
      }
    }
  }

  /// The response of an exchange.
  ///
  /// Throws `requestFailed` where there was none.
  static func response(of exchange: Exchange) throws(RPCError) -> Response {
    if let response = exchange.response { return response }
    throw RPCError(
      .requestFailed,
      "No response: \(exchange.failure?.message ?? "the request was cancelled.")")
  }

  /// An exchange of this session or of the history.
  ///
  /// Throws `contentModified` where it is gone.
  static func exchange(_ snapshot: Snapshot, id: String) async throws(RPCError) -> Exchange {
    let own = await snapshot.remembered().masked(id: id)
    if let own, own.hasItsBody { return own }
    if let store = await snapshot.store.existing() {
      do throws(StoreFailure) {
        if let stored = try await store.exchange(id: id) { return stored }
      } catch {
        throw RPCError(.requestFailed, error.message)
      }
    }
    if let own { return own }
    throw RPCError(
      .contentModified, "Exchange \(id) not found, neither in this session nor in the history.")
  }
}

extension SendResults {
  /// An exchange of this session with the values that are hidden elsewhere.
  ///
  /// Throws `contentModified` where only the history has it, which never had them.
  static func revealed(_ snapshot: Snapshot, id: String) async throws(RPCError) -> Exchange {
    guard var exchange = await snapshot.remembered().revealed(id: id) else {
      throw RPCError(
        .contentModified,
        "The hidden values of this response are not known any more. Send the request again.")
    }
    Log.info("The hidden values of a response were revealed to the client.")
    // A body in a file has moved into the history, masked.
    if !exchange.hasItsBody {
      exchange.response?.body = try await self.exchange(snapshot, id: id).response?.body ?? .empty
    }
    return exchange
  }
}

extension Exchange {
  /// Whether the bytes of the response are at hand: a body in a file moves when it is recorded.
  fileprivate var hasItsBody: Bool {
    if case .file = response?.body { false } else { true }
  }
}

extension LSP.PostkitResultMood {
  /// The protocol's form of how a result is drawn, which has the same words.
  init?(_ mood: ResultMood) { self.init(rawValue: mood.rawValue) }
}

extension LSP.PostkitRedirect {
  /// The protocol's form of an answer that led on, secrets masked.
  fileprivate init(_ hop: RedirectHop) {
    self.init(
      status: hop.status, method: hop.request.method, url: hop.request.url,
      location: hop.headers.first("Location"), ms: Double((hop.timings.total + 500) / 1_000))
  }
}
