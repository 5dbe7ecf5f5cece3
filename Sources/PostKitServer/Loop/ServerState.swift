// What the server knows; it lives in one local variable of the main loop and nowhere else.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSession
import PostKitSupport

/// The state of one session, owned by the main loop.
struct ServerState: ~Copyable {
  /// How far the session has come (PROMISES.md L1).
  enum Phase: Sendable { case uninitialized, running, shutDown }

  let options: ServerOptions
  let transport: any MessageTransport
  let events: EventSink
  let router: Router
  /// Looks after the process; `nil` where the server is one of several in a process.
  var watch: ProcessWatch?

  var phase = Phase.uninitialized
  /// Whether the first message after the `initialize` reply was seen (PROMISES.md L4).
  var isInitialized = false
  var client: ClientProxy
  var initialization = LSP.PostkitInitializationOptions()
  var folders: [WorkspaceFolder] = []
  var documents = Documents()
  /// The settings that the client gave, under `postkit`.
  var settings = JSONValue.null
  /// How much the client wants to know of what is worked on.
  var trace = LSP.TraceValue.off
  /// The last place that the client asked about; commands without an argument mean it.
  var lastCaret: Caret?
  let caches = DocumentCaches()
  let session = SessionState()
  var store: StoreAccess
  let index = WorkspaceIndex()
  var scripts: ScriptHosts
  let scriptChecker = ScriptChecker()
  var descriptions = Descriptions()
  var isWatchingStore = false
  /// Whether it was to be watched while there was none.
  var hasMissedStore = false
  var pushing = DiagnosticsPublisher()
  var refreshing = RefreshThrottle()
  /// Whose diagnostics the next refresh makes again.
  var stale = StaleDocuments()
  var refreshingResults = RefreshThrottle()
  var refreshingDiagnostics = RefreshThrottle()
  var resting = RestWatch()
  var refreshingResponses = RefreshThrottle()
  /// The ids of the responses of which more has come than their documents show.
  var grownResponses: Set<String> = []
  /// The id under which the settings were asked for.
  var settingsRequest: Int?
  /// The folders whose own settings were asked for with them, in order.
  var settingsScopes: [DocumentURI] = []
  /// The settings that the client has for a folder, where there are several.
  var folderSettings: [DocumentURI: JSONValue] = [:]
  var outgoing = OutgoingRequests()
  var inFlight: InFlight
  /// Who waits for whom among the messages that change or need what requests mean.
  let turns = Turns()
  let lanes = Lanes()
  /// The exit code, once the end has begun.
  var ending: Int32?
  /// The exit code, once nothing is left to do.
  var exitCode: Int32?
  /// What was said already and isn't worth saying again.
  private var saidOnce: Set<String> = []

  init(
    options: ServerOptions, transport: any MessageTransport, events: EventSink,
    watch: ProcessWatch?
  ) {
    self.options = options
    self.transport = transport
    self.events = events
    self.watch = watch
    router = Router(Routes.all)
    client = ClientProxy(profile: ClientProfile(), transport: transport, events: events.notices)
    inFlight = InFlight(events: events, admission: transport.admission)
    scripts = ScriptHosts()
    store = StoreAccess(
      location: Lifecycle.location(options, nil), tell: { _ in }, healthChanged: {}, opened: {})
  }

  /// Remembers the place that a request is about.
  mutating func noteCaret(_ params: JSONView?) {
    lastCaret = Caret(params) ?? lastCaret
  }

  /// What a task may see of the state: an immutable copy.
  var snapshot: Snapshot {
    Snapshot(
      client: client, documents: documents, folders: folders, editorSettings: settings,
      folderSettings: folderSettings, initialization: initialization, caches: caches,
      session: session, store: store, index: index, scripts: scripts, scriptChecker: scriptChecker,
      descriptions: descriptions, events: events.notices, lastCaret: lastCaret)
  }

  /// Whether the client is ready to be told of things, and still wants to know.
  var mayTell: Bool { isInitialized && phase == .running && ending == nil }

  /// Writes to the log unless the same was written before.
  mutating func logOnce(_ message: String) {
    if saidOnce.insert(message).inserted { Log.info(message) }
  }

  /// Sends a response.
  func reply(_ frame: [UInt8]) { transport.send(OutgoingFrame(frame)) }

  /// Sends an error response.
  func refuse(_ id: RequestID?, _ error: RPCError) {
    reply(OutgoingMessage.response(id: id, error: error))
  }
}

/// How the server is started.
package struct ServerOptions: Sendable, Hashable {
  /// The process whose end ends the server (`--clientProcessId`).
  package var clientProcessID: Int32?
  /// The directory that holds everything (`--store`); `nil` for the default places.
  package var storeDirectory: String?
  /// The program's version.
  package var version: String

  /// Makes options.
  package init(
    clientProcessID: Int32? = nil, storeDirectory: String? = nil, version: String = Version.number
  ) {
    self.clientProcessID = clientProcessID
    self.storeDirectory = storeDirectory
    self.version = version
  }
}
