// Masks the secrets of an exchange before anybody writes it down (CONTRACTS.md, section 5).

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport
import PostKitSyntax
import PostKitText

/// Masks exchanges.
struct ExchangeMask {
  let mask: SecretMask
  /// Bytes of a spooled body that are searched for secrets.
  var fileLimit = Limits.keptBodyBytes

  /// The exchange of a block as history and displays may have it.
  func masked(_ exchange: Exchange, of block: ParsedBlock) -> Exchange {
    masked(exchange, template: LiteralCredentials(block).maskedText ?? exchange.template)
  }

  /// An exchange as history and displays may have it, with what stands for it where it was written.
  func masked(_ exchange: Exchange, template: String) -> Exchange {
    var result = exchange
    result.template = mask.mask(template).text
    result.request = request(exchange.request)
    result.hops = exchange.hops.map { hop in
      RedirectHop(
        request: request(hop.request), status: hop.status,
        headers: mask.maskHeaders(hop.headers).headers, timings: hop.timings)
    }
    result.savedTo = exchange.savedTo.map { mask.mask($0).text }
    result.output = exchange.output.map { output($0) }
    if let failure = exchange.failure {
      // Masked before it is cut: a part of a secret would not be found.
      result.failure = Failure(failure.code, mask.mask(failure.message).text.excerpt)
    }
    if var response = exchange.response {
      let headers = mask.maskHeaders(response.headers)
      let type = response.headers.first("Content-Type")
      let body = content(response.body, type)
      let reason = mask.mask(response.reason)
      response.reason = reason.text
      response.headers = headers.headers
      response.isTruncated = response.isTruncated || isCut(response.body)
      response.body = body.content
      result.isRedacted = body.didMask || headers.didMask || reason.didMask
      result.response = response
    }
    return result
  }

  /// A line with what has become a secret since it was printed, such as a token that the script
  /// keeps afterwards.
  func output(_ line: OutputLine) -> OutputLine {
    var result = line
    result.text = mask.mask(line.text).text
    return result
  }

  private func request(_ request: SentRequest) -> SentRequest {
    var result = request
    result.method = mask.mask(request.method).text
    result.url = mask.maskURL(request.url).text
    result.headers = mask.maskHeaders(request.headers).headers
    result.body = content(request.body, request.headers.first("Content-Type")).content
    return result
  }

  /// The credentials that a request has sent, those of the cookie jar among them. A server may
  /// repeat them in its response, so that they are secrets wherever they came from.
  static func credentials(in headers: HeaderFields) -> [String] {
    let cookies = headers.fields.filter { $0.name.equalsIgnoringASCIICase("Cookie") }
    return authorizations(in: headers) + cookies.flatMap { cookieValues($0.value) }
  }

  /// What a redirect has sent and got that the response behind it may repeat.
  static func credentials(of hop: RedirectHop) -> [String] {
    credentials(in: hop.request.headers) + cookieSecrets(in: hop.headers)
  }

  private static func cookieValues(_ field: String) -> [String] {
    field.split(separator: ";").compactMap { pair in
      pair.firstIndex(of: "=").flatMap { cookieSecret(pair[pair.index(after: $0)...]) }
    }
  }

  /// The values of cookies that a response sets. Its body often repeats one, and what `Set-Cookie`
  /// hides must not stand there.
  static func cookieSecrets(in headers: HeaderFields) -> [String] {
    headers.values("Set-Cookie").compactMap { field in
      field.firstIndex(of: "=").flatMap {
        cookieSecret(field[field.index(after: $0)...].prefix { $0 != ";" })
      }
    }
  }

  /// The values of cookies in a jar that can be credentials.
  static func secrets(of cookies: [Cookie]) -> [String] {
    cookies.compactMap { cookieSecret($0.value[...]) }
  }

  /// The value of a cookie where it can be a credential. A short word is a choice, such as of a
  /// colour or a language, and to hide it would spoil innocent text.
  private static func cookieSecret(_ text: Substring) -> String? {
    let value = String(text).trimmingASCIIBlanks().trimmingPrefix("\"").prefix { $0 != "\"" }
    let isWord = value.utf8.allSatisfy {
      $0 | 0x20 >= 97 && $0 | 0x20 <= 122 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    let shortest = isWord ? shortestSecretWord : SecretMask.searchedBytes
    return value.utf8.count >= shortest ? String(value) : nil
  }

  /// Bytes from which a cookie of letters alone is no word.
  private static let shortestSecretWord = 20

  private static func authorizations(in headers: HeaderFields) -> [String] {
    let fields = headers.fields.filter {
      $0.name.equalsIgnoringASCIICase("Authorization")
        || $0.name.equalsIgnoringASCIICase("Proxy-Authorization")
    }
    return fields.flatMap { field -> [String] in
      let words = field.value.split(separator: " ").map(String.init)
      guard let first = words.first else { return [] }
      let rest = SecretMask.isScheme(first) ? words.dropFirst() : words[...]
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

  /// Whether a body is too large to be searched whole.
  private func isCut(_ body: BodyContent) -> Bool {
    guard !mask.isEmpty, case .file(_, let size) = body else { return false }
    return size > fileLimit
  }

  /// A spooled body is masked as a whole up to the size that the history keeps. More of it is cut
  /// away, and with it the beginning of a secret that may stand at the cut.
  private func file(
    _ path: String, _ size: Int, _ type: String?
  ) -> (content: BodyContent, didMask: Bool) {
    // A file that can't be read can't be kept either; the store says why.
    guard let bytes = try? FileSystem.piece(path: path, offset: 0, count: min(size, fileLimit))
    else { return (.file(path: path, size: size), false) }
    let result = mask.maskBody(bytes, contentType: type)
    if size > fileLimit {
      return (.bytes(Array(result.bytes.dropLast(ExchangeMask.seam))), result.didMask)
    }
    return result.didMask ? (.bytes(result.bytes), true) : (.file(path: path, size: size), false)
  }

  /// More bytes than a secret has in any spelling that servers repeat.
  private static let seam = 1 << 16
}
