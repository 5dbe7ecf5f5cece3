// The ids of our commands and how they stand in messages.

package import LanguageServerProtocol
import PostKitJSON

/// What `workspace/executeCommand` can be asked for.
package typealias CommandID = LSP.PostkitCommand

extension CommandID {
  /// The id as this client knows it.
  package func name(_ initialization: LSP.PostkitInitializationOptions) -> String {
    (initialization.commandPrefix ?? "") + rawValue
  }

  /// The command of an id that this client uses.
  package init?(name: String, _ initialization: LSP.PostkitInitializationOptions) {
    let prefix = initialization.commandPrefix ?? ""
    guard name.hasPrefix(prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(prefix.count)))
  }

  /// A command for a lens, a hint or an action.
  package func command(
    _ title: String, _ initialization: LSP.PostkitInitializationOptions,
    _ argument: (some ProtocolValue)?
  ) -> LSP.Command {
    LSP.Command(
      title: title, command: name(initialization), arguments: argument.map { [JSONValue($0)] })
  }
}

extension JSONValue {
  /// A value of the protocol as plain JSON.
  package init(_ value: some ProtocolValue) {
    var writer = JSONWriter()
    value.encode(to: &writer)
    // What our own writer wrote can be read; `null` would show the mistake in every test.
    self = (try? JSONTree(parsing: writer.bytes).root.value) ?? .null
  }
}
