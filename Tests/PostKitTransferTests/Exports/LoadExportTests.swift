// Requests as load tests. What the programs send is proved by running them: Tests/Clients.

import PostKitTestSupport
import PostKitTransfer
import Testing

@Suite struct LoadExportTests {
  /// What stands behind the helpers, which are the same in all exports.
  private func course(_ export: RequestExport, from start: String) -> String {
    let text = ExportSample.text(export)
    guard let place = text.firstRange(of: start) else { return text }
    return String(text[place.lowerBound...])
  }

  @Test func `a shop becomes a Locust file`() {
    let export = ExportSample.export(ExportSample.shop, as: .locust)
    #expect(export.files.map(\.path) == ["my_shop_load.py"])
    Golden.check(course(export, from: "SHOP_ID ="), "exports/a-shop-becomes-a-locust-file.txt")
    expect(ExportSample.notes(export), is: "")
  }

  @Test func `a shop becomes a k6 script`() {
    let export = ExportSample.export(ExportSample.shop, as: .k6)
    #expect(export.files.map(\.path) == ["my_shop_load.js"])
    Golden.check(course(export, from: "const SHOP_ID"), "exports/a-shop-becomes-a-k6-script.txt")
    expect(ExportSample.notes(export), is: "")
  }

  @Test func `weights make tasks of requests, one picked at a time`() {
    let text = """
      ### often
      # @weight 9
      GET http://h/a

      ### seldom
      GET http://h/b

      ### never
      # @disabled
      GET http://h/c

      ### wrong
      # @weight 0
      GET http://h/d

      """
    let locust = ExportSample.export(text, as: .locust)
    #expect(ExportSample.text(locust).contains("    @task(9)\n    def often(self):"))
    #expect(ExportSample.text(locust).contains("(TaskSet):"))
    #expect(ExportSample.text(locust).contains("# never is left out: it is disabled."))
    expect(ExportSample.notes(locust), is: """
      setting-unsupported shop.http:14 `@weight 0` is left out: write a whole number above 0.
      """)
    let k6 = ExportSample.text(ExportSample.export(text, as: .k6))
    #expect(k6.contains("let pick = Math.random() * 11;"))
    #expect(k6.contains("if ((pick -= 9) < 0) return often(kept);"))
  }

  @Test func `every predicate has its expression`() {
    let subjects = [
      "== 1", "!= 1", "> 1", ">= 1", "< 1", "<= 1", "startsWith a", "endsWith a", "contains a",
      "matches ^a", "exists", "isFalse", "isNumber", "isString", "isBoolean", "isArray",
      "sha256 x", "sha512 x", "md5 x",
    ]
    let text = "GET http://h/\n\n" + subjects.map { "?? body $.a \($0)\n" }.joined()
    let locust = ExportSample.text(ExportSample.export(text, as: .locust))
    expect(
      locust.split(separator: "\n").filter { $0.contains("(\"??") }.joined(separator: "\n"), is: """
                      ("?? body $.a == 1", same(member(value, "a"), "1")),
                      ("?? body $.a != 1", not same(member(value, "a"), "1")),
                      ("?? body $.a > 1", compared(member(value, "a"), operator.gt, "1")),
                      ("?? body $.a >= 1", compared(member(value, "a"), operator.ge, "1")),
                      ("?? body $.a < 1", compared(member(value, "a"), operator.lt, "1")),
                      ("?? body $.a <= 1", compared(member(value, "a"), operator.le, "1")),
                      ("?? body $.a startsWith a", text(member(value, "a")).startswith("a")),
                      ("?? body $.a endsWith a", text(member(value, "a")).endswith("a")),
                      ("?? body $.a contains a", contains(member(value, "a"), "a")),
                      ("?? body $.a matches ^a", re.search("^a", text(member(value, "a"))) is not None),
                      ("?? body $.a exists", truthy(member(value, "a"))),
                      ("?? body $.a isFalse", not truthy(member(value, "a"))),
                      ("?? body $.a isNumber", is_number(member(value, "a"))),
                      ("?? body $.a isString", isinstance(member(value, "a"), str)),
                      ("?? body $.a isBoolean", isinstance(member(value, "a"), bool)),
                      ("?? body $.a isArray", isinstance(member(value, "a"), list)),
                      ("?? body $.a sha256 x", digest("sha256", member(value, "a")) == "x"),
                      ("?? body $.a sha512 x", digest("sha512", member(value, "a")) == "x"),
                      ("?? body $.a md5 x", digest("md5", member(value, "a")) == "x"),
      """)
    let k6 = ExportSample.text(ExportSample.export(text, as: .k6))
    expect(
      k6.split(separator: "\n").filter { $0.contains("\": () =>") }.joined(separator: "\n"), is: """
          "GET http://h/: ?? body $.a == 1": () => same(member(value, "a"), "1"),
          "GET http://h/: ?? body $.a != 1": () => !same(member(value, "a"), "1"),
          "GET http://h/: ?? body $.a > 1": () => number(member(value, "a")) > number("1"),
          "GET http://h/: ?? body $.a >= 1": () => number(member(value, "a")) >= number("1"),
          "GET http://h/: ?? body $.a < 1": () => number(member(value, "a")) < number("1"),
          "GET http://h/: ?? body $.a <= 1": () => number(member(value, "a")) <= number("1"),
          "GET http://h/: ?? body $.a startsWith a": () => text(member(value, "a")).startsWith("a"),
          "GET http://h/: ?? body $.a endsWith a": () => text(member(value, "a")).endsWith("a"),
          "GET http://h/: ?? body $.a contains a": () => contains(member(value, "a"), "a"),
          "GET http://h/: ?? body $.a matches ^a": () => new RegExp("^a").test(text(member(value, "a"))),
          "GET http://h/: ?? body $.a exists": () => truthy(member(value, "a")),
          "GET http://h/: ?? body $.a isFalse": () => !truthy(member(value, "a")),
          "GET http://h/: ?? body $.a isNumber": () => (typeof member(value, "a") === "number" || member(value, "a") instanceof Digits),
          "GET http://h/: ?? body $.a isString": () => typeof member(value, "a") === "string",
          "GET http://h/: ?? body $.a isBoolean": () => typeof member(value, "a") === "boolean",
          "GET http://h/: ?? body $.a isArray": () => Array.isArray(member(value, "a")),
          "GET http://h/: ?? body $.a sha256 x": () => digest("sha256", member(value, "a")) === "x",
          "GET http://h/: ?? body $.a sha512 x": () => digest("sha512", member(value, "a")) === "x",
          "GET http://h/: ?? body $.a md5 x": () => digest("md5", member(value, "a")) === "x",
      """)
  }

