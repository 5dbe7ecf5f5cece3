// Values that are hidden because of their names (AU-48).

import Testing

@testable import PostKitHTTP

@Suite struct SecretNamesTests {
  private let names: Set<String> = ["access_token", "code", "client_secret"]

  private func masked(_ text: String, as format: SecretMask.Format) -> (String, [String]) {
    let result = SecretMask.mask(valuesOf: names, in: Array(text.utf8), as: format)
    return (String(decoding: result.bytes, as: UTF8.self), result.values)
  }

  @Test func `parameters of forms are hidden however short`() {
    let (text, values) = masked("a=1&code=x&client%5Fsecret=p%20q&code2=y&code=", as: .form)
    #expect(text == "a=1&code=••••••&client%5Fsecret=••••••&code2=y&code=")
    #expect(values == ["x", "p q"])
  }

  @Test func `members are hidden at any depth, also in what is cut off`() {
    let (text, values) = masked(
      #"{"a": {"access_token" : "x\"y"}, "code": 12, "other": "code", "code": null}"#, as: .json)
    let members = #""code": "••••••", "other": "code", "code": null}"#
    #expect(text == #"{"a": {"access_token" : "••••••"}, "# + members)
    #expect(values == [#"x"y"#, "12"])
    #expect(masked(#"{"access_token":"abc"#, as: .json).0 == #"{"access_token":"••••••""#)
    #expect(masked(#"{"access\u005ftoken":"abc"}"#, as: .json).0.contains("••••••"))
  }

  @Test func `what nobody knows is looked at both ways`() {
    #expect(masked(#"<p>{"code":"x"}</p>"#, as: .plain).0 == #"<p>{"code":"••••••"}</p>"#)
    #expect(masked("access_token=t&scope=s", as: .plain).0 == "access_token=••••••&scope=s")
    #expect(masked("nothing here", as: .plain).0 == "nothing here")
    #expect(masked(#"{"code":"x"}"#, as: .form).0 == #"{"code":"••••••"}"#)
  }
}
