// The server behind `$exampleServer` and `postkit demo`: something to send to without a network.

import PostKitHTTP
import PostKitSupport

/// Why the example server could not be started.
package enum ExampleServerFailure: Error, Hashable, CustomStringConvertible {
  /// The system gave no socket on 127.0.0.1.
  case noPort
  /// The port that was asked for is in use, or not for everybody.
  case portTaken(Int)
  /// The system gave no thread.
  case noThread

  /// What happened and what the user can do.
  package var description: String {
    switch self {
    case .noPort: "no port of 127.0.0.1 could be opened; a sandbox or a limit on files forbids it"
    case .portTaken(let port):
      "port \(port) of 127.0.0.1 can't be opened; another program has it, or only root may"
    case .noThread: "no thread could be started; a limit on processes forbids it"
    }
  }
}

/// An HTTP/1.1 server on loopback; it ends with `stop()` or with its last reference.
package final class ExampleServer: Sendable {
  /// The base URL without a slash at its end, such as `http://127.0.0.1:49152`.
  package let url: String
  /// The open connections.
  let connections: ConnectionList

  /// Listens on a free port of 127.0.0.1.
  package static func start() throws(ExampleServerFailure) -> ExampleServer {
    try start(ExamplePatience())
  }

  /// Listens as `start()` does, with time limits of the caller's.
  static func start(_ patience: ExamplePatience) throws(ExampleServerFailure) -> ExampleServer {
    let token = randomToken()
    return try start(port: 0, patience) { base in
      let site = ExampleSite(base: base, token: token)
      return { site.respond(to: $0) }
    }
  }

  /// Listens on a port of 127.0.0.1, any free one for 0, and on the same of `::1` where there is
  /// one, as clients take either for `localhost`; answers as `answering` says once it knows the
  /// base URL.
  package static func start(
    port: Int, answering: (String) -> @Sendable (ExampleRequest) -> ExampleResponse
  ) throws(ExampleServerFailure) -> ExampleServer {
    try start(port: port, ExamplePatience(), answering)
  }

  private static func start(
    port: Int, _ patience: ExamplePatience,
    _ answering: (String) -> @Sendable (ExampleRequest) -> ExampleResponse
  ) throws(ExampleServerFailure) -> ExampleServer {
    guard let listener = Socket.listener(port: port) else {
      throw port == 0 ? .noPort : .portTaken(port)
    }
    guard let wake = Socket.wakePipe() else {
      Socket.release(listener.descriptor)
      throw .noPort
    }
    let server = ExampleServer(port: listener.port, wakeWriter: wake.writer)
    let connections = server.connections
    let respond = answering(server.url)
    let listeners = [listener.descriptor]
      + [Socket.listenerOfIPv6(port: listener.port)].compactMap { $0 }
    let isStarted = SystemThread.start {
      accept(listeners, wake.reader, connections, patience, respond)
    }
    guard isStarted else {
      listeners.forEach(Socket.release)
      Socket.release(wake.reader)
      connections.listenerEnded()
      throw .noThread
    }
    return server
  }

  private init(port: Int, wakeWriter: Int32) {
    url = "http://127.0.0.1:\(port)"
    connections = ConnectionList(wakeWriter: wakeWriter)
  }

  deinit { stop() }

  /// Closes the port and every connection. When it returns, nobody can connect any more.
  package func stop() { connections.stop() }

  private static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return Hex.encode((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  private static func accept(
    _ listeners: [Int32], _ wake: Int32, _ connections: ConnectionList, _ patience: ExamplePatience,
    _ respond: @escaping @Sendable (ExampleRequest) -> ExampleResponse
  ) {
    defer {
      listeners.forEach(Socket.release)
      Socket.release(wake)
      connections.listenerEnded()
    }
    while true {
      let ready = Socket.readable([wake] + listeners, milliseconds: -1)
      if ready[0] { return }
      for (listener, isReady) in zip(listeners, ready.dropFirst()) where isReady {
        guard let descriptor = Socket.nextConnection(of: listener) else {
          // Without a free descriptor the listener stays ready; a pause keeps that from spinning.
          if Socket.readable([wake], milliseconds: 20)[0] { return }
          continue
        }
        admit(descriptor, connections, patience, respond)
      }
    }
  }

  private static func admit(
    _ descriptor: Int32, _ connections: ConnectionList, _ patience: ExamplePatience,
    _ respond: @escaping @Sendable (ExampleRequest) -> ExampleResponse
  ) {
    switch connections.admit(descriptor) {
    case .admitted:
      let isStarted = SystemThread.start {
        var connection = ExampleConnection(descriptor, connections, patience, respond)
        connection.serve()
        connections.release(descriptor)
      }
      if !isStarted { connections.release(descriptor) }
    case .full:
      ExampleConnection.refuse(descriptor)
      Socket.release(descriptor)
    case .stopped:
      Socket.release(descriptor)
    }
  }
}