  @Test func `numbers of the response itself are numbers for k6`() {
    let text = "GET http://h/\n\n?? status isNumber\n?? duration isNumber\n"
    let k6 = ExportSample.text(ExportSample.export(text, as: .k6))
    for subject in ["response.status", "response.timings.duration"] {
      let condition = "(typeof \(subject) === \"number\" || \(subject) instanceof Digits)"
      #expect(k6.contains(condition), "\(k6)")
    }
  }

  @Test func `the constant of a file has another name than a variable's`() {
    let text = """
      @file_1 = abc
      POST http://h/{{file_1}}
      Content-Type: image/png

      < ./pic.png

      """
    let k6 = ExportSample.text(ExportSample.export(text, as: .k6))
    #expect(k6.contains("const FILE_1 = setting(\"file_1\", \"abc\");"), "\(k6)")
    #expect(k6.contains("const FILE_1_2 = open(\"pic.png\", \"b\");"), "\(k6)")
    #expect(k6.contains("bytes(FILE_1_2)"), "\(k6)")
  }

  @Test func `values made anew are made by the program`() {
    let text = """
      POST http://h/?a={{$timestamp}}&b={{$timestamp -1 d}}&c={{$timestampMs}}&d={{$isoTimestamp}}
      X-A: {{$datetime rfc1123}} {{$date}}
      X-B: {{$randomInt 5 10}} {{$random.float(1, 2)}} {{$random.alphabetic(4)}}
      X-C: {{$random.email}} {{$datetime "YYYY"}} {{$random.name.firstName}}

      """
    let locust = ExportSample.export(text, as: .locust)
    expect(
      ExportSample.text(locust).split(separator: "\n").filter {
        $0.contains("http://h") || $0.contains("X-A")
      }.joined(separator: "\n"), is: """
                  "POST", "http://h/?a=" + legal(str(int(time.time()))) + "&b=" + legal(str(int(time.time()) - 86400)) + "&c=" + legal(str(int(time.time() * 1000))) + "&d=" + legal(datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")),
                  name="POST http://h/?a={{$timestamp}}&b={{$timestamp -1 d}}&c={{$timestampMs}}&d={{$isoTimestamp}}",
                          "X-A": email.utils.formatdate(usegmt=True) + " " + time.strftime("%Y-%m-%d"),
      """)
    expect(ExportSample.notes(locust), is: """
      template-unsupported shop.http:1 `{{$datetime "YYYY"}}` stays as it is: the target has no such value.
      template-unsupported shop.http:1 `{{$random.name.firstName}}` stays as it is: the target has no such value.
      """)
    let k6 = ExportSample.text(ExportSample.export(text, as: .k6))
    expect(
      k6.split(separator: "\n").filter { $0.contains("http://h") || $0.contains("X-A") }
        .joined(separator: "\n"), is: """
        const response = http.request("POST", "http://h/?a=" + legal(String(Math.floor(Date.now() / 1000))) + "&b=" + legal(String(Math.floor(Date.now() / 1000) - 86400)) + "&c=" + legal(String(Date.now())) + "&d=" + legal(new Date().toISOString()), null, {
            "X-A": new Date().toUTCString() + " " + new Date().toISOString().slice(0, 10),
          tags: { name: "POST http://h/?a={{$timestamp}}&b={{$timestamp -1 d}}&c={{$timestampMs}}&d={{$isoTimestamp}}" },
      """)
  }

  @Test func `names that mean something to the language are others`() {
    let text = "### class\nGET http://h/{{client}}\n\n### 2nd\nGET http://h/\n\n### Ä\nGET http://h/\n"
    let locust = ExportSample.text(ExportSample.export(text, as: .locust))
    expect(
      locust.split(separator: "\n").filter { $0.contains("def ") && $0.contains("self") }
        .joined(separator: "\n"), is: """
          def class_2(self):
          def request_2nd(self):
          def request(self):
      """)
    #expect(locust.contains("CLIENT = setting(\"client\")"))
  }

  @Test(arguments: [RequestExportFormat.locust, .k6])
  func `with nothing to send there is no file`(format: RequestExportFormat) {
    let export = ExportSample.export(
      "### Socket\nWEBSOCKET ws://h/\n\n### Off\n# @disabled\nGET http://h/\n", as: format)
    #expect(export.files.isEmpty && export.requestCount == 0)
    let problem = export.problem ?? ""
    #expect(problem.hasPrefix("nothing to send is left. "), "\(problem)")
    #expect(problem.contains("Socket is left out: "), "\(problem)")
    #expect(problem.contains("Off is left out: it is disabled."), "\(problem)")
  }
}
