// The checks of switches on small samples that they must accept and refuse.

import Testing

@Suite struct SwitchCheckTests {
  @Test func `a computed value is measured like a function, and a plain switch is not`() {
    let found = { (text: String) in rules(text, DeclarationChecks.functionLength) }
    let statements = String(repeating: "  a()\n", count: 58)
    #expect(found("var f: Int {\n\(statements)}\n") == ["1: f has 60 lines"])
    #expect(found("var f = 1\nif a {\n\(statements)}\n") == [])
    func table(_ arm: String, after arms: String = "", before statement: String = "") -> String {
      let all = String(repeating: "    case .a(let b), .c,\n      .d: b\n", count: 30) + arms + arm
      return "  func f(_ a: A) -> B {\n\(statement)    switch a {\n\(all)    }\n  }\n"
    }
    let plain = "    // Why.\n    case .e:\n      g(\n        \"h: i\",\n        k)\n        + l\n"
    #expect(found(table(plain)) == [])
    let others = [
      table("    case .e:\n      g()\n      h()\n"), table("    default: b\n"),
      table("    case .e:\n      let g = h()\n"), table("    case .e: g = 1\n"),
      table("    case .e:\n      g\n" + String(repeating: "        + h\n", count: 6)),
      table("    case .e: break\n"), table(plain, before: "    let a = b\n"),
      table(plain, before: "    g()\n"), table("    case .e: if g { h } else { i }\n"),
    ]
    for text in others { #expect(found(text).count == 1, "\(text.suffix(120))") }
  }
}
