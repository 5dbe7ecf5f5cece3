// A description as a collection: servers as environments, tags as folders.

import PostKitDescription
import PostKitHTTP
import PostKitJSON

/// Makes a collection of one description. It belongs to one import.
final class OpenAPIReading {
  let description: APIDescription
  let context: OriginContext
  /// Where the description itself stands.
  let place: OriginPlace
  /// What is shared by all environments, in order of first use.
  private(set) var shared: [OriginVariable] = []
  /// The names of secrets for schemes that ask for them, by scheme and what it is for.
  var credentials: [String: String] = [:]
  /// The clients of OAuth 2 by their scheme.
  var clients: [String: OriginOAuth2] = [:]
  /// The scopes that operations need of a scheme, in the order of their use.
  private(set) var scopes: [String: [String]] = [:]
  private var toldReferences: Set<String> = []
  private var ids: Set<String> = []

  init(_ description: APIDescription, _ context: OriginContext, _ place: OriginPlace) {
    self.description = description
    self.context = context
    self.place = place
  }

  /// The longest name that a server's description gives to an environment.
  private static let nameLimit = 40
  /// The server that is assumed where a description has none.
  private static let localServer = "http://localhost"

  /// The whole collection.
  func collection() -> OriginCollection {
    let root = description.root
    checkMembers(root)
    for (path, failure) in description.failures {
      tell(failure, at: place.member("paths").member(path), origin: path)
    }
    let operations = description.operations.filter { operation in
      let wanted = context.options.tags
      return wanted.isEmpty || operation.tags.contains { wanted.contains($0) }
    }
    collectScopes(operations)
    let environments = environments()
    var folders: [String: Int] = [:]
    var folder = OriginFolder(
      name: description.title.isEmpty ? "API" : description.title, description: rootText(),
      place: place)
    folder.folders = taggedFolders(operations, &folders)
    for operation in operations {
      let request = request(operation)
      guard let name = folderName(operation) else {
        folder.requests.append(request)
        continue
      }
      let index = folders[name] ?? folder.folders.count
      if index == folder.folders.count {
        folders[name] = index
        folder.folders.append(
          OriginFolder(name: name, place: self.place(of: operation)))
      }
      folder.folders[index].requests.append(request)
    }
    folder.folders.removeAll { $0.requests.isEmpty }
    var collection = OriginCollection(
      format: .openapi,
      version: root.view[description.version == .swagger2 ? "swagger" : "openapi"]
        .flatMap { $0.string ?? $0.numberText },
      root: folder, environments: environments, shared: shared)
    collection.isPartial = description.failures.contains { $0.failure.isElsewhere }
    return collection
  }

  // MARK: - Telling

  /// Tells a reference that leads to nothing, once.
  func tell(_ failure: ReferenceFailure, at place: OriginPlace, origin: String?) {
    guard toldReferences.insert(failure.reference).inserted else { return }
    let shown = "`\(OriginCredentials.without(failure.reference))`"
    let (code, message): (ImportNoteCode, String) =
      switch failure.reason {
      case .remote:
        (
          .refRemote,
          "\(shown) is on another machine and is not fetched; save it beside the description, or "
            + "`--fetch` it."
        )
      case .outside:
        (
          .refOutside,
          "\(shown) lies outside of the description's folder and is not read; `--root` widens it."
        )
      case .missing: (.refMissing, "\(shown) leads to nothing; what it stands for is left out.")
      case .cycle: (.refMissing, "\(shown) leads to itself; what it stands for is left out.")
      case .unreadable(let why): (.refMissing, "\(shown) can't be read. \(why)")
      }
    context.notes.tell(code, message, at: place, origin: origin, isWarning: true)
  }

  /// Adds a variable for all environments unless one of its name is there.
  func share(_ name: String, _ value: OriginValue?, isSecret: Bool, at place: OriginPlace) {
    guard !shared.contains(where: { $0.name == name }) else { return }
    shared.append(
      OriginVariable(name: name, value: value, isSecret: isSecret, place: place))
  }

  /// Whether the name belongs to a variable for all environments.
  func isShared(_ name: String) -> Bool { shared.contains { $0.name == name } }

  /// Where an operation stands.
  func place(of operation: APIOperation) -> OriginPlace {
    place.member("paths").member(operation.path).member(operation.method.lowercased())
  }

  /// A word for an operation that no other one has: its own, else its method and path.
  func identifier(_ operation: APIOperation) -> String {
    let fallback = "\(operation.method) \(operation.path)"
    if let id = operation.id, ids.insert(id).inserted { return id }
    ids.insert(fallback)
    return fallback
  }

  // MARK: - Folders

