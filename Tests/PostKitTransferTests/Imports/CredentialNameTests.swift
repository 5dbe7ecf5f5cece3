// The names of variables for credentials: no request is sent with a value that another put there.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct CredentialNameTests {
  private let folder: TemporaryDirectory
  private static let privateName = EnvironmentFilesWriter.privateName

  init() throws { folder = try TemporaryDirectory() }

  /// Writes a source of requests, each with a bearer token unless that is empty.
  private func write(_ requests: [(id: String, token: String)]) throws {
    let items = requests.map { id, token in
      let pair = #"{"key": "token", "value": "\#(token)"}"#
      let auth = #", "auth": {"type": "bearer", "bearer": [\#(pair)]}"#
      return """
        {"id": "\(id)", "name": "\(id)", "request": {"method": "GET",
          "url": "https://a.test/\(id)"\(token.isEmpty ? "" : auth)}}
        """
    }
    try folder.write("shop.json", PostmanSample.collection(items.joined(separator: ",")))
  }

  private func order(to target: String? = "out") -> OriginImport {
    let path = folder.path("shop.json")
    var order = OriginImport([.path(path, called: "shop.json")], in: folder.path)
    order.target = target
    return order
  }

  private func change(_ path: String, _ old: String, _ new: String) throws {
    let text = try folder.read(path)
    #expect(text.contains(old))
    try folder.write(path, text.replacing(old, with: new))
  }

  /// The variable that a request is sent with.
  private func name(of request: String, in path: String) throws -> String? {
    let text = try folder.read(path)
    let block = text.firstRange(of: "### \(request)\n").map { text[$0.upperBound...] } ?? ""
    return block.firstRange(of: "Bearer {{").map { range in
      String(block[range.upperBound...].prefix { $0 != "}" })
    }
  }

  @Test(arguments: ["out", nil])
  func `a name that people have given to a secret of theirs is given to no request`(
    target: String?
  ) throws {
    let place = target ?? "Shop"
    try write([("R1", "tokA")])
    #expect(order(to: target).run().error == nil)
    let secrets = "\(place)/\(Self.privateName)"
    try change(secrets, "\"tokA\"", "\"tokA\",\n    \"bearerToken2\": \"MY-OWN\"")
    try write([("R1", "tokA"), ("R2", "tokB")])
    let report = order(to: target).run()
    #expect(report.error == nil && report.conflicts.isEmpty)
    #expect(try name(of: "R1", in: "\(place)/Shop.http") == "bearerToken")
    #expect(try name(of: "R2", in: "\(place)/Shop.http") == "bearerToken3")
    let text = try folder.read(secrets)
    #expect(text.contains("\"bearerToken2\": \"MY-OWN\""))
    #expect(text.contains("\"bearerToken3\": \"tokB\""))
    #expect(report.notes.contains { $0.message.contains("`bearerToken3` is a secret") })
    let again = order(to: target).run()
    // A file with words of people's in it is kept, the others are unchanged.
    let isSame = again.files.allSatisfy { $0.action == .unchanged || $0.action == .kept }
    #expect(again.error == nil && isSame, "\(again.files)")
  }

  @Test func `a new request does not get the name of one that is gone`() throws {
    try write([("R1", "tokA"), ("R2", "tokB")])
    #expect(order().run().error == nil)
    #expect(try name(of: "R2", in: "out/Shop.http") == "bearerToken2")
    try write([("R1", "tokA")])
    #expect(order().run().error == nil)
    try write([("R1", "tokA"), ("R9", "tokZ")])
    #expect(order().run().error == nil)
    #expect(try name(of: "R9", in: "out/Shop.http") == "bearerToken3")
    #expect(try folder.read("out/\(Self.privateName)").contains("\"bearerToken3\": \"tokZ\""))
    let again = order().run()
    // A file with words of people's in it is kept, the others are unchanged.
    let isSame = again.files.allSatisfy { $0.action == .unchanged || $0.action == .kept }
    #expect(again.error == nil && isSame, "\(again.files)")
  }

  @Test func `a folder of people keeps its secrets to itself`() throws {
    try folder.write("out/\(Self.privateName)", #"{"dev": {"bearerToken": "MINE"}} // ours"#)
    try write([("R1", "")])
    var forced = order()
    forced.isForced = true
    #expect(forced.run().error == nil)
    try write([("R1", "tokA")])
    let text = try folder.read("out/Shop.http")
    let update = order().update(["R1"], at: 4, of: text.keptBytes, ImportWatch())
    guard case .merged(let file, _) = update else {
      Issue.record("\(update)")
      return
    }
    #expect(String(keeping: file).contains("Bearer {{bearerToken2}}"))
  }

  @Test func `an import that was broken off goes on with the names that it has given`() throws {
    try write([("R1", "tokA"), ("R2", "tokB")])
    #expect(order().run().error == nil)
    let before = try folder.read("out/Shop.http")
    try folder.write("out/\(ImportManifest.fileName)", bytes: ImportManifest().bytes)
    #expect(order().run().error == nil)
    #expect(try folder.read("out/Shop.http") == before)
  }

  @Test(arguments: ["out", nil])
  func `a command's credential gets no name that has another value`(target: String?) throws {
    let place = target ?? "Imported"
    func run(_ token: String) -> ImportReport {
      let text = "curl https://a.test/ -H 'X-Api-Key: \(token)'"
      var order = OriginImport([.text(Array(text.utf8), called: "-")], in: folder.path)
      (order.target, order.format, order.isForced) = (target, .curl, true)
      order.writing.name = place
      return order.run()
    }
    let name = try #require(Self.secret(of: "k1", run("k1"), in: folder.path(place)))
    let secrets = "\(place)/\(Self.privateName)"
    // What an import has given stays with it, whatever people put there.
    try change(secrets, "\"k1\"", "\"MINE\"")
    #expect(run("k1").error == nil)
    #expect(try !folder.read(secrets).contains("k1"))
    // What none has given is somebody else's.
    try FileSystem.remove(folder.path("\(place)/\(ImportManifest.fileName)"))
    for file in try FileSystem.list(folder.path(place)) where file.hasSuffix(".http") {
      try FileSystem.remove(folder.path("\(place)/\(file)"))
    }
    #expect(run("k1").error == nil)
    let text = try folder.read(secrets)
    #expect(text.contains("\"\(name)\": \"MINE\"") && text.contains("\"\(name)2\": \"k1\""))
  }

  /// The name that the private file has for a value.
  private static func secret(
    of value: String, _ report: ImportReport, in place: String
  ) -> String? {
    guard report.error == nil,
      let bytes = try? FileSystem.read(path: "\(place)/\(privateName)", limit: 1 << 20)
    else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.contains("\"\(value)\"") }
    return line.flatMap { $0.split(separator: "\"").dropFirst().first }.map(String.init)
  }

  @Test func `a client gets no name that the target has for another one`() throws {
    let auth = """
      "auth": {"type": "oauth2", "oauth2": [{"key": "tokenName", "value": "svc"},
        {"key": "accessTokenUrl", "value": "https://a.test/t"}, {"key": "clientId", "value": "me"},
        {"key": "grant_type", "value": "client_credentials"}]}
      """
    let item = """
      {"id": "R1", "name": "R1", "request": {"method": "GET", "url": "https://a.test/", \(auth)}}
      """
    try folder.write("shop.json", PostmanSample.collection(item))
    try folder.write(
      "out/\(Self.privateName)",
      #"{"dev": {"Security": {"Auth": {"svc": {"Client Secret": "MINE"}}}}}"#)
    var forced = order()
    forced.isForced = true
    #expect(forced.run().error == nil)
    #expect(try folder.read("out/Shop.http").contains(#"{{$auth.token("svc-2")}}"#))
    // What the user has given the import's own client is no reason for another name.
    try folder.write(
      "out/\(Self.privateName)",
      #"{"dev": {"Security": {"Auth": {"svc-2": {"Client Secret": "MINE"}}}}}"#)
    #expect(order().run().error == nil)
    #expect(try folder.read("out/Shop.http").contains(#"{{$auth.token("svc-2")}}"#))
  }
}
