// What the tests of the transport share: a transport with a place of its own, and short requests.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

/// A transport whose large bodies go to a temporary directory.
struct Harness {
  let directory: TemporaryDirectory
  let transport: Transport

  init(_ change: (inout TransportConfiguration) -> Void = { _ in }) throws {
    directory = try TemporaryDirectory()
    var configuration = TransportConfiguration(spoolDirectory: directory.path("spool"))
    change(&configuration)
    transport = Transport(configuration)
  }

  func send(
    _ spec: RequestSpec, jar: CookieJar? = nil,
    onEvent: @escaping @Sendable (TransferEvent) -> Void = { _ in }
  ) async -> TransferOutcome {
    await transport.send(spec, jar: jar, onEvent: onEvent)
  }
}

extension RequestSpec {
  /// A request that no proxy of the environment can catch.
  static func make(
    _ method: String, _ url: String, headers: HeaderFields = [], body: [BodyChunk] = [],
    _ change: (inout RequestSpec) -> Void = { _ in }
  ) -> RequestSpec {
    var spec = RequestSpec(method: method, url: url, headers: headers, body: body)
    spec.options.proxy = ""
    change(&spec)
    return spec
  }
}

extension Response {
  var text: String {
    if case .bytes(let bytes) = body { return String(decoding: bytes, as: UTF8.self) }
    return "(in a file)"
  }
}
