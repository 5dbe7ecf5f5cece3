// Client certificates: what files name them, and which one a host is shown (PK-86).

import PostKitHTTP
package import PostKitJSON
package import PostKitSyntax

/// A client's certificate as settings or an environment name it; no file has been looked at yet.
package struct ClientCertificate: Sendable, Hashable {
  /// A path as it is written.
  package struct File: Sendable, Hashable {
    /// The path; references in it are not resolved.
    package var path: String
    /// The folder that a relative path counts from first; empty for that of the request file.
    package var folder: String
    /// Where the path stands, such as `/project/http-client.env.json:4`.
    package var place: String
  }

  /// `host`, `host:port`, `*.domain` or `*.domain:port` in small letters; `nil` for every host.
  package private(set) var host: String?
  package private(set) var certificate: File?
  package private(set) var key: File?
  /// The passphrase of the key; references in it are not resolved.
  package private(set) var passphrase: String?
  /// Whether the passphrase is to be asked for.
  package private(set) var asksForPassphrase = false

  /// Reads an entry of a table of hosts, as REST Client and httpYac have it; `nil` where it names
  /// no certificate.
  package init?(host: String, _ value: JSONValue, folder: String, place: String) {
    func file(_ member: String) -> File? {
      value[member]?.string.map { File(path: $0, folder: folder, place: place) }
    }
    self.host = host.lowercased()
    certificate = file("pfx") ?? file("cert")
    key = value["pfx"] == nil ? file("key") : nil
    passphrase = value["passphrase"]?.string ?? value["password"]?.string
    if certificate == nil { return nil }
  }

  /// The certificate for every host, to be read from `SSLConfiguration`.
  init() {}

  /// Takes over what an `SSLConfiguration` says; answers the members that can't be read.
  mutating func read(_ configuration: JSONView, _ file: (_ path: JSONView) -> File) -> [JSONView] {
    var unread: [JSONView] = []
    for (name, view) in configuration.members {
      let path = view.kind == .object ? view["path"] : view
      switch name.string {
      case "clientCertificate" where path?.string != nil:
        certificate = path.map(file)
        if let key = view["keyPath"], key.string != nil { self.key = file(key) }
      case "clientCertificateKey" where path?.string != nil: key = path.map(file)
      case "clientCertificate", "clientCertificateKey": unread.append(view)
      case "hasCertificatePassphrase": asksForPassphrase = view.value == .bool(true)
      default: break
      }
    }
    return unread
  }

  /// How exactly it is meant for a host: host and port, host, wildcard, any; `nil` where it isn't.
  func rank(host: String, port: Int) -> Int? {
    guard let pattern = self.host else { return 0 }
    if pattern == "\(host):\(port)" { return 4 }
    if pattern == host { return 3 }
    guard pattern.hasPrefix("*.") else { return nil }
    let suffix = pattern.dropFirst()
    if "\(host):\(port)".hasSuffix(suffix) { return 2 }
    return host.hasSuffix(suffix) ? 1 : nil
  }

  /// The one that a host is shown: of two that fit equally well, the first.
  static func choose(
    among certificates: [ClientCertificate], for url: URLParts
  ) -> ClientCertificate? {
    var best: (rank: Int, certificate: ClientCertificate)?
    for certificate in certificates where certificate.certificate != nil {
      guard let rank = certificate.rank(host: url.host, port: url.effectivePort) else { continue }
      if best.map({ rank > $0.rank }) ?? true { best = (rank, certificate) }
    }
    return best?.certificate
  }
}

extension BlockLowering {
  /// What is asked for where an `SSLConfiguration` says that there is a passphrase.
  private static let passphraseQuestion = "{{$password-askonce Certificate passphrase}}"

  /// Chooses the client's certificate, unless the request names its own or wants none.
  mutating func addCertificate(for url: String) {
    settings.hasOwnCertificate = settings.options.clientCertificateFile != nil
    if settings.hasOwnCertificate { return }
    addCertificate(for: url, among: defaults.certificates(with: evaluator.scope.environments))
  }

  /// Chooses the certificate that a host is shown.
  fileprivate mutating func addCertificate(
    for url: String, among certificates: [ClientCertificate]
  ) {
    // Hardly any project has some, and taking the URL of each request apart takes time.
    guard !certificates.isEmpty, settings.usesClientCertificate,
      let parts = URLParts(url), parts.scheme == "https",
      let chosen = ClientCertificate.choose(among: certificates, for: parts)
    else { return }
    let range = block.requestLine
    settings.options.clientCertificateFile = chosen.certificate.flatMap { path($0, range) }
    settings.options.clientKeyFile = chosen.key.flatMap { path($0, range) }
    let asked = chosen.asksForPassphrase ? BlockLowering.passphraseQuestion : nil
    if let passphrase = chosen.passphrase ?? asked {
      let value = evaluator.expand(
        text: passphrase, reportedAt: range, place: .path, offset: range.lowerBound)
      evaluator.note(secret: value)
      settings.options.clientKeyPassphrase = value
    }
  }

  /// The file of a path: in the folder of the file that names it, else where paths of requests
  /// count from.
  private mutating func path(_ file: ClientCertificate.File, _ range: Range<Int>) -> String? {
    let written = evaluator.expand(
      text: file.path, reportedAt: range, place: .path, offset: range.lowerBound)
    let isRelative = !written.hasPrefix("/") && !written.hasPrefix("~") && !file.folder.isEmpty
    let found = isRelative ? evaluator.context.resolvePath("\(file.folder)/\(written)") : nil
    if let path = found ?? evaluator.context.resolvePath(written) { return path }
    report(.certificateNotFound(path: written, place: file.place), range)
    return nil
  }
}

extension RequestDefaults {
  /// The certificates of the settings, then those of environments.
  func certificates(with environments: EnvironmentSet) -> [ClientCertificate] {
    certificates + environments.certificates
  }
}

extension Lowering {
  /// The certificate for the host to which a redirect leads: the request's own where that is the
  /// first host, else the one that a request to it would show. What an environment has for all
  /// hosts is not for one that a server has named. `nil` where there is none to look up.
  package static func certificate(
    for url: String, after first: LoweredRequest, of block: ParsedBlock, evaluator: Evaluator,
    defaults: RequestDefaults
  ) -> LoweredRequest? {
    guard let start = first.spec.flatMap({ URLParts($0.url) }), let target = URLParts(url),
      first.settings.usesClientCertificate
    else { return nil }
    let isFirstHost = start.host == target.host
    if isFirstHost, first.settings.hasOwnCertificate || start.hasSameOrigin(as: target) {
      return first
    }
    let certificates = defaults.certificates(with: evaluator.scope.environments)
      .filter { isFirstHost || $0.host != nil }
    guard !certificates.isEmpty else { return nil }
    var lowering = BlockLowering(block: block, evaluator: evaluator, defaults: defaults)
    lowering.settings.options.clientCertificate = nil
    lowering.addCertificate(for: url, among: certificates)
    return lowering.result(nil)
  }
}
