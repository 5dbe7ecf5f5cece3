// Dynamic variables: their arguments, what is said of wrong ones, and the built-in words.

import PostKitSyntax
import Testing

@testable import PostKitEvaluate

@Suite struct DynamicTests {
  /// The value of a reference, or what is said of it.
  private func value(_ reference: String, _ head: String = "") -> String {
    let file = "\(head)\nPOST http://t.test/\nContent-Type: text/plain\n\n{{\(reference)}}"
    let lowered = Laboratory().lower(file)
    if let problem = lowered.problems.first { return "\(problem.severity): \(problem.message)" }
    return lowered.text.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
  }

  @Test(
    "dates in the tokens of either kind",
    arguments: [
      // .NET: quoted text, and letters that are tokens only to day.js.
      ("$datetime \"yyyy-MM-dd'T'HH:mm\"", "2026-02-05T06:07"),
      ("$datetime \"dd 'of' MMMM, 'o''clock'\"", "05 of February, o'clock"),
      ("$datetime 'dd/MM/yy fff tt'", "05/02/26 009 AM"),
      ("$localDatetime 'yyyyMMdd zzz'", "20260205 +01:00"),
      // day.js: brackets and names.
      ("$datetime 'dddd [the] D, MMM YYYY'", "Thursday the 5, Feb 2026"),
      ("$datetime '[yyyy] YYYY'", "yyyy 2026"),
      // Offsets move any of them; a format may be left out.
      ("$datetime rfc1123 1 h", "Thu, 05 Feb 2026 07:07:08 GMT"),
      ("$datetime -1 y", "2025-02-05T06:07:08.009Z"),
      ("$datetime iso8601 2 Q", "2026-08-05T06:07:08.009Z"),
      ("$localDatetime 'HH:mm' 90 m", "08:37"), ("$timestamp 2 w", "1771481228"),
      ("$timestamp 1500 ms", "1770271629"),
    ])
  func dates(_ reference: String, _ expected: String) {
    #expect(value(reference) == expected)
  }

  @Test(
    "wrong arguments are errors with the grammar",
    arguments: [
      ("$uuid 1", "$uuid"), ("$timestamp 1", "$timestamp [offset unit]"),
      ("$timestamp 1 parsec", "$timestamp [offset unit]"), ("$randomInt 5", "$randomInt [min max]"),
      ("$randomInt a b", "$randomInt [min max]"), ("$date today", "$date"),
      ("$random.integer(1,2,3)", "$random.integer([[min,] max])"),
      ("$random.float(0, inf)", "$random.float([[min,] max])"),
      ("$random.alphabetic(0)", "$random.alphabetic(length)"),
      ("$random.hexadecimal", "$random.hexadecimal(length)"),
      ("$random.name.firstName 3", "$random.name.firstName"),
      ("$datetime tomorrow", #"$datetime rfc1123|iso8601|"format" [offset unit]"#),
    ])
  func wrongArguments(_ reference: String, _ grammar: String) {
    let name = reference.prefix { $0 != " " && $0 != "(" }
    #expect(value(reference) == "error: `\(name)` has wrong arguments. Write `\(grammar)`.")
  }

  @Test(
    "numbers keep their bounds, whatever the order",
    arguments: [
      ("$randomInt", 0...999), ("$randomInt 3 5", 3...4), ("$randomInt 5 3", 3...4),
      ("$randomInt -9223372036854775808 9223372036854775807", Int.min...Int.max),
      ("$random.integer()", 0...999), ("$random.integer(2)", 0...1),
      ("$random.integer(-2, -1)", -2 ... -2), ("$randomInt 7 7", 7...7),
    ])
  func bounds(_ reference: String, _ range: ClosedRange<Int>) throws {
    let text = value("\(reference)}} {{\(reference)}} {{\(reference)")
    for word in text.split(separator: " ") {
      #expect(range.contains(try #require(Int(word))))
    }
  }

  @Test func `every item of the words has a value, and no pattern is left in one`() throws {
    for item in RandomVocabulary.patterns.keys.sorted() {
      var bits: UInt64 = 1
      let text = try #require(
        RandomVocabulary.value(of: item) {
          bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return bits >> 33
        })
      #expect(!text.isEmpty && !text.contains { "{}~^`".contains($0) }, "\(item): \(text)")
    }
    for (item, patterns) in RandomVocabulary.patterns {
      for pattern in patterns {
        for name in pattern.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
          let item2 = String(name.prefix { $0 != "}" })
          #expect(RandomVocabulary.patterns[item2] != nil, "\(item) names \(item2)")
        }
      }
    }
    #expect(DynamicVariables.named("random.name.fullName")?.signature == "$random.name.fullName")
  }

  @Test func `unknown items name what is near`() {
    #expect(
      value("$random.name.fulName")
        == "warning: `$random.name.fulName` is not a dynamic variable. "
        + "Did you mean `$random.name.fullName`?")
    #expect(
      value("$random.color.theColorOfTheNightSky")
        == "warning: `$random.color.theColorOfTheNightSky` is not a dynamic variable. "
        + "`$random.color` has: hex, name.")
    #expect(value("$random.galaxies.spiral").contains("items of address, animal, app,"))
  }

  @Test func `a placeholder is to be filled in`() {
    #expect(
      value("$placeholder")
        == "error: `{{$placeholder}}` is not filled in. Replace it with a value.")
  }

  @Test func `each occurrence is new, but for one through a file variable`() {
    let words = value("$uuid}} {{$uuid}} {{id}} {{id", "@id = {{$uuid}}").split(separator: " ")
    #expect(Set(words).count == 3 && words[2] == words[3])
  }
}
