// The metadata tags that this version acts on.

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
    tag("name", "NAME", "Names the request, so others can refer to it."),
    tag("note", "[TEXT]", "Asks whether to send the request, with this text."),
    tag("prompt", "VARIABLE [LABEL]", "Asks for a value before the request is sent."),
    tag("kulala-prompt", "\"LABEL\" VARIABLE", "Asks for a value before the request is sent."),
    tag("secret", "VARIABLE [LABEL]", "Asks for a value that is never shown."),
    tag("ref", "NAME", "Sends the named request first, once in a run."),
    tag("forceRef", "NAME", "Sends the named request first, every time."),
    tag("import", "PATH", "Imports the requests and variables of another file."),
    tag("loop", "for N | for NAME of PATH", "Repeats the request; `$index` counts."),
    tag("disabled", "[VARIABLE]", "Does not send the request, or not if the variable is true."),
    tag("sleep", "DURATION", "Waits before the request is sent; a bare number is milliseconds."),
    tag("delay", "DURATION", "Waits before the request is sent; a bare number is milliseconds."),
    tag("no-redirect", "", "Does not follow redirects."),
    tag("no-cookie-jar", "", "Neither sends nor stores cookies."),
    tag("no-log", "", "Keeps the request out of the history."),
    tag("no-auto-encoding", "", "Sends the URL and forms as written."),
    tag("timeout", "NUMBER UNIT", "Limits the time of the whole request, such as `30 s`."),
    tag("connection-timeout", "NUMBER UNIT", "Limits the time to connect, such as `5 s`."),
    tag("keepStreaming", "", "Receives a stream until it ends, however long it is silent."),
    tag("insecure", "", "Does not verify the server's certificate."),
    tag("no-reject-unauthorized", "", "Does not verify the server's certificate."),
    tag("no-client-cert", "", "Sends no client certificate."),
    tag("proxy", "URL", "Uses this proxy."),
    tag("no-proxy", "", "Uses no proxy."),
    tag("injectVariables", "", "Resolves references inside `< file` bodies."),
    tag("tag", "NAMES", "Tags the request for `postkit run --tag`."),
    tag("kulala-expect-status-code", "NUMBERS", "Fails on any other status."),
    tag(
      "env-json-key", "VARIABLE PATH",
      "Sets the variable to a member of the JSON response, such as `data.items[0].id`."),
    tag("env-header-key", "VARIABLE HEADER", "Sets the variable to that header of the response."),
    tag(
      "kulala-file-contents-to-variable", "VARIABLE PATH",
      "Sets the variable to the content of the file."),
    tag("dialect", "PRESET", "Reads the file as that tool would."),
    tag("title", "TEXT", "Sets the title that is displayed."),
    tag("description", "TEXT", "Describes the request."),
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
