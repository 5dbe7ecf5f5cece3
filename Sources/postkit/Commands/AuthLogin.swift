// `postkit auth login` and `postkit auth token`: a token is got, with a person or without.

import PostKitAuth
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport

extension AuthCommand {
  /// Signs in, and says for how long.
  func login(with file: RequestFile) async -> Int32 {
    let isCI = ProcessEnvironment.value("CI").map { !$0.isEmpty } ?? false
    let host = isCI ? nil : TerminalSignIn(console, opensPages: !arguments.has("--no-browser"))
    return await withToken(of: file, host: host) { signIn, answer in
      let now = Clock.wallMilliseconds
      let span = answer.tokens.expires.map { WebTokenTime.span(milliseconds: max(0, $0 - now)) }
      let end = span.map { " The token is valid for \($0)." } ?? ""
      console.line("Signed in for `\(Display.line(signIn.id))`.\(end)")
      for remark in answer.tokens.remarks { console.note(Display.line(remark)) }
    }
  }

  /// Prints a token, and nothing else, on standard output.
  func printToken(of file: RequestFile) async -> Int32 {
    let host = arguments.has("--login") ? TerminalSignIn(console) : nil
    return await withToken(of: file, host: host) { _, answer in
      console.line(answer.text)
      if console.outputIsTerminal {
        console.note("Whoever has this token can use it until it ends: keep it to yourself.")
      }
    }
  }

  /// Gets the token of the chosen sign-in and does something with it.
  private func withToken(
    of file: RequestFile, host: (any SignInHost)?,
    _ work: @escaping (KnownSignIn, TokenAnswer) -> Void
  ) async -> Int32 {
    let body = { (store: Store?) async -> Int32 in
      switch await token(of: file, host: host, store) {
      case .failure(var failure):
        if form == .login, host == nil, failure.code == .authLoginNeeded {
          failure.message = "This sign-in needs a person, and where `CI` is set nobody is asked. "
            + "Unset it, or use a grant that needs nobody, such as Client Credentials."
        }
        return fail(failure)
      case .success(let (signIn, answer)):
        work(signIn, answer)
        return 0
      }
    }
    do throws(StoreFailure) {
      return try await invocation.withStore(
        { store throws(StoreFailure) in await body(store) }, failing: { $0 })
    } catch {
      // A token can be used without being kept.
      console.complain(error.message(on: .commandLine))
      return await body(nil)
    }
  }

  private func token(
    of file: RequestFile, host: (any SignInHost)?, _ store: Store?
  ) async -> Result<(KnownSignIn, TokenAnswer), Failure> {
    let environment = environment(of: file)
    switch await signIns(file, environment, store, host: host) {
    case .failure(let failure): return .failure(failure)
    case .success(var known):
      switch chosen(known, in: file) {
      case .failure(let failure): return .failure(failure)
      case .success(let signIn):
        return await known.token(
          signIn, kind: arguments.has("--id-token") ? .id : .access,
          isForced: arguments.has("--force"), signsIn: form == .login || arguments.has("--login"),
          byDevice: arguments.has("--device")
        ).map { (signIn, $0) }
      }
    }
  }
}
