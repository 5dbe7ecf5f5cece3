// `postkit collections defaults`: what a collection or folder gives to its requests.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore

extension CollectionsCommand {
  /// The options of this form that no other has; `--header` is that of `find`.
  static let defaultsOptions = [
    Option(
      names: ["--remove-header"], value: "NAME", help: "take a default header away",
      isRepeatable: true),
    Option(
      names: ["--auth"], value: "TEXT",
      help: "sign in requests with this `Authorization` value; empty takes it away"),
    Option(
      names: ["--variable"], value: "KEY=VALUE", help: "set a default variable",
      isRepeatable: true),
    Option(
      names: ["--remove-variable"], value: "KEY", help: "take a default variable away",
      isRepeatable: true),
  ]

  /// Changes what requests below a path have that don't say it themselves, and prints it.
  func defaults(_ path: String) async throws(Arguments.Problem) -> Int32 {
    let headers = try arguments.all("--header").map { text throws(Arguments.Problem) in
      let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else {
        throw Arguments.Problem(message: "`--header \(text)`: write Name: value")
      }
      return StoredDefaults.Entry(
        String(halves[0]).trimmingBlanks, String(halves[1]).trimmingBlanks)
    }
    let variables = try arguments.pairs("--variable")
    let isChange = CollectionsForm.defaults.options.subtracting(["--json"])
      .contains(where: arguments.has)
    return await withStore { store throws(Stop) in
      guard isChange else { return try show(defaults: try await item(path, store), path) }
      let (_, (item, plain)) = try await change(store) {
        reader throws(StoreFailure) -> CollectionPlan<(CollectionItem, [String])> in
        let item = try self.item(path, reader)
        guard let known = item.defaults else { throw refused(Self.isRequest(path)) }
        var defaults = known
        for header in headers { defaults.headers.put(header, ignoringCase: true) }
        for name in arguments.all("--remove-header") {
          guard defaults.headers.contains(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
            throw refused("`\(path)` has no default header `\(name)`; look at its defaults")
          }
          defaults.headers.removeAll { $0.name.equalsIgnoringASCIICase(name) }
        }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
          defaults.variables.put(.init(name, value), ignoringCase: false)
        }
        for name in arguments.all("--remove-variable") {
          guard defaults.variables.contains(where: { $0.name == name }) else {
            throw refused("`\(path)` has no default variable `\(name)`; look at its defaults")
          }
          defaults.variables.removeAll { $0.name == name }
        }
        if let auth = arguments.value("--auth") {
          defaults.auth = auth.trimmingBlanks.isEmpty ? nil : auth.trimmingBlanks
        }
        if let mistake = defaults.mistake { throw refused(mistake) }
        return CollectionPlan(
          [.setDefaults(id: item.id, defaults)],
          value: (item.with(defaults), defaults.plainCredentials(besides: known)))
      }
      try show(defaults: item, path)
      if !plain.isEmpty {
        console.note("postkit: warning: \(StoredDefaults.warning(plainCredentials: plain))")
      }
    }
  }

  private static func isRequest(_ path: String) -> String {
    "`\(path)` is a request; name its folder or collection"
  }

  private func show(defaults item: CollectionItem, _ path: String) throws(Stop) {
    guard let defaults = item.defaults?.masked else { throw .usage(Self.isRequest(path)) }
    if arguments.has("--json") { return console.line(defaults.json.text) }
    if defaults.isEmpty { return console.line("\(Display.line(item.name.shown)) has no defaults.") }
    for header in defaults.headers {
      console.line(Display.line("\(header.name): \(header.value)".shown))
    }
    if let auth = defaults.auth { console.line(Display.line("Authorization: \(auth)".shown)) }
    for variable in defaults.variables {
      console.line(Display.line("@\(variable.name) = \(variable.value)".shown))
    }
  }
}

extension [StoredDefaults.Entry] {
  /// Puts an entry in the place of one with its name, or at the end.
  fileprivate mutating func put(_ entry: StoredDefaults.Entry, ignoringCase: Bool) {
    let known = firstIndex {
      ignoringCase ? $0.name.equalsIgnoringASCIICase(entry.name) : $0.name == entry.name
    }
    if let known { self[known] = entry } else { append(entry) }
  }
}

extension CollectionItem {
  /// The collection or folder with other defaults.
  fileprivate func with(_ defaults: StoredDefaults) -> CollectionItem {
    switch self {
    case .collection(var row):
      row.defaults = defaults.json.text
      return .collection(row)
    case .folder(var row):
      row.defaults = defaults.json.text
      return .folder(row)
    case .request: return self
    }
  }
}
