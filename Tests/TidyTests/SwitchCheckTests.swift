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

  @Test func `a default beside cases of an enumeration of ours is found, and no other`() {
    let enumerations = """
      enum A: String {
        case one = "1", two(Int),
          three
        case `default`, four
        enum B { case five }
      }
      """
    let check = SwitchCheck([SourceText(path: "Sources/A/A.swift", enumerations)])
    func found(_ cases: String, _ subject: String = "a") -> [String] {
      let text = "  let b: C =\n    switch \(subject) {\n\(cases)\n    default: d\n    }\n"
      return rules(text, check.violations)
    }
    #expect(found("    case .one: b") == ["4: `default:` beside one"])
    #expect(
      found("    case .two(let b) where c(b: 1, 2), .three,\n      nil, .four?: b")
        == ["5: `default:` beside four, three, two"])
    #expect(found("    case let .two(b): b\n    case .default:\n      e").count == 1)
    #expect(
      found("    case .one:\n      switch c {\n      case \"x\": b\n      }").count == 1)
    #expect(found("    case .five: b").count == 1)
    let others = [
      "case \"x\": b", "case 1, 2: b", "case UInt8(ascii: \"x\"): b", "case (.one, .three): b",
      "case .six: b", "case .one, .five: b", "case .one: b\n    case let other where c: b",
      "case is C: b", "case ..<3: b",
    ]
    for cases in others { #expect(found("    " + cases) == [], "\(cases)") }
    let whole = "    switch a {\n    case .one: b\n    case .two, .three, .four, .default: b\n    }"
    #expect(rules(whole, check.violations) == [])
  }
}
