// Options of curl as metadata: `@curl-max-time 5` and `@kulala-curl--max-time 5`.

import PostKitHTTP
import PostKitSyntax

extension MetadataSyntax {
  private static let prefixes = ["kulala-curl--", "kulala-curl-", "curl-global-", "curl-"]
  /// kulala's switch of how forms are encoded, which has the name of an option.
  private static let formEncoding = "curldataurlencode"

  /// The option that the tag gives, by its name or its letter; `nil` where it is another tag.
  func curlOption(in block: ParsedBlock) -> String? {
    guard foldedKey.hasPrefix("curl") || foldedKey.hasPrefix("kulalacurl"),
      foldedKey != MetadataSyntax.formEncoding
    else { return nil }
    let written = block.text(key)
    let small = written.lowercased()
    guard let prefix = MetadataSyntax.prefixes.first(where: small.hasPrefix) else { return nil }
    return String(written.dropFirst(prefix.count))
  }
}

extension BlockLowering {
  /// What a tag can say of a request whose method, URL and body stand below it.
  private static let obeyed: Set<String> = [
    "location", "location-trusted", "insecure", "http1.0", "http1.1", "http2",
    "http2-prior-knowledge", "http3", "http3-only", "max-time", "connect-timeout", "max-redirs",
    "proxy", "noproxy", "socks4", "socks4a", "socks5", "socks5-hostname", "cacert", "cert", "key",
    "pass", "output", "compressed", "globoff", "path-as-is", "header", "user", "oauth2-bearer",
    "basic", "digest", "ntlm", "negotiate", "user-agent", "referer", "cookie", "range",
  ]

  /// The options of the block's tags and of those that share theirs; `nil` where there are none.
  mutating func curlTags() -> CurlSyntax? {
    var options: [CurlSyntax.Written] = []
    for source in evaluator.scope.sharedBlocks(for: block) + [block] {
      for tag in source.syntax.metadata where tag.region != .body {
        guard let name = tag.curlOption(in: source) else { continue }
        let range = source.absolute(tag.line)
        let value = source.absolute(tag.value)
        let word = ShellWord(
          bytes: Array(source.bytes[value]), range: tag.value.isEmpty ? range : value,
          references: [])
        options.append((name, tag.value.isEmpty ? nil : word, range))
      }
    }
    if options.isEmpty { return nil }
    return CurlSyntax(options: options) { BlockLowering.obeyed.contains($0.name) }
  }

  /// The headers that the options make, where the request doesn't write them itself.
  mutating func addFields(of tags: CurlSyntax, to headers: inout HeaderFields) {
    var reader = CurlReader(tags, evaluator: evaluator)
    let request = reader.read()
    evaluator = reader.evaluator ?? evaluator
    let own = headers
    for field in request.headers.fields + request.implied.fields where !own.contains(field.name) {
      guard HeaderName.isToken(field.name) else {
        report(.malformedHeader, block.absolute(block.syntax.request?.line ?? 0..<0))
        continue
      }
      add(field.name, field.value, to: &headers)
    }
    if !own.contains("Authorization"), settings.options.authentication == nil {
      useCurlCredentials(tags, &headers)
    }
  }
}
