// A server on loopback: who accepts its connections, and on which threads they are served.

package import PostKitSupport

/// Why a server could not be started.
package enum LoopbackFailure: Error, Hashable, CustomStringConvertible {
  /// The system gave no socket on 127.0.0.1.
  case noPort
  /// Another program has the port that was asked for.
  case portTaken(Int)
  /// The port that was asked for is not for everybody.
  case portForbidden(Int)
  /// The system gave no thread.
  case noThread

  /// What happened and what the user can do.
  package var description: String {
    switch self {
    case .noPort: "no port of 127.0.0.1 could be opened; a sandbox or a limit on files forbids it"
    case .portTaken(let port):
      "port \(port) of 127.0.0.1 can't be opened; another program has it"
    case .portForbidden(let port):
      "port \(port) of 127.0.0.1 can't be opened; only root may"
    case .noThread: "no thread could be started; a limit on processes forbids it"
    }
  }
}

/// An HTTP/1.1 server on loopback; it ends with `stop()` or with its last reference.
package final class LoopbackServer: Sendable {
  /// The port that it listens on.
  package let port: Int
  /// The open connections.
  let connections: ConnectionList

  /// The base URL without a slash at its end, such as `http://127.0.0.1:49152`.
  package var url: String { LoopbackServer.url(port: port) }

  /// The base URL of a server on a port.
  package static func url(port: Int) -> String { "http://127.0.0.1:\(port)" }

  /// Listens on a port of addresses, any free one for 0; `answering` says how, once it knows the
  /// port. The first address has to be had. Of the others those count that are free, as clients
  /// take either for `localhost`; where another program could be reached by one of them in place
  /// of this server (`isAlone`), that is a failure.
  package static func start(
    on addresses: [LoopbackAddress] = [.ipv4, .ipv6], port: Int, isAlone: Bool = false,
    _ limits: LoopbackLimits, answering: (Int) -> LoopbackService
  ) throws(LoopbackFailure) -> LoopbackServer {
    let (listeners, port) = try listen(on: addresses, port: port, isAlone: isAlone)
    guard let wake = Socket.wakePipe() else {
      listeners.forEach(Socket.release)
      throw .noPort
    }
    let server = LoopbackServer(port: port, wakeWriter: wake.writer, limits)
    let connections = server.connections
    let service = answering(port)
    let isStarted = SystemThread.start {
      accept(listeners, wake.reader, connections, limits, service)
    }
    guard isStarted else {
      listeners.forEach(Socket.release)
      Socket.release(wake.reader)
      connections.listenerEnded()
      throw .noThread
    }
    return server
  }

  /// How often another port is tried where one is free on the first address only.
  private static let attempts = 16

  private static func listen(
    on addresses: [LoopbackAddress], port: Int, isAlone: Bool
  ) throws(LoopbackFailure) -> ([Int32], Int) {
    for _ in 0..<(port == 0 ? attempts : 1) {
      var listeners: [Int32] = []
      var found = port
      do throws(ListenFailure) {
        for (number, address) in addresses.enumerated() {
          do throws(ListenFailure) {
            let listener = try Socket.listener(address, port: found)
            listeners.append(listener.descriptor)
            found = listener.port
          } catch {
            if number == 0 || isAlone && error != .none { throw error }
          }
        }
        return (listeners, found)
      } catch {
        listeners.forEach(Socket.release)
        if error == .none || port == 0 && listeners.isEmpty { throw .noPort }
        if port != 0 { throw error == .taken ? .portTaken(port) : .portForbidden(port) }
      }
    }
    throw .noPort
  }

  private init(port: Int, wakeWriter: Int32, _ limits: LoopbackLimits) {
    self.port = port
    connections = ConnectionList(wakeWriter: wakeWriter, limits)
  }

  deinit { stop() }

  /// Closes the port and every connection. When it returns, nobody can connect any more.
  package func stop() { connections.stop() }

  private static func accept(
    _ listeners: [Int32], _ wake: Int32, _ connections: ConnectionList, _ limits: LoopbackLimits,
    _ service: LoopbackService
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
        admit(descriptor, connections, limits, service)
      }
    }
  }

  private static func admit(
    _ descriptor: Int32, _ connections: ConnectionList, _ limits: LoopbackLimits,
    _ service: LoopbackService
  ) {
    switch connections.admit(descriptor) {
    case .admitted:
      let isStarted = SystemThread.start {
        var connection = LoopbackConnection(descriptor, connections, limits, service)
        connection.serve()
        connections.release(descriptor)
      }
      if !isStarted { connections.release(descriptor) }
    case .full:
      LoopbackConnection.refuse(descriptor, limits, service)
      Socket.release(descriptor)
    case .stopped:
      Socket.release(descriptor)
    }
  }
}
