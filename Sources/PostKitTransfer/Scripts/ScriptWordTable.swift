// The words of each tool's scripts that the closed table of statements begins with.

/// What the scripts of one tool call their objects and functions; paths are lists of names.
struct ScriptWordTable: Sendable {
  /// A path that reads something of the response; `isCall` where `()` stands behind it.
  struct Reading: Sendable {
    let path: [String]
    let isCall: Bool
    let subject: ScriptSubject
  }

  /// Makes a test of a name and a function.
  let tests: [[String]]
  /// Begins an expectation.
  let expectations: [[String]]
  /// Begins what is said of the response as a whole, such as `pm.response.to.have`.
  let responses: [[String]]
  /// Sets a variable.
  let setters: [[String]]
  /// Clears a variable.
  let clearers: [[String]]
  let readings: [Reading]
  /// Answers the header that it is called with.
  let headers: [[String]]
  /// Whether `tests["name"] = …` is a test.
  let hasLegacyTests: Bool

  /// The words of a tool; Hoppscotch's are in no table.
  static func of(_ family: ScriptFamily) -> ScriptWordTable {
    switch family {
    case .postman: postman
    case .insomnia: insomnia
    case .bruno: bruno
    case .hoppscotch: none
    }
  }

  private static let postman = modern(["pm"], hasLegacy: true)
  private static let insomnia = modern(["insomnia", "pm"], hasLegacy: false)
  private static let none = modern([], hasLegacy: false)

  private static let bruno = ScriptWordTable(
    tests: [["test"]], expectations: [["expect"]], responses: [],
    setters: paths("bru.setVar bru.setEnvVar"),
    clearers: paths("bru.deleteVar bru.deleteEnvVar"),
    readings: [
      reading("res.status", .status), reading("res.getStatus", .status, isCall: true),
      reading("res.responseTime", .duration),
      reading("res.getResponseTime", .duration, isCall: true),
      reading("res.body", .json([])), reading("res.getBody", .json([]), isCall: true),
      reading("res.headers", .headers), reading("res.getHeaders", .headers, isCall: true),
    ],
    headers: [["res", "getHeader"]], hasLegacyTests: false)

  /// Postman's words below these objects, and those of its first API.
  private static func modern(_ roots: [String], hasLegacy: Bool) -> ScriptWordTable {
    func below(_ words: String) -> [[String]] {
      roots.flatMap { root in paths(words).map { [root] + $0 } }
    }
    let readings = roots.flatMap { root in
      [
        reading("\(root).response.code", .status),
        reading("\(root).response.responseTime", .duration),
        reading("\(root).response.text", .text, isCall: true),
        reading("\(root).response.json", .json([]), isCall: true),
        reading("\(root).response.headers", .headers),
      ]
    }
    let legacy = [
      reading("responseCode.code", .status), reading("responseTime", .duration),
      reading("responseBody", .text),
    ]
    return ScriptWordTable(
      tests: below("test"), expectations: below("expect"), responses: below("response.to.have"),
      setters: below(
        "environment.set collectionVariables.set globals.set baseEnvironment.set")
        + (hasLegacy
          ? paths("postman.setEnvironmentVariable postman.setGlobalVariable") : []),
      clearers: below(
        "environment.unset collectionVariables.unset globals.unset baseEnvironment.unset")
        + (hasLegacy
          ? paths("postman.clearEnvironmentVariable postman.clearGlobalVariable") : []),
      readings: readings + (hasLegacy ? legacy : []),
      headers: hasLegacy ? [["postman", "getResponseHeader"]] : [], hasLegacyTests: hasLegacy)
  }

  private static func reading(
    _ path: String, _ subject: ScriptSubject, isCall: Bool = false
  ) -> Reading {
    Reading(path: paths(path)[0], isCall: isCall, subject: subject)
  }

  private static func paths(_ words: String) -> [[String]] {
    words.split(separator: " ").map { $0.split(separator: ".").map(String.init) }
  }
}
