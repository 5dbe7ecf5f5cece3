// The table of what scripts can name, as the editor's features ask it.

import Testing

@testable import PostKitLanguage

@Suite struct ScriptAPITests {
  @Test func `every path stands once and below one that stands`() {
    #expect(ScriptAPI.entries.count == ScriptAPI.byPath.count)
    for entry in ScriptAPI.entries {
      guard let dot = entry.path.lastIndex(of: ".") else { continue }
      let owner = String(entry.path[..<dot])
      #expect(ScriptAPI.byPath[owner] != nil || ScriptAPI.types.contains(owner), "\(entry.path)")
    }
  }

  @Test(arguments: [
    ("client.global.set", "GlobalVariables.set"),
    ("client.variables.global.headers.get", "GlobalHeaders.get"),
    ("request.variables.get", "RequestVariables.get"), ("request.url", "request.url"),
    ("request.url.getRaw", "RequestURL.getRaw"), ("test.status", "test.status"),
  ])
  func `a chain of names leads to its entry`(chain: String, path: String) {
    #expect(ScriptAPI.entry(chain)?.path == path)
  }

  @Test(arguments: ["clint", "client.globals", "GlobalVariables.set", "", "request.url.()"])
  func `other chains lead nowhere`(chain: String) {
    #expect(ScriptAPI.entry(chain) == nil)
  }

  @Test func `types are no globals, and what is called itself is no member`() throws {
    #expect(!ScriptAPI.globals.contains { $0.path == "RequestURL" })
    #expect(ScriptAPI.globals.contains { $0.path == "client" })
    let url = try #require(ScriptAPI.entry("request.url"))
    #expect(ScriptAPI.members(of: url).map(\.name) == ["getRaw", "tryGetSubstituted"])
  }
}
