// Where an API is served.

import PostKitJSON

/// A server of a description.
package struct APIServer: Sendable, Hashable {
  /// A variable of a server's URL.
  package struct Variable: Sendable, Hashable {
    package let name: String
    /// The value that it has unless somebody chooses another; empty where the description has none.
    package let value: String
  }

  /// The URL with `{name}` for its variables, without `/` at its end; perhaps relative.
  package let url: String
  /// What people call it; empty where it has no name.
  package let description: String
  package let variables: [Variable]

  init(url: String, description: String = "", variables: [Variable] = []) {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url
    self.description = description
    self.variables = variables
  }

  init(_ value: DescribedValue) {
    self.init(
      url: value.string("url") ?? "",
      description: value.string("name") ?? value.string("description") ?? "",
      variables: (value["variables"]?.members ?? []).map { name, variable in
        Variable(
          name: name,
          value: variable.view["default"].flatMap { $0.string ?? $0.numberText }
            ?? variable["enum"]?.elements.first?.view.string ?? "")
      })
  }

  /// Whether the URL begins with a scheme, or with a variable that may stand for one.
  package var isAbsolute: Bool {
    url.hasPrefix("{") || url.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: ":"))
  }
}

extension APIDescription {
  /// The servers of the whole description. Of Swagger 2.0 one for each scheme, `https` first.
  package var servers: [APIServer] {
    guard version == .swagger2 else { return servers(of: root) }
    let base = root.string("basePath") ?? ""
    guard hasHost else { return base.isEmpty || base == "/" ? [] : [APIServer(url: base)] }
    // Without schemes that counts by which the description came, which a file does not tell.
    let schemes = schemes(of: root)
    return servers(of: schemes.isEmpty ? ["https"] : schemes)
  }

  /// Whether a description of Swagger 2.0 names its host.
  package var hasHost: Bool { root.string("host")?.isEmpty == false }

  private func schemes(of value: DescribedValue) -> [String] {
    value["schemes"]?.elements.compactMap(\.view.string) ?? []
  }

  /// The servers of Swagger 2.0 for schemes, `https` first.
  private func servers(of schemes: [String]) -> [APIServer] {
    let (host, base) = (root.string("host") ?? "", root.string("basePath") ?? "")
    return (schemes.filter { $0 == "https" } + schemes.filter { $0 != "https" }).map {
      APIServer(url: "\($0)://\(host)\(base)", description: $0)
    }
  }

  /// The servers of an operation or of its path, where these have their own. Of Swagger 2.0 those
  /// of an operation whose schemes leave out the one that the description begins with.
  package func ownServers(of operation: APIOperation) -> [APIServer] {
    guard version != .swagger2 else {
      let own = hasHost ? servers(of: schemes(of: operation.value)) : []
      return own.contains { $0.url == servers.first?.url } ? [] : own
    }
    let own = servers(of: operation.value)
    return own.isEmpty ? servers(of: operation.item) : own
  }

  private func servers(of value: DescribedValue) -> [APIServer] {
    value["servers"]?.elements.filter { $0.view.kind == .object }.map(APIServer.init) ?? []
  }
}
