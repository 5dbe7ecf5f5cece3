// The parts of URLs as ranges of their texts (RFC 3986, section 3).

import PostKitTestSupport
import Testing

@testable import PostKitHTTP

@Suite struct URLTextTests {
  /// The parts in a row, `-` for one that is not there.
  private func parts(_ text: String, _ reading: URLText.Reading) -> String {
    let url = URLText(text, as: reading)
    return [url.scheme, url.userInfo, url.host, url.port, url.path, url.query, url.fragment]
      .map { url[$0].map(String.init) ?? "-" }.joined(separator: " | ")
  }

  @Test(arguments: [
    (
      "https://ada:s@crit@api.test:8080/a/b?c=/d?e#f?#",
      "https | ada:s@crit | api.test | 8080 | /a/b | c=/d?e | f?#"
    ),
    ("http://[::1]:80", "http | - | [::1] | 80 |  | - | -"),
    ("http://[::1]", "http | - | [::1] | - |  | - | -"),
    ("http://a:b@[fe80::1%25en0]/", "http | a:b | [fe80::1%25en0] | - | / | - | -"),
    ("http://h?q@x:1", "http | - | h | - |  | q@x:1 | -"),
    ("http://h#f", "http | - | h | - |  | - | f"),
    ("http://h:?#", "http | - | h |  |  |  | "),
    ("http://@/", "http |  |  | - | / | - | -"),
    ("http:///a", "http | - |  | - | /a | - | -"),
    ("//h:1/a", "- | - | h | 1 | /a | - | -"),
    ("/a//b://c", "- | - | - | - | /a//b://c | - | -"),
    ("?u=http://h", "- | - | - | - |  | u=http://h | -"),
    ("h.test/a", "- | - | - | - | h.test/a | - | -"),
    ("mailto:a@b", "- | - | - | - | mailto:a@b | - | -"),
    ("1http://h", "- | - | - | - | 1http://h | - | -"),
    ("h ttp://h", "- | - | - | - | h ttp://h | - | -"),
    ("://h", "- | - | - | - | ://h | - | -"),
    ("http://h{{/}}", "http | - | h{{ | - | /}} | - | -"),
    ("{scheme}://{host}/v1", "{scheme} | - | {host} | - | /v1 | - | -"),
    ("", "- | - | - | - |  | - | -"),
  ])
  func `a URL that is sent is read as RFC 3986 has it`(text: String, expected: String) {
    #expect(parts(text, .sent) == expected)
  }

  @Test(arguments: [
    ("{{base}}/a?b={{c?d#e}}#f", "- | - | {{base}} | - | /a | b={{c?d#e}} | f"),
    (
      "{{a://b}}://{{u@v}}:p@{{h:1}}:{{port}}{{x/y}}/z",
      "{{a://b}} | {{u@v}}:p | {{h:1}} | {{port}}{{x/y}} | /z | - | -"
    ),
    ("h.test:80/a", "- | - | h.test | 80 | /a | - | -"),
    ("u:p@h.test", "- | u:p | h.test | - |  | - | -"),
    ("/a?b", "- | - | - | - | /a | b | -"),
    ("{{a}}{{b}}", "- | - | {{a}}{{b}} | - |  | - | -"),
    ("{{{a?}}}?b", "- | - | {{{a?}}} | - |  | b | -"),
    ("http://h/{{a?b", "http | - | h | - | /{{a | b | -"),
    ("http://h/{{a}?b}}", "http | - | h | - | /{{a}?b}} | - | -"),
  ])
  func `templates stay whole, and a host needs no scheme`(text: String, expected: String) {
    #expect(parts(text, .written) == expected)
  }

  @Test func `a template at the end of an authority may hold the path`() {
    for text in ["{{url}}", "{{url}}?a=1", "{{a}}{{b}}", "https://{{h}}#f", "{{h}}:{{p}}"] {
      #expect(URLText(text, as: .written).hasHiddenPath)
    }
    for text in ["{{url}}/", "/{{a}}", "{{scheme}}://h.test", "https://{{h}}:80", "h.test", ""] {
      #expect(!URLText(text, as: .written).hasHiddenPath)
    }
  }

  @Test(arguments: [URLText.Reading.sent, .written])
  func `the parts and the signs between them are the text`(reading: URLText.Reading) {
    var generator = RepeatableGenerator(seed: 3_986)
    let pieces = [
      "http", "://", "//", "/", ":", "?", "#", "@", "[", "]", "[::1]", "&", "=", "{{", "}}", "{",
      "}", "{{a/b?c#d@e:f}}", "h.test", "80", " ", "ä", "\u{301}", "👍", "%2F", "\r\n", ".", "..",
    ]
    for _ in 0..<20_000 {
      let text = (0..<generator.int(in: 0..<9)).map { _ in generator.pick(pieces) }.joined()
      let url = URLText(text, as: reading)
      var joined = ""
      func add(_ part: URLText.Part?, before: String = "", after: String = "") {
        guard let part = url[part] else { return }
        joined += before + part + after
      }
      add(url.scheme, after: ":")
      let hasSlashes = url.host != nil && text.utf8.starts(with: "//".utf8)
      if url.scheme != nil || hasSlashes { joined += "//" }
      add(url.userInfo, after: "@")
      add(url.host)
      add(url.port, before: ":")
      add(url.path)
      #expect(joined.utf8.elementsEqual(url.beforeQuery.utf8))
      add(url.query, before: "?")
      #expect(joined.utf8.elementsEqual(url.withoutFragment.utf8))
      add(url.fragment, before: "#")
      #expect(joined.utf8.elementsEqual(text.utf8), "\(text)")
      let query = url[url.query] ?? ""
      let pairs = URLText.pairs(of: query, as: reading).map { name, value in
        name + (value.map { "=" + $0 } ?? "")
      }
      #expect(pairs.joined(separator: "&").utf8.elementsEqual(query.utf8))
    }
  }

  @Test func `parts are put together`() {
    let url = URLText("HTTPS://ada:x@Api.Test:8443/a?b=c#d")
    #expect(url.origin == "https://Api.Test:8443")
    #expect(url.text[url.target] == "/a?b=c")
    #expect(url.beforeQuery == "HTTPS://ada:x@Api.Test:8443/a")
    #expect(url.withoutFragment == "HTTPS://ada:x@Api.Test:8443/a?b=c")
    #expect(url.withoutUserInfo == "HTTPS://Api.Test:8443/a?b=c#d")
    #expect(URLText("//h/a").origin == nil)
    #expect(URLText("/a").withoutUserInfo == "/a")
  }

  @Test func `pairs are kept as they are written`() {
    func shown(_ query: String, _ reading: URLText.Reading) -> String {
      URLText.pairs(of: query[...], as: reading)
        .map { "\($0.name):\($0.value ?? "-")" }.joined(separator: " ")
    }
    #expect(shown("a=b=c&d&&e=", .sent) == "a:b=c d:- :- e:")
    #expect(shown("", .sent) == ":-")
    #expect(shown("{{a&b}}={{c=d}}&x{{y=z", .written) == "{{a&b}}:{{c=d}} x{{y:z")
    #expect(shown("{{a&b}}", .sent) == "{{a:- b}}:-")
  }

  @Test func `what looks for an end many times is read once`() {
    let hostile = "http://" + String(repeating: "{{@[", count: 200_000)
      + "?" + String(repeating: "{{&=", count: 200_000)
    let url = URLText(hostile, as: .written)
    #expect(url[url.userInfo]?.utf8.count == 799_998)
    #expect(URLText.pairs(of: url[url.query] ?? "", as: .written).count == 200_001)
  }
}
