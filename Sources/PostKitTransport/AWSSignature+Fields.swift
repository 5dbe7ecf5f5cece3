// AWS Signature Version 4, made here and not by libcurl: before 8.3 that signs a query in the order
// in which it is written, and it never encodes the path of other services than S3 twice (PK-80).

import Libc
import PostKitHTTP
import PostKitSupport

extension AWSSignature {
  /// The fields that sign a request, in the order in which they are sent; those that the author
  /// wrote are signed as they are. `time` counts milliseconds since 1970.
  func fields(for spec: RequestSpec, bodyDigest: String, at time: Int64) -> [HeaderField] {
    var added: [HeaderField] = []
    func value(_ name: String, _ make: @autoclosure () -> String) -> String {
      if let written = spec.headers.first(name) { return written }
      added.append(HeaderField(name, make()))
      return added.last?.value ?? ""
    }
    let date = value("X-Amz-Date", AWSSignature.stamp(time))
    let digest = value("X-Amz-Content-Sha256", bodyDigest)
    let signed = signedFields(spec, added)
    let names = signed.map(\.name).joined(separator: ";")
    let (path, query) = AWSSignature.target(spec)
    let canonical =
      [
        spec.method, canonicalPath(path), AWSSignature.canonicalQuery(query),
        signed.map { "\($0.name):\($0.value)\n" }.joined(), names, digest,
      ].joined(separator: "\n")
    let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
    let text = [
      "AWS4-HMAC-SHA256", date, scope, SHA256.hexDigest(canonical.keptBytes),
    ].joined(separator: "\n")
    var code = "AWS4\(secret)".keptBytes
    for part in [String(date.prefix(8)), region, service, "aws4_request", text] {
      code = SHA256.authenticationCode(of: Array(part.utf8), key: code)
    }
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), "
      + "Signature=\(SHA256.hex(code))"
    return added + [HeaderField("Authorization", authorization)]
  }

  /// The fields that are signed, their names in small letters and sorted, blanks in values folded.
  /// No others are: what stands between may add or change them.
  private func signedFields(_ spec: RequestSpec, _ added: [HeaderField]) -> [HeaderField] {
    var values: [String: [String]] = [:]
    for field in spec.headers.fields + added {
      let name = field.name.lowercased()
      guard name.hasPrefix("x-amz-") || ["host", "content-type", "content-md5"].contains(name)
      else { continue }
      let words = field.value.split { $0 == " " || $0 == "\t" }
      values[name, default: []].append(words.joined(separator: " "))
    }
    if values["host"] == nil, let endpoint = Endpoint(url: spec.url) {
      values["host"] = [endpoint.authority]
    }
    return values.sorted { $0.key < $1.key }.map {
      HeaderField($0.key, $0.value.joined(separator: ","))
    }
  }

  /// The path and the query as they go over the wire.
  private static func target(_ spec: RequestSpec) -> (path: String, query: String) {
    let parts = URLParts(spec.url)
    let target = spec.requestTarget ?? (parts?.path ?? "") + (parts?.query.map { "?" + $0 } ?? "")
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    return (String(target[..<mark]), String(target[mark...].dropFirst()))
  }

  /// The path as it is signed: that of S3 encoded once, any other one without dot segments and
  /// double slashes, and encoded a second time.
  func canonicalPath(_ path: String) -> String {
    if service.hasPrefix("s3") {
      let bytes = PercentEncoding.decode(path.isEmpty ? "/" : path)
      return AWSSignature.encode(bytes, keepsSlashes: true)
    }
    var segments: [Substring] = []
    let written = path.split(separator: "/", omittingEmptySubsequences: true)
    for segment in written where segment != "." {
      if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
    }
    let isFolder = ["/", "/.", "/.."].contains { path.hasSuffix($0) } && !segments.isEmpty
    return AWSSignature.encode(
      Array(("/" + segments.joined(separator: "/")).utf8), keepsSlashes: true)
      + (isFolder ? "/" : "")
  }

  /// The pairs of the query, encoded anew and sorted by name, then by value.
  static func canonicalQuery(_ query: String) -> String {
    let pairs = query.split(separator: "&").map { pair -> (name: String, value: String) in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = halves.map { half in
        encode(PercentEncoding.decode(String(half).replacing("+", with: " ")), keepsSlashes: false)
      }
      return (texts[0], texts.count > 1 ? texts[1] : "")
    }
    // Bytes are compared, which are ASCII here.
    return pairs.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  private static func encode(_ bytes: [UInt8], keepsSlashes: Bool) -> String {
    var output: [UInt8] = []
    for byte in bytes {
      if ASCIISet.unreserved.contains(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output += Hex.encode([byte]).uppercased().utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A moment such as `20260205T060708Z`.
  static func stamp(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
    }
    let day = digits(parts.tm_year + 1_900, 4) + digits(parts.tm_mon + 1, 2)
      + digits(parts.tm_mday, 2)
    return day + "T" + digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2)
      + "Z"
  }
}

extension Endpoint {
  /// Host and port as libcurl writes them into `Host`: the port only where it is not the scheme's.
  fileprivate var authority: String {
    if port != (scheme == "https" ? 443 : 80) { return name }
    return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }
}
