// `postkit auth`: tokens of OAuth 2, seen, got and given back by hand (design: auth, section 9).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitRunner
import PostKitScripting
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitText
import PostKitTransport

extension Command {
  /// Signs in and out, and shows what is known of tokens.
  static let auth = Command(
    name: .auth,
    operands: "status [FILE] | login FILE | token FILE --id ID | logout [FILE] | decode [TOKEN|-]",
    summary: "Signs in and out, and shows or prints tokens of OAuth 2 and OpenID Connect.",
    options: [
      Option(names: ["--id"], value: "ID", help: "the sign-in with this name, such as `shop`"),
      Option(
        names: ["--env", "-e"], value: "NAME", help: "in this environment; the last one counts",
        isRepeatable: true),
      Option(names: ["--json"], value: nil, help: "with status and decode: print JSON"),
      Option(names: ["--force"], value: nil, help: "with login: also where a token is valid"),
      Option(
        names: ["--device"], value: nil,
        help: "with login: by a code that is typed in on another device"),
      Option(
        names: ["--no-browser"], value: nil, help: "with login: only show the address to visit"),
      Option(
        names: ["--login"], value: nil, help: "with token: a person may be asked to sign in"),
      Option(names: ["--id-token"], value: nil, help: "with token: print the ID token"),
      Option(names: ["--all"], value: nil, help: "with logout: in all environments"),
      Option(
        names: ["--session"], value: nil,
        help: "with logout: also end the session at the provider, in a browser"),
    ]
  ) { invocation throws(Arguments.Problem) in
    guard let form = invocation.arguments.positional.first.flatMap(AuthForm.init(rawValue:)) else {
      throw Arguments.Problem(
        message: "`auth` can " + AuthForm.allCases.map(\.rawValue).joined(separator: ", "))
    }
    try invocation.arguments.allow(form.options, in: "auth \(form.rawValue)")
    let operands = Array(invocation.arguments.positional.dropFirst())
    if form == .decode {
      return try AuthDecodeCommand(invocation, operands: operands).execute()
    }
    return await (try AuthCommand(invocation, form, operands)).execute()
  }
}

/// What `postkit auth` can do.
enum AuthForm: String, CaseIterable {
  case status, login, token, logout, decode

  fileprivate var options: Set<String> {
    switch self {
    case .status: ["--env", "--json"]
    case .login: ["--id", "--env", "--force", "--device", "--no-browser"]
    case .token: ["--id", "--env", "--id-token", "--login"]
    case .logout: ["--id", "--env", "--all", "--session"]
    case .decode: ["--json"]
    }
  }

  /// Whether it is about one file, which has to be named.
  fileprivate var needsFile: Bool { self == .login || self == .token }
}

/// One call of `postkit auth` that is about a file or a folder.
struct AuthCommand: Sendable {
  let invocation: Invocation
  let form: AuthForm
  /// The request file as it was named; `nil` for what the working directory has.
  let path: String?

  var console: Console { invocation.console }
  var arguments: Arguments { invocation.arguments }

  /// Takes up a call; `operands` are the words behind its form.
  init(_ invocation: Invocation, _ form: AuthForm, _ operands: [String]) throws(Arguments.Problem) {
    (self.invocation, self.form) = (invocation, form)
    guard operands.count <= 1, !form.needsFile || !operands.isEmpty else {
      throw Arguments.Problem(message: "name one request file")
    }
    path = operands.first
    let arguments = invocation.arguments
    for option in ["--id", "--env"] where arguments.all(option).contains("") {
      throw Arguments.Problem(message: "`\(option)` is empty; give it a value or leave it out")
    }
    if form == .token, arguments.value("--id") == nil {
      throw Arguments.Problem(message: "which token? Name its sign-in with --id ID")
    }
    if arguments.has("--all"), arguments.has("--env") {
      throw Arguments.Problem(message: "`--all` means every environment; leave out `--env`")
    }
  }

  /// Does what was asked for and answers the exit code.
  func execute() async -> Int32 {
    let file: RequestFile
    switch read() {
    case .success(let read): file = read
    case .failure(let failure): return fail(failure)
    }
    let task = Task(executorPreference: invocation.executor) { () -> Int32 in
      switch form {
      case .status: await status(of: file)
      case .login: await login(with: file)
      case .token: await printToken(of: file)
      case .logout: await logout(of: file)
      case .decode: 0
      }
    }
    Interrupts.watch { task.cancel() }
    return await task.value
  }

  /// The file, or one request that stands for the working directory.
  private func read() -> Result<RequestFile, Failure> {
    if let path {
      return RequestFile.read(path, invocation).map { file in
        file.document.blocks.contains(where: \.isRunnable)
          ? file : standIn(at: file.path)
      }
    }
    return .success(standIn(at: FileSystem.absolute("postkit.http")))
  }

