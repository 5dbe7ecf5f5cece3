// Completion in metadata, paths and bodies (PROMISES.md C15 to C24).

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import PostKitText
import Testing

private let head = "POST {{host}}/users\nContent-Type: application/json\n\n"

private let earlier =
  head + #"{"name": "ann", "role": "admin", "pass": {"word": 1}, "n": 5}"#
  + "\n\n### \n"

private func sent(_ request: String, _ response: String) -> CompletionSources {
  var sources = CompletionSources()
  sources.bodies = [
    SentBodies(method: "POST", request: Array(request.utf8), response: Array(response.utf8))
  ]
  return sources
}

struct CompletionBodyTests {
  @Test func `C15 Arrays offer their elements, and names that are no words stand in brackets`()
    throws
  {
    var bench = Bench()
    bench.exchanges["login"] = Bench.exchange(
      #"{"list": [{"id": 7}, 2], "a b": 1, "user": {"x": "s3cr3t-value"}}"#, headers: [:])
    let login = "### \n# @name login\nPOST https://a.test/login\n\n###\n"
    checkCompletion(
      login + "GET /{{login.response.body.$.list.1️⃣", bench: bench,
      is: """
        [0]
        [1] | 2
        [*] | all elements
        [?(@.id == 1)] | the elements that match a condition
        """)
    checkCompletion(
      login + "GET /{{login.response.body.$.list[1️⃣]}}", bench: bench, limit: 1, is: "[0]")
    checkCompletion(login + "GET /{{login.response.body.$.list[0].1️⃣", bench: bench, is: "id | 7")
    try checkInsertion(
      login + "GET /{{login.response.body.$.list.1️⃣", "[1]", bench: bench,
      is: login + "GET /{{login.response.body.$.list[1]}}1️⃣")
    try checkInsertion(
      login + "GET /{{login.response.body.$.list[1️⃣]}}", "[1]", bench: bench,
      is: login + "GET /{{login.response.body.$.list[1]1️⃣}}")
    try checkInsertion(
      login + "GET /{{login.response.body.$.1️⃣", "['a b']", bench: bench,
      is: login + "GET /{{login.response.body.$['a b']}}1️⃣")
    bench.exchanges["login"] = Bench.exchange("<a><b x='1'/><b/></a>", headers: [:])
    checkCompletion(
      login + "GET /{{login.response.body./1️⃣", bench: bench,
      is: "/a | an element\n//a | an element\n//b | an element")
  }

  @Test func `C16 A tag for the whole file is offered at its top alone`() {
    checkCompletion("# @dialec1️⃣", is: "dialect | @dialect PRESET")
    checkCompletion("GET /\n\n###\n# @dialec1️⃣\nGET /", is: "")
    let text = MarkedText("# @1️⃣\nGET /")
    let items = Bench().analysis(text.bytes).completion(at: text.offset()).items
    #expect(items.first { $0.label == "timeout" }?.snippet == "timeout ${1:NUMBER} ${2:UNIT}")
    #expect(items.first { $0.label == "name" }?.snippet == nil)
    #expect(
      items.first { $0.label == "kulala-prompt" }?.snippet
        == #"kulala-prompt "${1:LABEL}" ${2:VARIABLE}"#)
  }

  @Test func `C17 What follows a tag is what it takes`() throws {
    checkCompletion("# @timeout 1️⃣\nGET /", limit: 2, is: "5 s\n30 s")
    checkCompletion("# @timeout 5 1️⃣\nGET /", is: "s\nms\nm")
    checkCompletion(
      "GET /\n\n###\n# @tag smoke, slow\nGET /\n\n###\n# @tag s1️⃣\nGET /", is: "slow\nsmoke")
    checkCompletion("# @prompt 1️⃣\nGET /{{asked}}/{{user}}", is: "asked")
    checkCompletion(
      "# @env-header-key V eT1️⃣\nGET /", is: "ETag\nSet-Cookie\nRetry-After\nContent-Type")
    try checkInsertion(
      "# @name two words\nGET /\n\n###\n# @ref two w1️⃣\nGET /", "two words",
      is: "# @name two words\nGET /\n\n###\n# @ref two words1️⃣\nGET /")
  }

  @Test func `C18 A path is completed piece by piece, by what it is for`() throws {
    var sources = CompletionSources()
    sources.entries = { folder in
      switch folder {
      case "", "./":
        [FolderEntry("a b.json"), FolderEntry("data", isFolder: true), FolderEntry("x.js")]
      case "./data/": [FolderEntry("users.json")]
      case "../": [FolderEntry("up.http"), FolderEntry("up.txt")]
      default: []
      }
    }
    checkCompletion("POST /\n\n< 1️⃣", with: sources, limit: 9, is: "a b.json\nx.js\ndata/\n./\n../")
    checkCompletion("GET /\n\n> 1️⃣", with: sources, limit: 2, is: "x.js\ndata/")
    checkCompletion("POST /\n\n<@latin1 ./data/1️⃣", with: sources, is: "users.json")
    checkCompletion("GET /\n\n>>! ./d1️⃣", with: sources, is: "data/")
    checkCompletion("< ./1️⃣\nGET /", with: sources, limit: 1, is: "x.js")
    checkCompletion("import ../1️⃣", with: sources, is: "up.http\n../")
    try checkInsertion("POST /\n\n< ./d1️⃣x", "data/", with: sources, is: "POST /\n\n< ./data/1️⃣")
    try checkInsertion(
      "POST /\n\n< ./d1️⃣ata/users.json", "data/", with: sources,
      is: "POST /\n\n< ./data1️⃣/users.json")
    checkCompletion("POST /\n\n<a 1️⃣", with: sources, is: "")
    checkCompletion("POST /\n\n< {% 1️⃣", with: sources, is: "")
  }

  @Test func `C19 What a request is run with are the names that it uses`() throws {
    let target = "### login\n@own = 1\nPOST /{{user}}\n\n###\n"
    checkCompletion(
      target + "run #login (1️⃣",
      is: "@own | what #login is run with\n@user | what #login is run with")
    checkCompletion(target + "run #login (@own=2, 1️⃣)", is: "@user | what #login is run with")
    try checkInsertion(target + "run #login (@u1️⃣", "@user", is: target + "run #login (@user=1️⃣")
    checkCompletion(target + "run #login (@own=1️⃣", is: "")
    var bench = Bench()
    bench.requestFiles = ["./b.http": "@own = 1\n### one\nGET /{{a}}\n### two\nGET /{{b}}\n"]
    checkCompletion("run ./b.http #1️⃣", bench: bench, is: "one\ntwo")
    try checkInsertion(
      "run ./b.http #o1️⃣ (@own=1)", "one", bench: bench, is: "run ./b.http #one1️⃣ (@own=1)")
    checkCompletion(
      "run ./b.http #two (1️⃣", bench: bench,
      is: "@own | what ./b.http #two is run with\n@b | what ./b.http #two is run with")
  }

  @Test func `C20 Keys are those that the same object has elsewhere`() throws {
    checkCompletion(
      earlier + head + "{1️⃣}", limit: 9, is: "name | file\nrole | file\npass | file\nn | file")
    checkCompletion(earlier + head + #"{"role": 1, 1️⃣"#, limit: 2, is: "name | file\npass | file")
    checkCompletion(
      earlier + head + #"{"a": 1\#n 1️⃣\#n "role": 2}"#, limit: 2, is: "name | file\npass | file")
    checkCompletion(earlier + head + #"{"pass": {1️⃣"#, is: "word | file")
    checkCompletion(earlier + head + #"{"pass": [{"w1️⃣"#, is: "")
    checkCompletion(
      head + "{1️⃣}", with: sent(#"{"a": 1}"#, #"[{"b": 2, "a": 3}]"#),
      is: "a | history\nb | response")
    checkCompletion(earlier + "PUT {{host}}/users\n\n{1️⃣}", is: "")
    checkCompletion(earlier + head + #"{"name": {{user}}, "r1️⃣"#, is: "role | file")
  }

  @Test func `C20 Quotes and the colon come once, in whole and in broken text`() throws {
    func check(_ marked: String, is expected: String) throws {
      try checkInsertion(earlier + head + marked, "name", is: earlier + head + expected)
    }
    try check("{1️⃣}", is: #"{"name": 1️⃣}"#)
    try check("{na1️⃣", is: #"{"name": 1️⃣"#)
    try check(#"{"1️⃣"}"#, is: #"{"name": 1️⃣}"#)
    try check(#"{"1️⃣}"#, is: #"{"name": 1️⃣"#)
    try check(#"{"na1️⃣x": 5}"#, is: #"{"name"1️⃣: 5}"#)
    try check(#"{"na1️⃣: "x", "role": 1}"#, is: #"{"name"1️⃣: "x", "role": 1}"#)
    try check("{\r\n  \"é\": 1,\r\n  1️⃣\r\n}\r\n", is: "{\r\n  \"é\": 1,\r\n  \"name\": 1️⃣\r\n}\r\n")
  }

  @Test func `C21 Values are those that the key has elsewhere, variables, and words`() throws {
    checkCompletion(
      earlier + head + #"{"role": 1️⃣"#, kind: .value,
      is: """
        "admin" | seen before
        true
        false
        null
        """)
    checkCompletion(
      earlier + head + #"{"role": "a1️⃣"}"#, kind: .value, is: #""admin" | seen before"#)
    checkCompletion(
      earlier + head + #"{"role": 1️⃣"#, kind: .variable, limit: 2,
      is: "{{host}} | https://dev.test | environment\n{{pin}} | •••••• | private environment")
    try checkInsertion(head + #"{"a": us1️⃣}"#, "{{user}}", is: head + #"{"a": "{{user}}"1️⃣}"#)
    try checkInsertion(head + #"{"a": "1️⃣"}"#, "{{user}}", is: head + #"{"a": "{{user}}"1️⃣}"#)
    try checkInsertion("@n = 5\n\n" + head + "[1️⃣", "{{n}}", is: "@n = 5\n\n" + head + "[{{n}}1️⃣")
    // What is likely to be a secret is not repeated, nor what is known to be one.
    let secret = head + #"{"password": "abc", "x": "s3cr3t-value"}"# + "\n\n###\n"
    checkCompletion(secret + head + #"{"password": "a1️⃣"}"#, kind: .value, is: "")
    checkCompletion(secret + head + #"{"x": "1️⃣"}"#, kind: .value, is: "")
    let nested = head + #"{"credentials": {"value": "abc"}}"# + "\n\n###\n"
    checkCompletion(nested + head + #"{"credentials": {"value": "1️⃣"}}"#, kind: .value, is: "")
    checkCompletion(head + #"{"a": 1 1️⃣}"#, is: "")
    checkCompletion("POST /\nContent-Type: text/plain\n\n{1️⃣}", is: "")
  }

  @Test func `C22 Forms have the names and values of other forms for the same path`() throws {
    let type = "POST {{host}}/form\nContent-Type: application/x-www-form-urlencoded\n\n"
    let earlier = type + "color=red&size={{size}}\n\n###\n"
    checkCompletion(earlier + type + "1️⃣", kind: .member, is: "color\nsize")
    checkCompletion(earlier + type + "a=1\n&s1️⃣", is: "size")
    checkCompletion(earlier + type + "a=1&color=1️⃣&b=2", is: "red")
    try checkInsertion(earlier + type + "co1️⃣l=1", "color", is: earlier + type + "color1️⃣=1")
    try checkInsertion(earlier + type + "a=1&1️⃣", "color", is: earlier + type + "a=1&color=1️⃣")
  }

  @Test func `C22 Parts begin with the boundary, and have fields and content`() throws {
    let type = "POST /\nContent-Type: multipart/form-data; boundary=XX\n\n"
    checkCompletion(type + "1️⃣", kind: .value, is: "--XX | begins a part")
    checkCompletion(
      type + "--XX\n1️⃣",
      is: """
        Content-Disposition: form-data; name="field" | a field
        Content-Disposition: form-data; name="file"; filename="file.txt" | a file
        Content-Type: text/plain | what the part is
        """)
    checkCompletion(
      type + "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\n1️⃣",
      is: "--XX | begins a part\n--XX-- | ends the last part\n< ./ | the content of a file")
    try checkInsertion(
      type + "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\n-1️⃣-X", "--XX--",
      is: type + "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\n--XX--1️⃣")
    try checkInsertion(
      type + "--XX\nContent-Type:1️⃣", "text/html", is: type + "--XX\nContent-Type: text/html1️⃣")
  }

  @Test func `C24 An environment is offered the keys that others have`() {
    func labels(_ marked: String, others: [String] = []) -> [String] {
      let text = MarkedText(marked)
      return EnvironmentFileCompletion.answer(
        text.bytes, of: .publicFile, at: text.offset(), others: others.map { Array($0.utf8) },
        wanted: ["lost"], limit: 200
      ).items.map(\.label)
    }
    #expect(labels(#"{"dev": {"a": 1, "b": 2}, "prod": {"a": 3, 1️⃣}}"#)
      == ["b", "lost", "Security"])
    #expect(
      labels(#"{"dev": {"a": 1}, "prod": {1️⃣"#, others: [#"{"prod": {"key": "x"}}"#])
        == ["a", "key", "lost", "Security"])
    #expect(
      labels(#"{"dev": {}, 1️⃣}"#, others: [#"{"dev": {}, "prod": {}}"#]) == ["prod", "$shared"])
    #expect(labels(#"{"dev": {"a": 1️⃣}}"#, others: [#"{"dev": {"a": "x"}}"#]) == [])
  }

  @Test func `C11 A value of an environment is offered the variables that it can refer to`() {
    func texts(_ marked: String, others: [String] = []) -> [String] {
      let text = MarkedText(marked)
      return EnvironmentFileCompletion.answer(
        text.bytes, of: .publicFile, at: text.offset(), others: others.map { Array($0.utf8) },
        wanted: ["lost"], limit: 200
      ).items.compactMap {
        TextEdit.apply([TextEdit($0.replaced, $0.text)], to: text.bytes).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    #expect(
      texts(#"{"dev": {"a": 1, "url": "x{{1️⃣"}, "prod": {"b": {"c": 2}}}"#) == [
        #"{"dev": {"a": 1, "url": "x{{a}}"}, "prod": {"b": {"c": 2}}}"#,
        #"{"dev": {"a": 1, "url": "x{{b}}"}, "prod": {"b": {"c": 2}}}"#,
      ])
    #expect(
      texts(#"{"dev": {"u": "{{p}}{{ ke1️⃣ }}/x"}}"#, others: [#"{"dev": {"key": "x"}}"#])
        == [#"{"dev": {"u": "{{p}}{{ key }}/x"}}"#])
    #expect(texts(#"{"dev": {"a": 1, "u": "{{a}}1️⃣"}}"#) == [])
    #expect(texts(#"{"dev": {"a": 1, "u{{1️⃣": ""}}"#).isEmpty)
  }

  @Test func `What is cut says so, and what is typed decides what is left`() {
    let names = (0..<300).map { "@name\($0) = \($0)\n" }.joined()
    let text = MarkedText(names + "\nGET /{{1️⃣")
    let analysis = Bench().analysis(text.bytes)
    let all = analysis.completion(at: text.offset())
    #expect(all.items.count == 200 && all.isIncomplete)
    let narrow = MarkedText(names + "\nGET /{{NM291️⃣")
    let few = Bench().analysis(narrow.bytes).completion(at: narrow.offset())
    #expect(few.items.map(\.label).contains("name299") && !few.isIncomplete)
    #expect(few.items.allSatisfy { $0.label.drop { $0 != "2" }.contains("9") })
  }
}
