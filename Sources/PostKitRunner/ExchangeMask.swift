// Masks the secrets of an exchange before anybody writes it down (contracts.md, section 5).

import PostKitHTTP
import PostKitSupport
import PostKitText

/// Masks exchanges.
struct ExchangeMask {
  let mask: SecretMask

  /// The exchange as history and displays may have it.
  func masked(_ exchange: Exchange) -> Exchange {
    var result = exchange
    result.template = template(exchange.template)
    result.request = request(exchange.request)
    result.hops = exchange.hops.map { hop in
      RedirectHop(
        request: request(hop.request), status: hop.status,
        headers: mask.maskHeaders(hop.headers).headers, timings: hop.timings)
    }
    result.savedTo = exchange.savedTo.map { mask.mask($0).text }
    if let failure = exchange.failure {
      // Masked before it is cut: a part of a secret would not be found.
      result.failure = Failure(failure.code, mask.mask(failure.message).text.excerpt)
    }
    if var response = exchange.response {
      let headers = mask.maskHeaders(response.headers)
      let type = response.headers.first("Content-Type")
      let body = content(response.body, type)
      response.headers = headers.headers
      response.body = body.content
      result.isRedacted = body.didMask || headers.didMask
      result.response = response
    }
    return result
  }

  private func request(_ request: SentRequest) -> SentRequest {
    var result = request
    result.url = mask.maskURL(request.url).text
    result.headers = mask.maskHeaders(request.headers).headers
    result.body = content(request.body, request.headers.first("Content-Type")).content
    return result
  }

  /// The template keeps its references; what stands literally in a header that is always masked
  /// does not go into the history.
  private func template(_ text: String) -> String {
    guard ExchangeMask.mayHoldCredential(text) else { return mask.mask(text).text }
    // Lines are cut at bytes: CRLF is one Character, which `split` would not find.
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { bytes in
      ExchangeMask.withoutLiteralCredential(String(Substring(bytes)))
    }
    return mask.mask(lines.joined(separator: "\n")).text
  }

  /// Whether there is a colon after what could be the end of the name of a header that is always
  /// masked. Few templates have one, and cutting one into lines costs more than looking.
  private static func mayHoldCredential(_ text: String) -> Bool {
    // `Cookie` ends in `ie`, `Authorization` in `on`.
    let (cookie, authorization): (UInt16, UInt16) = (0x69_65, 0x6F_6E)
    var ending: UInt16 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: ":"), ending == cookie || ending == authorization { return true }
      if byte != 32, byte != 9 { ending = ending << 8 | UInt16(byte.asciiLowercased) }
    }
    return false
  }

  private static func withoutLiteralCredential(_ line: String) -> String {
    guard let colon = line.firstIndex(of: ":"),
      SecretMask.isAlwaysMasked(String(line[..<colon]).trimmingASCIIBlanks())
    else { return line }
    let end = line.hasSuffix("\r") ? "\r" : ""
    let value = String(line[line.index(after: colon)...].dropLast(end.count))
    return "\(line[...colon]) \(withoutLiterals(value.trimmingASCIIBlanks()))\(end)"
  }

  /// Keeps the scheme and the references of a credential and masks the rest.
  static func withoutLiterals(_ value: String) -> String {
    value.split(separator: " ", omittingEmptySubsequences: false).enumerated().map { index, word in
      let isScheme = index == 0 && schemes.contains(word.lowercased())
      let isReference = word.hasPrefix("{{") || word.hasSuffix("}}")
      return word.isEmpty || isScheme || isReference ? String(word) : SecretMask.text
    }.joined(separator: " ")
  }

  private static let schemes: Set<String> = [
    "basic", "bearer", "digest", "aws", "aws4-hmac-sha256", "ntlm", "negotiate", "oauth2",
  ]

  /// The credentials that a request has sent. A server may repeat them in its response, so that
  /// they are secrets wherever they came from.
  static func credentials(of request: SentRequest) -> [String] {
    let fields = request.headers.fields.filter {
      $0.name.equalsIgnoringASCIICase("Authorization")
        || $0.name.equalsIgnoringASCIICase("Proxy-Authorization")
    }
    return fields.flatMap { field -> [String] in
      let words = field.value.split(separator: " ").map(String.init)
      guard let first = words.first else { return [] }
      let rest = schemes.contains(first.lowercased()) ? words.dropFirst() : words[...]
      // Parameters, as those of Digest, say too little to be worth hiding.
      return rest.filter { !$0.hasSuffix(",") && $0.utf8.count >= SecretMask.searchedBytes }
    }
  }

  private func content(
    _ body: BodyContent, _ type: String?
  ) -> (content: BodyContent, didMask: Bool) {
    guard !mask.isEmpty else { return (body, false) }
    switch body {
    case .bytes(let bytes):
      let result = mask.maskBody(bytes, contentType: type)
      return (.bytes(result.bytes), result.didMask)
    case .file(let path, let size):
      return file(path, size, type)
    }
  }

  /// A spooled body is masked as a whole up to the size that views show; more of it is cut away
  /// where a secret was found, so that none can slip through at a seam.
  private func file(
    _ path: String, _ size: Int, _ type: String?
  ) -> (content: BodyContent, didMask: Bool) {
    guard size <= ExchangeMask.fileLimit,
      // A file that can't be read can't be kept either; the store says why.
      let bytes = try? FileSystem.read(path: path, limit: ExchangeMask.fileLimit)
    else { return (.file(path: path, size: size), false) }
    let result = mask.maskBody(bytes, contentType: type)
    return result.didMask ? (.bytes(result.bytes), true) : (.file(path: path, size: size), false)
  }

  /// Bytes of a spooled body that is searched for secrets.
  private static let fileLimit = 64 << 20
}
