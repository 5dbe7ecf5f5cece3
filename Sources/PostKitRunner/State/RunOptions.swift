// What one run is to do.

package import PostKitEvaluate
package import PostKitHTTP
package import PostKitScripting
package import PostKitSyntax
import PostKitTransport

/// Whether requests that a reference needs are sent first without being asked for (PK-58).
package enum AutoRun: Sendable, Hashable {
  case never
  /// The user is asked, once for all of them.
  case ask
  case missing
}

/// Whether the requests of a folder may use files outside of it, and the connections that its own
/// files choose (PROMISES.md R4).
package enum Trust: Sendable, Hashable {
  case given
  /// They may not; the text says what to do about it, and another remedy may follow it.
  case refused(String)
  /// The same, as somebody who was asked just now has decided.
  case declined(String)

  /// What to do where they may not.
  var remedy: String? {
    switch self {
    case .given: nil
    case .refused(let text), .declined(let text): text
    }
  }

  /// Whether somebody has decided so just now.
  package var wasDeclined: Bool { if case .declined = self { true } else { false } }
}

/// What becomes of a question for a value.
package enum PromptAnswer: Sendable, Hashable {
  case given(String)
  /// The question was closed.
  case declined
  /// There is nobody to ask.
  case cannotAsk
}

/// What the user says to requests that would have to be sent first.
package enum SendFirst: Sendable, Hashable {
  case yes
  /// They are not to be sent, so the request that needs them isn't either.
  case no
  /// There is nobody to ask.
  case cannotAsk
}

/// A run: which requests of which file, and how.
package struct RunInput: Sendable {
  /// The surroundings. Where these don't read files outside of the root, `RunServices.trust` is
  /// asked before any of them is opened (PROMISES.md R4).
  package var workspace: Workspace
  package var document: ParsedDocument
  /// The blocks to send, in order.
  package var blocks: [Int]
  /// How the file is named in the history: its absolute path, or its URI where it has none.
  package var file: String
  /// The stored request that the file holds; `nil` for a file of the user's.
  package var storedRequestID: String?
  package var environment: String?
  /// Values that outrank all others (`--var`, `variables`).
  package var overrides: [String: String] = [:]
  /// Answers to prompts by variable name (`--input`).
  package var inputs: [String: String] = [:]
  package var dialect = Dialect()
  package var isStrict = false
  /// What chance is determined by; then the clock of dynamic variables stands, too (PK-64).
  package var seed: UInt64?
  /// Where that clock stands: 2020-01-01T00:00:00Z.
  static let seededTime: Int64 = 1_577_836_800_000
  package var stopsAtFirstFailure = false
  /// How many requests that don't need each other may be under way at once.
  package var parallel = 1
  /// How often the whole of it is sent.
  package var repeats = 1
  package var autoRun = AutoRun.missing
  /// What of the defaults the project has chosen, and not its user.
  package var projectChoices = ProjectChoices()
  /// What scripts may use up.
  package var scriptLimits = ScriptLimits()
  /// Whether scripts may send requests of their own (`scripts.allowRequests`).
  package var allowsScriptRequests = false
  /// Whether the steps of transfers are told. Where nobody watches, a request may be sent before
  /// the one that was answered before it is recorded and told of.
  package var watchesTransfers = true
  /// Whether the requests are told of before the first one begins, where they are several.
  package var tellsQueue = false
  /// Which bodies are told of while they arrive, beside the other steps of transfers.
  package var tellsBodies = BodyTelling.none
  package var defaults: RequestDefaults
  /// What becomes of responses that are not as their descriptions say.
  package var contract = ContractPolicy()
  /// Where a part of the document is told to stand; `nil` where all of it stands as it is.
  package var movedLines: MovedLines?
  /// What its blocks are sent for; what they need is sent as always. Only requests have names by
  /// which others find their responses.
  package var purpose = ExchangePurpose.request
  /// How long a person has to sign in, in seconds (AU-36).
  package var signInSeconds = 300
  /// Where the run was begun.
  package var surface = Surface.commandLine

  /// Whether a person sends by hand, so that a `@note` that can't be asked keeps its request from
  /// being sent. A script that runs requests has nobody to ask, and means what it says.
  var needsConsent: Bool { surface == .editor }

  /// Makes a run of some blocks of a file.
  package init(
    workspace: Workspace, document: ParsedDocument, blocks: [Int], file: String,
    defaults: RequestDefaults
  ) {
    self.workspace = workspace
    self.document = document
    self.blocks = blocks
    self.file = file
    self.defaults = defaults
  }
}

/// Lines at the end of a text that stand elsewhere for whoever is told of them.
package struct MovedLines: Sendable, Hashable {
  /// The first of them, counted from 0.
  package var first: Int
  /// The line that it is told to be.
  package var shown: Int

  /// Makes lines that are told to stand elsewhere.
  package init(first: Int, shown: Int) {
    self.first = first
    self.shown = shown
  }

  /// What a line of the text is told to be.
  package func shown(_ line: Int) -> Int { line < first ? line : line - first + shown }
}

