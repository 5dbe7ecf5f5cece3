// The port that a browser comes back to, on real sockets, with browsers of every kind.

import PostKitAuth
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite(.timeLimit(.minutes(5))) struct RedirectListenerTests {
  private let anyPort = RedirectPlace(
    addresses: .one("127.0.0.1"), port: 0, path: "/callback",
    template: "http://127.0.0.1:{port}/callback")

  /// Tells the fields that end a sign-in.
  private final class Sign: Sendable {
    let listener: RedirectListener
    let found = First<[AuthField]>()

    init(_ place: RedirectPlace) throws {
      listener = try RedirectListener.start(place).get()
      let found = found
      listener.expect(
        BrowserVisit(
          url: "https://id.example/auth", redirectURI: listener.redirectURI, state: "right",
          isListened: true, takesBareCode: true, readsFragment: false)) { found.give($0) }
    }

    func client() -> RawClient { RawClient(port: listener.port) }

    var host: String { "Host: 127.0.0.1:\(listener.port)\r\n" }
  }

  private func answer(_ sign: Sign, _ text: String) async -> String? {
    await RawClient.blocking {
      let client = sign.client()
      defer { client.close() }
      client.send(text)
      return client.readToEnd()
    }
  }

  @Test func `A redirect is told once, and the next one finds nobody`() async throws {
    let sign = try Sign(anyPort)
    #expect(sign.listener.redirectURI == "http://127.0.0.1:\(sign.listener.port)/callback")
    let wrong = await answer(sign, "GET /callback?state=x&code=1 HTTP/1.1\r\n\(sign.host)\r\n")
    #expect(wrong?.hasPrefix("HTTP/1.1 400 ") == true)
    let right = await answer(sign, "GET /callback?state=right&code=2 HTTP/1.1\r\n\(sign.host)\r\n")
    #expect(right?.hasPrefix("HTTP/1.1 200 ") == true)
    #expect(await sign.found.value == [AuthField("state", "right"), AuthField("code", "2")])
    let again = await answer(sign, "GET /callback?state=right&code=3 HTTP/1.1\r\n\(sign.host)\r\n")
    #expect(again?.contains("was not started here, or is over") == true)
    sign.listener.stop()
    let late = await answer(sign, "GET /callback?state=right&code=4 HTTP/1.1\r\n\(sign.host)\r\n")
    #expect(late == nil || late == "")
  }

  @Test func `A head of a megabyte is refused, and the sign-in goes on`() async throws {
    let sign = try Sign(anyPort)
    let head = "GET /callback?state=\(String(repeating: "x", count: 1 << 20)) HTTP/1.1\r\n"
    // The refusal may be overtaken by the end of a connection whose bytes are not read.
    _ = await answer(sign, head)
    let right = await answer(sign, "GET /callback?state=right HTTP/1.1\r\n\(sign.host)\r\n")
    #expect(right?.hasPrefix("HTTP/1.1 200 ") == true)
    sign.listener.stop()
  }

  @Test func `Connections that hang do not keep the browser out`() async throws {
    let sign = try Sign(anyPort)
    let right = await RawClient.blocking {
      let silent = (0..<20).map { number in
        let client = sign.client()
        if number % 2 == 0 { client.send("GET /callback?state=right HTTP/1.1\r\nHo") }
        return client
      }
      let client = sign.client()
      client.send("GET /callback?state=right HTTP/1.1\r\n\(sign.host)\r\n")
      defer { for other in silent + [client] { other.close() } }
      return client.readToEnd()
    }
    #expect(right?.hasPrefix("HTTP/1.1 200 ") == true)
    sign.listener.stop()
  }

  @Test func `A browser that takes IPv6 for localhost comes back, too`() async throws {
    let place = RedirectPlace(
      addresses: .localhost, port: 0, path: "/callback",
      template: "http://localhost:{port}/callback")
    let sign = try Sign(place)
    // A system without IPv6 has one address for localhost.
    guard (try? Descriptors.loopbackListener(.ipv6)) != nil else { return }
    let url = "http://[::1]:\(sign.listener.port)/callback?state=right"
    let result = try await Subprocess.run(
      "curl",
      ["-si", "--noproxy", "*", "-H", "Host: localhost:\(sign.listener.port)", url],
      timeoutSeconds: 60)
    #expect(String(decoding: result.standardOutput, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
    #expect(await sign.found.value == [AuthField("state", "right")])
    sign.listener.stop()
  }

  @Test func `A port that is taken, and an address of others, are told`() throws {
    let first = try Sign(anyPort)
    var place = anyPort
    place.port = UInt16(first.listener.port)
    place.addresses = .localhost
    guard case .failure(let failure) = RedirectListener.start(place) else {
      Issue.record("Two listen on one port.")
      return
    }
    #expect(failure.code == .authPortInUse)
    #expect(
      failure.message == "Port \(first.listener.port) on localhost is taken by another program, so "
        + "the sign-in could not come back. Close it, or change `Redirect URL` here and at the "
        + "provider.")
    place.addresses = .one("0.0.0.0")
    #expect((try? RedirectListener.start(place).get()) == nil)
    first.listener.stop()
  }
}
