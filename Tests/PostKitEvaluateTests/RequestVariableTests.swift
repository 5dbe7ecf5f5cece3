// Variables that say for all requests what tags say for one (httpYac's `request_…`).

import PostKitEvaluate
import PostKitHTTP
import Testing

@Suite struct RequestVariableTests {
  private func lowered(_ text: String, environment: String = "{}") -> LoweredRequest {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [(.publicFile, "{\"dev\": \(environment)}")]
    return laboratory.lower(text)
  }

  private static let request = "GET https://a.test/\n"

  @Test func `a file or an environment sets them, and tags stand above`() {
    let inFile = "@request_timeout = 4500\n@request_proxy = http://p.test:1\n" + Self.request
    let options = lowered(inFile).settings.options
    #expect(options.totalTimeoutMilliseconds == 4_500)
    #expect(options.proxy == "http://p.test:1" && options.proxyExceptions == "")
    let inEnvironment = lowered(
      Self.request,
      environment: #"{"request_rejectUnauthorized": false, "request_timeout": 30}"#)
    #expect(!inEnvironment.settings.options.verifiesTLS)
    #expect(inEnvironment.settings.options.totalTimeoutMilliseconds == 30)
    let tagged = lowered("# @timeout 2 s\n# @no-proxy\n" + inFile).settings.options
    #expect(tagged.totalTimeoutMilliseconds == 2_000 && tagged.proxy == "")
  }

  @Test func `true verifies where the environment does not`() {
    let environment = #"{"SSLConfiguration": {"verifyHostCertificate": false}, "on": "true"}"#
    #expect(!lowered(Self.request, environment: environment).settings.options.verifiesTLS)
    let text = "@request_rejectUnauthorized = {{on}}\n" + Self.request
    #expect(lowered(text, environment: environment).settings.options.verifiesTLS)
  }

  @Test(arguments: [
    ("request_timeout = soon", "`soon` is not a duration."),
    ("request_proxy = ftp://ann:hidden@p", "`ftp://***@p` is not a proxy URL."),
    ("request_rejectUnauthorized = maybe", "`request_rejectUnauthorized` is `maybe`. Write `true`"),
    ("request_timeout = {{nothing}}", "`nothing` is not defined."),
  ])
  func `a value that can't be read is an error`(definition: String, sentence: String) {
    let result = lowered("@\(definition)\n" + Self.request)
    #expect(result.spec == nil)
    #expect(result.problems.contains { $0.message.hasPrefix(sentence) })
  }

  @Test func `what is not defined is known to have been looked up`() {
    #expect(lowered(Self.request).names.contains("request_timeout"))
    #expect(lowered(Self.request).settings.options.totalTimeoutMilliseconds == nil)
  }

  @Test func `a stream can be kept`() {
    #expect(lowered("# @keepStreaming\n" + Self.request).settings.options.keepsStream)
  }
}
