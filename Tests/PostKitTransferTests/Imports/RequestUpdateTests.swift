// One request of an imported folder, brought up to date with its description (IO-37).

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct RequestUpdateTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A description of two operations, of which one has these parameters.
  private func describe(_ parameters: String, summary: String = "All") throws {
    try folder.write(
      "openapi.json",
      """
      {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"},
      "servers": [{"url": "https://shop.test"}], "paths": {
      "/users": {"get": {"operationId": "all", "summary": "\(summary)", "parameters": [
      \(parameters)]}}, "/users/{id}": {"get": {"summary": "One"}}}}
      """)
  }

  private func parameter(_ name: String, in place: String, _ example: String) -> String {
    #"{"name": "\#(name)", "in": "\#(place)", "required": true, "example": "\#(example)"}"#
  }

  private var order: OriginImport {
    var order = OriginImport(
      [.path(FilePath.join(folder.path, "openapi.json"), called: "openapi.json")],
      in: folder.path)
    order.target = "shop"
    return order
  }

  private func imported() throws -> String {
    #expect(order.run().error == nil)
    let path = FilePath.join(folder.path, "shop/users.http")
    return String(decoding: try FileSystem.read(path: path, limit: 1 << 20), as: UTF8.self)
  }

  private func update(_ ids: [String], at mark: String, of text: String) -> RequestUpdate {
    let start = text.firstRange(of: mark)?.lowerBound ?? text.startIndex
    return order.update(
      ids, at: text.utf8.distance(from: text.startIndex, to: start), of: text.keptBytes,
      ImportWatch())
  }

  @Test func `what the description has changed comes, what people have changed stays`() throws {
    try describe(parameter("a", in: "query", "1") + "," + parameter("X-A", in: "header", "1"))
    let text = try imported().replacing("X-A: 1", with: "X-A: mine\r\nX-B: mine")
      .replacing("\n", with: "\r\n").replacing("\r\r", with: "\r")
    try describe(
      parameter("a", in: "query", "2") + "," + parameter("X-A", in: "header", "1") + ","
        + parameter("X-C", in: "header", "3"), summary: "Everybody")
    guard case .merged(let file, let kept) = update(["all"], at: "users?", of: text) else {
      Issue.record("nothing was merged")
      return
    }
    let after = String(decoding: file, as: UTF8.self)
    #expect(kept == [])
    #expect(after.contains("### Everybody\r\n") && after.contains("/users?a=2\r\n"))
    #expect(after.contains("X-A: mine\r\n") && after.contains("X-B: mine"))
    #expect(after.contains("X-C: 3\r\n") && !after.replacing("\r\n", with: "").contains("\n"))
    // The other one is as it was, byte for byte.
    #expect(after.contains(text[(text.firstRange(of: "### One")?.lowerBound ?? text.endIndex)...]))
    // The next import of all has nothing to say about it.
    #expect(update(["all"], at: "users?", of: after) == .merged(file: file, kept: []))
  }

  @Test func `what both have changed stays, and is told`() throws {
    try describe(parameter("a", in: "query", "1"))
    let text = try imported().replacing("?a=1", with: "?a=7")
    try describe(parameter("a", in: "query", "2"))
    #expect(
      update(["all"], at: "users?", of: text)
        == .merged(file: text.keptBytes, kept: ["line"]))
  }

  @Test func `what no import remembers is not merged, and a source that is none is told`() throws {
    #expect(update(["all"], at: "x", of: "GET https://shop.test/users\n") == .unknown)
    try describe("")
    let text = try imported()
    #expect(update(["none"], at: "users", of: text) == .unknown)
    #expect(update(["GET /users/{id}"], at: "### All", of: text) != .unknown)
    try folder.write("openapi.json", "[")
    guard case .failed = update(["all"], at: "users", of: text) else {
      Issue.record("a source that can't be read was merged")
      return
    }
  }
}
