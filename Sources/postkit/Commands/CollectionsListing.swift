// What `postkit collections` shows: the tree, one thing of it, and the environments.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSupport

extension CollectionsCommand {
  /// Prints all collections with what is in them.
  func list() async throws(Arguments.Problem) -> Int32 {
    await withStore { store throws(Stop) in
      let nodes = try await ask { () throws(StoreFailure) in
        try await store.deriveRequests(RequestText.deriving)
        return try await store.look { reader throws(StoreFailure) in
          try reader.completed(reader.tree(in: nil))
        }
      }
      if arguments.has("--json") {
        console.line(JSONValue.array(nodes.map(json)))
      } else if nodes.isEmpty {
        console.line("No collections yet. `postkit collections save FILE --to NAME` creates one.")
      } else {
        printTree(nodes, indented: "")
      }
    }
  }

  /// Prints the text of a request, or what is in a collection or folder.
  func show(_ path: String, _ store: Store) async throws(Stop) {
    let (node, source) = try await ask { () throws(StoreFailure) in
      try await store.deriveRequests(RequestText.deriving)
      return try await store.look { reader throws(StoreFailure) in
        let item = try self.item(path, reader)
        let children = try item.container.map { container throws(StoreFailure) in
          try reader.tree(in: container)
        }
        let node = CollectionNode(item: item, children: children ?? [])
        let completed = try reader.completed([node]).first
        return (completed ?? node, try reader.source(ofRequest: item.id))
      }
    }
    if node.item.container != nil {
      if arguments.has("--json") {
        console.line(json(node))
      } else {
        printTree([node], indented: "")
      }
      return
    }
    let bytes = source?.keptBytes ?? []
    guard arguments.has("--json") else {
      console.write(
        console.outputIsTerminal ? Array(Display.safe((source ?? "").shown).utf8) : bytes)
      return
    }
    guard case .object(var members) = json(node) else { return }
    members.append(JSONMember("source", .string((source ?? "").shown)))
    console.line(JSONValue.object(members))
  }

  private func printTree(_ nodes: [CollectionNode], indented indent: String) {
    for node in nodes {
      let name = Display.line(node.item.name)
      switch node.item {
      case .collection, .folder:
        let count = node.requestCount
        console.line("\(indent)\(name)/  (\(count) request\(count == 1 ? "" : "s"))")
      case .request(let request):
        let caption = request.name == nil ? "" : "  (\(request.method) \(request.url))"
        console.line("\(indent)\(name)\(Display.line(caption))")
      }
      printTree(node.children, indented: indent + "  ")
    }
  }

  /// A part of the tree as JSON.
  func json(_ node: CollectionNode) -> JSONValue {
    var members = [
      JSONMember("id", .string(node.item.id)), JSONMember("kind", .string(node.item.kind)),
      JSONMember("name", .string(node.item.name.shown)),
      JSONMember("path", .string(node.path.shown)),
      JSONMember("createdAt", .string(time(node.item.createdAt))),
      JSONMember("updatedAt", .string(time(node.item.updatedAt))),
    ]
    switch node.item {
    case .collection(let row):
      members.append(JSONMember("activeEnvironment", .optional(row.activeEnvironmentID)))
    case .folder: break
    case .request(let row):
      members += [
        JSONMember("method", .string(row.method)), JSONMember("url", .string(row.url.shown)),
        JSONMember("file", .optional(row.originFile)),
        JSONMember("isFavourite", .bool(row.isFavourite)),
        JSONMember("tags", .array(node.tags.map { .string($0.shown) })),
      ]
    }
    if node.item.container != nil {
      members.append(JSONMember("requestCount", .int(node.requestCount)))
      members.append(JSONMember("children", .array(node.children.map(json))))
    }
    return .object(members)
  }

  private func time(_ milliseconds: Int64) -> String {
    DateFormat.iso8601(CivilDate(milliseconds: milliseconds))
  }

  // MARK: - Environments

  /// Prints the environments of a collection, or of all and the global ones; secrets are masked.
  func environments(_ name: String?, _ store: Store) async throws(Stop) {
    var chosen: Model.Collection?
    if let name { chosen = try await collection(name, store) }
    let found = try await ask { () throws(StoreFailure) in
      try await store.environmentsWithOwners()
    }
    var values: [JSONValue] = []
    for (item, owner) in found where chosen == nil || owner?.id == chosen?.id {
      let isActive = owner?.activeEnvironmentID == item.environment.id
      if arguments.has("--json") {
        values.append(json(item, owner, isActive: isActive))
      } else {
        list(item, owner, isActive: isActive)
      }
    }
    if arguments.has("--json") { console.line(JSONValue.array(values).text) }
  }

  private func list(_ item: EnvironmentContents, _ owner: Model.Collection?, isActive: Bool) {
    let place = owner.map { "\($0.name)/" } ?? ""
    let note = isActive ? "  (active)" : owner == nil ? "  (global)" : ""
    console.line(Display.line(place + item.environment.name) + note)
    for variable in item.variables {
      let value = variable.value ?? SecretMask.text
      console.line("  \(Display.fitted(Display.line(variable.key), 20))  \(Display.line(value))")
    }
  }

  private func json(
    _ item: EnvironmentContents, _ owner: Model.Collection?, isActive: Bool
  ) -> JSONValue {
    [
      "id": .string(item.environment.id), "collection": .optional(owner?.name),
      "environment": .string(item.environment.name), "active": .bool(isActive),
      "variables": .array(
        item.variables.map { variable in
          [
            "name": .string(variable.key), "value": .optional(variable.value),
            "masked": .bool(variable.isSecret),
          ]
        }),
    ]
  }
}
