// The port that a browser comes back to at the end of a sign-in (AU-30 to AU-32).

import PostKitAuth
import PostKitHTTP
import PostKitLoopback
import PostKitSupport
import Synchronization

/// Listens for the redirect of one sign-in, and for nothing else. Idle it wakes nobody.
final class RedirectListener: Sendable {
  private struct State {
    var rules: RedirectRules?
    var found: (@Sendable ([AuthField]) -> Void)?
  }

  private final class Wait: Sendable {
    let state = Mutex(State())

    /// Answers a request; the one that ends the sign-in is told once.
    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
      state.withLock { state in
        guard let rules = state.rules else { return RedirectPage.unknown }
        let (page, fields) = rules.answer(to: request)
        guard let fields, let found = state.found else { return page }
        state = State()
        var response = page
        // The page is on its way before the port is closed.
        response.afterwards = { found(fields) }
        return response
      }
    }
  }

  /// The redirect URI with the port that was found.
  let redirectURI: String
  /// The port.
  let port: Int
  private let server: LoopbackServer
  private let wait: Wait

  private init(_ place: RedirectPlace, _ server: LoopbackServer, _ wait: Wait) {
    self.server = server
    self.wait = wait
    port = server.port
    redirectURI = place.uri(port: UInt16(clamping: server.port))
  }

  /// Listens at a place.
  static func start(_ place: RedirectPlace) -> Result<RedirectListener, AuthFailure> {
    var limits = LoopbackLimits()
    limits.headBytes = 16 << 10
    limits.bodyBytes = 64 << 10
    limits.connections = 16
    limits.endingConnections = 16
    limits.connectionMilliseconds = 10_000
    let addresses: [LoopbackAddress]
    switch place.addresses {
    case .localhost: addresses = [.ipv4, .ipv6]
    case .one(let text):
      guard let address = LoopbackAddress(text) else {
        return .failure(
          AuthFailure(
            .authPortInUse, "PostKit listens on this machine's own addresses alone, not on "
              + "\(text). Change `Redirect URL` here and at the provider."))
      }
      addresses = [address]
    }
    let wait = Wait()
    let service = LoopbackService(respond: { wait.answer($0) }) { status, error, help in
      RedirectPage.refusal(status, "\(error) \(help)")
    }
    do throws(LoopbackFailure) {
      let server = try LoopbackServer.start(
        on: addresses, port: Int(place.port), isAlone: true, limits) { _ in service }
      return .success(RedirectListener(place, server, wait))
    } catch {
      return .failure(failure(error, place))
    }
  }

  private static func failure(_ error: LoopbackFailure, _ place: RedirectPlace) -> AuthFailure {
    let name = if case .one(let address) = place.addresses { address } else { "localhost" }
    let change = "change `Redirect URL` here and at the provider."
    let sentence = switch error {
    case .portTaken(let port):
      "Port \(port) on \(name) is taken by another program, so the sign-in could not come back. "
        + "Close it, or \(change)"
    case .portForbidden(let port):
      "Port \(port) on \(name) is not for every user, so the sign-in could not come back. "
        + "Choose a port above 1023: \(change)"
    case .noPort, .noThread: "The sign-in could not come back: \(error)."
    }
    return AuthFailure(.authPortInUse, sentence)
  }

  /// Hands over the fields of the redirect of a visit, once, on a thread of the server's.
  func expect(_ visit: BrowserVisit, _ found: @escaping @Sendable ([AuthField]) -> Void) {
    wait.state.withLock { $0 = State(rules: RedirectRules(visit), found: found) }
  }

  /// Closes the port. When it returns, nobody can connect any more.
  func stop() { server.stop() }
}