/// An exchange of an earlier run, as requests may refer to it.
package struct EarlierExchange: Sendable {
  package var exchange: Exchange
  /// The secrets that its run knew: who refers to it may read them, and must not show them either.
  package var secrets: Set<String>

  /// Makes an earlier exchange.
  package init(_ exchange: Exchange, secrets: Set<String>) {
    self.exchange = exchange
    self.secrets = secrets
  }
}

/// The parts of the world that a run works with; each is somebody else's to own.
package struct RunServices: Sendable {
  /// Puts an exchange into the history, and answers whether it is kept; its failures are the
  /// caller's to show.
  package var record: @Sendable (Exchange) async -> Bool
  /// The latest exchange of a request in earlier runs, by file and name.
  package var earlier: @Sendable (_ file: String, _ name: String) async -> EarlierExchange?
  /// The base URL of the example server, started at the first call.
  package var exampleServer: @Sendable () -> String?
  /// The base URL of the session's mock; `nil` where none runs.
  package var mock: @Sendable () -> String? = { nil }
  /// 64 random bits.
  package var random: @Sendable () -> UInt64
  /// Asks the user for a value.
  package var ask: @Sendable (Prompt) async -> PromptAnswer
  /// Asks whether the requests that another one needs may be sent before it, in that order.
  package var sendFirst: @Sendable ([PlannedRequest], PlannedRequest) async -> SendFirst
  /// Whether what only a trusted folder's requests may use is to be used; once a run.
  package var trust: @Sendable ([TrustSubject]) async -> Trust
  /// Whether a response was saved to a file before, which has one of these paths.
  package var wasSaved: @Sendable ([String]) async -> Bool = { _ in false }
  /// The cookies of earlier runs (PK-83).
  package var cookies: @Sendable (WorkspaceEnvironment) async -> [Cookie] = { _ in [] }
  /// Keeps what a run changed in its cookies; its failures are the caller's to show.
  package var keepCookies: @Sendable (CookieChanges, WorkspaceEnvironment) async -> Void = {
    _, _ in
  }
  /// The globals that earlier runs have set (PK-59).
  package var globals: @Sendable (WorkspaceEnvironment) async -> [String: GlobalValue] = { _ in
    [:]
  }
  /// Keeps what a run has done to globals; its failures are the caller's to show.
  package var keepGlobals: @Sendable (GlobalChanges, WorkspaceEnvironment) async -> Void = {
    _, _ in
  }
  /// Asks whether a request with a `@note` is to be sent; `nil` when there is nobody to ask.
  package var confirm: @Sendable (PlannedRequest, _ question: String) async -> Bool?
  /// Asks whether requests are to be sent to an environment that asks first; `nil` when there is
  /// nobody to ask.
  package var confirmEnvironment: @Sendable (_ name: String, [PlannedRequest]) async -> Bool? = {
    _, _ in nil
  }
  /// Reads the description of an API at a path or URL.
  package var description:
    @Sendable (_ path: String, Workspace) async -> Result<LoadedDescription, DescriptionFailure> = {
      path, workspace in
      do throws(DescriptionFailure) {
        return .success(try LoadedDescription(path, in: workspace))
      } catch {
        return .failure(error)
      }
    }
  /// Who has the tokens of the process (AU-40).
  package var tokens = TokenBroker()
  /// Who can be asked to sign in; `nil` for nobody (AU-50).
  package var signIn: (any SignInHost)?
  /// Whether requests of a folder that is not trusted may sign in somewhere; asked once a folder
  /// and origin (AU-51).
  package var trustSignIn: @Sendable (SignInSubject) async -> Trust = { _ in
    .refused("Trust the folder")
  }
  /// What sends the requests by which tokens are got.
  var transport: Transport?
  /// What runs scripts.
  package var scripts: any ScriptEngine = NoScriptEngine(.missing(RunServices.noEngine))
  /// What is said where scripts can't run (SC-63).
  package static let noEngine =
    "Scripts need JavaScriptCore, which is not installed. Install it with "
    + "\"apt install libjavascriptcoregtk-4.1-0\" (Debian, Ubuntu), "
    + "\"dnf install javascriptcoregtk4.1\" (Fedora), \"pacman -S webkit2gtk-4.1\" (Arch), "
    + "\"apk add webkit2gtk-4.1\" (Alpine). PostKit does everything else without it."

  /// Makes services.
  package init(
    record: @escaping @Sendable (Exchange) async -> Bool,
    earlier: @escaping @Sendable (String, String) async -> EarlierExchange?,
    exampleServer: @escaping @Sendable () -> String?,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
    ask: @escaping @Sendable (Prompt) async -> PromptAnswer = { _ in .cannotAsk },
    sendFirst: @escaping @Sendable ([PlannedRequest], PlannedRequest) async -> SendFirst = {
      _, _ in .cannotAsk
    },
    trust: @escaping @Sendable ([TrustSubject]) async -> Trust = { _ in
      .refused("Trust the folder")
    },
    confirm: @escaping @Sendable (PlannedRequest, String) async -> Bool? = { _, _ in nil }
  ) {
    self.record = record
    self.earlier = earlier
    self.exampleServer = exampleServer
    self.random = random
    self.ask = ask
    self.sendFirst = sendFirst
    self.trust = trust
    self.confirm = confirm
  }
}
