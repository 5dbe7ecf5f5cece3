// What a run keeps of its exchanges for those that may read them later.

import Foundation
import PostKitEvaluate
import PostKitHTTP
import PostKitScripting
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(10))) struct KeptExchangesTests {
  private func exchange(_ bytes: Int) -> ReferencedExchange {
    ReferencedExchange(
      request: SentRequest(method: "GET", url: "http://a.test/", headers: HeaderFields([])),
      requestBody: [],
      response: Response(
        httpVersion: "HTTP/1.1", status: 200, reason: "OK", headers: HeaderFields([]),
        body: .bytes([]), wireSize: bytes, decodedSize: bytes),
      responseBody: [UInt8](repeating: 32, count: bytes), milliseconds: 1)
  }

  @Test func `of what no file names the latest is kept, as much as there is room for`() {
    var kept = KeptExchanges()
    let mebibyte = 1 << 20
    for block in 0..<100 {
      let place = RequestPlace(block: block)
      // What a file names stays, however much it is.
      kept.keep(exchange(mebibyte), of: place, named: nil, isSpare: block >= 10)
      kept.makeRoom { $0.place.block == 20 }
    }
    let spare = KeptExchanges.spareByteLimit / mebibyte
    #expect(kept.spareBytes == KeptExchanges.spareByteLimit)
    #expect(
      kept.ofRequests.keys.map(\.block).sorted()
        == Array(0..<10) + [20] + Array((100 - spare)..<100))
  }

  @Test func `an exchange that takes the place of another takes its room, too`() {
    var kept = KeptExchanges()
    for _ in 0..<100 {
      kept.keep(exchange(1 << 20), of: RequestPlace(block: 0), named: "a", isSpare: true)
    }
    #expect(kept.spareBytes == 1 << 20 && !kept.isOverfull)
    for turn in 0..<100 {
      kept.keep(
        exchange(1 << 20), of: RequestPlace(block: 1), turn: turn, named: "b\(turn)",
        isSpare: true)
      kept.makeRoom { _ in false }
    }
    #expect(!kept.isOverfull)
    #expect(kept.ofTurns["b99"] != nil && kept.ofTurns["b0"] == nil)
    #expect(kept.ofRequests.isEmpty)
  }

  /// Names of the first of many requests as scripts and expressions may write them.
  @Test(arguments: [
    "> {% client.log(first.at) %}", "> {% client.log(firstResponse.parsedBody.at) %}",
    "?? js first.at == /first", "> ./handler.js", "< {% request.variables.set('x', first.at) %}",
  ]) func `what a script names is there after many others`(_ reading: String) async throws {
    let server = try StubServer { request in
      let at = #""at": "\#(request.target)""#
      let rest = String(repeating: " ", count: 1 << 20)
      return [.response(headers: ["Content-Type: application/json"], body: "{\(at)}\(rest)")]
    }
    let others = (0..<20).map { "### r\($0)\nGET \(server.url("/")){{1 + \($0)}}\n\n" }
    let before = reading.hasPrefix("<") ? reading + "\n" : ""
    let after = reading.hasPrefix("<") ? "> {% client.log(request.variables.get('x')) %}" : reading
    let track = try Track(
      """
      ### first
      GET \(server.url("/first"))

      \(others.joined())
      ### last
      \(before)GET \(server.url("/last"))

      \(after)

      """, ["handler.js": "client.log(first.at)"])
    let engine = ScriptHost(
      program: URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "postkit").path)
    let run = await track.run(engine: engine)
    let last = try #require(run.result.outcomes.last)
    #expect(last.exitCode == 0, "\(last.failure?.message ?? "") \(last.tests)")
    if !reading.hasPrefix("??") { #expect(last.output.map(\.text) == ["/first"]) }
  }
}
