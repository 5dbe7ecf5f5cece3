// What a send has to ask the user: values, and whether something may be done.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitRunner
import PostKitSession
import PostKitSupport

/// Asks the user.
enum UserQuestions {
  /// What became of a question with buttons.
  enum Choice: Sendable, Hashable {
    /// The place of the button that was pressed.
    case button(Int)
    /// The question was closed, or left open for long.
    case nothing
    /// The client has no way to ask.
    case cannotAsk
  }

  /// Shows a question with buttons. A client that never answers must not keep a send for ever, so
  /// a question that is left open counts as closed after some time.
  static func choose(_ client: ClientProxy, _ question: String, _ buttons: [String]) async -> Choice
  {
    guard client.profile.asksWithButtons else { return .cannotAsk }
    let params = LSP.ShowMessageRequestParams(
      type: .warning, message: question, actions: buttons.map { LSP.MessageActionItem(title: $0) })
    do throws(RPCError) {
      let answer = try await client.request(
        LSP.ShowMessageRequest.self, params, timeoutMilliseconds: Limits.questionMilliseconds)
      return answer.flatMap { buttons.firstIndex(of: $0.title) }.map { .button($0) } ?? .nothing
    } catch {
      Log.info("The client did not answer a question: \(error.message)")
      return error.code == .methodNotFound ? .cannotAsk : .nothing
    }
  }

  /// Refuses what needs a text from the user where the client can't ask for one; `instead` says how
  /// to do without.
  static func requireText(_ client: ClientProxy, instead: String) throws(RPCError) {
    if client.profile.postkit?.input == true { return }
    throw RPCError(.requestFailed, "This editor can't ask for text. \(instead)")
  }

  /// Lets the user pick one of several; `nil` where nothing was picked. A person who asked for it
  /// takes the time that it takes. Where the client can't ask, `instead` says how to do without.
  static func pick(
    _ client: ClientProxy, _ question: String, _ buttons: [String], instead: String
  ) async throws(RPCError) -> String? {
    do throws(RPCError) {
      let params = LSP.ShowMessageRequestParams(
        type: .info, message: question, actions: buttons.map { LSP.MessageActionItem(title: $0) })
      return try await client.request(
        LSP.ShowMessageRequest.self, params, timeoutMilliseconds: nil)?.title
    } catch {
      throw error.asFailure("The editor did not show what there is to choose", instead)
    }
  }

  /// Lets the user enter a text, in a field that shows `proposal`; `nil` where nothing was entered.
  /// For clients with such fields alone; a person who asked for it takes the time that it takes.
  static func text(
    _ client: ClientProxy, _ title: String, _ proposal: String?
  ) async throws(RPCError) -> String? {
    let answer = try await client.request(
      LSP.PostkitInputRequest.self,
      LSP.PostkitInputParams(
        id: Identifier.next(), title: title, kind: .text, default: proposal),
      timeoutMilliseconds: nil)
    return answer?.value
  }

  /// Whether requests may be sent because another one needs their responses.
  static func sendFirst(
    _ client: ClientProxy, _ needed: [PlannedRequest], _ goal: PlannedRequest
  ) async -> SendFirst {
    let titles = needed.map { "`\($0.title)`" }
    let isOne = titles.count == 1
    let list = titles.joined(separator: ", then ")
    let question =
      isOne
      ? "`\(goal.title)` reads the response of \(list), which has not been sent."
      : "`\(goal.title)` needs responses of requests that have not been sent: \(list)."
    let button = isOne ? "Send \(list) first" : "Send these \(titles.count) first"
    switch await choose(client, question, [button, "Cancel"]) {
    case .button(0): return .yes
    case .button, .nothing: return .no
    case .cannotAsk: return .cannotAsk
    }
  }

  /// Whether a request with a note is to be sent; `nil` where the client can't ask.
  static func confirm(
    _ client: ClientProxy, _ request: PlannedRequest, _ note: String
  ) async -> Bool? {
    await confirm(
      client, note.isEmpty ? "Send `\(request.title)`?" : "`\(request.title)`: \(note)")
  }

  /// Whether requests are to be sent to an environment that asks first; `nil` where the client
  /// can't ask.
  static func confirm(
    _ client: ClientProxy, environment: String, _ requests: [PlannedRequest]
  ) async -> Bool? {
    let what =
      requests.count == 1 ? "`\(requests[0].title)`" : "\(requests.count) requests"
    return await confirm(client, "Send \(what) to the environment `\(environment)`?")
  }

  private static func confirm(_ client: ClientProxy, _ question: String) async -> Bool? {
    switch await choose(client, question, ["Send", "Cancel"]) {
    case .button(0): return true
    case .button, .nothing: return false
    case .cannotAsk: return nil
    }
  }

  /// A value that a request needs. Where there is something to choose, a client without text fields
  /// shows buttons.
  static func value(_ client: ClientProxy, _ prompt: Prompt) async -> PromptAnswer {
    let title = prompt.label.isEmpty ? prompt.name : prompt.label
    let isChoice = !prompt.options.isEmpty
    guard client.profile.postkit?.input == true else {
      guard isChoice else { return .cannotAsk }
      switch await choose(client, title, prompt.options) {
      case .button(let index): return .given(prompt.options[index])
      case .nothing: return .declined
      case .cannotAsk: return .cannotAsk
      }
    }
    let params = LSP.PostkitInputParams(
      id: Identifier.next(), title: title,
      kind: prompt.isSecret ? .password : isChoice ? .select : .text,
      default: prompt.isSecret ? nil : prompt.proposal, options: isChoice ? prompt.options : nil)
    do throws(RPCError) {
      let answer = try await client.request(
        LSP.PostkitInputRequest.self, params, timeoutMilliseconds: nil)
      return answer.map { .given($0.value) } ?? .declined
    } catch {
      Log.info("The client could not ask for a value: \(error.message)")
      return .cannotAsk
    }
  }
}
