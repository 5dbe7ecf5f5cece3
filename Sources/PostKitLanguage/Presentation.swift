// What stands beside requests: lenses and hints.

package import PostKitEvaluate
import PostKitHTTP
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
    /// Shows the operation in its description.
    case showOperation
  }
  package var range: Range<Int>
  package var title: String
  package var action: Action
}

/// A text behind a request line.
package struct ResultHint: Sendable, Hashable {
  /// The end of the request line.
  package var offset: Int
  package var text: String
  package var mood: ResultMood
  /// The exchange's id; `nil` while there is none to show.
  package var id: String?
  package var tooltip: String
}

/// How far a request is that is being sent, or was to be.
package enum SendMark: Sendable, Hashable {
  /// Others go before it, or a question does.
  case waiting
  /// It is on its way since so long ago.
  case sending(milliseconds: Int)
  /// Its run ended before its turn: why, and when, in milliseconds since 1970.
  case notSent(reason: String, time: Int64)

  /// Whether it is on its way.
  package var isSending: Bool { if case .sending = self { true } else { false } }
}

extension Analysis {
  /// The lenses of the file: two for the whole file on its first line, and those of each request.
  package func codeLenses(
    copiesAsCurl: Bool = false, showsOperations: Bool = false
  ) -> [CodeLens] {
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
      if showsOperations, let title = operationTitle(of: block) {
        lenses.append(CodeLens(range: line, title: title, action: .showOperation))
      }
    }
    return lenses
  }

  /// Whether a request stays open for what comes: it is no question with one answer.
  private func connects(_ block: ParsedBlock) -> Bool {
    guard let request = block.syntax.request else { return false }
    let method = request.method.map { block.text($0).uppercased() } ?? ""
    if OtherProtocol.named(method)?.staysOpen == true { return true }
    let target = request.target.first.map { block.text($0).lowercased() } ?? ""
    if OtherProtocol.webSocket.schemes.contains(where: { target.hasPrefix($0 + "://") }) {
      return true
    }
    return request.headers.contains { header in
      block.text(header.name).lowercased() == "accept"
        && header.value.contains { block.text($0).lowercased().contains("text/event-stream") }
    }
  }

  /// The last results behind the request lines inside a range; `marks` are those of the blocks that
  /// are being sent, or were to be.
  package func resultHints(
    in range: Range<Int>, marks: [Range<Int>: SendMark] = [:]
  ) -> [ResultHint] {
    guard !results.isEmpty || !marks.isEmpty else { return [] }
    return document.requests.compactMap { block in
      let end = endOfRequestLine(block)
      guard range.lowerBound <= end, end <= range.upperBound, !isAbandoned() else { return nil }
      let result = result(of: block)
      if let mark = marks[block.range], let hint = hint(mark, at: end, result) { return hint }
      guard let result else { return nil }
      return ResultHint(
        offset: end, text: result.summary + timeText(result),
        mood: result.mood, id: result.id,
        tooltip: "\(result.method) \(result.url)")
    }
  }

  /// What a request shows that is being sent, or was to be; `nil` where its result says more.
  private func hint(_ mark: SendMark, at end: Int, _ result: LastResult?) -> ResultHint? {
    switch mark {
    case .waiting:
      return ResultHint(
        offset: end, text: "waiting", mood: .waiting, id: nil,
        tooltip: "This request has not been sent yet.")
    case .sending(let time):
      let text = time < 1_000 ? "sending…" : "sending… \(DurationText.text(time))"
      return ResultHint(
        offset: end, text: text, mood: .sending, id: nil,
        tooltip: "This request is running.")
    case .notSent(let reason, let time):
      if let result, result.startedAt > time { return nil }
      return ResultHint(
        offset: end, text: ResultText.notSent, mood: .cancelled, id: nil, tooltip: reason)
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
  /// `overrides` are values that outrank all others, `answers` those of what it asks for.
  package func lowered(
    _ block: ParsedBlock, overrides: [String: String] = [:], answers: [String: String] = [:]
  ) -> LoweredRequest {
    var scope = scope(of: block)
    scope.overrides.merge(overrides) { $1 }
    // An answer to what nobody asks defines nothing.
    let asked = scope.prompted
    scope.prompted = asked.merging(answers.filter { asked[$0.key] != nil }) { $1 }
    scope.answers.prompts.merge(answers) { $1 }
    return Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope), defaults: defaults)
  }
}
