// A real proxy on loopback: CONNECT of HTTP, and SOCKS 4, 4a and 5. Wherever it is asked to connect
// to, it connects to one port, so that names which don't exist can be asked for.

import Libc
import PostKitSupport

/// The proxy; it ends with its last reference.
package final class StubProxy: Sendable {
  /// What a client asked for.
  package struct Visit: Sendable, Hashable {
    /// `connect`, `socks4`, `socks4a`, `socks5` or `socks5h`.
    package var kind: String
    /// The host and port that were asked for, such as `a.test:80`.
    package var target: String
    /// The user, with a colon and the password where the protocol has one.
    package var user: String
    /// The head of a CONNECT.
    package var head = ""
  }

  /// The port on 127.0.0.1.
  package let port: Int
  private let state: Monitor<State>

  private struct State {
    var visits: [Visit] = []
    var open: Set<Int32> = []
    var listener: Int32
    var isStopped = false
  }

  /// Listens on a free port; all connections lead to another port of this machine. A credential
  /// that is wanted must be given.
  package init(to upstream: Int, credential: String? = nil) throws {
    signal(SIGPIPE, SIG_IGN)
    // Why there is no socket is of no use to a test.
    guard let listener = try? Descriptors.loopbackListener() else {
      throw StubServer.Unavailable()
    }
    port = listener.port
    state = Monitor(State(listener: listener.descriptor))
    let state = state
    SystemThread.start {
      while case let client = StubSocket.accept(listener.descriptor), client >= 0 {
        let isWelcome = state.update { state in
          if !state.isStopped { state.open.insert(client) }
          return !state.isStopped
        }
        guard isWelcome else {
          close(client)
          break
        }
        SystemThread.start {
          StubProxy.serve(StubSocket(client), to: upstream, credential, state)
          state.update { state in
            state.open.remove(client)
            close(client)
          }
        }
      }
      close(listener.descriptor)
    }
  }

  deinit {
    state.update { state in
      state.isStopped = true
      shutdown(state.listener, Int32(SHUT_RDWR))
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// All that was asked for so far.
  package var visits: [Visit] { state.update { $0.visits } }

  private static func serve(
    _ client: StubSocket, to upstream: Int, _ credential: String?, _ state: Monitor<State>
  ) {
    guard let first = client.peek() else { return }
    let greeting =
      switch first {
      case 4: readSocks4(client)
      case 5: readSocks5(client, wantsUser: credential != nil)
      default: readConnect(client)
      }
    guard let (visit, welcome, refusal) = greeting else { return }
    state.update { $0.visits.append(visit) }
    if let credential, visit.user != credential {
      _ = client.send(refusal)
      return
    }
    guard let server = StubSocket.connect(port: upstream) else { return }
    state.update { _ = $0.open.insert(server) }
    defer {
      state.update { state in
        state.open.remove(server)
        close(server)
      }
    }
    guard client.send(welcome) else { return }
    let (near, early) = (client.descriptor, client.takeBuffered())
    let isDone = StubGate()
    SystemThread.start {
      StubSocket.copy(from: server, to: near)
      isDone.open()
    }
    if StubSocket(server).send(early) { StubSocket.copy(from: near, to: server) }
    isDone.wait()
  }

  /// A request, what is answered to a welcome one, and to one that is refused.
  private typealias Greeting = (visit: Visit, welcome: [UInt8], refusal: [UInt8])

  private static func readConnect(_ client: StubSocket) -> Greeting? {
    guard let request = client.readRequest(connection: 0) else { return nil }
    let basic = request.values("Proxy-Authorization").first?.dropFirst("Basic ".count)
    let visit = Visit(
      kind: "connect", target: request.target, user: basic.map(String.init) ?? "",
      head: String(decoding: request.head, as: UTF8.self))
    return (
      visit, Array("HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n".utf8),
      Array(
        "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=p\r\nContent-Length: 0\r\n\r\n".utf8)
    )
  }

  /// Version, command, port, address, user; a name follows where the address is 0.0.0.x.
  private static func readSocks4(_ client: StubSocket) -> Greeting? {
    guard let fixed = client.take(8), let user = client.take(through: [0]) else { return nil }
    var host = fixed[4..<8].map { String($0) }.joined(separator: ".")
    let isNamed = host.hasPrefix("0.0.0.")
    if isNamed {
      guard let name = client.take(through: [0]) else { return nil }
      host = String(decoding: name.dropLast(), as: UTF8.self)
    }
    let visit = Visit(
      kind: isNamed ? "socks4a" : "socks4", target: "\(host):\(number(fixed[2..<4]))",
      user: String(decoding: user.dropLast(), as: UTF8.self))
    return (visit, [0, 90, 0, 0, 0, 0, 0, 0], [0, 91, 0, 0, 0, 0, 0, 0])
  }

  /// RFC 1928, with user and password by RFC 1929.
  private static func readSocks5(_ client: StubSocket, wantsUser: Bool) -> Greeting? {
    guard let count = client.take(2)?[1], client.take(Int(count)) != nil,
      client.send([5, wantsUser ? 2 : 0])
    else { return nil }
    var user = ""
    if wantsUser {
      guard client.take(1) != nil, let name = readText(client), let password = readText(client),
        client.send([1, 0])
      else { return nil }
      user = "\(name):\(password)"
    }
    guard let head = client.take(4) else { return nil }
    var host = ""
    if head[3] == 3 {
      host = readText(client) ?? ""
    } else {
      host = (client.take(4) ?? []).map { String($0) }.joined(separator: ".")
    }
    guard let port = client.take(2) else { return nil }
    let visit = Visit(
      kind: head[3] == 3 ? "socks5h" : "socks5", target: "\(host):\(number(port[...]))", user: user)
    return (visit, [5, 0, 0, 1, 0, 0, 0, 0, 0, 0], [5, 2, 0, 1, 0, 0, 0, 0, 0, 0])
  }

  private static func readText(_ client: StubSocket) -> String? {
    guard let count = client.take(1)?[0], let bytes = client.take(Int(count)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
