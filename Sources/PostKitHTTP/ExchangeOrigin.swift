// Who asked for an exchange, and what it was made for.

/// Who asked for an exchange.
package struct ExchangeOrigin: RawRepresentable, Sendable, Hashable {
  package let rawValue: String

  /// Makes an origin, of a newer PostKit as well.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Somebody in an editor.
  package static let editor = ExchangeOrigin(rawValue: "editor")
  /// The command line.
  package static let run = ExchangeOrigin(rawValue: "run")
  /// An assistant.
  package static let assistant = ExchangeOrigin(rawValue: "mcp")
  /// `postkit demo`.
  package static let demo = ExchangeOrigin(rawValue: "demo")

  /// Those that can be asked for.
  package static let all = [editor, run, assistant, demo]
}

/// What an exchange was made for.
package struct ExchangePurpose: RawRepresentable, Sendable, Hashable {
  package let rawValue: String

  /// Makes a purpose, of a newer PostKit as well.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A request that somebody wrote.
  package static let request = ExchangePurpose(rawValue: "request")
  /// A token that a request needs.
  package static let token = ExchangePurpose(rawValue: "token")
  /// A script that sends something itself.
  package static let script = ExchangePurpose(rawValue: "script")
  /// The description of a service.
  package static let schema = ExchangePurpose(rawValue: "schema")

  /// Those that can be asked for.
  package static let all = [request, token, script, schema]
}
