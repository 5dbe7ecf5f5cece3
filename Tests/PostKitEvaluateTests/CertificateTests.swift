// Which client certificate a host is shown, and what is said where it can't be (PK-86).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@Suite struct CertificateTests {
  private func certificates(_ hosts: String...) -> [ClientCertificate] {
    hosts.compactMap { host in
      ClientCertificate(
        host: host, ["cert": .string("/\(host)")], folder: "", place: "the table")
    }
  }

  private func chosen(_ url: String, _ certificates: [ClientCertificate]) -> String? {
    var laboratory = Laboratory()
    for certificate in certificates { laboratory.files[certificate.certificate?.path ?? ""] = "" }
    let block = ParsedDocument(bytes: Array("GET \(url)\n".utf8)).requests[0]
    let lowered = Lowering.lower(
      block, evaluator: laboratory.evaluator(ParsedDocument(bytes: [])),
      defaults: RequestDefaults(userAgent: "test", certificates: certificates))
    return lowered.settings.options.clientCertificateFile
  }

  @Test func `the most exact host wins, wherever it stands`() {
    let all = certificates("*.b.test", "*.b.test:8443", "a.b.test", "a.b.test:8443")
    #expect(chosen("https://a.b.test:8443/", all) == "/a.b.test:8443")
    #expect(chosen("https://A.B.test/", all) == "/a.b.test")
    #expect(chosen("https://c.b.test:8443/", all) == "/*.b.test:8443")
    #expect(chosen("https://d.c.b.test/", all) == "/*.b.test")
    #expect(chosen("https://b.test/", all) == nil)
    #expect(chosen("https://evil-b.test/", all) == nil)
    #expect(chosen("https://[::1]/", certificates("[::1]:443")) == "/[::1]:443")
    #expect(chosen("http://a.b.test/", all) == nil)
  }

  @Test func `a curl command's own certificate is the one`() {
    var laboratory = Laboratory()
    laboratory.files = ["own.pem": "", "/certs/env.pem": ""]
    laboratory.environment = "dev"
    laboratory.sources = [
      (.publicFile, #"{"dev": {"SSLConfiguration": {"clientCertificate": "/certs/env.pem"}}}"#)
    ]
    let own = laboratory.lower("curl --cert own.pem https://a.test/\n")
    #expect(own.settings.options.clientCertificateFile == "own.pem")
    let other = laboratory.lower("curl https://a.test/\n")
    #expect(other.settings.options.clientCertificateFile == "/certs/env.pem")
  }

  @Test func `a path counts from the file that names it, then from the request file`() {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [
      (.publicFile, #"{"dev": {"SSLConfiguration": {"clientCertificate": "c/{{who}}.pem"}, "#
        + #""who": "ann"}}"#)
    ]
    for path in ["/project/c/ann.pem", "c/ann.pem"] {
      laboratory.files = [path: ""]
      let lowered = laboratory.lower("GET https://a.test/\n")
      #expect(lowered.settings.options.clientCertificateFile == path)
    }
    laboratory.files = [:]
    let failure = laboratory.lower("GET https://a.test/\n").failure
    #expect(failure?.code == .fileNotFound)
    #expect(
      failure?.message
        == "Client certificate `c/ann.pem`, named by /project/publicFile:1, not found. Correct the "
        + "path, or send without it: `# @no-client-cert`.")
  }

  @Test func `what names no file is remarked on`() {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [
      (.publicFile, "{\"dev\": {\n\"SSLConfiguration\": {\"clientCertificate\": 7}}}"),
      (.editorSettings, "{\"rest-client.certificates\": {\"a.test\": {\"key\": \"k\"}}}"),
    ]
    let set = laboratory.scope(ParsedDocument(bytes: [])).environments
    #expect(set.certificates.isEmpty)
    #expect(
      set.problems.map(\.message) == [
        "/project/editorSettings:1: `a.test` is ignored: it has neither `cert` nor `pfx`.",
        "/project/publicFile:2: `SSLConfiguration` expects the path of a file here, in "
          + "quotes.",
      ])
  }

  @Test func `a certificate in a header is not sent`() {
    let lowered = Laboratory().lower(
      "GET https://a.test/\nX-ClientCert: cert: a.pem passphrase: x\n")
    #expect(lowered.spec == nil)
    #expect(lowered.failure?.message.contains("does not support certificates") == true)
    let plain = Laboratory().lower("GET https://a.test/\nClientCert: thumbprint\n")
    #expect(plain.spec?.headers.first("ClientCert") == "thumbprint")
  }
}
