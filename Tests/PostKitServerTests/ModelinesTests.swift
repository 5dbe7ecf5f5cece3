// Texts of servers that editors would take for settings.

import PostKitLanguage
import Testing

@testable import PostKitServer

@Suite struct ModelinesTests {
  @Test(arguments: [
    "-*-\u{301}: 1; mode: sh -*-\u{301}", "vim:\u{301} set ts=3:", "x Kate:\u{301} tab-width 3;",
    "vim>=700:\u{301} set ts=3:",
  ])
  func `a combining mark hides no setting`(line: String) {
    let text = Modelines.disarmed(line + "\n[1]\n", isBody: true)
    #expect(text.hasPrefix("\n\n\n\n\n\n\n\n\n\n") && text.contains(line))
  }

  @Test func `a combining mark hides no list of variables`() {
    let text = "[1]\nLocal Variables:\u{301}\nmode: sh\u{301}\nEnd:\u{301}\n"
    #expect(Modelines.disarmed(text, isBody: true).hasPrefix(text + "\u{c}"))
  }

  @Test(arguments: ["x vim: set ts=3: ", "-*- mode: sh -*-"])
  func `a path above a page is no setting`(key: String) {
    let heading = "# Page 2 of 3, from $[\"\(key)\"]."
    let text = Modelines.disarmed(heading + "\n[1]\n", isBody: true)
    #expect(text.hasPrefix(String(repeating: "\n", count: 10) + heading))
  }

  @Test func `a heading stays above its page, and what is no setting as it is`() {
    let heading = "# Page 2 of 3, from $.items[4]."
    let page = Modelines.disarmed(heading + "\n vim: set ts=3:\n", isBody: true)
    #expect(page.hasPrefix(heading + "\n\n\n"))
    let plain = heading + "\n{\"vim\": \"vim:\"}\n"
    #expect(Modelines.disarmed(plain, isBody: true) == plain)
  }
}
