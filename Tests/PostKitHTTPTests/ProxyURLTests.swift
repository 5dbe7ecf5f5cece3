// How the URLs of proxies are read (PK-85).

import PostKitHTTP
import Testing

@Suite struct ProxyURLTests {
  @Test(arguments: [
    ("http://p.test:3128", "http://p.test:3128"), ("p.test:3128", "http://p.test:3128"),
    ("HTTPS://p.test", "https://p.test"), ("socks4://p.test:1", "socks4://p.test:1"),
    ("socks4a://p:1", "socks4a://p:1"), ("socks5://p:1", "socks5://p:1"),
    ("socks5h://p:1", "socks5h://p:1"), ("socks://p:1", "socks5h://p:1"),
    ("http://[::1]:3128/", "http://[::1]:3128/"),
  ])
  func `schemes of proxies are read`(text: String, url: String) {
    #expect(ProxyURL(text)?.url == url)
  }

  @Test(arguments: [
    "", "http://", "ftp://p.test", "http://p.test:", "http://p.test:99999", "p.test:0",
    "http://p.test:80 80", "http://u:p@", "//p.test", "http://p\n.test",
  ])
  func `what is no proxy is refused`(text: String) { #expect(ProxyURL(text) == nil) }

  @Test func `passwords are known as written and decoded`() {
    #expect(ProxyURL("http://ann:s%40crit:x@p.test")?.passwords == ["s%40crit:x", "s@crit:x"])
    #expect(ProxyURL("ann:plain@p.test:1")?.passwords == ["plain"])
    #expect(ProxyURL("http://ann@p.test")?.passwords == [])
  }

  @Test func `a mistake tells no credentials`() {
    let sentence = ProxyURL.mistake("ftp://ann:hidden@p.test")
    #expect(sentence.hasPrefix("`ftp://***@p.test` is not a proxy URL. Write"))
    #expect(ProxyURL.mistake("ann:hid@den@").hasPrefix("`***@`"))
  }
}
