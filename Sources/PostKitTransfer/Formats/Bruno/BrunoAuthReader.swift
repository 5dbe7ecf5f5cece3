// The auth blocks of a file of Bruno's.

/// Reads who sends the requests of a file.
struct BrunoAuthReader {
  let file: BrunoFile
  let shared: BrunoShared
  let origin: String

  private static let parameters = "auth:oauth2:additional_params:"

  /// Whether a block is one of auth.
  static func knows(_ block: String) -> Bool { block == "auth" || block.hasPrefix("auth:") }

  /// The auth of a kind such as `basic`. Blocks of other kinds are not used and told.
  func read(_ mode: String, at place: OriginPlace) throws(OriginFailure) -> OriginAuth {
    let block = "auth:\(mode)"
    for other in file.text.blocks
    where other.name.hasPrefix("auth:") && other.name != block
      && !(mode == "oauth2" && other.name.hasPrefix(Self.parameters))
    {
      shared.notes.tell(
        .disabledItem, "`\(other.name)` is left out: the mode of the auth is another.",
        at: file.place(other.line), origin: origin)
    }
    let maker = BrunoAuth(notes: shared.notes, origin: origin, templates: shared.templates)
    return maker.auth(
      mode, try file.fields(block), parameters: mode == "oauth2" ? try additional() : [],
      at: place)
  }

  /// What an OAuth 2 client sends beyond the usual.
  private func additional() throws(OriginFailure) -> [BrunoParameter] {
    var parameters: [BrunoParameter] = []
    for block in file.text.blocks where block.name.hasPrefix(Self.parameters) {
      let words = block.name.dropFirst(Self.parameters.count).split(separator: ":")
      let use: BrunoParameter.Use =
        switch words.first {
        case "auth_req": .authorization
        case "access_token_req": .token
        default: .refresh
        }
      let pairs = try file.reading { () throws(BruMistake) in try block.pairs() }
      for pair in pairs where pair.isOn {
        parameters.append(
          BrunoParameter(
            name: pair.key, value: pair.value, use: use, isHeader: words.last == "headers",
            place: file.place(pair.line)))
      }
    }
    return parameters
  }
}
