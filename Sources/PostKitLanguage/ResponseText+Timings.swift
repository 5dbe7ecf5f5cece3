// Where the time of an exchange went, as a text. The plugins of Vim and Neovim read its lines to
// draw bars behind them (`parts.vim`, `tabs.lua`).

package import PostKitHTTP

extension ResponseText {
  /// Where the time went, step by step. What took no time that could be shown is left out.
  package static func timings(_ exchange: Exchange) -> String {
    var lines = ["\(exchange.request.method) \(exchange.request.url)", ""]
    for (number, hop) in exchange.hops.enumerated() {
      let total = DurationText.text(microseconds: hop.timings.total)
      lines.append(row("redirect \(number + 1)", total))
    }
    let timings = exchange.timings
    // What the whole is made of begins with the redirects.
    let start = exchange.hops.reduce(0) { $0 + $1.timings.total }
    if timings.connect <= start, timings.firstByte > start { lines.append(reused) }
    var before = start
    for (name, end) in [
      ("name lookup", timings.nameLookup), ("connect", timings.connect),
      ("TLS handshake", timings.tls), ("first byte", timings.firstByte),
      ("receive", timings.total),
    ] {
      let own = end - before
      before = max(before, end)
      // Whoever looks here asks how long the server took, if it took no time at all.
      guard own >= shortestShown || name == "first byte" && end > start else { continue }
      let (step, since) = (
        DurationText.text(microseconds: own), DurationText.text(microseconds: end)
      )
      lines.append(row(name, "+\(step), \(since) since the start"))
    }
    lines.append(
      timings.total == 0
        ? "No times were measured." : row("total", DurationText.text(microseconds: timings.total)))
    return lines.joined(separator: "\n") + "\n"
  }

  /// The shortest step that is shown, in microseconds: any shorter one would read `0.0 ms`.
  private static let shortestShown: Int64 = 50

  private static let reused = row("connection", "reused")

  private static func row(_ name: String, _ text: String) -> String {
    name + String(repeating: " ", count: max(1, 16 - name.count)) + text
  }
}
