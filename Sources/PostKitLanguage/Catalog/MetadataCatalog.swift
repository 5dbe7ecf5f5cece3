// The metadata tags that this version acts on (dialects.md, section 1.16).

/// A tag such as `@name`.
package struct MetadataDescription: Sendable, Hashable {
  /// The key as it is usually written.
  package let key: String
  /// What follows the key; empty where nothing does.
  package let argument: String
  package let summary: String

  /// The key and what follows it.
  package var usage: String { argument.isEmpty ? key : key + " " + argument }

  /// Whether it is about the whole file, so that it stands above the first request.
  var isOfFile: Bool { key == "dialect" }

  /// The key with places to fill in; `nil` where one word follows it, for which completion has the
  /// words.
  var snippet: String? {
    let words = argument.split(separator: "|")[0].split(separator: " ")
    guard words.count > 1 else { return nil }
    var number = 0
    let places = words.map { word -> String in
      let name = word.filter { $0.isLetter || $0.isNumber }
      guard name.contains(where: \.isUppercase) else { return String(word) }
      number += 1
      let place = Snippet.place(number, name)
      return word.hasPrefix("\"") ? "\"\(place)\"" : place
    }
    return ([key] + places).joined(separator: " ")
  }

  /// The key in small letters without hyphens.
  package var foldedKey: String { key.lowercased().filter { $0 != "-" } }
}

/// The tags PostKit knows.
package enum MetadataCatalog {
  /// All of them, the commonest first.
  package static let all: [MetadataDescription] = [
    tag("name", "NAME", "Names the request, so that others can refer to it."),
    tag("note", "[TEXT]", "Asks whether to send the request, with this text."),
    tag("prompt", "VARIABLE [LABEL]", "Asks for a value before the request is sent."),
    tag("kulala-prompt", "\"LABEL\" VARIABLE", "Asks for a value before the request is sent."),
    tag("secret", "VARIABLE [LABEL]", "Asks for a value that is never shown."),
    tag("ref", "NAME", "Sends the named request first, once in a run."),
    tag("forceRef", "NAME", "Sends the named request first, every time."),
    tag("import", "PATH", "The requests and variables of another file can be used here."),
    tag("loop", "for N | for NAME of PATH", "Sends the request again and again; `$index` counts."),
    tag("disabled", "[VARIABLE]", "The request is not sent, or not where the variable is true."),
    tag("sleep", "DURATION", "Waits before the request is sent; a bare number is milliseconds."),
    tag("delay", "DURATION", "Waits before the request is sent; a bare number is milliseconds."),
    tag("no-redirect", "", "Redirects are not followed."),
    tag("no-cookie-jar", "", "Cookies are neither sent nor kept."),
    tag("no-log", "", "The exchange stays out of the history."),
    tag("no-auto-encoding", "", "The URL and forms are sent as written."),
    tag("timeout", "NUMBER UNIT", "The time for the whole request, such as `30 s`."),
    tag("connection-timeout", "NUMBER UNIT", "The time for connecting, such as `5 s`."),
    tag("keepStreaming", "", "A stream is received until it ends, however long it is silent."),
    tag("insecure", "", "The server's certificate is not verified."),
    tag("no-reject-unauthorized", "", "The server's certificate is not verified."),
    tag("no-client-cert", "", "No client certificate is shown to the server."),
    tag("proxy", "URL", "Goes through this proxy."),
    tag("no-proxy", "", "Goes through no proxy."),
    tag("injectVariables", "", "References inside of `< file` bodies are resolved."),
    tag("tag", "NAMES", "Labels that `postkit run --tag` chooses by."),
    tag("kulala-expect-status-code", "NUMBERS", "The check fails at any other status."),
    tag(
      "env-json-key", "VARIABLE PATH",
      "The variable gets a member of the response's JSON, such as `data.items[0].id`."),
    tag("env-header-key", "VARIABLE HEADER", "The variable gets that header of the response."),
    tag(
      "kulala-file-contents-to-variable", "VARIABLE PATH",
      "The variable gets the content of the file."),
    tag("dialect", "PRESET", "Reads the file as that tool would."),
    tag("title", "TEXT", "A title, for display."),
    tag("description", "TEXT", "A description, for display."),
  ]

  /// The tag with that folded key.
  package static func named(_ foldedKey: String) -> MetadataDescription? {
    all.first { $0.foldedKey == foldedKey }
  }

  private static func tag(
    _ key: String, _ argument: String, _ summary: String
  ) -> MetadataDescription {
    MetadataDescription(key: key, argument: argument, summary: summary)
  }
}
