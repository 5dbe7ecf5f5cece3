// Completion of tokens (AU-55): clients in `$auth.token("…")`, and httpYac's header form.

import PostKitAuth
import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// The clients of the environment, behind `$auth.token(`; `nil` anywhere else.
  func clientItems(_ prefix: String, at offset: Int) -> [CompletionItem]? {
    guard let form = ["$auth.token", "$auth.idToken"].first(where: prefix.hasPrefix) else {
      return nil
    }
    let rest = prefix.dropFirst(form.count).drop { $0 == " " || $0 == "\t" }
    guard rest.first == "(" else { return nil }
    var typed = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
    var quote = "\""
    let isQuoted = typed.first == "\"" || typed.first == "'"
    if isQuoted { quote = String(typed.removeFirst()) }
    guard !typed.contains(quote), !typed.contains(")") else { return [] }
    let start = offset - typed.utf8.count
    let (end, closing) = closing(of: quote, at: offset)
    return clients.enumerated().map { rank, client in
      CompletionItem(
        client.id, .value, text: (isQuoted ? "" : quote) + client.id + closing,
        replaced: start..<end, detail: client.detail, rank: rank, filter: client.id)
    }
  }

  /// Where the name of a client ends that is written at an offset, and what is missing behind it.
  private func closing(of quote: String, at offset: Int) -> (end: Int, text: String) {
    let line = document.bytes[offset..<max(offset, document.lineRange(at: offset).upperBound)]
    let word = line.prefix { !"\"'){} \t".utf8.contains($0) }
    let behind = line[word.endIndex...].drop { $0 == 32 || $0 == 9 }
    let parts = [quote, ")", "}}"]
    let found = parts.firstIndex { behind.starts(with: $0.utf8) } ?? parts.count
    return (word.endIndex, parts[..<found].joined())
  }

  /// The clients of the environment in force with their grants and files.
  private var clients: [(id: String, detail: String)] {
    let all = scope.environments.clients
    return all.keys.sorted().map { id in
      let fields = all[id] ?? []
      let choosing = fields.filter { SecurityAuthReading.choosingKeys.contains($0.name) }
        .map { SecurityAuthField($0.name, $0.value) }
      // One that has no grant yet has none to be named.
      let grant = try? SecurityAuthReading(id: id, file: "", fields: choosing).grant()
      let file = fields.first?.fileName
      return (id, [grant?.title, file].compactMap { $0 }.joined(separator: ", "))
    }
  }

  /// What an `Authorization` header may name: tokens of clients, then httpYac's form with the
  /// prefixes for which variables exist; where there is none, the words of the form alone, of which
  /// nobody knows whether they are meant.
  func tokenHeaderForms(at offset: Int) -> [(text: String, isKnown: Bool)] {
    let names = Set(scope(at: offset).nameGroups.joined())
    let suffix = "_tokenEndpoint"
    let prefixes = names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
    var forms = clients.map { "Bearer {{$auth.token(\"\($0.id)\")}}" }
    for prefix in prefixes.sorted().prefix(Analysis.shownPrefixes) {
      for (word, variable) in Analysis.headerFlows
      where variable.map({ names.contains("\(prefix)_\($0)") }) ?? true {
        forms.append("oauth2 \(word)" + (prefix == "oauth2" ? "" : " \(prefix)"))
      }
    }
    let bare = prefixes.isEmpty ? Analysis.headerFlows.map { ("oauth2 \($0.word)", false) } : []
    return forms.map { ($0, true) } + bare
  }

  private static let shownPrefixes = 10

  /// The words of httpYac's form with a variable that says that the flow is meant.
  private static let headerFlows: [(word: String, variable: String?)] = [
    ("client_credentials", nil), ("authorization_code", "authorizationEndpoint"),
    ("device_code", "deviceCodeEndpoint"), ("password", "username"),
    ("implicit", "authorizationEndpoint"),
  ]
}
