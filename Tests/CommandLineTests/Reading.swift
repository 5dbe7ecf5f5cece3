// What became of a request file: the requests as the server got them, in text.

import PostKitSupport
import PostKitTestSupport

/// What became of a file.
struct Reading: Sendable {
  /// The requests that came, in order.
  var sent: String
  /// What the run said on standard error.
  var notes: String
  var status: Int32
}

extension Bench {
  /// Runs all requests of `a.http` and shows what the server got: without the header fields that
  /// each request has, and with `␍` for a carriage return.
  func reading(_ words: String...) async throws -> Reading {
    let result = try await postkit(["run", "a.http", "--all"] + words)
    let sent = server.requests.map(Bench.text).joined(separator: "\n----\n")
    return Reading(sent: sent, notes: result.errorOutput, status: result.status)
  }

  /// What `check` says about `a.http`: the line and the code of each diagnostic.
  func remarks() async throws -> [String] {
    let result = try await postkit("check", "a.http", "--json")
    return try Bench.json(result.output)["diagnostics"]?.elements.map { diagnostic in
      let line = (diagnostic["range"]?["start"]?["line"]?.int ?? -2) + 1
      return "\(line) \(diagnostic["code"]?.string ?? "?")"
    } ?? []
  }

  private static func text(_ request: StubRequest) -> String {
    let common = ["host", "user-agent", "accept-encoding", "content-length"]
    let lines = request.lines.enumerated().filter { number, line in
      let name = line.prefix { $0 != ":" }.lowercased()
      return number == 0 || !(common.contains(name) || line == "Accept: */*")
    }
    let head = lines.map { $1.replacing(" HTTP/1.1", with: "") }.joined(separator: "\n")
    // Swift counts CR and LF as one character; the bytes of each are wanted.
    let scalars = request.body.flatMap { $0 == 13 ? Array("␍".utf8) : [$0] }
    let body = String(decoding: scalars, as: UTF8.self)
    return body.isEmpty ? head : head + "\n\n" + body
  }
}
