// A send whose names have values in environments only, while none is chosen: the user is asked for
// one, and the choice sends.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax

/// Asks for the environment that a send needs.
enum MissingEnvironment {
  /// The surroundings of a send in the environment that the user chose for it, which is that of the
  /// folder from now on; the same where none is missing, or none was chosen.
  static func chosen(
    _ snapshot: Snapshot, _ context: DocumentContext, _ blocks: [Int], _ order: inout SendOrder
  ) async throws(RPCError) -> DocumentContext {
    guard context.environment == nil, context.stored == nil, !order.isDryRun else {
      return context
    }
    guard let need = await need(snapshot, context, blocks, order) else { return context }
    guard let name = await ask(snapshot.client, need) else { return context }
    if Task.isCancelled { throw .cancelled }
    let folder = snapshot.folder(of: DocumentURI(path: context.workspace.file))
    await Environments.keep(snapshot, name, folder)
    order.environment = name
    return try await snapshot.sendingContext(of: context.document, order)
  }

  /// A name without a value, and the environments in which all such names have one.
  private struct Need {
    var name: String
    var environments: [String]
  }

  private static func need(
    _ snapshot: Snapshot, _ context: DocumentContext, _ blocks: [Int], _ order: SendOrder
  ) async -> Need? {
    let analysis = await snapshot.analysis(of: context, withResults: false)
    // Most projects without a chosen environment have none to choose.
    guard !analysis.scope.environments.names.isEmpty else { return nil }
    var found: Need?
    var (sent, seen) = (blocks, Set(blocks))
    var next = 0
    while next < sent.count {
      let block = context.document.parsed.blocks[sent[next]]
      next += 1
      for problem in analysis.lowered(block, overrides: order.variables).problems {
        switch problem.kind {
        case .unresolvedVariable(let name, _, let masked, _) where !masked.isEmpty:
          // One is selected by its own name.
          let environments = analysis.scope.environments.environments(defining: name)
          let others = (found?.environments ?? environments).filter(environments.contains)
          found = Need(name: found?.name ?? name, environments: others)
        case .unknownSignIn(let id, _, _, let environments, _) where !environments.isEmpty:
          let others = (found?.environments ?? environments).filter(environments.contains)
          found = Need(name: found?.name ?? id, environments: others)
        case .requestNotRun(let name):
          // It is sent first, and may need an environment, too.
          if let other = context.document.parsed.runnable(named: name)?.index,
            seen.insert(other).inserted
          {
            sent.append(other)
          }
        default: break
        }
      }
    }
    return found.flatMap { $0.environments.isEmpty ? nil : $0 }
  }

  /// The environment that the user picks; `nil` where nothing was picked, or the client can't ask.
  private static func ask(_ client: ClientProxy, _ need: Need) async -> String? {
    let question = "`\(need.name)` needs an environment. Which one should be used?"
    guard client.profile.postkit?.input == true else {
      switch await UserQuestions.choose(client, question, need.environments) {
      case .button(let index): return need.environments[index]
      case .nothing, .cannotAsk: return nil
      }
    }
    do throws(RPCError) {
      let answer = try await client.request(
        LSP.PostkitInputRequest.self,
        LSP.PostkitInputParams(
          id: Identifier.next(), title: question, kind: .select, options: need.environments),
        timeoutMilliseconds: nil)
      return answer.flatMap { need.environments.contains($0.value) ? $0.value : nil }
    } catch {
      Log.info("The client could not ask for an environment: \(error.message)")
      return nil
    }
  }
}
