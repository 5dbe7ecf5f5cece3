// The ids of our commands and how they stand in messages.

import LanguageServerProtocol
import PostKitJSON

/// What `workspace/executeCommand` can be asked for.
enum CommandID: String, CaseIterable, Sendable {
  case send = "postkit.send"
  case sendAll = "postkit.sendAll"
  case cancel = "postkit.cancel"
  case showResponse = "postkit.showResponse"
  case saveResponse = "postkit.saveResponse"
  case copyPath = "postkit.copyPath"
  case diffResponses = "postkit.diffResponses"
  case resend = "postkit.resend"
  case `import` = "postkit.import"
  case export = "postkit.export"
  case history = "postkit.history"
  case historyEdit = "postkit.historyEdit"
  case statistics = "postkit.statistics"
  case savedSearches = "postkit.savedSearches"
  case selectEnvironment = "postkit.selectEnvironment"
  case copyAsCurl = "postkit.copyAsCurl"
  case copyAs = "postkit.copyAs"
  case pasteCurl = "postkit.pasteCurl"
  case toggleLine = "postkit.toggleLine"
  case collections = "postkit.collections"
  case collectionEdit = "postkit.collectionEdit"
  case cookies = "postkit.cookies"
  case cookieEdit = "postkit.cookieEdit"
  case session = "postkit.session"
  case sessionEdit = "postkit.sessionEdit"
  case variables = "postkit.variables"
  case status = "postkit.status"
  case restartEngine = "postkit.restartEngine"

  /// The id as this client knows it.
  func name(_ initialization: LSP.PostkitInitializationOptions) -> String {
    (initialization.commandPrefix ?? "") + rawValue
  }

  /// The command of an id that this client uses.
  init?(name: String, _ initialization: LSP.PostkitInitializationOptions) {
    let prefix = initialization.commandPrefix ?? ""
    guard name.hasPrefix(prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(prefix.count)))
  }

  /// A command for a lens, a hint or an action.
  func command(
    _ title: String, _ initialization: LSP.PostkitInitializationOptions,
    _ argument: (some ProtocolValue)?
  ) -> LSP.Command {
    LSP.Command(
      title: title, command: name(initialization), arguments: argument.map { [JSONValue($0)] })
  }
}

extension JSONValue {
  /// A value of the protocol as plain JSON.
  init(_ value: some ProtocolValue) {
    var writer = JSONWriter()
    value.encode(to: &writer)
    // What our own writer wrote can be read; `null` would show the mistake in every test.
    self = (try? JSONTree(parsing: writer.bytes).root.value) ?? .null
  }
}
