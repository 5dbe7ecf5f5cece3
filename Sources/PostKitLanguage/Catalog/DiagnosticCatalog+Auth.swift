// The diagnostics of sign-ins: of clients in `Security.Auth`, and of references and headers that
// name one.

extension DiagnosticEntry {
  /// The entry of a code that begins with `auth-`.
  static func auth(_ code: DiagnosticCode) -> DiagnosticEntry {
    // A test asks for all of them.
    ofAuth[code] ?? .init(.error, "A sign-in is not as it has to be.", "Correct it.")
  }

  private static let ofAuth: [DiagnosticCode: DiagnosticEntry] = [
    .authUnknownID: .init(
      .error, "A reference names a client that `Security.Auth` of the environment does not have.",
      "Use one that the message names, or add the client to `http-client.env.json`.",
      edit: \.client),
    .authUnknownKey: .init(
      .hint, "A client in `Security.Auth` has a key or a word that PostKit does not know.",
      "Check its spelling.", environment: { document, range, _ in document.respelling(of: range) }),
    .authIncomplete: .init(
      .error, "A client lacks what its grant needs.", "Add what the message names."),
    .authGrantUnknown: .init(
      .error, "The grant of a client is unknown.", "Write one that the message names.",
      environment: { document, range, _ in document.respelling(of: range) }),
    .authGrantLegacy: .init(
      .hint, "A grant is no longer safe (RFC 9700).",
      "Use Authorization Code if the provider has it."),
    .authCleartext: .init(
      .warning, "The secret of a client goes to another machine over `http`.",
      "Write `https://`."),
    .authSecretPublic: .init(
      .warning, "`http-client.env.json`, which everybody gets, has the secret of a client.",
      "Move it to `http-client.private.env.json`.",
      // In a request file there is no such secret.
      file: { _, _ in [] }, environment: { $0.clientMove(of: $1, $2) }),
    .authParameterReserved: .init(
      .error, "A request parameter of a client is one that PostKit sets itself.", "Remove it."),
    .authRedirectUnlistenable: .init(
      .information, "PostKit can't listen at the redirect URL of a client.",
      "Write a URL of this machine, such as `http://127.0.0.1:8080/callback`, or paste the "
        + "address when you sign in."),
  ]
}
