// `postkit auth logout`: tokens are given back and forgotten.

import PostKitAuth
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport

extension AuthCommand {
  /// Gives tokens back to who gave them, and forgets them here whatever comes of that.
  func logout(of file: RequestFile) async -> Int32 {
    let environments = environments(of: file, all: arguments.has("--all"))
    return await invocation.withStore { store throws(StoreFailure) in
      var gone: [String] = []
      var isKnown = false
      for environment in environments {
        switch await signIns(file, environment, store) {
        case .failure(let failure): return fail(failure)
        case .success(let known):
          for signIn in known.all where arguments.value("--id").map({ $0 == signIn.id }) ?? true {
            isKnown = true
            guard let configuration = signIn.configuration else { continue }
            let key = TokenOwner(configuration, at: known.place).key
            if try await forget(key, signIn, configuration, known, store) { gone.append(signIn.id) }
            if arguments.has("--session") { await endSession(signIn, configuration, known) }
          }
        }
      }
      if path == nil { gone += try await forgetOthers(file, environments, store) }
      if gone.isEmpty, !isKnown, let id = arguments.value("--id") {
        return fail(unknown(id, file))
      }
      await TokenKeeper(store).settle()
      let names = Set(gone).sorted().map { "`\(Display.line($0))`" }.joined(separator: ", ")
      console.line(gone.isEmpty ? "No token was kept." : "Signed out of \(names).")
      return 0
    }
  }

  /// Forgets a token, and gives it back first; answers whether there was one.
  private func forget(
    _ key: String, _ signIn: KnownSignIn, _ configuration: AuthConfiguration, _ known: SignIns,
    _ store: Store
  ) async throws(StoreFailure) -> Bool {
    guard try await store.tokenFacts(key) != nil else { return false }
    if let remark = await known.revoke(signIn, configuration) {
      console.complain("`\(signIn.id)` is forgotten here, but not at the provider: \(remark)")
    }
    return try await forget(key, store)
  }

  /// Forgets a token; one whose value can't be reached is forgotten all the same.
  private func forget(_ key: String, _ store: Store) async throws(StoreFailure) -> Bool {
    do throws(StoreFailure) { return try await TokenKeeper(store).forget(key) } catch {
      guard case .secret(.tokenLeft) = error else { throw error }
      console.complain(error.message(on: .commandLine))
      return true
    }
  }

  /// Forgets the tokens of the folder that no sign-in has, which nobody can give back.
  private func forgetOthers(
    _ file: RequestFile, _ environments: [String?], _ store: Store
  ) async throws(StoreFailure) -> [String] {
    let wanted = Set(environments.map { $0 ?? "" })
    let left = try await store.tokens(in: file.workspace.root).filter { facts in
      (arguments.has("--all") || wanted.contains(facts.environment))
        && arguments.value("--id").map { $0 == facts.configuration } ?? true
    }
    for facts in left {
      _ = try await forget(facts.key, store)
      console.complain(
        "`\(facts.configuration)` is forgotten here, but not at the provider: its sign-in was not "
          + "found. Name its request file to give it back.")
    }
    return left.map(\.configuration)
  }

  private func endSession(
    _ signIn: KnownSignIn, _ configuration: AuthConfiguration, _ known: SignIns
  ) async {
    guard let url = await known.endSessionURL(signIn, configuration) else {
      return console.complain(
        "`\(signIn.id)`: the provider names no page that ends its session; sign out there by hand.")
    }
    let host = TerminalSignIn(console)
    _ = await SystemBrowser.open(url, by: host)
    console.note("To end the session at the provider, visit: \(url)")
  }

  private func unknown(_ id: String, _ file: RequestFile) -> Failure {
    Failure(
      .authUnknownID,
      "\(place(file, arguments.environment)) has no sign-in `\(id)`, and no token of that name is "
        + "kept. `postkit auth status` lists them.")
  }
}
