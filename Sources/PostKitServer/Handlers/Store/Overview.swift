// What is in force, as a text for every client: the variables of a place, and how the server is.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The commands that show what is in force.
enum Overview {
  // MARK: - Variables

  /// `postkit.variables`: opens the list of what can be used at a place, secrets masked; without an
  /// argument at the last one that the client asked about.
  static func showVariables(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> String {
    var meant = try ExecuteCommand.decode(argument, or: LSP.PostkitVariablesArguments())
    if meant.uri == nil {
      let caret = try ExecuteCommand.caret(snapshot)
      meant.uri = caret.uri
      meant.position = caret.position
    }
    let text = try await variables(snapshot, meant)
    let uri: String
    if snapshot.client.profile.readsContentDocuments {
      uri = "postkit:/variables?" + query(meant)
    } else {
      uri = try ListDocument.write(snapshot, text, as: "variables.http").spelling
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// The document `postkit:/variables` of a place.
  static func variables(
    _ snapshot: Snapshot, of uri: DocumentURI
  ) async throws(RPCError) -> String {
    try await variables(snapshot, meant(by: uri))
  }

  /// The place that the address of a document names.
  static func meant(by uri: DocumentURI) -> LSP.PostkitVariablesArguments {
    var meant = LSP.PostkitVariablesArguments()
    var (line, character): (Int?, Int?)
    for (name, value) in uri.queryItems {
      switch name {
      case "uri": meant.uri = value
      case "environment": meant.environment = value
      case "line": line = Int(value)
      case "character": character = Int(value)
      default: break
      }
    }
    if let line, let character, line >= 0, character >= 0 {
      meant.position = LSP.Position(line: line, character: character)
    }
    return meant
  }

  private static func variables(
    _ snapshot: Snapshot, _ meant: LSP.PostkitVariablesArguments
  ) async throws(RPCError) -> String {
    guard let uri = meant.uri else {
      throw RPCError(.invalidParams, "uri is needed to know whose variables are meant.")
    }
    let found = try await EnvironmentLists.variables(
      snapshot,
      LSP.PostkitVariablesParams(
        textDocument: LSP.TextDocumentIdentifier(uri: uri), position: meant.position,
        environment: meant.environment))
    let place = DocumentURI(uri).historyName
    let environment = meant.environment.map { " with the environment `\($0)`" } ?? ""
    if found.items.isEmpty { return "# No variables for \(place)\(environment).\n" }
    let lines = found.items.map { item in
      let value = item.masked ? SecretMask.text : (item.value ?? "").shown.excerpt
      let origin = item.origin.file.isEmpty ? "" : "  \(item.origin.file):\(item.origin.line)"
      return "#   \(item.name) = \(value)\(origin)".oneLine
    }
    return (["# Variables of \(place)\(environment)."] + lines)
      .joined(separator: "\n") + "\n"
  }

  /// A place as the query of an address.
  static func query(_ meant: LSP.PostkitVariablesArguments) -> String {
    var items = [("uri", meant.uri ?? "")]
    if let environment = meant.environment { items.append(("environment", environment)) }
    if let position = meant.position {
      items += [("line", "\(position.line)"), ("character", "\(position.character)")]
    }
    return items.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
  }

  /// A text as it can stand for a value in a query.
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { result, byte in
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "-._~/:".utf8.contains(byte)
      result +=
        isPlain
        ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }

  // MARK: - The server

  /// `postkit.status`: what is in force in each folder, and how the server is.
  static func status(_ snapshot: Snapshot) async -> String {
    var lines = ["PostKit \(Version.number)"]
    for folder in snapshot.folders {
      let environment = await snapshot.status(of: folder).environment
      let name = environment.map { "the environment `\($0)`" } ?? "no environment"
      lines.append("\(folder.name) has \(name).")
    }
    if let mock = snapshot.session.mock.running {
      lines.append("The mock of \(FilePath.name(mock.folder)) answers at \(mock.url).")
    }
    let count = snapshot.session.sends.count
    let running = count == 1 ? "1 request" : "\(count == 0 ? "No" : "\(count)") requests"
    lines.append("\(running) running.")
    await snapshot.review()
    let health = snapshot.store.health.current
    lines.append(health.message ?? "Healthy.")
    lines.append("Data folder: \(snapshot.store.location.directory)")
    let text = lines.joined(separator: "\n")
    if snapshot.client.profile.postkit == nil { snapshot.client.showMessage(.info, text) }
    return text
  }

  /// `postkit.restartEngine`: ends what is being sent and closes all connections; the next request
  /// begins with new ones.
  static func restartEngine(_ snapshot: Snapshot) -> String {
    let count = snapshot.session.cancelSends(among: snapshot.arrivedSends)
    snapshot.session.restartTransport()
    let text =
      "All connections are closed; the next request opens new ones"
      + (count == 0 ? "." : "; \(count == 1 ? "1 send was" : "\(count) sends were") ended.")
    if snapshot.client.profile.postkit == nil { snapshot.client.showMessage(.info, text) }
    return text
  }
}

extension Snapshot {
  /// The status of a folder; `nil` stands for documents outside of all.
  func status(of folder: WorkspaceFolder?) async -> LSP.PostkitStatusParams {
    let path = folder?.uri.path.map(FilePath.normalise)
    let settings = await settings(folder: path)
    let environment = await activeEnvironment(path, settings)
    await review()
    let health = store.health.current
    var asksFirst = false
    if let environment {
      let place = FilePath.join(path ?? FileSystem.homeDirectory, "x.http")
      let sources = workspace(of: DocumentURI(path: place)).environmentSources(active: environment)
      asksFirst = EnvironmentSet(sources: sources, active: environment).asksFirst
    }
    return LSP.PostkitStatusParams(
      folder: folder?.uri.spelling, environment: environment, inFlight: session.sends.count,
      health: health.level, message: health.message, confirm: asksFirst ? true : nil,
      mock: session.mock.running?.url)
  }
}
