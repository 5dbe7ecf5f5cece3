// Hovers of whole lines: wherever somebody points, something is said that helps.

import PostKitLanguage
import PostKitTestSupport
import Testing

struct HoverLineTests {
  @Test func `A title says what its request sends`() {
    checkHover("⏩### Log1️⃣in⏪\nGET {{host}}/x", is: "`GET https://dev.test/x`")
    checkHover("### a\nGET {{host}}/x\n  ⏩?q1️⃣=1⏪", is: "`GET https://dev.test/x?q=1`")
  }

  @Test func `A tag says what it does, behind its key, too`() {
    checkHover(
      "# @⏩timeout 51️⃣ s⏪\nGET /",
      is: "`@timeout NUMBER UNIT`\n\nLimits the time of the whole request, such as `30 s`.")
    checkHover(
      "# @⏩tim1️⃣out⏪ 5\nGET /",
      is: "`@timout` is not a tag that PostKit knows. Did you mean `@timeout`?")
    checkHover(
      "# @⏩file-to-var1️⃣iable⏪ a ./a\nGET /",
      is: "`@kulala-file-contents-to-variable VARIABLE PATH`\n\n"
        + "Sets the variable to the content of the file.")
    checkHover(
      "# @⏩curl-max-t1️⃣ime⏪ 5\nGET /",
      is: "`@curl-OPTION [VALUE]`\n\nGives an option of curl, such as `@curl-max-time 5`.")
    checkHover(
      "# @⏩verb1️⃣ose⏪\nGET /",
      is: "`@verbose [VALUE]`\n\nA tag of httpYac. It has no effect in PostKit.")
  }

  @Test func `A header's value is shown as it is sent, credentials left out`() {
    checkHover(
      "GET /\n⏩X-Own: {{user}}-{{pin}} 1️⃣x⏪", is: "`X-Own: ann-•••••• x`")
    checkHover(
      "GET /\n⏩Authorization: Bea1️⃣rer {{token}}⏪",
      is: "**Authorization**: Credentials for the server.\n\nRFC 9110, section 11.6.2")
    checkHover(
      "GET /\n⏩Accept: te1️⃣xt/html⏪",
      is: """
        `Accept: text/html`

        **Accept**: The media types that the client can use, with preferences.

        RFC 9110, section 12.5.1
        """)
  }

  @Test func `A path says what becomes of it`() {
    var bench = Bench()
    bench.files = ["./a.json", "./b.http"]
    checkHover(
      "POST /\n\n< ⏩./a1️⃣.json⏪", bench: bench,
      is: "Sends the content of `./a.json`.\n\nIt is `./a.json`.")
    checkHover(
      "POST /\n\n<@ ⏩./z1️⃣.json⏪", bench: bench,
      is:
        "Sends the content of `./z.json` and resolves its references.\n\nThis file does not exist yet.")
    checkHover(
      "GET /\n\n>> ⏩./o1️⃣.json⏪", is: "Saves the body of the response to `./o.json`.")
    checkHover(
      "import ⏩./b1️⃣.http⏪", bench: bench,
      is: "Imports the variables and requests of `./b.http`.\n\nIt is `./b.http`.")
    checkHover(
      "### a\nGET {{host}}/x\n\n###\nrun #⏩a1️⃣⏪",
      is: "`GET {{host}}/x`\n\nNot sent yet.")
  }

  @Test func `A check and a script say what they are`() {
    checkHover(
      "GET /\n\n⏩?? sta1️⃣tus == 200⏪",
      is: """
        A check of the response: `status == 200`

        The request has not been sent yet.
        """)
    checkHover(
      "GET /\n\n⏩>1️⃣ {%⏪\n// note\nclient.log(1)\n%}",
      is: "A script that runs after the response.")
    // Inside it what is not known has no hover.
    for text in ["// no1️⃣te", "const lo1️⃣cal = 1", "ret1️⃣urn 1"] {
      let text = MarkedText("GET /\n\n> {%\n\(text)\n%}")
      #expect(Bench().analysis(text.bytes).hover(at: text.offset()) == nil)
    }
  }

  @Test func `A status shows its meaning wherever one stands`() {
    let expected = """
      **404 Not Found**: The server refuses the request as it is.

      RFC 9110, section 15.5.5
      """
    checkHover("GET /\n\n?? status == ⏩41️⃣04⏪\n", is: expected)
    checkHover("# @kulala-expect-status-code ⏩1️⃣404⏪\nGET /\n", is: expected)
    checkHover("### example\nHTTP/1.1 ⏩4041️⃣⏪ Not Found\nX: 404\n", is: expected)
    checkHover("GET /\n⏩X: 41️⃣04⏪", is: "`X: 404`")
    checkHover(
      "GET /\n\n⏩?? body == 41️⃣04⏪\n",
      is: """
        A check of the response: `body == 404`

        The request has not been sent yet.
        """)
    checkHover(
      "GET /\n\n?? status == ⏩1️⃣429⏪\n",
      is: """
        **429 Too Many Requests**: The server refuses the request as it is.

        RFC 6585, section 4
        """)
  }
}
