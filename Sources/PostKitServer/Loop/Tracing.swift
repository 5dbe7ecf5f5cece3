// `$/setTrace` and `$/logTrace`: what was taken up and how long it took, for whoever looks into a
// session.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitSupport

/// A message that is being worked on while the client wants to know of it.
struct Tracing: Sendable {
  private let method: String
  private let id: RequestID?
  private let params: JSONValue?
  private let events: EventSink
  private let start = Clock.monotonicMicroseconds
  private var end: Int64 = 0

  /// Begins with a message; `nil` where nothing is traced.
  init?(
    _ trace: LSP.TraceValue, _ method: String, _ id: RequestID?, _ params: JSONView?,
    _ events: EventSink
  ) {
    guard trace != .off else { return nil }
    self.method = method
    self.id = id
    self.params = trace == .verbose ? params?.value : nil
    self.events = events
  }

  /// Tells the loop that the work is done.
  func finished() {
    var done = self
    done.end = Clock.monotonicMicroseconds
    events.post(.traced(done))
  }

  /// Such as `textDocument/hover (7): 3 ms`.
  private var message: String {
    let id = id.map { " (\($0))" } ?? ""
    return "\(method)\(id): \((end - start + 500) / 1_000) ms"
  }

  /// Takes up `$/setTrace`.
  static func setTrace(_ state: inout ServerState, _ params: LSP.SetTraceParams) {
    state.trace = params.value
  }

  /// Tells the client, with the parameters where it wants them.
  func tell(_ snapshot: Snapshot) async {
    var verbose: String?
    if let params {
      let mask = SecretMask(secrets: await snapshot.allKnownSecrets)
      let shown = Tracing.shown(params, under: "", mask)
      verbose = "Params: " + mask.mask(shown.text, as: .json).text
    }
    snapshot.client.notify(
      LSP.LogTraceNotification.self, LSP.LogTraceParams(message: message, verbose: verbose),
      importance: .droppable)
  }

  /// Members whose texts the user wrote or gives: a credential may stand in them that nobody has
  /// called a secret yet, so only their length is told.
  private static let withheld: Set<String> = ["text", "newText", "source", "value", "variables"]

  private static func shown(
    _ value: JSONValue, under key: String, _ mask: SecretMask
  ) -> JSONValue {
    switch value {
    case .string(let text):
      withheld.contains(key)
        ? .string("(\(text.utf8.count) bytes)") : .string(mask.mask(text).text)
    case .array(let elements): .array(elements.map { shown($0, under: key, mask) })
    case .object(let members):
      .object(
        members.map {
          let inner = withheld.contains(key) ? key : $0.key
          return JSONMember($0.key, shown($0.value, under: inner, mask))
        })
    case .null, .bool, .number: value
    }
  }
}

extension Snapshot {
  /// The secrets of this session and of all environments around the open documents.
  fileprivate var allKnownSecrets: [String] {
    get async {
      var secrets = await remembered().secrets
      for document in documents.all where holdsRequests(document.uri) {
        let context = await context(of: document)
        let active = context.workspace.environments(active: context.environment, context.dialect)
        for set in [active] + environments(around: context) {
          let all = Array(set.definitions.values) + set.shadowed.values.joined()
          secrets.formUnion(all.filter(\.isSecret).flatMap(\.secretTexts))
        }
      }
      return Array(secrets)
    }
  }
}
