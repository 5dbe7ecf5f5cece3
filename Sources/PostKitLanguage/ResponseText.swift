// A response as text that an editor can show, fold and colour.

package import PostKitHTTP
import PostKitJSON

/// Renders exchanges for people.
package enum ResponseText {
  /// The status line, the headers and the body, pretty where that changes no digit. `body` holds
  /// the first bytes of the response body, `page` its first page where it is long JSON. Of the
  /// output of scripts the first lines are shown, or all.
  package static func whole(
    _ exchange: Exchange, body: [UInt8], page: String? = nil, showsAllOutput: Bool = false
  ) -> String {
    var lines = heading(exchange) + outputSection(of: exchange, isWhole: showsAllOutput)
    guard let response = exchange.response else {
      lines.append("# \(exchange.failure?.message ?? "There was no response.")")
      return lines.joined(separator: "\n") + "\n"
    }
    let reason = response.reason.isEmpty ? "" : " " + response.reason
    lines.append("\(response.httpVersion) \(response.status)\(reason)")
    lines += response.headers.fields.map { "\($0.name): \($0.value)" }
    lines.append("")
    let type = response.headers.mediaType
    lines.append(page ?? self.body(body, type, total: response.body.count))
    if response.isTruncated {
      lines.append(
        "# Truncated: \(response.decodedSize) bytes received, \(response.body.count) stored.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// How a view of a response is called: `[login] 200 OK`.
  package static func title(_ name: String, result: String?) -> String {
    "[\(name)] \(result ?? "not sent")"
  }

  /// What of a URL tells requests of one server apart: its path and its query.
  package static func place(of url: String) -> String {
    let parts = URLText(url)
    guard parts.scheme != nil else { return url }
    let place = url[parts.path.lowerBound...]
    return place.isEmpty ? "/" : String(place)
  }

  /// The scheme and host of a URL; `nil` for a text without a scheme.
  package static func origin(of url: String) -> String? {
    let parts = URLText(url)
    return parts.scheme.map { _ in String(url[..<parts.path.lowerBound]) }
  }

  /// The comment lines above the status line.
  private static func heading(_ exchange: Exchange) -> [String] {
    var lines = ["# \(exchange.request.method) \(exchange.request.url)"]
    var facts = [DurationText.text(microseconds: exchange.timings.total)]
    if let response = exchange.response { facts.append("\(response.decodedSize) bytes") }
    if !exchange.remoteAddress.isEmpty { facts.append(exchange.remoteAddress) }
    if let environment = exchange.environment { facts.append("environment \(environment)") }
    lines.append("# " + facts.joined(separator: ", "))
    for hop in exchange.hops {
      lines.append(
        "# \(hop.status) from \(hop.request.url) to \(hop.headers.first("Location") ?? "?")")
    }
    lines += exchange.withheldHeaders.map { "# \($0.sentence)" }
    if exchange.isUnverified { lines.append("# Certificate not verified.") }
    if exchange.request.isTruncated {
      lines.append(
        "# Of the request's body \(exchange.request.body.count) of \(exchange.request.bodySize) "
          + "bytes were kept.")
    }
    lines += exchange.savedTo.map { "# Saved to \($0)" }
    lines += exchange.tests.map { "# " + check($0, of: exchange) }
    if let contract = exchange.contract, !contract.holds {
      lines.append("# \(contract.summary ?? contract.explanation)")
      lines += contract.deviations.prefix(ContractFindings.listed).map { "#   \($0.text)" }
    }
    if exchange.isRedacted { lines.append("# Secrets are masked.") }
    if exchange.response != nil, let failure = exchange.failure {
      let isOfScript = exchange.state != .failed && failure.code == .scriptFailed
      if exchange.state == .failed { lines.append("# \(failure.message)") }
      if isOfScript { lines.append("# ✗ A script failed: \(failure.message)") }
    }
    return lines
  }

  /// The status lines and headers of all answers, those of redirects first.
  package static func headers(_ exchange: Exchange) -> String {
    var lines: [String] = []
    for hop in exchange.hops {
      lines += ["# \(hop.request.method) \(hop.request.url)", "# \(hop.status)"]
      lines += hop.headers.fields.map { "# \($0.name): \($0.value)" } + ["#"]
    }
    lines.append("# \(exchange.request.method) \(exchange.request.url)")
    if let response = exchange.response {
      let reason = response.reason.isEmpty ? "" : " " + response.reason
      lines.append("\(response.httpVersion) \(response.status)\(reason)")
      lines += response.headers.fields.map { "\($0.name): \($0.value)" }
    } else {
      lines.append("# \(exchange.failure?.message ?? "There was no response.")")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A body as text: JSON is indented, binary content is described, the rest is as it is.
  package static func body(_ bytes: [UInt8], _ type: MediaType?, total: Int) -> String {
    if total == 0 { return "" }
    let rest = total > bytes.count
    guard let text = BodyText.decoded(bytes, type) else {
      let kind = type?.essence ?? "Binary content"
      return "# \(kind), \(total) bytes. Open or save it with a code action."
    }
    var shown = text
    // What only claims to be JSON is shown as it is.
    if !rest, isJSON(bytes, type), let tree = try? JSONTree(parsing: bytes) {
      shown = String(decoding: tree.root.indented(), as: UTF8.self)
    }
    while shown.hasSuffix("\n") || shown.hasSuffix("\r\n") { shown.removeLast() }
    guard rest else { return shown }
    return shown + "\n# The first \(bytes.count) of \(total) bytes. The code actions show the rest."
  }

  /// Whether a body claims to be JSON: by its type, without one by its first character.
  package static func isJSON(_ bytes: [UInt8], _ type: MediaType?) -> Bool {
    if let type { return type.isJSON }
    return bytes.first { $0 > 32 }.map { "{[".utf8.contains($0) } ?? false
  }
}
