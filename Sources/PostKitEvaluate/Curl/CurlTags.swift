// Options of curl as metadata: `@curl-max-time 5` and `@kulala-curl--max-time 5`.

import PostKitHTTP
import PostKitSyntax

extension MetadataSyntax {
  private static let prefixes = ["kulala-curl--", "kulala-curl-", "curl-global-", "curl-"]

  /// The option that the tag gives, by its name or its letter; `nil` where it is another tag.
  func curlOption(in block: ParsedBlock) -> CurlSyntax.Written? {
    guard kind == .curlOption else { return nil }
    let written = block.text(key)
    let small = written.lowercased()
    guard let prefix = MetadataSyntax.prefixes.first(where: small.hasPrefix) else { return nil }
    let place = block.absolute(value)
    let word = ShellWord(bytes: Array(block.bytes[place]), range: place, references: [])
    return (
      String(written.dropFirst(prefix.count)), value.isEmpty ? nil : word, block.absolute(line)
    )
  }
}

extension BlockLowering {
  /// What a tag can say of a request whose method, URL and body stand below it.
  private static let obeyed: Set<String> = [
    "location", "location-trusted", "post301", "post302", "insecure", "http1.0", "http1.1", "http2",
    "http2-prior-knowledge", "http3", "http3-only", "max-time", "connect-timeout", "max-redirs",
    "proxy", "noproxy", "socks4", "socks4a", "socks5", "socks5-hostname", "cacert", "cert", "key",
    "cert-type", "key-type", "pass", "output", "compressed", "globoff", "path-as-is", "header",
    "user", "oauth2-bearer", "basic", "digest", "ntlm", "negotiate", "user-agent", "referer",
    "cookie", "range",
  ]

  /// The options of the tags, sorted; `nil` where there are none.
  var curlTags: CurlSyntax? {
    if settings.curlOptions.isEmpty { return nil }
    return CurlSyntax(options: settings.curlOptions) { BlockLowering.obeyed.contains($0.name) }
  }

  /// The headers that the options make, where the request doesn't write them itself.
  mutating func addFields(of tags: CurlSyntax, to headers: inout HeaderFields) {
    var reader = CurlReader(curl: tags, evaluator: evaluator)
    let request = reader.read()
    evaluator = reader.evaluator ?? evaluator
    let own = headers
    for field in request.headers.fields + request.implied.fields where !own.contains(field.name) {
      addCurlField(field, of: tags, to: &headers)
    }
    if !own.contains("Authorization"), settings.options.authentication == nil {
      useCurlCredentials(tags, &headers)
    }
  }
}