  private func rootText() -> String {
    let info = description.root["info"]
    var parts: [String] = []
    // Who writes `version: 1.0` means a text.
    if let version = info?["version"]?.view.anyText, !version.isEmpty {
      parts.append("Version \(version)")
    }
    if let text = info?.string("description") ?? info?.string("summary"), !text.isEmpty {
      parts.append(text)
    }
    if let link = Self.link(description.root) { parts.append(link) }
    return parts.joined(separator: "\n\n")
  }

  /// A line that names the further documentation of something.
  static func link(_ value: DescribedValue) -> String? {
    guard let docs = value["externalDocs"], let url = docs.string("url"), !url.isEmpty else {
      return nil
    }
    return "\(docs.string("description") ?? "See"): \(url)"
  }

  /// A folder for each tag: first those that the description lists, then those of operations.
  private func taggedFolders(
    _ operations: [APIOperation], _ places: inout [String: Int]
  ) -> [OriginFolder] {
    var folders: [OriginFolder] = []
    for (index, tag) in (description.root["tags"]?.elements ?? []).enumerated() {
      guard let name = tag.string("name"), places[name] == nil else { continue }
      places[name] = folders.count
      let texts = [tag.string("description"), Self.link(tag)].compactMap(\.self)
      folders.append(
        OriginFolder(
          name: name, description: texts.joined(separator: "\n"),
          place: place.member("tags").element(index)))
    }
    return folders
  }

  /// The folder of an operation: its first tag, else the first step of its path that is no version.
  private func folderName(_ operation: APIOperation) -> String? {
    if let tag = operation.tags.first, !tag.isEmpty { return tag }
    for step in operation.path.split(separator: "/") {
      let isVersion = Self.isVersion(step)
      if !isVersion, !step.contains("{") {
        return String(step.prefix { $0 != "?" && $0 != "#" })
      }
      if !isVersion { return nil }
    }
    return nil
  }

  private static func isVersion(_ step: Substring) -> Bool {
    var rest = step
    if rest.first == "v" || rest.first == "V" { rest.removeFirst() }
    return !rest.isEmpty && rest.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
  }

  // MARK: - Servers

  private func environments() -> [OriginEnvironment] {
    let place = place.member("servers")
    let servers = description.servers
    if servers.isEmpty {
      let base = context.options.baseURL
      if base == nil {
        context.notes.tell(
          .serverMissing,
          "The description names no server; `baseUrl` is \(Self.localServer) until you change it.",
          at: self.place, isWarning: true)
      }
      var url = base ?? Self.localServer
      while url.hasSuffix("/") { url.removeLast() }
      share("baseUrl", .text(url), isSecret: false, at: self.place)
      return []
    }
    var environments: [OriginEnvironment] = []
    for (index, server) in servers.enumerated() {
      let place = place.element(index)
      let url = OriginValue.text(url(of: server, at: place))
      var environment = OriginEnvironment(name: environmentName(server), place: place)
      for variable in server.variables {
        let value = OriginValue.text(variable.value)
        let known = shared.first { $0.name == variable.name }
        share(variable.name, value, isSecret: false, at: place)
        if let known, known.value != value {
          environment.variables.append(
            OriginVariable(name: variable.name, value: value, place: place))
        }
      }
      share("baseUrl", url, isSecret: false, at: place)
      environment.variables.append(OriginVariable(name: "baseUrl", value: url, place: place))
      environments.append(environment)
    }
    return environments
  }

  /// The URL of a server with templates of ours; told where it has no host.
  func url(of server: APIServer, at place: OriginPlace) -> String {
    var url = server.url
    if !server.isAbsolute {
      if let base = context.options.baseURL, let joined = URLParts(base)?.resolving(url) {
        url = joined
        while url.hasSuffix("/") { url.removeLast() }
      } else if url.hasPrefix("//") {
        url = "https:" + url
        context.notes.tell(
          .serverMissing, "The server has no scheme and is written as `\(url)`.", at: place,
          isWarning: false)
      } else {
        context.notes.tell(
          .serverMissing,
          "The server `\(url)` has no host; write one into `baseUrl`, or import "
            + "with --base.", at: place, isWarning: true)
      }
    }
    return TemplateText.rewriting(url, from: "{", to: "}") { "{{\($0)}}" }
  }

  private func environmentName(_ server: APIServer) -> String {
    let text = server.description
    if !text.isEmpty { return String(text.prefix(Self.nameLimit)) }
    let url = URLText(server.url, as: .written)
    let host = url[url.hostAndPort] ?? ""
    return host.isEmpty ? "default" : String(host)
  }

  private func collectScopes(_ operations: [APIOperation]) {
    var failures: [ReferenceFailure] = []
    for operation in operations {
      for need in description.security(of: operation, &failures).joined() {
        for scope in need.scopes where scopes[need.scheme.name]?.contains(scope) != true {
          scopes[need.scheme.name, default: []].append(scope)
        }
      }
    }
  }
}
