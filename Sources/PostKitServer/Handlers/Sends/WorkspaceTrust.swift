// Whether the user trusts a folder's requests with files outside of it, and with the connections
// that its files choose (CONTRACTS.md, section 3).

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// The trust in folders: what the client says, else what the user said once.
enum WorkspaceTrust {
  /// How many files a question names.
  private static let namedFiles = 8

  /// Whether requests of a folder may use what only those of a trusted one may. The user is asked
  /// once a folder; an answer is kept in the store for all editors, a question that was closed is
  /// none.
  static func trust(
    _ snapshot: Snapshot, _ folder: String, _ subjects: [TrustSubject]
  ) async -> Trust {
    if let isTrusted = snapshot.initialization.trusted {
      return isTrusted
        ? .given : .refused("Trust the folder in your editor (`trusted` is false there)")
    }
    if let known = await remembered(snapshot, folder) { return known }
    // Sends that wait for the answer to another's question find it remembered.
    let answer = await snapshot.session.trustQuestions.run(folder) {
      if let known = await remembered(snapshot, folder) { return known }
      return await ask(snapshot, folder, subjects)
    }
    return answer ?? .refused("Send it again")
  }

  private static func ask(
    _ snapshot: Snapshot, _ folder: String, _ subjects: [TrustSubject]
  ) async -> Trust {
    let trusting = "Trust this folder"
    let question =
      "A request in \(folder) \(list(subjects)). Do you trust this folder? Then its scripts run, "
      + "its requests may read and send files from outside and replace files in it, its files may "
      + "send your environment variables, and its settings may choose proxies and which "
      + "certificates are good."
    switch await UserQuestions.choose(snapshot.client, question, [trusting, "Don't trust it"]) {
    case .button(let index):
      await keep(snapshot, index == 0, folder)
      snapshot.events.post(.refresh(.everything))
      return index == 0 ? .given : .declined(refusalRemedy)
    case .nothing:
      return .declined("Send it again and choose `\(trusting)`")
    case .cannotAsk:
      return .refused(
        "As your editor can't ask whether you trust it, set `postkit.trusted` to true in its "
          + "initializationOptions")
    }
  }

  // MARK: - Signing in

  /// Whether requests of a folder may sign in somewhere. Where the folder is not trusted the user
  /// is asked once an origin; an answer is kept for all editors (AU-51).
  static func signIn(
    _ snapshot: Snapshot, _ folder: String, _ subject: SignInSubject
  ) async -> Trust {
    if let isTrusted = snapshot.initialization.trusted {
      return isTrusted
        ? .given : .refused("Trust the folder in your editor (`trusted` is false there)")
    }
    if let known = await remembered(snapshot, folder, subject) { return known }
    let key = "\(folder)\u{0}\(subject.origin)"
    let answer = await snapshot.session.trustQuestions.run(key) {
      if let known = await remembered(snapshot, folder, subject) { return known }
      return await ask(snapshot, folder, subject)
    }
    return answer ?? .refused("Send it again")
  }

  private static func remembered(
    _ snapshot: Snapshot, _ folder: String, _ subject: SignInSubject
  ) async -> Trust? {
    if await remembered(snapshot, folder) == .given { return .given }
    // Where it can't be read, the user is asked again.
    let kept = try? await snapshot.store.existing()?.sessionValue(
      SessionKey.signIn(origin: subject.origin).text, folder: folder)
    return kept.map { answer($0 == "yes") }
  }

  private static func ask(
    _ snapshot: Snapshot, _ folder: String, _ subject: SignInSubject
  ) async -> Trust {
    let allowing = "Let it sign in"
    let question =
      "This folder \(subject.clause). Do you let it? Its files say what is sent there. (\(folder))"
    switch await UserQuestions.choose(snapshot.client, question, [allowing, "Don't"]) {
    case .button(let index):
      if let store = await snapshot.store.store() {
        let word = index == 0 ? "yes" : "no"
        do throws(StoreFailure) {
          try await store.setSessionValue(
            SessionKey.signIn(origin: subject.origin).text, folder: folder, to: word)
        } catch {
          snapshot.store.complain("Your answer counts for this request only: \(error.message)")
        }
      }
      return index == 0 ? .given : .declined(refusalRemedy)
    case .nothing: return .declined("Send it again and choose `\(allowing)`")
    case .cannotAsk:
      return .refused(
        "As your editor can't ask you, set `postkit.trusted` to true in its "
          + "initializationOptions")
    }
  }

