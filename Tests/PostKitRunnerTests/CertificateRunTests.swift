// Client certificates from the files of all tools, shown to a server that wants one (PK-86).

import Libc
import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct CertificateRunTests {
  /// A track with the client's files in `certs`, and one with a request to the server.
  static func track(
    _ server: NginxServer, _ files: [String: String], path: String = "/", tags: String = ""
  ) throws -> Track {
    let port = server.mutualPort
    let track = try Track(
      "\(tags)GET https://localhost:\(port)\(path)\n",
      files.mapValues { $0.replacing("PORT", with: "\(port)") })
    for name in ["ann.pem", "ann.key", "ann.p12", "ann.locked.key"] {
      let bytes = try FileSystem.read(path: "\(server.clientFolder)/\(name)", limit: 1 << 20)
      try track.directory.write("certs/\(name)", bytes: bytes)
    }
    return track
  }

  static func send(
    _ server: NginxServer, _ track: Track, environment: String? = nil, trusted: Bool = true
  ) async -> RunOutcome? {
    await track.run(environment: environment) { input in
      if !trusted { input.workspace.outsideRefusal = "it lies outside" }
      let settings = SettingsFile(projectIn: track.directory.path).settings
      input.defaults = settings.requestDefaults
      input.defaults.options.certificateAuthorityFile = server.certificate
      input.inputs["Certificate passphrase"] = "open sesame"
    }.result.outcomes.first
  }

  static func text(_ outcome: RunOutcome?) -> String {
    guard case .bytes(let bytes)? = outcome?.exchange?.response?.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  static let sources: [[String: String]] = [
    [
      "http-client.env.json":
        #"{"dev": {"SSLConfiguration": {"clientCertificate": "certs/ann.pem"}}}"#,
      "http-client.private.env.json":
        #"{"dev": {"SSLConfiguration": {"clientCertificateKey": {"path": "certs/ann.key"}}}}"#,
    ],
    [
      "http-client.env.json": """
      {"$shared": {"SSLConfiguration": {
        "clientCertificate": {"path": "certs/ann.p12", "format": "P12"}}}, "dev": {}}
      """,
      "http-client.private.env.json":
        #"{"dev": {"SSLConfiguration": {"hasCertificatePassphrase": true}}}"#,
    ],
    [
      "http-client.env.json": "{\"dev\": {\"pass\": \"open sesame\"}}",
      ".vscode/settings.json": """
      {"rest-client.certificates": {
        "localhost:PORT": {"pfx": "certs/ann.p12", "passphrase": "{{pass}}"},
        "localhost": {"cert": "certs/missing.pem"}}}
      """,
    ],
    [
      "http-client.env.json": "{\"dev\": {}}",
      ".httpyac.json": """
      {"clientCertificates": {"localhost": {
        "cert": "certs/ann.pem", "key": "certs/ann.locked.key", "passphrase": "open sesame"}}}
      """,
    ],
    [
      "http-client.env.json": "{\"dev\": {}}",
      "postkit.json": """
      {"tls.certificates": {"LOCALHOST": {"cert": "certs/ann.pem", "key": "certs/ann.key"}}}
      """,
    ],
  ]

  @Test func `every source of certificates is used`() async throws {
    guard let server = try await NginxServer.start() else { return }
    for files in Self.sources {
      let outcome = await Self.send(server, try Self.track(server, files), environment: "dev")
      #expect(outcome?.failure == nil)
      #expect(Self.text(outcome) == "CN=ann", "\(files)")
    }
  }

  @Test func `a request can do without`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let track = try Self.track(server, Self.sources[4], tags: "# @noClientCert\n")
    #expect(await Self.send(server, track)?.exchange?.response?.status == 400)
  }

  @Test func `a passphrase is shown nowhere`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let track = try Self.track(
      server, Self.sources[1], tags: "# @description open sesame\n")
    let outcome = await Self.send(server, track, environment: "dev")
    #expect(outcome?.masked?.template.contains("sesame") == false)
  }

  @Test func `verifyHostCertificate false lets any server in, and the response says so`()
    async throws
  {
    guard let server = try await NginxServer.start() else { return }
    let text = "GET https://localhost:\(server.securePort)/\n"
    for (value, isVerified) in [("false", false), ("true", true)] {
      let track = try Track(
        text,
        [
          "http-client.env.json":
            "{\"dev\": {\"SSLConfiguration\": {\"verifyHostCertificate\": \(value)}}}"
        ])
      let outcome = await track.run(environment: "dev").result.outcomes.first
      #expect(outcome?.exchange?.isUnverified == !isVerified)
      #expect(outcome?.failure?.code == (isVerified ? .tls : nil))
    }
  }

  @Test func `a folder that is not trusted shows no certificate from outside`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let file = "\(server.clientFolder)/both.pem"
    let track = try Self.track(
      server, ["postkit.json": "{\"tls.certificates\": {\"localhost\": {\"cert\": \"\(file)\"}}}"])
    let settings = SettingsFile(projectIn: track.directory.path).settings
    for trusted in [false, true] {
      let outcome = await track.run { input in
        input.workspace.outsideRefusal = trusted ? nil : "it lies outside"
        input.defaults = settings.requestDefaults
        input.defaults.options.certificateAuthorityFile = server.certificate
      }.result.outcomes.first
      #expect(outcome?.failure?.message.contains(file) == (trusted ? nil : true))
      #expect(Self.text(outcome) == (trusted ? "CN=ann" : ""))
    }
  }

  @Test func `in a folder that is not trusted every certificate that lies there is shown`()
    async throws
  {
    guard let server = try await NginxServer.start() else { return }
    for files in Self.sources {
      let outcome = await Self.send(
        server, try Self.track(server, files), environment: "dev", trusted: false)
      #expect(Self.text(outcome) == "CN=ann", "\(files) \(String(describing: outcome?.failure))")
    }
  }

  /// Authorities that a request names itself in a folder that isn't trusted are read by PostKit.
  @Test func `in a folder that is not trusted its authorities are those of the folder`()
    async throws
  {
    guard let server = try await NginxServer.start() else { return }
    let url = "https://localhost:\(server.securePort)/"
    let track = try Track("curl \(url) --cacert ./ca.pem\n")
    let bytes = try FileSystem.read(path: server.certificate, limit: 1 << 20)
    let path = track.directory.path("ca.pem")
    try track.directory.write("ca.pem", bytes: bytes)
    let sent = await track.run { $0.workspace.outsideRefusal = "it lies outside" }
    #expect(sent.result.firstFailure == nil)
    let refused = await track.run {
      $0.workspace.outsideRefusal = "it lies outside"
    } onEvent: { event in
      guard case .sending = event else { return }
      #expect(unlink(path) == 0 && symlink(server.certificate, path) == 0)
    }
    #expect(refused.result.firstFailure?.message.contains("lies outside") == true)
  }

  /// Follows redirects from `localhost` to the same server by another name.
  private func follow(
    _ server: NginxServer, _ path: String, _ files: [String: String], tags: String = "",
    change: (inout RunInput) -> Void = { _ in }
  ) async throws -> RunOutcome? {
    let track = try Self.track(server, files, path: path, tags: "# @insecure\n" + tags)
    return await track.run(environment: "dev") { input in
      input.defaults = SettingsFile(projectIn: track.directory.path).settings.requestDefaults
      change(&input)
    }.result.outcomes.first
  }

  private static let ann = #"{"cert": "certs/ann.pem", "key": "certs/ann.key"}"#
  private static let noValues = ["http-client.env.json": #"{"dev": {}}"#]

  @Test func `a host that a redirect leads to is not shown the first one's certificate`()
    async throws
  {
    guard let server = try await NginxServer.start() else { return }
    let everywhere =
      #"{"dev": {"SSLConfiguration": {"clientCertificate": "certs/ann.pem", "#
      + #""clientCertificateKey": "certs/ann.key"}}}"#
    for files in [
      Self.noValues.merging(
        ["postkit.json": "{\"tls.certificates\": {\"localhost\": \(Self.ann)}}"]) { $1 },
      ["http-client.env.json": everywhere],
    ] {
      let outcome = try await follow(server, "/elsewhere", files)
      #expect(outcome?.exchange?.hops.map(\.status) == [302])
      #expect(outcome?.exchange?.response?.status == 400, "the server wants one")
    }
    let own = "# @curl-cert certs/ann.pem\n# @curl-key certs/ann.key\n"
    let outcome = try await follow(server, "/elsewhere", Self.noValues, tags: own)
    #expect(outcome?.exchange?.hops.map(\.status) == [302])
    #expect(outcome?.exchange?.response?.status == 400)
  }

  @Test(arguments: ["postkit.json", ".httpyac.json", ".vscode/settings.json"])
  func `a host that a redirect leads to is shown its own certificate`(_ name: String) async throws {
    guard let server = try await NginxServer.start() else { return }
    let key = [
      "postkit.json": "tls.certificates", ".httpyac.json": "clientCertificates",
      ".vscode/settings.json": "rest-client.certificates",
    ]
    let table = """
      {"\(key[name] ?? "")": {"localhost": \(Self.ann), "127.0.0.1:PORT": {
        "pfx": "certs/ann.p12", "passphrase": "{{$password The other host}}"}}}
      """
    let files = Self.noValues.merging([name: table]) { $1 }
    let outcome = try await follow(server, "/elsewhere", files, tags: "# @title open sesame\n") {
      $0.inputs["The other host"] = "open sesame"
    }
    #expect(outcome?.exchange?.hops.map(\.status) == [302])
    #expect(Self.text(outcome) == "CN=ann")
    #expect(outcome?.masked?.template.contains("sesame") == false)
    let unanswered = try await follow(server, "/elsewhere", files)
    #expect(unanswered?.failure?.message.contains("The other host") == true)
    #expect(unanswered?.exchange?.response?.status == 302)
  }

  @Test func `the first host is shown its certificate again`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let first = "# @curl-cert certs/ann.pem\n# @curl-key certs/ann.key\n"
    let table = "{\"tls.certificates\": {\"127.0.0.1\": \(Self.ann)}}"
    let files = Self.noValues.merging(["postkit.json": table]) { $1 }
    let outcome = try await follow(server, "/there-and-back", files, tags: first)
    #expect(outcome?.exchange?.hops.count == 2)
    #expect(Self.text(outcome) == "CN=ann")
  }

  @Test func `nothing is sent to a host whose certificate is not there`() async throws {
    guard let server = try await NginxServer.start() else { return }
    let table =
      "{\"tls.certificates\": {\"localhost\": \(Self.ann), "
      + #""127.0.0.1": {"cert": "certs/none.pem"}}}"#
    let files = Self.noValues.merging(["postkit.json": table]) { $1 }
    let outcome = try await follow(server, "/elsewhere", files)
    #expect(outcome?.failure?.message.contains("certs/none.pem") == true)
    #expect(outcome?.exchange?.response?.status == 302)
    let without = try await follow(server, "/elsewhere", files, tags: "# @no-redirect\n")
    #expect(without?.failure == nil)
  }
}
