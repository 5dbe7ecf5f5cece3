// The routes are those of the model, and what is announced is answered.

import Foundation
import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import Testing

@testable import PostKitServer

@Suite struct RegistryTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private let router = Router(Routes.all)

  @Test func `every route is in the model and every message of a client is routed or declined`() {
    let fromClient = LSP.methods.filter { $0.direction != .serverToClient }
    let routed = Set(Routes.all.map(\.method))
    #expect(routed.count == Routes.all.count)
    #expect(routed.subtracting(fromClient.map(\.method)) == [])
    #expect(Set(fromClient.map(\.method)).subtracting(routed) == Set(Routes.declined.keys))
    #expect(routed.intersection(Routes.declined.keys) == [])
    for method in fromClient where routed.contains(method.method) {
      #expect(router[method.method]?.isRequest == method.isRequest, "\(method.method)")
    }
  }

  /// A client that can everything, so that everything is announced.
  private var profile: ClientProfile {
    var profile = ClientProfile()
    profile.pullsDiagnostics = true
    profile.readsContentDocuments = true
    profile.takesCodeActionLiterals = true
    return profile
  }

  @Test func `every announced capability has a route and every route is announced`() throws {
    let capabilities = Capabilities.make(
      profile: profile, router: router,
      initialization: LSP.PostkitInitializationOptions(testing: true))
    var writer = JSONWriter()
    capabilities.encode(to: &writer)
    let json = try JSONTree(parsing: writer.bytes).root
    for method in LSP.methods where method.direction != .serverToClient {
      guard let path = method.serverCapability else { continue }
      var value: JSONView? = json
      for step in path.split(separator: ".") { value = value?[String(step)] }
      let isAnnounced = value.map { !$0.isNull && $0.bool != false } ?? false
      // Document synchronisation is announced as a whole.
      if path.hasPrefix("textDocumentSync") { continue }
      #expect(isAnnounced == router.contains(method.method), "\(method.method): \(path)")
    }
    let own = json["experimental"]?["postkit"]?["methods"]?.elements.compactMap(\.string) ?? []
    #expect(Set(own) == Set(Routes.all.map(\.method).filter { $0.hasPrefix("postkit/") }))
  }

  @Test func `the errors are those of the protocol folder`() throws {
    let bytes = try Data(contentsOf: Self.root.appending(path: "protocol/errors.json"))
    let rows = try JSONTree(parsing: Array(bytes)).root.elements
    let codes: [RPCError.Code] = [
      .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError,
      .serverNotInitialized, .requestFailed, .contentModified, .requestCancelled,
    ]
    #expect(rows.compactMap { $0["code"]?.int } == codes.map(\.rawValue))
    for row in rows { #expect(row["name"]?.string != nil && row["when"]?.string != nil) }
  }

  @Test func `what the editors call exists in the model`() throws {
    let known = Set(LSP.methods.map(\.method))
    let folder = Self.root.appending(path: "editors").path
    guard let files = FileManager.default.enumerator(atPath: folder) else { return }
    let pattern = #/["'](postkit\/[A-Za-z\/]+)["']/#
    for case let name as String in files {
      let suffixes = [".vim", ".lua", ".js", ".json"]
      guard suffixes.contains(where: name.hasSuffix) else { continue }
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      for match in text.matches(of: pattern) {
        #expect(known.contains(String(match.1)), "\(name): \(match.1)")
      }
    }
  }
}
