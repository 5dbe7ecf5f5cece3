// What hovers say of checks: what became of them, and what they are about.

import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitTestSupport
import Testing

struct CheckHoverTests {
  @Test func `A check shows what became of it`() {
    var bench = Bench()
    var result = Results.ok
    result.checks = [
      TestResult(name: "status == 201", passed: false, message: "The value is `200`."),
      TestResult(name: "body contains a", passed: true),
    ]
    bench.results = [result]
    let text = "# @name ok\nGET /\n\n"
    checkHover(text + "⏩?? sta1️⃣tus == 201⏪\n?? body contains a", bench: bench, is: """
      Failed at the last run. The value is `200`.
      """)
    checkHover(text + "?? status == 201\n⏩?? body con1️⃣tains a⏪", bench: bench, is: """
      Passed at the last run.
      """)
    checkHover(text + "⏩?? body cont1️⃣ains b⏪", bench: bench, is: "Not checked yet.")
    checkHover(
      "# @name other\nGET /\n\n⏩?? body cont1️⃣ains b⏪", bench: bench,
      is: """
        A check of the response: `body contains b`

        The request has not been sent yet.
        """)
  }

  @Test func `A check shows the value that it is about, masked, but never twice`() {
    var bench = Bench()
    var result = Results.ok
    result.checks = [
      TestResult(name: "status == 201", passed: true),
      TestResult(name: "status == 200", passed: false, message: "The value is `201`."),
    ]
    bench.results = [result]
    let exchange = Bench.exchange(
      #"{"a": [1, "s3cr3t-value"], "b": null}"#,
      headers: ["Content-Type": "application/json", "Set-Cookie": "a=b"])
    let answer = AnsweredRequest(exchange, timings: Timings())
    let text = "# @name ok\nGET /\n\n"
    for (line, expected) in [
      ("status == 201", "Passed at the last run. The value in the last response is `201`."),
      ("status == 200", "Failed at the last run. The value is `201`."),
      ("body $.a[0] == 1", "Not checked yet. The value in the last response is `1`."),
      (
        "body $.a contains 1",
        #"Not checked yet. The value in the last response is `[1,"••••••"]`."#
      ),
      ("body $.c == 1", "Not checked yet."),
      (
        "header Set-Cookie contains a",
        "Not checked yet. The value in the last response is `••••••`."
      ),
    ] {
      checkHover(text + "⏩?? 1️⃣\(line)⏪", bench: bench, answer: answer, is: expected)
    }
  }

  @Test func `A tag that expects a status says what became of it`() {
    var bench = Bench()
    var result = Results.ok
    result.checks = [
      TestResult(
        name: "kulala-expect-status-code 200", passed: false, message: "The value is `201`.")
    ]
    bench.results = [result]
    checkHover(
      "# @name ok\n# @⏩kulala-expect1️⃣-status-code⏪ 200\nGET /\n", bench: bench, is: """
        `@kulala-expect-status-code NUMBERS`

        Fails on any other status.

        Failed at the last run. The value is `201`.
        """)
  }
}
