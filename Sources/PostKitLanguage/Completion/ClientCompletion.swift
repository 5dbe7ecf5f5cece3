// Completion of clients in `Security.Auth` of an environment file (AU-55): keys by grant, words of
// closed lists, and whole clients for the commonest grants.

import PostKitAuth
import PostKitJSON

/// What can stand at a caret in the clients of an environment file.
struct ClientCompletion {
  private let bytes: [UInt8]
  private let sketch: JSONSketch
  private let place: JSONSketch.Caret
  private let container: JSONSketch.Container
  private let others: [[UInt8]]
  /// The keys that the container may have; `nil` where any may stand.
  private let known: [SecurityAuthKey]?

  /// Looks at a caret; `others` are the texts of the files beside this one.
  init(
    _ bytes: [UInt8], _ sketch: JSONSketch, _ place: JSONSketch.Caret,
    _ container: JSONSketch.Container, _ others: [[UInt8]]
  ) {
    (self.bytes, self.sketch, self.place) = (bytes, sketch, place)
    (self.container, self.others) = (container, others)
    known = ClientCompletion.known(at: container.path)
  }

  /// Whether a path leads to the clients of an environment, or into one of them.
  private static func isOfClients(_ path: [String]) -> Bool {
    path.count > 2 && path[1] == "Security" && path[2] == "Auth"
  }

  private static func known(at path: [String]) -> [SecurityAuthKey]? {
    guard isOfClients(path), path.count > 3 else { return nil }
    var keys = SecurityAuthKey.all
    var rest = path.dropFirst(4).filter { $0 != "*" }[...]
    while let name = rest.popFirst() {
      guard let value = SecurityAuthKey.named(name, among: keys)?.value else { return [] }
      // The names of parameters are the author's.
      if case .parameters = value, rest.popFirst() == nil { return nil }
      keys = value.members
    }
    return keys
  }

  // MARK: - Values

  /// The words that the value at the caret may be.
  var values: [CompletionItem] {
    guard let name = place.key, let key = known.flatMap({ SecurityAuthKey.named(name, among: $0) })
    else { return [] }
    switch key.value {
    case .words(let words):
      return words.enumerated().map { rank, word in
        let quoted = JSONValue.string(word).text
        return CompletionItem(
          word, .value, text: quoted, replaced: place.token, rank: rank,
          filter: place.isQuoted ? quoted : word)
      }
    case .bool, .boolOrObject:
      if place.isQuoted { return [] }
      return ["true", "false"].enumerated().map { rank, word in
        CompletionItem(word, .keyword, replaced: place.token, rank: rank)
      }
    case .text, .url, .seconds, .object, .parameters: return []
    }
  }

  // MARK: - Keys

  /// The keys that a client lacks and its grant uses; `nil` outside of clients.
  var keys: [CompletionItem]? {
    guard let known else { return nil }
    let grant = grant
    let present = container.keys.compactMap { SecurityAuthKey.named($0.name, among: known)?.name }
    return known.filter { $0.isUsed(by: grant) && !present.contains($0.name) }.enumerated().map {
      rank, key in
      var item = self.item(key.name, value: ClientCompletion.snippet(of: key.value), rank: rank)
      item.detail = key.isSecret ? "a secret" : nil
      item.documentation = key.documentation
      item.continues = !key.value.words.isEmpty
      return item
    }
  }

  private static func snippet(of value: SecurityAuthKey.Value) -> String {
    switch value {
    case .text, .url, .words: "\"$1\""
    case .bool: "${1:true}"
    case .seconds: "${1:3600}"
    case .object, .boolOrObject, .parameters: "{$1\\}"
    }
  }

  /// What leads to the first client, and whole clients.
  var frames: [CompletionItem] {
    if container.path.count == 1 {
      return [item("Security", value: "{\"Auth\": {$1\\}\\}", rank: 10_000, "sign-ins")]
    }
    if container.path.count == 2, container.path[1] == "Security" {
      return [item("Auth", value: "{$1\\}", rank: 10_000, "sign-ins")]
    }
    guard ClientCompletion.isOfClients(container.path), container.path.count == 3 else { return [] }
    let grants: [Grant] = [
      .authorizationCode, .clientCredentials, .deviceCode, .password, .implicit,
    ]
    return grants.enumerated().map { client(of: $1, rank: 10_000 + $0) }
  }

  /// A client with all that its grant needs but secrets, which belong into the private file.
  private func client(of grant: Grant, rank: Int) -> CompletionItem {
    let needed = RequiredField.fields(of: grant).compactMap { SecurityAuthKey.named($0.key) }
    let named = needed.filter { !$0.isSecret }.map(\.name)
    let keys = named.contains("Scope") ? named : named + ["Scope"]
    let secrets = needed.filter(\.isSecret).map(\.name).filter { $0 != "private_key" }
    var lines = ["\"Type\": \"OAuth2\"", "\"Grant Type\": \"\(grant.title)\""]
    var snippets = lines
    for (number, name) in keys.enumerated() {
      let key = "\(JSONValue.string(name).text): "
      lines.append(key + "\"\"")
      snippets.append(key + "\"$\(number + 2)\"")
    }
    func joined(_ lines: [String]) -> String { "{\n  " + lines.joined(separator: ",\n  ") + "\n" }
    var item = self.item(
      grant.title, key: "${1:shop}", value: joined(snippets) + "\\}", rank: rank,
      "a sign-in with the grant \(grant.title)")
    item.text = "\"shop\": " + joined(lines) + "}" + comma
    item.kind = .snippet
    item.filter = (place.isQuoted ? "\"" : "") + grant.title
    if !secrets.isEmpty {
      let names = secrets.map { "`\($0)`" }.joined(separator: " and ")
      item.documentation = "Write \(names) into http-client.private.env.json."
    }
    return item
  }

  /// The comma that is missing before the next member.
  private var comma: String {
    bytes[place.token.upperBound...].first { $0 > 32 } == UInt8(ascii: "\"") ? "," : ""
  }

  private func item(
    _ label: String, key: String? = nil, value: String, rank: Int, _ detail: String? = nil
  ) -> CompletionItem {
    let quoted = JSONValue.string(label).text
    let name = key.map { "\"\($0)\"" } ?? Snippet.literal(quoted)
    return CompletionItem(
      label, .member, text: place.hasColon ? quoted : quoted + ": ",
      snippet: place.hasColon ? nil : "\(name): \(value)\(comma)", replaced: place.token,
      detail: detail, rank: rank, filter: place.isQuoted ? quoted : label)
  }

  // MARK: - The grant

  /// The grant that the client has chosen, here or in a file beside; `nil` for none yet.
  private var grant: Grant? {
    let path = Array(container.path.prefix(4))
    var fields: [SecurityAuthField] = []
    for text in others + [bytes] {
      let sketch = text == bytes ? sketch : JSONSketch(text, in: 0..<text.count)
      for client in sketch.containers where client.path == path {
        for key in client.keys where SecurityAuthReading.choosingKeys.contains(key.name) {
          guard let range = key.value else { continue }
          let written = String(decoding: text[range], as: UTF8.self).filter { $0 != "\"" }
          fields.removeAll { $0.name == key.name }
          fields.append(SecurityAuthField(key.name, .string(written)))
        }
      }
    }
    // Where nothing is chosen yet, all keys are as good.
    return try? SecurityAuthReading(id: "", file: "", fields: fields).grant()
  }
}
