// Keys of bodies and of environment files: from requests like the one that is written, in the form
// that their values have.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

private let head = "POST {{host}}/users/7\nContent-Type: application/json\n\n"

struct CompletionKeyTests {
  @Test func `Keys come from requests for other things of the same kind`() {
    let earlier = "POST {{host}}/users/12?x=1\n\n{\"name\": \"x\"}\n\n###\n"
    checkCompletion(earlier + head + "{1️⃣}", is: "name | file")
    checkCompletion(
      earlier + "POST {{host}}/users/{{id}}\n\n{1️⃣}", is: "name | file")
    checkCompletion(earlier + "POST {{host}}/groups/7\n\n{1️⃣}", is: "")
    let item = "PUT {{host}}/users/12\n\n{\"name\": \"x\"}\n\n###\n"
    checkCompletion(item + "POST {{host}}/users\n\n{1️⃣}", is: "name | file")
    let text = MarkedText("POST {{lost}}/users/7\n\n{1️⃣}")
    #expect(
      Bench().analysis(text.bytes).completionNeed(at: text.offset())
        == .bodies(host: nil, path: "/users/7"))
  }

  @Test func `A key comes with what its value stands between, and with a comma before the next`() {
    let earlier = head + #"{"s": "x", "o": {"a": 1}, "l": [1], "n": 5}"# + "\n\n###\n"
    let text = MarkedText(earlier + head + "{\n  1️⃣\n  \"z\": 1}")
    let items = Bench().analysis(text.bytes).completion(at: text.offset()).items
    #expect(
      items.map { $0.snippet ?? $0.text } == [
        #""s": "$1","#, #""o": {$1\},"#, #""l": [$1],"#, #""n": "#,
      ])
  }

  @Test func `Among the values, the variable that is called like the key comes first`() {
    checkCompletion(
      head + #"{"user": 1️⃣}"#, kind: .variable, limit: 2,
      is: "{{user}} | ann | environment\n{{host}} | https://dev.test | environment")
  }

  @Test func `The lines of a dotenv file begin with names that others have or requests read`() {
    func labels(_ marked: String) -> [String] {
      let text = MarkedText(marked)
      return EnvironmentFileCompletion.answer(
        text.bytes, of: .dotEnv, at: text.offset(), others: [Array("A=1\nB=s3cr3t\n".utf8)],
        wanted: ["LOST"], limit: 200
      ).items.map(\.text)
    }
    #expect(labels("1️⃣") == ["A=", "B=", "LOST="])
    #expect(labels("A=2\n1️⃣") == ["B=", "LOST="])
    #expect(labels("export L1️⃣") == ["LOST="])
    #expect(labels("B1️⃣=5") == ["B"])
    #expect(labels("A=1️⃣").isEmpty && labels("# A1️⃣").isEmpty && labels("X=a B1️⃣").isEmpty)
  }

  @Test func `A member of an environment has the form that it has elsewhere`() {
    let text = MarkedText(#"{"dev": {"a": {"b": 1}, "n": 5, "s": "x"}, "prod": {1️⃣ "z": 1}}"#)
    let items = EnvironmentFileCompletion.answer(
      text.bytes, of: .publicFile, at: text.offset(), others: [], wanted: [], limit: 200
    ).items
    #expect(
      items.map(\.snippet) == [
        #""a": {$1\},"#, #""n": $1,"#, #""s": "$1","#, #""Security": {"Auth": {$1\}\},"#,
      ])
    #expect(!items.contains { "\($0)".contains("5") && $0.label == "n" && $0.text.contains("5") })
  }

  @Test func `Only files that define the same variables are beside one another`() {
    let names = [".env", ".env.dev", "a.txt", "x.http"]
    #expect(EnvironmentFileCompletion.siblings(of: ".env", among: names) == [".env.dev"])
    #expect(EnvironmentFileCompletion.siblings(of: "a.http", among: names) == nil)
    #expect(
      EnvironmentFileCompletion.siblings(of: "http-client.env.json", among: names)
        == ["http-client.private.env.json", "http-client.env.json.user"])
  }
}
