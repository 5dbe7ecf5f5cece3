// Collections of Postman that were imported and are exported to Postman again.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@testable import PostKitTransfer

@Suite struct PostmanRoundTripTests {
  /// Reads a collection, writes it as a folder, exports the folder, and reads that.
  private func again(
    _ text: String, files: [String: String] = [:]
  ) throws -> (before: OriginSample, after: OriginSample, export: RequestExport) {
    let before = try OriginSample(PostmanImporter.self, [("shop.json", text)], files: files)
    let written = Written(before.collection)
    let export = RequestExport.make(
      Self.sources(written.folder), name: "Shop", as: .postman, fileName: "shop.json")
    let beside = Dictionary(
      uniqueKeysWithValues: export.files.dropFirst().map {
        ($0.path, String(decoding: $0.bytes, as: UTF8.self))
      })
    let after = try OriginSample(
      PostmanImporter.self,
      [("shop.json", String(decoding: export.files[0].bytes, as: UTF8.self))], files: beside)
    return (before, after, export)
  }

  /// The request files of a folder as they are exported, with what lies beside them.
  private static func sources(_ folder: WrittenFolder) -> [ExportSource] {
    var environments: [EnvironmentSource] = []
    func add(_ kind: EnvironmentSource.Kind, _ path: String, _ bytes: [UInt8]?) {
      guard let bytes else { return }
      environments.append(
        EnvironmentSource(kind: kind, file: SourceFile(path: path, bytes: bytes)))
    }
    add(
      .publicFile, "/w/http-client.env.json",
      EnvironmentFilesWriter.publicFile(folder.environments))
    add(
      .privateFile, "/w/http-client.private.env.json",
      EnvironmentFilesWriter.privateFile(folder.environments))
    let attachments = Dictionary(
      uniqueKeysWithValues: folder.attachments.map { ("/w/" + $0.path, $0.bytes) })
    return folder.files.map { file in
      let document = ParsedDocument(bytes: Array(file.text.utf8))
      let directory = "/w/" + (file.path.lastIndex(of: "/").map { file.path[...$0] } ?? "")
      let context = EvaluationContext(
        now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 0 }, processEnvironment: { _ in nil },
        readFile: { path in attachments[path].map { .bytes($0) } ?? .missing },
        resolvePath: { $0.hasPrefix("./") ? directory + $0.dropFirst(2) : directory + $0 },
        exampleServer: { nil }, exchange: { _ in nil })
      let scope = Scope(
        document: document, environments: EnvironmentSet(sources: environments, active: nil),
        dialect: FileReading().dialect(of: document))
      let folders = file.path.split(separator: "/").map(String.init)
      return ExportSource(
        path: "/w/" + file.path, label: file.path,
        folder: folder.files.count == 1 ? [] : Array(folders),
        scopes: [(nil, scope)], context: context, relativePath: { String($0.dropFirst(3)) })
    }
  }

  private func auth(_ auth: String) throws -> (OriginAuth?, OriginAuth?) {
    let request = #""method": "GET", "url": "http://x/y?a=1", "auth": \#(auth)"#
    let (before, after, _) = try again(
      PostmanSample.collection(
        PostmanSample.item(request), #""variable": [{"key": "v", "value": "1"}]"#))
    return (before.requests.first?.auth, after.requests.first?.auth)
  }

  /// The auths that an import reads, without secrets, which no export has.
  @Test(arguments: [
    #"{"type": "basic", "basic": {"username": "{{u}}", "password": "{{p}}"}}"#,
    #"{"type": "bearer", "bearer": {"token": "{{t}}"}}"#,
    #"{"type": "apikey", "apikey": {"key": "X-Key", "value": "{{apiKey}}"}}"#,
    #"{"type": "apikey", "apikey": {"key": "X-Api-Key", "value": "{{v}}", "in": "header"}}"#,
    #"{"type": "apikey", "apikey": {"key": "k", "value": "{{secretOne}}", "in": "query"}}"#,
    #"{"type": "digest", "digest": {"username": "{{u}}", "password": "{{p}}"}}"#,
    #"{"type": "ntlm", "ntlm": {"username": "{{u}}", "password": "{{p}}"}}"#,
    #"""
    {"type": "awsv4", "awsv4": {"accessKey": "{{a}}", "secretKey": "{{s}}",
      "sessionToken": "{{t}}", "region": "eu", "service": "s3"}}
    """#,
    #"""
    {"type": "oauth2", "oauth2": {"tokenName": "shop", "grant_type": "client_credentials",
      "accessTokenUrl": "https://a/t", "clientId": "me", "clientSecret": "{{cs}}",
      "scope": "a b", "client_authentication": "body", "addTokenTo": "header"}}
    """#,
    #"""
    {"type": "oauth2", "oauth2": {"tokenName": "shop", "authUrl": "https://a/a",
      "grant_type": "authorization_code_with_pkce", "accessTokenUrl": "{{base}}/t",
      "redirect_uri": "https://c/", "clientId": "{{id}}", "state": "st",
      "challengeAlgorithm": "S256", "addTokenTo": "queryParams", "audience": "aud",
      "tokenRequestParams": [{"key": "x", "value": "{{v}}", "enabled": true}]}}
    """#,
    #"""
    {"type": "oauth2", "oauth2": {"tokenName": "other", "grant_type": "password_credentials",
      "accessTokenUrl": "https://a/t", "username": "u", "password": "{{pw}}",
      "headerPrefix": "Token", "addTokenTo": "header"}}
    """#,
    #"{"type": "oauth1", "oauth1": {"consumerKey": "{{k}}", "consumerSecret": "{{s}}"}}"#,
    #"{"type": "hawk", "hawk": {"authId": "i", "algorithm": "sha256"}}"#,
  ])
  func `auth is kept`(text: String) throws {
    let (before, after) = try auth(text)
    #expect(Self.plain(before) == Self.plain(after), "\(String(describing: after))")
    #expect(before != nil && before != OriginAuth.none)
  }

  /// An auth in words, without places and in an order.
  private static func plain(_ auth: OriginAuth?) -> String {
    switch auth {
    case .oauth2(let client):
      let fields = client.fields.map { "\($0.name)=\($0.value?.text ?? "")" }.sorted()
      return "\(client.name ?? "") \(client.location) \(client.prefix) \(fields)"
    case .other(let name, let fields):
      return "\(name) \(fields.map { "\($0.name)=\($0.value?.text ?? "")" })"
    default: return "\(String(describing: auth))"
    }
  }

  @Test func `literal credentials become variables, and no export has them`() throws {
    let auth = #"""
      {"type": "oauth2", "oauth2": {"tokenName": "shop", "grant_type": "client_credentials",
        "accessTokenUrl": "https://a/t", "clientId": "me", "clientSecret": "canary-1"}}
      """#
    let key = #"{"type": "apikey", "apikey": {"key": "X-Key", "value": "canary-2"}}"#
    let items = [auth, key].map {
      PostmanSample.item(#""method": "GET", "url": "http://x", "auth": \#($0)"#)
    }
    let (_, after, export) = try again(
      PostmanSample.collection(items.joined(separator: ", ")))
    for file in export.files {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains("canary"))
    }
    #expect(after.requests.last?.auth == .apiKey(
      name: "X-Key", value: "{{apiKey}}", location: .header))
    guard case .oauth2(let client)? = after.requests.first?.auth else {
      Issue.record("\(String(describing: after.requests.first?.auth))")
      return
    }
    #expect(client.fields.contains { $0.value?.text == "{{clientSecret}}" })
  }

  @Test func `examples, scripts and forms are kept`() throws {
    let (before, after, _) = try again(
      PostmanSample.complete, files: ["a.bin": "a", "b.bin": "b"])
    #expect(after.requests.count == before.requests.count)
    for old in before.requests {
      let new = try #require(after.requests.first { $0.name == old.name })
      #expect(new.examples.map(\.name) == old.examples.map(\.name))
      #expect(new.examples.map(\.status) == old.examples.map(\.status))
      #expect(new.examples.map(\.body) == old.examples.map(\.body))
      #expect(new.method == old.method)
      switch (old.body, new.body) {
      case (.multipart(let parts), .multipart(let others)):
        #expect(others.map(\.name) == parts.map(\.name))
        #expect(others.map(\.fileName) == parts.map(\.fileName))
        #expect(others.map(\.contentType) == parts.map(\.contentType))
        #expect(others.map(\.content) == parts.map(\.content))
      case (.form, .form), (.file, .file), (.text, .text), (.graphQL, .text), (.none, .none): break
      default: Issue.record("\(old.name): \(new.body)")
      }
    }
    // What folders give is in each request.
    let scripts = try #require(after.requests.first { $0.name == "Get user" }).scripts
    let texts = scripts.map(\.text).joined(separator: "\n")
    for line in ["let a = 1;", "let b = 2;", "let c = 3;", "have.status(200)"] {
      #expect(texts.contains(line), "\(texts)")
    }
  }

  @Test func `a part with a file name that stands in the request becomes a file`() throws {
    let text = """
      POST http://h/
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="inline"; filename="in.json"
      Content-Type: application/json

      {"a":1}
      --b
      Content-Disposition: form-data; name="other"; filename="in.json"

      {"a":2}
      --b
      Content-Disposition: form-data; name="open"; filename="x.txt"

      {{x}}
      --b--

      """
    for format in [RequestExportFormat.postman, .bruno, .opencollection, .hurl] {
      let export = ExportSample.export(text, as: format)
      let bodies = export.files.filter { $0.path.hasPrefix("bodies/") }
      #expect(bodies.map(\.path) == ["bodies/in.json", "bodies/2/in.json"], "\(format)")
      #expect(bodies.map(\.bytes) == [Array(#"{"a":1}"#.utf8), Array(#"{"a":2}"#.utf8)])
      let all = export.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
      #expect(all.contains("bodies/in.json") && all.contains("application/json"), "\(format)")
      #expect(ExportSample.notes(export).contains("`open` is sent without its file name"))
    }
  }

  @Test func `other targets ask for the token of a client`() {
    let text = "GET http://h/\nAuthorization: Bearer {{$auth.token(\"shop\")}}\n"
    let export = ExportSample.export(text, as: .curl, environments: [])
    let written = ExportSample.text(export)
    #expect(written.contains("SHOP_TOKEN=${POSTKIT_SHOP_TOKEN:?"), "\(written)")
    #expect(written.contains("'Authorization: Bearer '\"$SHOP_TOKEN\""), "\(written)")
    #expect(export.notes.map(\.code).contains(.authPartial))
  }
}
