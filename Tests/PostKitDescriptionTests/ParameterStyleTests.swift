// How values are written by style, as the table of the standard has it.

import PostKitDescription
import PostKitJSON
import Testing

@Suite struct ParameterStyleTests {
  private static let blue: JSONValue = "blue"
  private static let list: JSONValue = ["a", "b"]
  private static let object: JSONValue = ["r": 1, "g": 2]

  @Test(arguments: [
    (ParameterStyle.simple, false, "blue", "a,b", "r,1,g,2"),
    (.simple, true, "blue", "a,b", "r=1,g=2"),
    (.label, false, ".blue", ".a,b", ".r,1,g,2"),
    (.label, true, ".blue", ".a.b", ".r=1.g=2"),
    (.matrix, false, ";c=blue", ";c=a,b", ";c=r,1,g,2"),
    (.matrix, true, ";c=blue", ";c=a;c=b", ";r=1;g=2"),
  ])
  func `a path has one text`(
    style: ParameterStyle, isExploded: Bool, one: String, list: String, object: String
  ) {
    let writer = ParameterWriter(name: "c", style: style, isExploded: isExploded) { $0 }
    #expect(writer.text(Self.blue) == one)
    #expect(writer.text(Self.list) == list)
    #expect(writer.text(Self.object) == object)
  }

  @Test(arguments: [
    (ParameterStyle.form, true, "c=blue", "c=a&c=b", "r=1&g=2"),
    (.form, false, "c=blue", "c=a,b", "c=r,1,g,2"),
    (.spaceDelimited, false, "c=blue", "c=a%20b", "c=r%201%20g%202"),
    (.pipeDelimited, false, "c=blue", "c=a|b", "c=r|1|g|2"),
    (.tabDelimited, false, "c=blue", "c=a%09b", "c=r%091%09g%092"),
    (.deepObject, true, "c=blue", "c=a&c=b", "c[r]=1&c[g]=2"),
  ])
  func `a query has pairs`(
    style: ParameterStyle, isExploded: Bool, one: String, list: String, object: String
  ) {
    let writer = ParameterWriter(name: "c", style: style, isExploded: isExploded) { $0 }
    func text(_ value: JSONValue) -> String {
      writer.pairs(value).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
    #expect(text(Self.blue) == one)
    #expect(text(Self.list) == list)
    #expect(text(Self.object) == object)
  }

  @Test func `only names and values are encoded`() {
    let writer = ParameterWriter(name: "c", style: .form, isExploded: false) { "<\($0)>" }
    #expect(writer.pairs(Self.list).map { "\($0.name)=\($0.value)" } == ["<c>=<a>,<b>"])
  }
}