  /// A request by whose surroundings sign-ins are found where there is none.
  private func standIn(at path: String) -> RequestFile {
    RequestFile(Array("GET http://localhost/\n".utf8), at: path, invocation, dialect: nil)
  }

  /// Tells a failure and answers the exit code for it.
  func fail(_ failure: Failure) -> Int32 {
    console.complain(failure.message)
    return failure.code.exitCodeOfAuth
  }
}

extension AuthCommand {
  /// The environments that a call is about: the one that is asked for or set, else all.
  func environments(of file: RequestFile, all: Bool) -> [String?] {
    if !all, let chosen = arguments.environment ?? file.settings[.environment] { return [chosen] }
    let names = file.workspace.environments(active: nil, file.dialect).names
    return names.isEmpty ? [nil] : (all || form == .status ? names + [nil] : [nil])
  }

  /// The environment that a single token is about.
  func environment(of file: RequestFile) -> String? {
    arguments.environment ?? file.settings[.environment]
  }

  /// What sends for a file in an environment; who asks a person does so by `host`.
  func runner(
    _ file: RequestFile, environment: String?, store: Store?, host: (any SignInHost)? = nil
  ) throws(Arguments.Problem) -> (Runner, RunInput) {
    let run = try RunCommand(invocation, path: file.path)
    let blocks = file.document.blocks.filter(\.isRunnable).map(\.index)
    let input = run.input(
      blocks, of: file, as: file.path, environment: environment, storedRequestID: nil)
    let part = RunPart(input: input, path: path ?? file.path, settings: file.settings)
    let location = invocation.storeLocation
    let transport = Transport(TransportConfiguration(spoolDirectory: location.spoolDirectory))
    let tokens = store.map { store in TokenBroker(StoreVault(location) { store }) } ?? TokenBroker()
    var services = RunCommand.services(
      part, nil, location, LazyExampleServer(), ScriptHost(), tokens, console)
    services.signIn = host
    if let store {
      services.record = { exchange in
        // A history that can't be written keeps nobody from a token.
        (try? await store.record(exchange)) != nil
      }
    }
    return (Runner(transport: transport, services: services), input)
  }

  /// The one sign-in that a call means; the failure names those that there are.
  func chosen(_ known: SignIns, in file: RequestFile) -> Result<KnownSignIn, Failure> {
    let ids = known.all.reduce(into: [String]()) { if !$0.contains($1.id) { $0.append($1.id) } }
    let list = ids.map { "`\($0)`" }.joined(separator: ", ")
    let place = place(file, known.place.environment)
    guard let id = arguments.value("--id") else {
      if ids.count == 1, let only = known.all.first { return .success(only) }
      return .failure(
        ids.isEmpty
          ? Failure(.authUnknownID, "\(place) has no sign-in. \(Self.hint)")
          : Failure(.usage, "\(place) has several sign-ins. Choose one with --id: \(list)."))
    }
    let found = known.all.filter { $0.id == id }
    // Of several that are called alike, a person signs in for the one that needs a person.
    let forPerson = form == .login
      ? found.first { $0.configuration?.grant.needsPerson == true } : nil
    if let one = forPerson ?? found.first { return .success(one) }
    let others = file.workspace.environments(active: nil, file.dialect)
      .environments(definingClient: id).map { "`\(Display.line($0))`" }
    if let first = others.first {
      return .failure(
        Failure(
          .authUnknownID,
          "\(place) has no sign-in `\(id)`. It is defined in \(others.listed("and")): choose one "
            + "with --env, as in `--env \(first.dropFirst().dropLast())`."))
    }
    let near = Suggestion.nearest(to: id, among: ids).map { " Did you mean `\($0)`?" } ?? ""
    let rest = ids.isEmpty ? Self.hint : "It has: \(list)."
    return .failure(
      Failure(.authUnknownID, "\(place) has no sign-in `\(id)`.\(near) \(rest)"))
  }

  /// A file with its environment, for sentences.
  func place(_ file: RequestFile, _ environment: String?) -> String {
    let name = Display.line(path ?? file.workspace.root)
    return environment.map { "\(name) in the environment \(Display.line($0))" } ?? name
  }

  private static let hint =
    "Write one below `Security` and `Auth` in http-client.env.json, or choose another "
    + "environment with --env."
}

extension FailureCode {
  /// The exit code of `postkit auth`: what a provider refuses is 1, as a failed check is.
  var exitCodeOfAuth: Int32 {
    let isOurs = [
      .authIncomplete, .authGrantUnknown, .authParameterReserved, .authLoginNeeded,
      .authPasteNeeded, .authPortInUse, .authCryptoMissing,
    ].contains(self)
    if self == .authUnknownID { return 2 }
    return rawValue.hasPrefix("auth-") && !isOurs ? 1 : exitCode
  }
}
