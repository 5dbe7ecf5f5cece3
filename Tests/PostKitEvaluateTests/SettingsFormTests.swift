// What a file of settings may say; everything else is told with its place and what to write.

import Foundation
import PostKitJSON
import Testing

@testable import PostKitEvaluate

@Suite struct SettingsFormTests {
  private func mistakes(_ text: String, _ form: SettingsForm = .project) -> [String] {
    form.read(Array(text.utf8)).mistakes.map {
      "\($0.position.line):\($0.position.column) \($0.sentence)"
    }
  }

  @Test func `what the history keeps is said by the user and by no project`() {
    let text = #"{"history": {"maxAgeDays": 1, "maxBytes": 1}, "history.maxEntries": 1}"#
    let found = SettingsForm.project.read(Array(text.utf8)).mistakes.map(\.sentence)
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.hasSuffix("Move it to `config.json`.") })
    #expect(SettingsForm.user.read(Array(text.utf8)).mistakes == [])
  }

  @Test func `every setting and every knob may be said, dotted or nested`() {
    let text = #"""
      { // A project.
        "$schema": "x", "environment": "dev", "dialect": "kulala", "timeout": 0, "proxy": "",
        "tls.caFile": "ca.pem", "tls": {"certificates": {"a.test": {"cert": "c.pem"}}},
        "history": {"enabled": true, "maxBodyBytes": 1},
        "inlay": {"variables": "url", "results": false}, "codeLens.enabled": true
      }
      """#
    #expect(mistakes(text) == [])
    for knob in DialectKnob.all {
      for answer in knob.answers {
        #expect(mistakes("{\"\(knob.name)\": \"\(answer)\"}") == [])
        if answer == "true" || answer == "false" {
          #expect(mistakes("{\"\(knob.name)\": \(answer)}") == [])
        }
      }
    }
  }

  @Test func `the protocol's schema has every setting, and takes and refuses the same`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "protocol/settings.schema.json")
    let schema = try JSONTree(parsing: Array(Data(contentsOf: file))).root
    let properties = try #require(schema["properties"]?.members)
    let groups = SettingsForm.groups
    #expect(
      Set(properties.compactMap(\.key.string))
        == groups.union(["$schema"] + Setting.all.map(\.name) + DialectKnob.all.map(\.name)))
    for (key, view) in properties where key.string != "$schema" {
      let name = try #require(key.string)
      if groups.contains(name) {
        let inner = Set((view["properties"]?.members ?? []).compactMap(\.key.string))
        #expect(
          inner
            == Set(
              Setting.all.map(\.name).filter { $0.hasPrefix("\(name).") }.map {
                String($0.dropFirst(name.count + 1))
              }))
        continue
      }
      for value in SettingsFormTests.samples + (view["enum"]?.elements.map(\.value.text) ?? []) {
        let isOfUser = Setting.all.contains { $0.name == name && $0.isOfUser }
        let form = isOfUser ? SettingsForm.user : .project
        let isTaken = mistakes("{\"\(name)\": \(value)}", form).isEmpty
        let sample = try JSONTree(parsing: Array(value.utf8)).root
        #expect(isTaken == SettingsFormTests.fits(sample, view), "\(name): \(value)")
      }
    }
  }

  /// A value of each kind.
  private static let samples = ["\"?\"", "5", "-1", "1.5", "1e30", "true", "{}", "[]", "null"]

  /// Whether a value is what a member of the schema wants.
  private static func fits(_ value: JSONView, _ schema: JSONView) -> Bool {
    if let words = schema["enum"]?.elements { return words.map(\.value).contains(value.value) }
    switch schema["type"]?.string {
    case "string": return value.kind == .string
    case "boolean": return value.bool != nil
    case "object": return value.kind == .object
    case "array": return value.kind == .array
    case "integer":
      guard let number = value.value.int else { return false }
      return number >= schema["minimum"]?.int ?? .min && number <= schema["maximum"]?.int ?? .max
    default: return false
    }
  }

  @Test(
    "what has no effect",
    arguments: [
      (
        #"{"timout": 5}"#,
        "1:2 Unknown setting `timout` has no effect. Did you mean `timeout`?"
      ),
      (
        "{\n  \"colour\": 5}",
        "2:3 Unknown setting `colour` has no effect. Remove it, or comment it out "
          + "with `//`."
      ),
      (
        #"{"history": {"maxByte": 5}}"#,
        "1:14 Unknown setting `history.maxByte` has no effect. Did you mean "
          + "`history.maxBytes`?"
      ),
      (
        #"{"history": 5}"#,
        "1:2 Unknown setting `history` has no effect. Remove it, or comment it out with `//`."
      ),
      (
        #"{"timeout": -1}"#,
        "1:2 `timeout` can't be `-1` and has no effect. Write a number of milliseconds, such as "
          + "`30000`."
      ),
      (
        #"{"environment": ["a"]}"#,
        "1:2 `environment` can't be a list and has no effect. Write a text in quotes."
      ),
      (
        #"{"history.enabled": "yes"}"#,
        "1:2 `history.enabled` can't be `\"yes\"` and has no effect. Write `true` or `false`."
      ),
      (
        #"{"history.maxBodyBytes": 1.5}"#,
        "1:2 `history.maxBodyBytes` can't be `1.5` and has no effect. Write a whole number from 0 to 9007199254740991."
      ),
      (
        #"{"tls": {"certificates": "c.pem"}}"#,
        "1:10 `tls.certificates` can't be `\"c.pem\"` and has no effect. Write an object, such as "
          + #"`{"api.test": {"cert": "client.pem"}}`."#
      ),
      (
        #"{"precedence": "environment"}"#,
        "1:2 `precedence` can't be `\"environment\"` and has no effect. Write one of `file-first`, "
          + "`env-first`."
      ),
      (
        "[]",
        "1:1 postkit.json is ignored: it is not a JSON object. Write the settings between `{` and `}`."
      ),
    ])
  func mistake(_ text: String, _ sentence: String) {
    #expect(mistakes(text) == [sentence])
  }

  @Test func `a file that is no JSON is skipped whole, with the place`() throws {
    let (value, mistakes) = SettingsForm.project.read(Array("{\n  \"timeout\": 5,,\n}".utf8))
    #expect(value == nil)
    let mistake = try #require(mistakes.first)
    #expect(mistake.position.line == 2)
    #expect(mistake.sentence.hasPrefix("postkit.json is ignored: "))
    #expect(mistake.sentence.hasSuffix("Correct the JSON here."))
  }

  @Test func `the rest of a file with mistakes holds`() {
    let (value, mistakes) = SettingsForm.project.read(Array(#"{"a": 1, "timeout": 7}"#.utf8))
    #expect(value?["timeout"]?.int == 7)
    #expect(mistakes.count == 1)
  }

  @Test func `a user has no knobs, for a file means the same to everybody`() {
    #expect(
      mistakes(#"{"precedence": "env-first", "timeout": 5}"#, .user) == [
        "1:2 `precedence` has no effect here: a project sets it, so its files mean the same to everybody. "
          + "Move it to `postkit.json`."
      ])
  }
}
