// What Insomnia's git sync keeps in a repository.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransfer

@Suite struct InsomniaRepositoryTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    let documents = [
      "Workspace/wrk_1": """
        {_id: wrk_1, type: Workspace, parentId: proj_1, name: Shop, scope: collection}
        """,
      "RequestGroup/fld_1": """
        {_id: fld_1, type: RequestGroup, parentId: wrk_1, name: Users, metaSortKey: 5}
        """,
      "Request/req_1": """
        _id: req_1
        type: Request
        parentId: fld_1
        name: Log in
        method: POST
        url: "{{ _.base }}/login"
        body: {mimeType: application/json, text: '{"a": 1}'}
        metaSortKey: 2
        """,
      "Request/req_2": """
        _id: req_2
        type: Request
        parentId: fld_1
        name: Get user
        method: GET
        url: "{{ _.base }}/users?t={% response 'body', 'req_1', 'b64::JC50b2tlbg==::46b' %}"
        metaSortKey: 9
        """,
      "Environment/env_1": """
        {_id: env_1, type: Environment, parentId: wrk_1, name: B, data: {base: 'http://a.test'}}
        """,
      "WebSocketRequest/ws_1": """
        {_id: ws_1, type: WebSocketRequest, parentId: wrk_1, name: Socket, url: 'ws://a.test'}
        """,
      "ApiSpec/spc_1": "{_id: spc_1, type: ApiSpec, parentId: wrk_1, contents: ''}",
      "CookieJar/jar_1": """
        {_id: jar_1, type: CookieJar, parentId: wrk_1, name: Jar, cookies: []}
        """,
    ]
    for (path, text) in documents { try folder.write("repo/.insomnia/\(path).yml", text) }
    try folder.write("repo/README.md", "Ours")
  }

  private func run(_ path: String) -> (report: ImportReport, text: String) {
    var order = OriginImport([.path(folder.path(path), called: path)], in: folder.path)
    order.target = "out"
    let report = order.run()
    let bytes = try? FileSystem.read(path: folder.path("out/Users.http"), limit: 1 << 20)
    return (report, bytes.map { String(keeping: $0) } ?? "")
  }

  @Test(arguments: ["repo", "repo/.insomnia"])
  func `a repository is read as an export of it would be`(path: String) {
    #expect(OriginImport.recognises(folder.path(path)))
    let (report, text) = run(path)
    #expect(report.error == nil && report.name == "Shop", "\(report.message ?? "")")
    #expect(report.requests == 3 && report.format == "insomnia")
    #expect(report.notes.filter(\.isWarning).isEmpty, "\(report.notes)")
    #expect(text.contains("### Log in") && text.contains("### Get user"))
    #expect(text.contains("t={{Log_in.response.body.$.token}}"))
  }

  @Test func `the folder is known where it is called otherwise`() {
    let path = folder.path("repo/.insomnia")
    var order = OriginImport([.path(path, called: ".")], in: path)
    order.mode = .dryRun
    let report = order.run()
    #expect(report.error == nil && report.requests == 3, "\(report.message ?? "")")
  }

  @Test func `what lies beside the folder is not read, unless it is another tool's`() throws {
    func paths() throws -> [String] {
      try OriginFiles.source(folder.path("repo"), called: "repo").files?.map(\.path) ?? []
    }
    try folder.write("repo/data/large.json", "{}")
    #expect(try paths().count == 8 && paths().allSatisfy { $0.hasPrefix(".insomnia/") })
    try folder.write("repo/bruno.json", "{}")
    #expect(try paths().contains("data/large.json") && paths().contains("bruno.json"))
  }

  @Test func `a document that is no YAML is told with its place, and nothing is written`() throws {
    try folder.write("repo/.insomnia/Request/req_3.yml", "<<<<<<< HEAD\n_id: [\n=======\n")
    let (report, text) = run("repo")
    #expect(report.error == .format && text.isEmpty)
    #expect(report.message?.contains("Request/req_3.yml") == true)
  }

  @Test func `without a workspace there is nothing to import`() throws {
    try FileSystem.remove(folder.path("repo/.insomnia/Workspace/wrk_1.yml"))
    #expect(run("repo").report.message?.contains("no workspace") == true)
  }
}
