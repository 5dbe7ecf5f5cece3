// AWS signatures of the bytes on the wire, reckoned once more by Python (PK-80).

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct WireSignatureTests {
  /// Prints the signature that the request on standard input ought to have; the secret is the
  /// argument. It knows nothing but the bytes and the rules of the signing process.
  static let script = """
    import hashlib, hmac, re, sys
    from urllib.parse import quote, unquote_to_bytes
    head, _, body = sys.stdin.buffer.read().partition(b"\\r\\n\\r\\n")
    first, *lines = head.decode().split("\\r\\n")
    method, target, _ = first.split(" ")
    fields = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields.setdefault(name.lower(), []).append(re.sub("[ \\t]+", " ", value.strip()))
    given = fields["authorization"][0]
    credential, names = re.search("Credential=([^,]+), SignedHeaders=([^,]+),", given).groups()
    key, day, region, service, last = credential.split("/")
    path, _, query = target.partition("?")
    def encode(text):
        return quote(unquote_to_bytes(text.replace("+", " ")), safe="-_.~")
    pairs = [piece.partition("=") for piece in query.split("&") if piece]
    pairs = sorted((encode(name), encode(value)) for name, _, value in pairs)
    if service == "s3":
        path = quote(unquote_to_bytes(path), safe="/-_.~")
    else:
        kept = []
        for segment in path.split("/"):
            if segment == "..":
                kept = kept[:-1]
            elif segment not in ("", "."):
                kept.append(segment)
        slash = "/" if kept and re.search("/[.]{0,2}$", path) else ""
        path = quote("/" + "/".join(kept), safe="/-_.~") + slash
    digest = fields.get("x-amz-content-sha256", [hashlib.sha256(body).hexdigest()])[0]
    canonical = "\\n".join([
        method, path, "&".join("=".join(pair) for pair in pairs),
        "".join(f"{name}:{','.join(fields[name])}\\n" for name in names.split(";")), names, digest])
    scope = "/".join([day, region, service, last])
    text = "\\n".join([
        "AWS4-HMAC-SHA256", fields["x-amz-date"][0], scope,
        hashlib.sha256(canonical.encode()).hexdigest()])
    code = ("AWS4" + sys.argv[1]).encode()
    for part in (day, region, service, last):
        code = hmac.new(code, part.encode(), hashlib.sha256).digest()
    assert digest in (hashlib.sha256(body).hexdigest(), "UNSIGNED-PAYLOAD")
    print(hmac.new(code, text.encode(), hashlib.sha256).hexdigest())
    """

  static func signature(of request: StubRequest, secret: String) async throws -> String {
    let result = try await Subprocess.run(
      "python3", ["-c", script, secret], input: request.head + request.body)
    #expect(result.status == 0, "\(result.errorOutput)")
    return result.output.trimmingASCIIBlanks().replacing("\n", with: "")
  }

  @Test(
    arguments: ["s3", "execute-api"],
    [
      "/", "/?b=2&a=1", "/?a=2&a=1&a=&A=0&a-b=1", "/?x&y=&=z&&w", "/?q=a%20b+c&r=%e4%f6~*'()",
      "/a%2Fb/c%20d", "/a//b/./c/../d/", "/~user/%7Euser/a+b:@!$", "/x?a%3Db=1&a=b&a%26=2",
      "/..", "/a/.",
    ])
  func `any target is signed as the rules say`(service: String, target: String) async throws {
    guard try Require.tool("python3", reason: "it reckons signatures") != nil else { return }
    let server = try StubServer { _ in [.response(body: "ok")] }
    let secret = "wJalr/K7MDENG+bPxRfi key"
    let key = AWSSignature(
      accessKey: "AKID", secret: secret, region: "eu-central-1", service: service)
    let outcome = await (try Harness()).send(
      .make("GET", server.url(target), headers: ["X-Amz-Security-Token": "t/+="])
      { $0.options.authentication = .signature(key) })
    #expect(outcome.failure == nil)
    let request = try #require(server.requests.first)
    #expect(request.target == target)
    let given = request.values("Authorization").joined()
    #expect(given.hasSuffix("Signature=" + (try await Self.signature(of: request, secret: secret))))
    let names = "host;x-amz-content-sha256;x-amz-date;x-amz-security-token"
    #expect(given.contains("SignedHeaders=\(names),"))
  }

  @Test func `headers and body are signed as they are sent`() async throws {
    guard try Require.tool("python3", reason: "it reckons signatures") != nil else { return }
    let server = try StubServer { _ in [.response(body: "ok")] }
    let key = AWSSignature(accessKey: "AKID", secret: "s", region: "r", service: "s3")
    let harness = try Harness()
    let file = harness.directory.path("body")
    try FileSystem.writeAtomically((0..<999).map { UInt8(truncatingIfNeeded: $0) }, to: file)
    let all: [HeaderFields] = [
      [
        "Content-Type": "text/plain;  charset=x", "X-Amz-Meta-B": "1", "x-amz-meta-b": "two  three",
      ],
      ["X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD", "X-Amz-Date": "20260205T060708Z"],
      ["Host": "bucket.s3.test:81", "X-Other": "not signed"],
    ]
    for headers in all {
      _ = await harness.send(
        .make("PUT", server.url("/k"), headers: headers, body: [.file(path: file)]) {
          $0.options.authentication = .signature(key)
        })
      let request = try #require(server.requests.last)
      let given = request.values("Authorization").joined()
      #expect(given.hasSuffix("Signature=" + (try await Self.signature(of: request, secret: "s"))))
      #expect(!given.contains("x-other"))
    }
    #expect(server.requests[1].values("X-Amz-Date") == ["20260205T060708Z"])
    #expect(
      server.requests[1].values("Authorization").first?
        .contains("Credential=AKID/20260205/r/s3/aws4_request") == true)
  }

  @Test func `moments are written in UTC`() {
    #expect(AWSSignature.stamp(1_770_271_628_009) == "20260205T060708Z")
    #expect(AWSSignature.stamp(0) == "19700101T000000Z")
  }
}
