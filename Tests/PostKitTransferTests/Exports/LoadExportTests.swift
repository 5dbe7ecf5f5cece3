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
    expect(course(export, from: "SHOP_ID ="), is: #"""
      SHOP_ID = process("SHOP_ID")
      BASEURL = setting("baseUrl", "http://127.0.0.1:8080")
      HOST = setting("host", BASEURL + "/v1")
      PAGE = setting("page", "2")
      CITY = setting("city", "Bonn am Rhein")
      PASSWORD = setting("password", reason="its value is a secret and was not exported")
      USER = setting("user", "ann")


      class MyShop(SequentialTaskSet):
          def on_start(self):
              # Later requests need these, so each user sends them once.
              self.log_in()

          def log_in(self):
              with self.client.request(
                  "POST", HOST + "/login",
                  name="Log in",
                  headers={"Content-Type": "application/json"},
                  data=b"".join([b"{\"user\": \"", USER.encode(), b"\", \"password\": \"", PASSWORD.encode(), b"\"}"]),
                  allow_redirects=False,
                  catch_response=True,
              ) as response:
                  value = decoded(response.text)
                  self.log_in_value = value
                  judge(response, [
                      ("?? status == 200", same(response.status_code, "200")),
                  ], decides=True)

          @task
          def list_orders(self):
              started = time.perf_counter()
              with self.client.request(
                  "GET", HOST + "/orders?page=" + legal(PAGE) + "&q=a%20b&flag",
                  name="List orders",
                  headers={
                          "X-Trace": str(uuid.uuid4()),
                          "Authorization": "Bearer " + needed(member(self.log_in_value, "token"), "$.token"),
                      },
                  catch_response=True,
              ) as response:
                  milliseconds = (time.perf_counter() - started) * 1000
                  value = decoded(response.text)
                  judge(response, [
                      ("?? status == 200", same(response.status_code, "200")),
                      ("?? header Content-Type contains json", contains((response.headers or {}).get("Content-Type", MISSING), "json")),
                      ("?? body $.items[0].id == 9007199254740993", same(member(value, "items", 0, "id"), "9007199254740993")),
                      ("?? body $.items isArray", isinstance(member(value, "items"), list)),
                      ("?? duration < 2000", compared(round(milliseconds), operator.lt, "2000")),
                  ], decides=True)

          @task
          def parts(self):
              time.sleep(0.250)
              with self.client.request(
                  "POST", HOST + "/upload",
                  name="Parts",
                  headers={
                          "Content-Type": "multipart/form-data; boundary=b",
                          "Authorization": basic(USER, PASSWORD),
                      },
                  data=b"".join([b"""--b\r
      Content-Disposition: form-data; name="note"\r
      \r
      hello """, USER.encode(), b"""\r
      --b\r
      Content-Disposition: form-data; name="photo"; filename="a.png"\r
      Content-Type: image/png\r
      \r
      """, content("photo.png"), b"""\r
      --b--\r
      """]),
                  catch_response=True,
              ) as response:
                  pass

          @task
          def form(self):
              for _ in range(2):
                  with self.client.request(
                      "POST", HOST + "/form",
                      name="Form",
                      headers={"Content-Type": "application/x-www-form-urlencoded"},
                      data=b"".join([b"city=", legal(CITY).encode(), b"&mark=%26"]),
                      catch_response=True,
                  ) as response:
                      value = decoded(response.text)
                      self.form_value = value

          @task
          def uses_the_mark(self):
              with self.client.request(
                  "DELETE", HOST + "/marks/" + legal(needed(member(self.form_value, "mark"), "$.mark")) + "/" + legal(SHOP_ID),
                  name="Uses the mark",
                  catch_response=True,
              ) as response:
                  pass


      class MyShopUser(FastHttpUser):
          host = "http://localhost"  # every request has its whole URL
          wait_time = constant(0)
          tasks = [MyShop]
          insecure = False
          network_timeout = 5

      """#)
    expect(ExportSample.notes(export), is: "")
  }

  @Test func `a shop becomes a k6 script`() {
    let export = ExportSample.export(ExportSample.shop, as: .k6)
    #expect(export.files.map(\.path) == ["my_shop_load.js"])
    expect(course(export, from: "const SHOP_ID"), is: #"""
      const SHOP_ID = environment("SHOP_ID");
      const BASEURL = setting("baseUrl", "http://127.0.0.1:8080");
      const HOST = setting("host", BASEURL + "/v1");
      const PAGE = setting("page", "2");
      const CITY = setting("city", "Bonn am Rhein");
      const PASSWORD = setting("password", undefined, "its value is a secret and was not exported");
      const USER = setting("user", "ann");

      const FILE_1 = open("photo.png", "b");

      function log_in(kept) {
        const response = http.request("POST", HOST + "/login", ["{\"user\": \"", USER, "\", \"password\": \"", PASSWORD, "\"}"].join(""), {
          headers: { "Content-Type": "application/json" },
          tags: { name: "Log in" },
          redirects: 0,
        });
        kept.log_in_text = response.body;
        check(response, {
          "Log in: ?? status == 200": () => same(response.status, "200"),
        });
      }

      function list_orders(kept) {
        const response = http.request("GET", HOST + "/orders?page=" + legal(PAGE) + "&q=a%20b&flag", null, {
          headers: {
            "X-Trace": uuid(),
            "Authorization": "Bearer " + needed(member(decoded(kept.log_in_text), "token"), "$.token"),
          },
          tags: { name: "List orders" },
          timeout: 5000,
        });
        const value = decoded(response.body);
        check(response, {
          "List orders: ?? status == 200": () => same(response.status, "200"),
          "List orders: ?? header Content-Type contains json": () => contains(header(response.headers, "Content-Type"), "json"),
          "List orders: ?? body $.items[0].id == 9007199254740993": () => same(member(value, "items", 0, "id"), "9007199254740993"),
          "List orders: ?? body $.items isArray": () => Array.isArray(member(value, "items")),
          "List orders: ?? duration < 2000": () => number(response.timings.duration) < number("2000"),
        });
      }

      function parts(kept) {
        sleep(0.250);
        const response = http.request("POST", HOST + "/upload", bytes("--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello ", USER, "\r\n--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n", FILE_1, "\r\n--b--\r\n"), {
          headers: {
            "Content-Type": "multipart/form-data; boundary=b",
            Authorization: basic(USER, PASSWORD),
          },
          tags: { name: "Parts" },
        });
      }

      function form(kept) {
        for (let turn = 0; turn < 2; turn++) {
          const response = http.request("POST", HOST + "/form", ["city=", legal(CITY), "&mark=%26"].join(""), {
            headers: { "Content-Type": "application/x-www-form-urlencoded" },
            tags: { name: "Form" },
          });
          kept.form_text = response.body;
        }
      }

      function uses_the_mark(kept) {
        const response = http.request("DELETE", HOST + "/marks/" + legal(needed(member(decoded(kept.form_text), "mark"), "$.mark")) + "/" + legal(SHOP_ID), null, {
          tags: { name: "Uses the mark" },
        });
      }

      // Later requests read these, so they are sent once for all users.
      export function setup() {
        const kept = {};
        log_in(kept);
        return kept;
      }

      export default function (data) {
        const kept = { ...data };
        list_orders(kept);
        parts(kept);
        form(kept);
        uses_the_mark(kept);
      }

      """#)
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
          "GET http://h/: ?? body $.a isNumber": () => member(value, "a") instanceof Digits,
          "GET http://h/: ?? body $.a isString": () => typeof member(value, "a") === "string",
          "GET http://h/: ?? body $.a isBoolean": () => typeof member(value, "a") === "boolean",
          "GET http://h/: ?? body $.a isArray": () => Array.isArray(member(value, "a")),
          "GET http://h/: ?? body $.a sha256 x": () => digest("sha256", member(value, "a")) === "x",
          "GET http://h/: ?? body $.a sha512 x": () => digest("sha512", member(value, "a")) === "x",
          "GET http://h/: ?? body $.a md5 x": () => digest("md5", member(value, "a")) === "x",
      """)
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
}
