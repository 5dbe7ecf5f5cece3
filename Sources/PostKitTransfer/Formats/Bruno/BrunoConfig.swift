// What `bruno.json` says of a collection.

import PostKitJSON

/// The configuration of a collection.
struct BrunoConfig {
  /// The file, at the root of the folder.
  static let fileName = "bruno.json"

  private(set) var name: String?
  /// The paths below which nothing belongs to the collection.
  private(set) var ignored: [String] = ["node_modules", ".git"]

  /// Reads the file. What has no equivalent is told.
  init(_ file: TransferFile, notes: ImportNotes) throws(OriginFailure) {
    let tree: JSONTree
    let source = Array(try BrunoFile.source(file).utf8)
    do throws(JSONSyntaxError) {
      tree = try JSONTree(parsing: source)
    } catch {
      let line = source[..<min(error.offset, source.count)].count { $0 == 0x0A } + 1
      throw OriginFailure("\(file.path):\(line): This is no JSON: \(error.explanation).")
    }
    guard let object = OriginObject(tree.root, at: OriginPlace(file: file.path), notes: notes)
    else { throw OriginFailure("\(file.path) holds no object. Write `{\"name\": …}` in it.") }
    name = object.string("name")
    object.ignore(
      "version", "type", "collectionVersion", "presets", "scripts", "opencollection", "$schema")
    ignored += object.array("ignore").compactMap(\.value.string)
    if let proxy = object.object("proxy") { BrunoConnection.tell(proxy: proxy, notes) }
    if let certificates = object.object("clientCertificates") {
      let isOn = certificates.bool("enabled") ?? true
      for (value, place) in certificates.array("certs") {
        guard let certificate = OriginObject(value, at: place, notes: notes) else {
          notes.tell(.itemMalformed, "The certificate is no object and is left out.", at: place)
          continue
        }
        BrunoConnection.tell(certificate: certificate, isOn: isOn, notes)
      }
      certificates.finish()
    }
    if let protobuf = object.object("protobuf") { BrunoConnection.tell(protobuf: protobuf, notes) }
    object.finish()
  }

  /// Whether nothing below a path belongs to the collection.
  func ignores(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return ignored.contains { ignored in
      let ignored = ignored.split(separator: "/").filter { $0 != "." }
      return !ignored.isEmpty && parts.starts(with: ignored)
    }
  }
}

/// What a collection says of proxies, certificates and proto files, which are told with the lines
/// to write.
enum BrunoConnection {
  /// Tells a proxy, unless it is switched off. Older files have its parts beside the switch, newer
  /// ones in `config`.
  static func tell(proxy: OriginObject, _ notes: ImportNotes) {
    let isOff = proxy.bool("enabled") == false || proxy.bool("disabled") == true
    // The system's proxy is what is used here, too.
    let isSystem = proxy.string("enabled") == "global" || proxy.bool("inherit") == true
    let parts = proxy.object("config") ?? proxy
    let scheme = parts.string("protocol") ?? "http"
    let host = parts.string("hostname") ?? ""
    let port = parts["port"].flatMap { $0.numberText ?? $0.string }
    let bypass = parts.string("bypassProxy") ?? ""
    let auth = parts.object("auth")
    let hasUser = auth?.string("username")?.isEmpty == false
    auth?.ignore("enabled", "disabled", "password")
    auth?.finish()
    if parts !== proxy { parts.finish() }
    proxy.ignore("enabled", "inherit")
    proxy.finish()
    guard !isOff, !isSystem, !host.isEmpty else { return }
    let user = hasUser ? "USER:PASSWORD@" : ""
    let address = "\(scheme)://\(user)\(host)" + (port.map { $0.isEmpty ? "" : ":\($0)" } ?? "")
    var message = "Bruno sends through a proxy. Write `# @proxy \(address)` above the requests."
    if !bypass.isEmpty { message += " Those to `\(bypass)` go without it: `# @no-proxy`." }
    notes.tell(.settingUnsupported, message, at: proxy.place)
  }

  /// Tells a client certificate, unless it is switched off.
  static func tell(certificate: OriginObject, isOn: Bool, _ notes: ImportNotes) {
    let isOff = certificate.bool("disabled") == true || !isOn
    let domain = certificate.string("domain") ?? ""
    let path = certificate.string("certFilePath") ?? certificate.string("certificateFilePath")
    let key = certificate.string("keyFilePath") ?? certificate.string("privateKeyFilePath")
    let bundle = certificate.string("pfxFilePath") ?? certificate.string("pkcs12FilePath")
    let hasPassphrase = certificate.string("passphrase")?.isEmpty == false
    certificate.ignore("type", "passphrase")
    certificate.finish()
    guard !isOff else { return }
    var members = [JSONMember("clientCertificate", .string(path ?? bundle ?? ""))]
    if let key, !key.isEmpty { members.append(JSONMember("clientCertificateKey", .string(key))) }
    if hasPassphrase { members.append(JSONMember("hasCertificatePassphrase", .bool(true))) }
    notes.tell(
      .settingUnsupported,
      "Bruno shows a certificate to `\(domain)`. Put `\"SSLConfiguration\": "
        + "\(JSONValue.object(members).text)` into the environment.",
      at: certificate.place)
  }

  /// Tells the proto files of a collection.
  static func tell(protobuf: OriginObject, _ notes: ImportNotes) {
    for (value, place) in protobuf.array("protoFiles") {
      guard let path = value["path"]?.string else { continue }
      notes.tell(
        .protocolUnsupported,
        "The proto file is not linked with requests. Write `proto < \(path)` above those of its "
          + "services.",
        at: place)
    }
    for (value, place) in protobuf.array("importPaths") {
      guard let path = value["path"]?.string else { continue }
      notes.tell(
        .protocolUnsupported, "Proto files are not looked for in `\(path)`. Write whole paths.",
        at: place)
    }
    protobuf.finish()
  }
}
