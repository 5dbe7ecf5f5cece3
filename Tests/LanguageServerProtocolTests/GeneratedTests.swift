// The generated types are those of the model, and they read and write what the model says.

import Foundation
import LanguageServerProtocol
import PostKitJSON
import PostKitTestSupport
import Testing

/// The folder that holds `protocol` and `Sources`.
private let root = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path

private func json(_ name: String) throws -> JSONView {
  try JSONTree(parsing: Array(Data(contentsOf: URL(filePath: "\(root)/protocol/\(name)")))).root
}

/// Reads and writes with one codec, so that unlike messages can stand in one table.
private struct RoundTrip: Sendable {
  let run: @Sendable (JSONView?) throws(DecodingFailure) -> JSONValue

  init<Value>(_ codec: Codec<Value>) {
    run = { view throws(DecodingFailure) in
      let value = try codec.decode(view)
      var writer = JSONWriter()
      codec.write(&writer, value)
      do throws(JSONSyntaxError) {
        return try JSONTree(parsing: writer.bytes).root.value
      } catch {
        throw DecodingFailure(expected: "JSON that can be read: \(error)")
      }
    }
  }
}

@Suite struct GeneratedTests {
  @Test func `the generated files are up to date`() async throws {
    let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "generate-protocol").path
    let result = try await Subprocess.run(tool, ["--check", root])
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  @Test func `the Neovim plugin names only types that are generated for it`() throws {
    let folder = "\(root)/editors/neovim/lua/postkit"
    let annotations = try String(contentsOfFile: "\(folder)/meta/protocol.lua", encoding: .utf8)
    let known = Set(annotations.matches(of: /@(?:class|alias) (Postkit\w+)/).map { $0.1 })
    #expect(known.count > 50)
    var used: Set<Substring> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".lua") {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      for match in text.matches(of: /\bPostkit[A-Z]\w+/) { used.insert(match.0) }
    }
    #expect(used.count > 2)
    #expect(used.subtracting(known).isEmpty, "\(used.subtracting(known))")
  }

  @Test func `the generated files stay small`() throws {
    let folder = "\(root)/Sources/LanguageServerProtocol/Generated"
    let lines = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").count
    }
    #expect(lines.reduce(0, +) < 12_000)
  }

  private static let codecs: [String: RoundTrip] = [
    "send.request": RoundTrip(LSP.PostkitSendRequest.params),
    "send.response": RoundTrip(LSP.PostkitSendRequest.result),
    "send.progress": RoundTrip(LSP.ProgressNotification.params),
    "exchange.request": RoundTrip(LSP.PostkitExchangeRequest.params),
    "exchange.response": RoundTrip(LSP.PostkitExchangeRequest.result),
    "history.request": RoundTrip(LSP.PostkitHistoryRequest.params),
    "history.response": RoundTrip(LSP.PostkitHistoryRequest.result),
    "transfer.request": RoundTrip(LSP.PostkitTransferRequest.params),
    "transfer.response": RoundTrip(LSP.PostkitTransferRequest.result),
    "transfer-import.request": RoundTrip(LSP.PostkitTransferRequest.params),
    "transfer-import.response": RoundTrip(LSP.PostkitTransferRequest.result),
    "environments.request": RoundTrip(LSP.PostkitEnvironmentsRequest.params),
    "environments.response": RoundTrip(LSP.PostkitEnvironmentsRequest.result),
    "variables.request": RoundTrip(LSP.PostkitVariablesRequest.params),
    "variables.response": RoundTrip(LSP.PostkitVariablesRequest.result),
    "collections.request": RoundTrip(LSP.PostkitCollectionsRequest.params),
    "collections-deleted.request": RoundTrip(LSP.PostkitCollectionsRequest.params),
    "collections-deleted.response": RoundTrip(LSP.PostkitCollectionsRequest.result),
    "collections.response": RoundTrip(LSP.PostkitCollectionsRequest.result),
    "statistics.request": RoundTrip(LSP.PostkitStatisticsRequest.params),
    "statistics.response": RoundTrip(LSP.PostkitStatisticsRequest.result),
    "savedSearches.request": RoundTrip(LSP.PostkitSavedSearchesRequest.params),
    "savedSearches.response": RoundTrip(LSP.PostkitSavedSearchesRequest.result),
    "edit-search.request": RoundTrip(LSP.PostkitEditRequest.params),
    "cookies.request": RoundTrip(LSP.PostkitCookiesRequest.params),
    "cookies.response": RoundTrip(LSP.PostkitCookiesRequest.result),
    "edit.request": RoundTrip(LSP.PostkitEditRequest.params),
    "edit-session.request": RoundTrip(LSP.PostkitEditRequest.params),
    "edit.response": RoundTrip(LSP.PostkitEditRequest.result),
    "input.request": RoundTrip(LSP.PostkitInputRequest.params),
    "input.response": RoundTrip(LSP.PostkitInputRequest.result),
    "debug-text.request": RoundTrip(LSP.PostkitDebugTextRequest.params),
    "debug-text.response": RoundTrip(LSP.PostkitDebugTextRequest.result),
    "debug-synchronize.request": RoundTrip(LSP.PostkitDebugSynchronizeRequest.params),
    "debug-synchronize.response": RoundTrip(LSP.PostkitDebugSynchronizeRequest.result),
    "didChangeStore.notification": RoundTrip(LSP.PostkitDidChangeStoreNotification.params),
    "status.notification": RoundTrip(LSP.PostkitStatusNotification.params),
    "didPrint.notification": RoundTrip(LSP.PostkitDidPrintNotification.params),
    "executeCommand-history.request": RoundTrip(LSP.ExecuteCommandRequest.params),
    "executeCommand-send.request": RoundTrip(LSP.ExecuteCommandRequest.params),
  ]

  @Test func `every example is read and written back the same`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/protocol/examples")
    #expect(Set(names) == Set(Self.codecs.keys.map { "\($0).json" }))
    for (name, codec) in Self.codecs {
      let message = try json("examples/\(name).json")
      let value = message[name.hasSuffix("response") ? "result" : "params"]
      #expect(try codec.run(value) == value?.value ?? .null, "\(name)")
    }
  }

  @Test(arguments: [
    ("textDocument/hover", #"{}"#, "params.textDocument: expected a value"),
    (
      "textDocument/hover", #"{"textDocument":{"uri":"a"},"position":{"line":-1,"character":0}}"#,
      "params.position.line: expected uinteger"
    ),
    (
      "textDocument/hover", #"{"textDocument":{"uri":"a"},"position":{"line":0,"character":"3"}}"#,
      "params.position.character: expected uinteger"
    ),
    (
      "textDocument/hover",
      #"{"textDocument":{"uri":"a"},"position":{"line":2147483648,"character":0}}"#,
      "params.position.line: expected uinteger"
    ),
    ("textDocument/hover", "[]", "params: expected HoverParams"),
    ("textDocument/didChange", #"{"textDocument":{"uri":"a","version":1.5},"contentChanges":[]}"#,
      "params.textDocument.version: expected integer"),
    ("textDocument/didChange",
      #"{"textDocument":{"uri":"a","version":1},"contentChanges":[{"text":"x"},{"text":1}]}"#,
      "params.contentChanges[1].text: expected string"),
    ("initialize", #"{"processId":"x","rootUri":null,"capabilities":{}}"#,
      "params.processId: expected integer"),
    ("initialize",
      #"{"processId":1,"rootUri":null,"capabilities":{"general":{"positionEncodings":[8]}}}"#,
      "params.capabilities.general.positionEncodings[0]: expected string"),
  ])
  func `wrong parameters are refused with their place`(
    method: String, text: String, expected: String
  ) throws {
    let codecs: [String: RoundTrip] = [
      "textDocument/hover": RoundTrip(LSP.HoverRequest.params),
      "textDocument/didChange": RoundTrip(LSP.DidChangeTextDocumentNotification.params),
      "initialize": RoundTrip(LSP.InitializeRequest.params),
    ]
    let view = try JSONTree(parsing: Array(text.utf8)).root
    let codec = try #require(codecs[method])
    let failure = #expect(throws: DecodingFailure.self) { try codec.run(view) }
    #expect(failure?.description == expected)
  }

  @Test(arguments: [
    // 1.0 is an integer, null stands for missing, unknown members and open values are ignored.
    (
      #"{"processId":1.0,"rootUri":null,"capabilities":{"general":{"positionEncodings":["x"]}}}"#,
      #"{"processId":1,"rootUri":null,"capabilities":{"general":{"positionEncodings":["x"]}}}"#
    ),
    (#"{"processId":null,"rootUri":"file:///a","capabilities":{"x":[1]},"workspaceFolders":null}"#,
      #"{"processId":null,"rootUri":"file:///a","capabilities":{}}"#),
    (#"{"processId":null,"clientInfo":null,"rootUri":null,"capabilities":{}}"#,
      #"{"processId":null,"rootUri":null,"capabilities":{}}"#),
  ])
  func `what clients write loosely is taken`(text: String, expected: String) throws {
    let view = try JSONTree(parsing: Array(text.utf8)).root
    #expect(try RoundTrip(LSP.InitializeRequest.params).run(view).text == expected)
  }

  @Test func `the first alternative that fits is taken`() throws {
    let text = """
      [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}},
        "text": ""}, {"text": "x"}]
      """
    let view = try JSONTree(parsing: Array(text.utf8)).root
    let changes = try Decode.array(LSP.TextDocumentContentChangeEvent.init(decoding:))(view)
    guard case .textDocumentContentChangePartial(let partial) = changes[0],
      case .textDocumentContentChangeWholeDocument(let whole) = changes[1]
    else {
      Issue.record("\(changes)")
      return
    }
    #expect(partial.range.end.character == 1)
    #expect(whole.text == "x")
  }

  @Test func `the models use only names of their own kind`() throws {
    let model = try json("postkit.metaModel.json")
    for key in ["structures", "enumerations", "typeAliases"] {
      for item in model[key]?.elements ?? [] {
        #expect(item["name"]?.string?.hasPrefix("Postkit") == true)
        #expect(item["documentation"]?.string?.hasSuffix(".") == true, "\(item.value.text)")
      }
    }
    for key in ["requests", "notifications"] {
      for item in model[key]?.elements ?? [] {
        #expect(item["method"]?.string?.hasPrefix("postkit/") == true)
        #expect(item["documentation"]?.string?.hasSuffix(".") == true)
      }
    }
  }
}
