// Which environment files a request file has around it, by dialect.

import Foundation
import PostKitEvaluate
import PostKitSupport
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct WorkspaceTests {
  private func directory() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write("postkit.json", "{}")
    for (path, text) in [
      "http-client.env.json": "{\"dev\":{\"a\":\"top\",\"b\":\"top\",\"o\":{\"x\":1,\"y\":1}}}",
      "http-client.private.env.json": "{\"dev\":{\"c\":\"top\"}}",
      "in/http-client.env.json": "{\"dev\":{\"a\":\"in\",\"o\":{\"y\":2}}}",
      ".env": "d=top\ne=top\n", "in/.env": "d=in\n", "dev.env": "f=top\n", "in/.env.dev": "f=in\n",
      "in/api.env": "g=api\n",
    ] {
      try directory.write(path, text)
    }
    return directory
  }

  private func values(
    _ directory: TemporaryDirectory, _ preset: DialectPreset, _ environment: String? = "dev"
  ) -> [String: String] {
    Workspace(file: directory.path("in/api.http"))
      .environments(active: environment, Dialect(preset)).definitions
      .mapValues { $0.value.substitutionText }
  }

  @Test func `all folders from the root down are merged, the nearest wins`() throws {
    let directory = try directory()
    #expect(
      values(directory, .auto) == [
        "a": "in", "b": "top", "c": "top", "d": "in", "e": "top", "f": "in",
        "o": "{\"x\":1,\"y\":2}",
      ])
  }

  @Test(arguments: [DialectPreset.jetbrains, .visualstudio])
  func `JetBrains and Visual Studio read the nearest folder alone`(
    _ preset: DialectPreset
  ) throws {
    let directory = try directory()
    let values = values(directory, preset)
    #expect(values["a"] == "in")
    #expect(values["b"] == nil)
    #expect(values["c"] == nil)
    #expect(values["o"] == "{\"y\":2}")
  }

  @Test func `rest.nvim reads one dotenv file`() throws {
    let directory = try directory()
    #expect(values(directory, .restnvim, nil) == ["g": "api"])
    #expect(values(directory, .restnvim) == ["f": "in"])
    let other = Workspace(file: directory.path("in/other.http"))
      .environments(active: nil, Dialect(.restnvim))
    #expect(other.definitions.keys.sorted() == ["d"])
  }

  @Test func `a choice of several environments finds the dotenv files of each`() throws {
    let directory = try directory()
    try directory.write(".env.more", "h=more\n")
    let values = values(directory, .auto, "dev,more")
    #expect(values["f"] == "in")
    #expect(values["h"] == "more")
  }

  @Test func `names with a slash are no files`() throws {
    let directory = try directory()
    try directory.write("in/sub/x.env", "secret=1\n")
    #expect(values(directory, .auto, "sub/x")["secret"] == nil)
  }

  @Test(
    "an imported file is read by its own pragma, else as the project has it, unless the run says",
    arguments: [
      (FileReading(), "", 2), (FileReading(preset: .kulala), "", 1),
      (FileReading(preset: .kulala), "# @dialect auto\n", 2),
      (FileReading(chosen: .kulala), "# @dialect auto\n", 1),
    ])
  func imports(_ reading: FileReading, _ pragma: String, _ requests: Int) throws {
    let directory = try directory()
    try directory.write("b.http", pragma + "POST http://a.test\n\nGET http://b.test\n")
    var workspace = Workspace(file: directory.path("in/a.http"))
    workspace.reading = reading
    let document = workspace.reading.document(Array("import ../b.http\n".utf8), format: .http)
    let scope = workspace.scope(of: document, environment: nil, dialect: Dialect())
    #expect(scope.files.files.map(\.document.requests.count) == [0, requests])
  }

  @Test func `request files below a folder are found, but not in hidden ones`() throws {
    let directory = try TemporaryDirectory()
    for name in [
      "a.http", "b.rest", "c.txt", "sub/d.http", "sub/deep/er/e.http", "sub/deep/er/far/f.http",
      ".git/g.http", "node_modules/h.http",
    ] {
      try directory.write(name, "GET http://a.test/\n")
    }
    let workspace = Workspace(file: directory.path("a.http"))
    #expect(
      workspace.requestFilesBelow
        == ["./b.rest", "./sub/d.http", "./sub/deep/er/e.http"])
  }

  @Test func `each folder has a folder for environments, and all projects may share one`() throws {
    let directory = try directory()
    for (path, text) in [
      "env/.env": "d=env\ne=env\n", "env/dev.env": "f=env\n",
      "env/http-client.env.json": "{\"dev\":{\"b\":\"env\",\"n\":\"env\"}}",
      "in/env/.env": "e=in/env\n", "env/.vscode/settings.json": "{}",
      "env/.httpyac.json": "{\"environments\": {\"dev\": {\"x\": 1}}}",
      "shared/.env": "s=shared\nd=shared\n",
      "shared/http-client.private.env.json": "{\"dev\":{\"c\":\"shared\",\"t\":\"shared\"}}",
    ] {
      try directory.write(path, text)
    }
    var workspace = Workspace(file: directory.path("in/api.http"))
    workspace.sharedFolder = directory.path("shared")
    let values = workspace.environments(active: "dev", Dialect()).definitions
      .mapValues { $0.value.substitutionText }
    #expect(values["a"] == "in")
    #expect(values["b"] == "env")
    #expect(values["n"] == "env")
    #expect(values["d"] == "in")
    #expect(values["e"] == "in/env")
    #expect(values["f"] == "in")
    #expect(values["x"] == nil)
    #expect(values["s"] == "shared")
    #expect(values["c"] == "top")
    #expect(values["t"] == "shared")
    let nearest = workspace.environments(active: "dev", Dialect(.jetbrains)).definitions
    #expect(nearest["n"] == nil)
    #expect(nearest["t"] == nil)
    #expect(workspace.watchedPaths(active: "dev").contains(directory.path("in/env/.env.dev")))
  }

  @Test func `httpYac's configuration at the root names the folder for environments`() throws {
    let directory = try directory()
    try directory.write(".httpyac.json", "{\"envDirName\": \"conf\"}")
    try directory.write("env/.env", "d=env\n")
    try directory.write("conf/.env", "c2=conf\n")
    let values = values(directory, .auto)
    #expect(values["c2"] == "conf")
    #expect(values["d"] == "in")
  }

  @Test func `a workspace file of VS Code is read below the settings of its folders`() throws {
    let directory = try directory()
    try directory.write(
      "all.code-workspace",
      """
      { // VS Code allows comments.
        "folders": [{"path": "."}],
        "settings": {"rest-client.environmentVariables": {
          "$shared": {"p": "shared"}, "dev": {"a": "low", "q": "{{$shared p}}", "r": "low"}}}
      }
      """)
    try directory.write(
      ".vscode/settings.json",
      "{\"rest-client.environmentVariables\": {\"dev\": {\"r\": \"high\"}}}")
    let values = values(directory, .auto)
    #expect(values["a"] == "in")
    #expect(values["p"] == "shared")
    #expect(values["q"] == "shared")
    #expect(values["r"] == "high")
  }

  @Test func `relative paths count from where the dialect says`() throws {
    let directory = try directory()
    for path in ["a.txt", "in/a.txt", "top.txt"] { try directory.write(path, "") }
    var workspace = Workspace(file: directory.path("in/api.http"))
    func found(_ base: Dialect.PathBase, _ path: String) -> String? {
      workspace.pathBase = base
      return workspace.beside(workspace.file).resolve(path)
    }
    #expect(found(.file, "a.txt") == directory.path("in/a.txt"))
    #expect(found(.root, "a.txt") == directory.path("a.txt"))
    #expect(found(.fileAlone, "a.txt") == directory.path("in/a.txt"))
    #expect(found(.file, "top.txt") == directory.path("top.txt"))
    #expect(found(.fileAlone, "top.txt") == nil)
    #expect(workspace.isAmbiguous("a.txt") == false)
    workspace.pathBase = .root
    #expect(workspace.isAmbiguous("a.txt"))
  }

  @Test func `an environment file that is no file is told about, a folder .env is none`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("postkit.json", "{}")
    for name in ["http-client.env.json", "http-client.private.env.json", ".env", ".httpyac.json"] {
      try FileSystem.makeDirectory(directory.path(name))
    }
    #expect(mkfifo(directory.path("dev.env"), 0o600) == 0)
    let set = Workspace(file: directory.path("a.http")).environments(active: "dev", Dialect())
    #expect(
      set.problems.map { ($0.path ?? "").split(separator: "/").last } == [
        "dev.env", ".httpyac.json", "http-client.env.json", "http-client.private.env.json",
      ])
    #expect(set.problems.allSatisfy { $0.severity == .warning })
    #expect(set.problems.first?.message.contains("It is a named pipe and not a file") == true)
  }
}
