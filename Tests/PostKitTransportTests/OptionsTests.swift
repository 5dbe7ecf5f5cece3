// What libcurl is told, and what the machine's libcurl is.

import CCurl
import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite struct OptionsTests {
  static func value(
    _ option: CURLoption, features: Set<String> = ["HTTP2"],
    _ change: (inout TransferOptions) -> Void = { _ in }
  ) throws -> CurlOptions.Value? {
    var spec = RequestSpec(method: "GET", url: "https://a.test/")
    change(&spec.options)
    return try CurlOptions(spec, body: nil, facts: .init(features: features)).settings
      .last { $0.option == option }?.value
  }

  @Test func `authorities are never a directory, so that libcurl keeps them in memory`() throws {
    #expect(try Self.value(CURLOPT_CAPATH) == .null)
    #expect(try Self.value(CURLOPT_CAINFO) == nil)
    #expect(try Self.value(CURLOPT_CAINFO) { $0.certificateAuthorityFile = "/c" } == .text("/c"))
  }

  @Test func `certificates are verified unless that is turned off`() throws {
    #expect(try Self.value(CURLOPT_SSL_VERIFYPEER) == nil)
    #expect(try Self.value(CURLOPT_SSL_VERIFYPEER) { $0.verifiesTLS = false } == .number(0))
    #expect(try Self.value(CURLOPT_SSL_VERIFYHOST) { $0.verifiesTLS = false } == .number(0))
  }

  @Test(arguments: [
    (HTTPVersion.automatic, CURL_HTTP_VERSION_2TLS), (.http10, CURL_HTTP_VERSION_1_0),
    (.http11, CURL_HTTP_VERSION_1_1), (.http2, CURL_HTTP_VERSION_2_0),
    (.http2PriorKnowledge, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE), (.http3, CURL_HTTP_VERSION_3),
  ])
  func `versions are libcurl's`(version: HTTPVersion, number: Int) throws {
    let value = try Self.value(CURLOPT_HTTP_VERSION, features: ["HTTP2", "HTTP3"]) {
      $0.httpVersion = version
    }
    #expect(value == .number(number))
  }

  @Test(arguments: [HTTPVersion.http2, .http2PriorKnowledge, .http3])
  func `a version that the library lacks is a failure`(version: HTTPVersion) {
    let failure = #expect(throws: Failure.self) {
      try Self.value(CURLOPT_HTTP_VERSION, features: []) { $0.httpVersion = version }
    }
    #expect(failure?.code == .protocol)
    #expect(failure?.message.contains("HTTP/1.1") == true)
  }

  @Test func `without HTTP/2 in the library the default is 1.1`() throws {
    let value = try Self.value(CURLOPT_HTTP_VERSION, features: [])
    #expect(value == .number(CURL_HTTP_VERSION_1_1))
  }

  @Test func `a length that was written is never sent twice`() throws {
    let spec = RequestSpec(
      method: "GET", url: "http://a/", headers: [("content-length", "5"), ("A", "")])
    let options = try CurlOptions(spec, body: nil, facts: .init(features: []))
    #expect(options.headerLines == ["A;", "Accept:"])
  }
}

@Suite struct LibraryTests {
  @Test func `the library says what it is`() throws {
    let version = try Transport.libraryVersion.get()
    #expect(version.version.split(separator: ".").count == 3)
    #expect(version.protocols.contains("https") && version.features.contains("SSL"))
    #expect(!version.tlsLibrary.isEmpty && !version.libraryName.isEmpty)
  }

  @Test func `a missing library is a failure that names the package`() {
    let result = CurlLibrary.open(["libpostkit-none.so.9", "libc.so.6"])
    guard case .failure(let failure) = result else {
      Issue.record("a library that isn't libcurl was opened")
      return
    }
    #expect(failure.message.contains("apt install libcurl4"))
    #expect(failure.message.contains("libpostkit-none.so.9"))
    #expect(failure.message.contains("it has no function curl_global_init"))
  }

  @Test func `prewarming never fails`() { Transport.prewarm() }
}
