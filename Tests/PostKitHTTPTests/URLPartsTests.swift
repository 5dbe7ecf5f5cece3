// URLs in parts, and references read at them (RFC 3986).

import Testing

@testable import PostKitHTTP

@Suite struct URLPartsTests {
  @Test(arguments: [
    ("HTTP://Api.Test/A?B=c", "http://api.test/A?B=c"),
    ("http://api.test", "http://api.test"),
    ("http://api.test?q", "http://api.test?q"),
    ("http://api.test#top", "http://api.test"),
    ("http://api.test/a#top?no/query", "http://api.test/a"),
    ("http://ada:s@cret@api.test:8080/", "http://api.test:8080/"),
    ("http://[::1]:80/a:b@c", "http://[::1]:80/a:b@c"),
    ("http://[::1]", "http://[::1]"),
    ("http://api.test:/", "http://api.test/"),
    ("http://ÄPI.test/ä", "http://äpi.test/ä"),
  ])
  func `scheme and host are folded, and what no server sees is left out`(
    written: String, parts: String
  ) {
    #expect(URLParts(written)?.url == parts)
  }

  @Test(arguments: [
    "", "api.test", "/a", "http:/api.test", "http://", "http:///a", "http://:80", "http://@/",
  ])
  func `without a scheme or a host it is no URL`(_ written: String) {
    #expect(URLParts(written) == nil)
  }

  @Test func `path, query and port are told apart`() throws {
    let parts = try #require(URLParts("https://api.test:8443/a/b?c=/d?e"))
    #expect(parts.path == "/a/b")
    #expect(parts.query == "c=/d?e")
    #expect(parts.port == 8443)
    #expect(URLParts("https://api.test")?.effectivePort == 443)
  }
}
