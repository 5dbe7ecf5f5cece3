// What a run knows of the scripts that read a response while it comes in (SC-31).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax
import PostKitText
import PostKitTransport

/// Who reads the response that comes in.
struct StreamState: Sendable {
  /// The scripts by the numbers of their subscriptions.
  var callers: [Int: ScriptCaller] = [:]
  /// The subscriptions that want no more.
  var unsubscribed: Set<Int> = []
  /// Whether a script has ended the response.
  var isDisconnected = false
  /// What the latest job has subscribed to.
  var latest: [Int] = []
}

extension RunState {
  /// Whether a script reads a response item by item, by its words.
  mutating func readsItems(_ script: PlannedScript, _ services: RunServices) -> Bool {
    if let text = script.syntax.text, !script.block.slice(text).mayReadItems { return false }
    let caller = ScriptCaller(
      place: RequestPlace(file: script.file, block: script.block.index), phase: .response,
      script: script, exchange: nil)
    guard case .success(let text) = scriptText(script, caller, services) else { return false }
    let words = ScriptWords([text.text]).bare
    return !words.isDisjoint(with: ["onEachLine", "onEachMessage", "$requestClient"])
  }

  /// The moment with a body that a script reads line by line, though it is whole. A value stays
  /// one: it gets what lines are read by.
  mutating func reads(
    _ script: PlannedScript, itemsOf moment: ScriptMoment, _ services: RunServices
  ) -> ScriptMoment {
    let kind = moment.response?.kind
    guard kind == .text || kind == .json, readsItems(script, services) else { return moment }
    var moment = moment
    if kind == .text { moment.response?.kind = .stream }
    moment.response?.isReadByItem = true
    return moment
  }

  /// Notes whose subscriptions are new since a job of a script.
  mutating func noteSubscriptions(of caller: ScriptCaller) {
    for number in scripts.stream?.latest ?? [] where scripts.stream?.callers[number] == nil {
      scripts.stream?.callers[number] = caller
    }
    scripts.stream?.latest = []
  }

  /// Ends a subscription, or all of them.
  mutating func unsubscribe(_ call: ScriptCall) -> ScriptAnswer {
    let number = call.argument(0).int ?? 0
    if number == 0 {
      scripts.stream?.isDisconnected = true
    } else {
      scripts.stream?.unsubscribed.insert(number)
    }
    return .value(.null)
  }

  /// Request and response as scripts see them when the head is there.
  func moment(at head: ItemStream.Head, _ request: PreparedRequest) -> ScriptMoment {
    let spec = request.spec
    let type = head.headers.first("Content-Type").flatMap(MediaType.init)
    return ScriptMoment(
      request: scriptRequest(
        request.place, method: spec.method, url: spec.url, headers: spec.headers,
        body: spec.bodyAtHand, isWritable: false),
      response: ScriptResponse(
        status: head.status, reason: head.reason, protocol: head.version,
        headers: head.headers.fields, body: nil, kind: .stream,
        mime: type?.essence ?? "application/octet-stream",
        charset: type?.parameter("charset") ?? "utf-8",
        name: scope.files.block(request.place).name))
  }
}

extension ArraySlice<UInt8> {
  /// Whether a word that reads a response item by item may stand in a script.
  fileprivate var mayReadItems: Bool {
    withUnsafeBufferPointer { bytes in
      bytes.indices.dropLast(6).contains { index in
        bytes[index] == UInt8(ascii: "o") && bytes[index...].starts(with: "onEach".utf8)
          || bytes[index] == UInt8(ascii: "$") && bytes[index...].starts(with: "$requestC".utf8)
      }
    }
  }
}
