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
            if try await leave(signIn, configuration, known, store) { gone.append(signIn.id) }
          }
        }
      }
      if path == nil { gone += try await forgetOthers(file, environments, store) }
      if gone.isEmpty, let elsewhere = try await keptElsewhere(file, store) {
        return fail(elsewhere)
      }
      if gone.isEmpty, !isKnown, let id = arguments.value("--id") {
        return fail(unknown(id, file))
      }
      await TokenKeeper(store).settle()
      let names = Set(gone).sorted().map { "`\(Display.line($0))`" }.joined(separator: ", ")
      console.line(gone.isEmpty ? "No token was kept." : "Signed out of \(names).")
      return 0
    }
  }

  /// Gives a token back and forgets it; answers whether there was one.
  private func leave(
    _ signIn: KnownSignIn, _ configuration: AuthConfiguration, _ known: SignIns, _ store: Store
  ) async throws(StoreFailure) -> Bool {
    let key = TokenOwner(configuration, at: known.place).key
    let isKept = try await store.tokenFacts(key) != nil
    let endsSession = arguments.has("--session")
    guard isKept || endsSession else { return false }
    let outcome = await known.revoke(signIn, configuration)
    for warning in outcome.warnings {
      console.complain("`\(signIn.id)` is forgotten here, but not at the provider: \(warning)")
    }
    if isKept { _ = try await forget(key, store) }
    if endsSession { await endSession(signIn, outcome.endSessionURL, known) }
    return isKept
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

  private func endSession(_ signIn: KnownSignIn, _ url: String?, _ known: SignIns) async {
    guard let url else {
      return console.complain(
        "`\(signIn.id)`: the provider names no page that ends its session; sign out there by hand.")
    }
    if await !known.open(url, by: TerminalSignIn(console)) {
      console.note("To end the session of `\(signIn.id)` at the provider, visit: \(url)")
    }
  }

  /// The failure that names the environments in which tokens are kept that were not meant.
  private func keptElsewhere(
    _ file: RequestFile, _ store: Store
  ) async throws(StoreFailure) -> Failure? {
    guard !arguments.has("--all") else { return nil }
    let kept = try await store.tokens(in: file.workspace.root).filter { facts in
      arguments.value("--id").map { $0 == facts.configuration } ?? true
    }
    guard !kept.isEmpty else { return nil }
    let names = Set(kept.map(\.environment)).sorted()
      .map { $0.isEmpty ? "no environment" : "`\(Display.line($0))`" }
    return Failure(
      .usage,
      "No token is kept for \(place(file, environment(of: file))), but in \(names.listed("and")). "
        + "Choose with --env, or say --all.")
  }

  private func unknown(_ id: String, _ file: RequestFile) -> Failure {
    Failure(
      .authUnknownID,
      "\(place(file, arguments.environment)) has no sign-in `\(id)`, and no token of that name is "
        + "kept. `postkit auth status` lists them.")
  }
}
