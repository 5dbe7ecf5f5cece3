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

  @Test(arguments: ["1x", "x", "99999999999999999999", "+80", "-1", "65536", "000080", "%7B1"])
  func `a port that is no number is no part of a URL, nor of what one leads to`(
    _ port: String
  ) throws {
    #expect(URLParts("http://api.test:\(port)/a") == nil)
    let base = try #require(URLParts("http://api.test:8080/"))
    #expect(base.resolving("http://api.test:\(port)/a") == nil)
    #expect(base.resolving("//api.test:\(port)/a") == nil)
  }

  @Test func `a port is a number up to 65535, and may be a name that is not known yet`() {
    #expect(URLParts("http://api.test:0/")?.port == 0)
    #expect(URLParts("http://api.test:65535/")?.port == 65535)
    #expect(URLParts("http://api.test:{port}/v1")?.path == "/v1")
  }

  @Test func `path, query and port are told apart`() throws {
    let parts = try #require(URLParts("https://api.test:8443/a/b?c=/d?e"))
    #expect(parts.path == "/a/b")
    #expect(parts.query == "c=/d?e")
    #expect(parts.port == 8443)
    #expect(URLParts("https://api.test")?.effectivePort == 443)
  }
}