  /// What a request does: it uses choices of the project's files, and files outside; it replaces
  /// files.
  private static func list(_ subjects: [TrustSubject]) -> String {
    var (clauses, paths): ([String], [String]) = ([], [])
    var (replaced, scripts): ([String], [String]) = ([], [])
    for subject in subjects {
      switch subject {
      case .file(let path): paths.append(path)
      case .choice(let clause, _): clauses.append(clause)
      case .replacement(let path): replaced.append(path)
      case .script(let name): scripts.append(name)
      }
    }
    switch paths.count {
    case 0: break
    case 1: clauses.append("the file \(paths[0]), which lies outside of that folder")
    default: clauses.append("files which lie outside of that folder: \(names(paths))")
    }
    var deeds = scripts.isEmpty ? [] : ["runs scripts of the folder: \(names(scripts))"]
    if !clauses.isEmpty { deeds.append("uses " + clauses.joined(separator: "; and ")) }
    if !replaced.isEmpty { deeds.append("would replace \(names(replaced))") }
    return deeds.joined(separator: "; and ")
  }

  private static func names(_ paths: [String]) -> String {
    let more = paths.count - namedFiles
    return paths.prefix(namedFiles).joined(separator: ", ") + (more > 0 ? ", \(more) more" : "")
  }

  /// How an answer is changed.
  private static let refusalRemedy =
    "You answered so; set `postkit.trusted` to true in the initializationOptions of your editor to "
    + "change that"

  private static func answer(_ isTrusted: Bool) -> Trust {
    isTrusted ? .given : .refused(refusalRemedy)
  }

  private static func remembered(_ snapshot: Snapshot, _ folder: String) async -> Trust? {
    if let own = snapshot.session.memory.isTrusted(folder: folder) { return answer(own) }
    guard let store = await snapshot.store.existing() else { return nil }
    do throws(StoreFailure) {
      let value = try await store.sessionValue(SessionKey.trust.text, folder: folder)
      return value.map { answer($0 == "yes") }
    } catch {
      Log.warning("The trust in \(folder) can't be read: \(error.message)")
      return nil
    }
  }

  /// Keeps an answer: in the store, else for this session.
  private static func keep(_ snapshot: Snapshot, _ isTrusted: Bool, _ folder: String) async {
    guard let store = await snapshot.store.store() else {
      return snapshot.session.update { $0.memory.trust(isTrusted, folder: folder) }
    }
    let word = isTrusted ? "yes" : "no"
    do throws(StoreFailure) {
      try await store.setSessionValue(SessionKey.trust.text, folder: folder, to: word)
    } catch {
      snapshot.session.update { $0.memory.trust(isTrusted, folder: folder) }
      snapshot.store.complain(
        "Your answer counts for this session only: \(error.message)")
    }
  }
}

extension Snapshot {
  /// The surroundings of a document whose requests are to be sent. Where the settings of its
  /// project lie outside of a folder that isn't trusted, the user is asked before they are read.
  func sendingContext(
    of document: OpenDocument, _ order: SendOrder
  ) async throws(RPCError) -> DocumentContext {
    let context = await context(
      of: document, environment: order.environment, known: order.deleted)
    // It is known what is meant; a change that comes now is for the sends after this one.
    Turn.current?.pass()
    guard let settings = context.outsideSettings, !order.isDryRun else { return context }
    let root = context.workspace.root
    let files = context.workspace.outsideFiles(
      of: context.document.parsed, environment: context.environment, context.dialect)
    let trust = await WorkspaceTrust.trust(self, root, ([settings] + files).map { .file($0) })
    if Task.isCancelled { throw .cancelled }
    switch trust {
    case .given:
      return await self.context(
        of: document, environment: order.environment, known: order.deleted)
    case .refused(let remedy), .declined(let remedy):
      throw RPCError(
        .requestFailed,
        "PostKit sends nothing: \(settings) leads outside of \(root), which is not trusted. "
          + "\(remedy), \(TrustSubject.file(settings).remedy).",
        data: .object(
          [JSONMember("code", .string(FailureCode.fileNotFound.rawValue))]
            + (trust.wasDeclined ? [JSONMember("declined", .bool(true))] : [])))
    }
  }
}
