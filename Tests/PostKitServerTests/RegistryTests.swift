// The routes are those of the model, and what is announced is answered.

import Foundation
import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import Testing

@testable import PostKitServer
@testable import PostKitSession

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

  @Test func `requests about a document are on its threads, and no others`() {
    for route in Routes.all {
      guard case .read(let schedule, _) = route.work else { continue }
      let isAboutDocument = route.method.hasPrefix("textDocument/")
      #expect(schedule.isAboutDocument == isAboutDocument, "\(route.method)")
    }
  }

  /// A client that can everything, so that everything is announced.
  private var profile: ClientProfile {
    var profile = ClientProfile()
    profile.pullsDiagnostics = true
    profile.readsContentDocuments = true
    profile.takesCodeActionLiterals = true
    profile.preparesRenames = true
    profile.tokens = TokenAbility(
      LSP.SemanticTokensClientCapabilities(
        requests: LSP.ClientSemanticTokensRequestOptions(
          range: true, full: ["delta": .bool(true)]), tokenTypes: ["variable"], tokenModifiers: []))
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

  @Test func `the legend of tokens is that of the protocol folder`() throws {
    let data = try Data(contentsOf: Self.root.appending(path: "protocol/semantic-tokens.json"))
    let page = try JSONTree(parsing: Array(data)).root
    let types = page["tokenTypes"]?.elements ?? []
    #expect(types.compactMap { $0["name"]?.string } == SemanticTokenType.allCases.map(\.rawValue))
    #expect(
      types.map { $0["instead"]?.string }
        == SemanticTokenType.allCases.map { $0.substitute?.rawValue })
    let modifiers = page["tokenModifiers"]?.elements ?? []
    #expect(modifiers.compactMap { $0["name"]?.string } == SemanticTokenModifiers.names)
    let own = modifiers.filter { $0["own"]?.bool == true }.compactMap { $0["name"]?.string }
    #expect(Set(own) == SemanticTokenModifiers.ownNames)
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
