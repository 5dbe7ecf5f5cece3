// Opens pages by the system's own means (AU-35, the second step).

import PostKitAuth
import PostKitHTTP
import PostKitSupport

/// The browser of the machine that this process runs on.
enum SystemBrowser {
  /// Opens a page by the client's means, else by a program of the system, whose output is thrown
  /// away; answers whether somebody did.
  static func open(_ url: String, by host: any SignInHost) async -> Bool {
    // A server that names something else than a page does not get it started.
    guard isPage(url) else { return false }
    if await host.open(url) { return true }
    guard host.opensPages, !Task.isCancelled, let program else { return false }
    return ProgramStart.detached(program, [url])
  }

  /// Whether an address is a web page: others start other programs.
  static func isPage(_ url: String) -> Bool {
    let text = URLText(url)
    return AuthConfiguration.isWebAddress(url) && text[text.host]?.isEmpty == false
  }

  private static var program: String? {
    #if DEBUG
      // In place of a browser, for tests of builds that nobody ships.
      if let path = ProcessEnvironment.value("POSTKIT_BROWSER"), !path.isEmpty { return path }
    #endif
    #if os(macOS)
      return "/usr/bin/open"
    #else
      let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
        ProcessEnvironment.value($0)?.isEmpty == false
      }
      return hasScreen ? ProgramStart.find("xdg-open") : nil
    #endif
  }

  /// How a browser on the machine that this one was reached from comes back to a port; `nil` where
  /// it was not reached by SSH.
  static func tunnel(port: Int) -> String? {
    guard let connection = ProcessEnvironment.value("SSH_CONNECTION") else { return nil }
    // The third word is this machine as the other one knows it.
    let words = connection.split(separator: " ")
    let host = words.count > 2 ? String(words[2]) : "HOST"
    return "If your browser runs elsewhere: ssh -L \(port):127.0.0.1:\(port) \(host)"
  }
}
