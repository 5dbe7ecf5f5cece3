// What stands beside requests: lenses and hints.

package import PostKitEvaluate
package import PostKitSyntax

/// A line of actions above a request.
package struct CodeLens: Sendable, Hashable {
  /// What a lens does.
  package enum Action: Sendable, Hashable {
    case send
    case showResponse(id: String)
    case sendAll(count: Int)
    case selectEnvironment(current: String?)
    case copyAsCurl
  }
  package var range: Range<Int>
  package var title: String
  package var action: Action
}

/// A text behind a request line.
package struct ResultHint: Sendable, Hashable {
  /// How a result is drawn: what is on its way, what went well, what was ended, and all else.
  package enum State: String, Sendable, Hashable {
    case sending, done, failed, cancelled
  }
  /// The end of the request line.
  package var offset: Int
  package var text: String
  package var state: State
  /// The exchange's id; `nil` while there is none to show.
  package var id: String?
  package var tooltip: String
}

extension Analysis {
  /// The lenses of the file: two for the whole file on its first line, and those of each request.
  package func codeLenses(copiesAsCurl: Bool = false) -> [CodeLens] {
    let requests = document.batch(sharesBlocks: scope.dialect.sharesBlocks)
    guard !requests.isEmpty else { return [] }
    var lenses: [CodeLens] = []
    if requests.count > 1 {
      lenses.append(
        CodeLens(
          range: 0..<0, title: "Send all (\(requests.count))",
          action: .sendAll(count: requests.count)))
    }
    if !scope.environments.names.isEmpty || requests.count > 1 {
      let current = scope.environments.active
      lenses.append(
        CodeLens(
          range: 0..<0, title: "Environment: \(current ?? "none")",
          action: .selectEnvironment(current: current)))
    }
    for block in document.blocks where block.isRunnable {
      if isAbandoned() { break }
      let line = block.absolute(block.leadingLine)
      lenses.append(
        CodeLens(range: line, title: connects(block) ? "Connect" : "Send", action: .send))
      if let result = result(of: block) {
        lenses.append(
          CodeLens(range: line, title: result.summary, action: .showResponse(id: result.id)))
      }
      if copiesAsCurl, block.isRequest {
        lenses.append(CodeLens(range: line, title: "Copy as curl", action: .copyAsCurl))
      }
    }
    return lenses
  }

  /// Whether a request stays open for what comes: it is no question with one answer.
  private func connects(_ block: ParsedBlock) -> Bool {
    guard let request = block.syntax.request else { return false }
    let method = request.method.map { block.text($0).uppercased() } ?? ""
    if ["WS", "WSS", "WEBSOCKET", "SSE", "EVENTSOURCE", "GRPC"].contains(method) { return true }
    let target = request.target.first.map { block.text($0).lowercased() } ?? ""
    if target.hasPrefix("ws://") || target.hasPrefix("wss://") { return true }
    return request.headers.contains { header in
      block.text(header.name).lowercased() == "accept"
        && header.value.contains { block.text($0).lowercased().contains("text/event-stream") }
    }
  }

  /// The last results behind the request lines inside a range; `sending` are the blocks that are on
  /// their way.
  package func resultHints(
    in range: Range<Int>, sending: [Range<Int>] = []
  ) -> [ResultHint] {
    guard !results.isEmpty || !sending.isEmpty else { return [] }
    return document.requests.compactMap { block in
      let end = endOfRequestLine(block)
      guard range.lowerBound <= end, end <= range.upperBound, !isAbandoned() else { return nil }
      if sending.contains(block.range) {
        return ResultHint(
          offset: end, text: "sending…", state: .sending, id: nil, tooltip: "It is on its way.")
      }
      guard let result = result(of: block) else { return nil }
      return ResultHint(
        offset: end, text: result.summary + timeText(result),
        state: result.isWell ? .done : result.status == LastResult.cancelled ? .cancelled : .failed,
        id: result.id,
        tooltip: "\(result.method) \(result.url)")
    }
  }

  /// When a result came in: the time of today, else how many days ago; nothing where none did.
  private func timeText(_ result: LastResult) -> String {
    if result.isFailure { return "" }
    func local(_ milliseconds: Int64) -> Int64 {
      milliseconds / 1_000 + Int64(context.localOffsetSeconds(milliseconds / 1_000))
    }
    let (then, now) = (local(result.startedAt), local(context.now()))
    let days = now / 86_400 - then / 86_400
    if days > 0 { return "  \(days) d ago" }
    let minutes = then % 86_400 / 60
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "  \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// The request whose block holds an offset; a separator line belongs to the request below it.
  package func request(at offset: Int) -> ParsedBlock? {
    document.block(at: offset).flatMap { $0.isRequest ? $0 : nil }
  }

  /// The request as a `curl` line that reproduces it, or why it can't be built.
  /// `overrides` are values that outrank all others.
  package func lowered(
    _ block: ParsedBlock, overrides: [String: String] = [:]
  ) -> LoweredRequest {
    var scope = scope(of: block)
    scope.overrides.merge(overrides) { $1 }
    return Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope), defaults: defaults)
  }
}
