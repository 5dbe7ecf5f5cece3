// The short forms of `Authorization`: what is read of them, and what is wrong with them (PK-79).

import PostKitEvaluate
import PostKitHTTP
import Testing

@Suite struct CredentialTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var value: String
    var expected: Authentication
    var testDescription: String { value }
  }

  func lower(_ value: String, host: String = "t.test") -> LoweredRequest {
    Laboratory().lower(
      """
      @pw = p:q r
      @pair = ann s3:c ret
      @aws = AKID secret service:iam
      GET http://\(host)/
      Authorization: \(value)
      """)
  }

  static func signature(_ region: String, _ service: String) -> Authentication {
    .signature(
      AWSSignature(accessKey: "AKID", secret: "secret", region: region, service: service))
  }

  @Test(
    "libcurl is told who sends, and the header is not sent",
    arguments: [
      Case(value: "Digest ann s3cret", expected: .digest(user: "ann", password: "s3cret")),
      Case(value: "digest ann:s3:cret", expected: .digest(user: "ann", password: "s3:cret")),
      Case(value: "Digest ann {{pw}}", expected: .digest(user: "ann", password: "p:q r")),
      Case(value: "Digest ann:{{pw}}", expected: .digest(user: "ann", password: "p:q r")),
      Case(value: "Digest {{pair}}", expected: .digest(user: "ann", password: "s3:c ret")),
      Case(value: "Digest ann a  b", expected: .digest(user: "ann", password: "a  b")),
      Case(value: "NTLM ann pw", expected: .ntlm(user: "ann", password: "pw")),
      Case(value: "NTLM", expected: .ntlm(user: "", password: "")),
      Case(value: "Negotiate", expected: .negotiate(user: "", password: "")),
      Case(
        value: "AWS AKID secret region:eu-west-1 service:s3", expected: signature("eu-west-1", "s3")
      ),
      Case(
        value: "AWS service: s3 AKID region: eu-west-1 secret",
        expected: signature("eu-west-1", "s3")),
      Case(value: "aws {{aws}}", expected: signature("us-east-1", "iam")),
    ])
  func helper(_ example: Case) throws {
    let spec = try #require(lower(example.value).spec)
    #expect(spec.options.authentication == example.expected)
    #expect(!spec.headers.contains("Authorization"))
  }

  @Test(
    "anything else is sent as written",
    arguments: [
      "Digest username=\"a\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"x\"", "Bearer a b",
      "Token x", "Basic", "Digest",
    ])
  func verbatim(_ value: String) throws {
    let spec = try #require(lower(value).spec)
    #expect(spec.options.authentication == nil)
    #expect(spec.headers.first("Authorization") == value)
  }

  @Test(
    "what is not whole is refused in its place",
    arguments: ["Digest ann", "Basic ann", "NTLM ann", "AWS AKID", "AWS AKID secret region:"])
  func incomplete(_ value: String) {
    let lowered = lower(value)
    #expect(lowered.spec == nil)
    #expect(lowered.failure?.code.rawValue == "credential-shape")
    let scheme = value.prefix { $0 != " " }
    #expect(lowered.failure?.message.contains("`\(scheme) ") == true)
  }

  @Test(
    "region and service are read from the host",
    arguments: [
      ("id.execute-api.eu-west-1.amazonaws.com", "eu-west-1", "execute-api"),
      ("iam.amazonaws.com", "us-east-1", "iam"),
      ("bucket.s3.ap-southeast-2.amazonaws.com", "ap-southeast-2", "s3"),
      ("bucket.s3-eu-central-1.amazonaws.com", "eu-central-1", "s3"),
      ("domain.eu-west-1.es.amazonaws.com", "eu-west-1", "es"),
      ("id.lambda-url.eu-north-1.on.aws", "eu-north-1", "lambda"),
      ("sqs.cn-north-1.amazonaws.com.cn", "cn-north-1", "sqs"),
    ])
  func host(_ host: String, _ region: String, _ service: String) {
    let lowered = lower("AWS AKID secret", host: host)
    #expect(lowered.spec?.options.authentication == Self.signature(region, service))
  }

  @Test func `a host that says no service needs one in words`() {
    let lowered = lower("AWS AKID secret")
    #expect(lowered.failure?.code.rawValue == "credential-shape")
    #expect(lowered.failure?.message.contains("service:NAME") == true)
  }

  @Test func `curl's options say the same`() throws {
    let lowered = Laboratory().lower("curl --ntlm --digest -u 'ann:p q' http://t.test/")
    #expect(lowered.spec?.options.authentication == .digest(user: "ann", password: "p q"))
    #expect(lowered.spec?.headers.contains("Authorization") == false)
    #expect(lowered.secrets.contains("p q"))
  }

  @Test func `a token is a header, and secrets are known as such`() throws {
    let lowered = lower("AWS AKID s-e-c-r-e-t token:session-token service:s3")
    #expect(lowered.spec?.headers.first("X-Amz-Security-Token") == "session-token")
    #expect(lowered.secrets.isSuperset(of: ["s-e-c-r-e-t", "session-token"]))
    #expect(lower("Digest ann hush-hush").secrets.contains("hush-hush"))
  }

  @Test func `a login that comes later is one clear line`() {
    let lowered = lower("COGNITO a b c d e")
    #expect(lowered.spec == nil)
    #expect(lowered.problems.map(\.message).filter { $0.contains("Cognito") }.count == 1)
  }
}
