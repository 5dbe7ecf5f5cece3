// Host names of other scripts in ASCII.

import PostKitHTTP
import Testing

@Suite struct InternationalHostTests {
  @Test(arguments: [
    ("api.test:8080", "api.test:8080"), ("API.test", "API.test"), ("[::1]:80", "[::1]:80"),
    ("bücher.test", "xn--bcher-kva.test"), ("BÜCHER.Test:8080", "xn--bcher-kva.Test:8080"),
    ("www.münchen.de", "www.xn--mnchen-3ya.de"), ("faß.de", "xn--fa-hia.de"),
    ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
    ("пример.рф", "xn--e1afmkfd.xn--p1ai"), ("😀.test", "xn--e28h.test"),
    ("他们为什么不说中文.test", "xn--ihqwcrb4cv8a8dqg056pqjye.test"),
    (String(repeating: "ü", count: 64), String(repeating: "ü", count: 64)),
  ])
  func `each label of another script becomes punycode`(_ host: String, _ ascii: String) {
    #expect(InternationalHost.ascii(host) == ascii)
  }

  @Test(arguments: [
    ("http://ä:ö@bücher.test:1/ä?ö#ü", "http://ä:ö@xn--bcher-kva.test:1/ä?ö#ü"),
    ("//bücher.test", "//xn--bcher-kva.test"), ("/ä//bücher.test/", "/ä//bücher.test/"),
    ("?a=://ü/", "?a=://ü/"), ("ä", "ä"), ("", ""), ("a:ü", "a:ü"),
  ])
  func `of a URL the host alone is changed`(_ url: String, _ ascii: String) {
    #expect(InternationalHost.ascii(inURL: url) == ascii)
  }
}
