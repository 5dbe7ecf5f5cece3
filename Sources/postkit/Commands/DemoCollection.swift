// The sample collection that `postkit demo` leaves, and how all that a demo made is removed.

import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport

/// The sample collection: requests, and an environment with variables.
enum DemoCollection {
  /// Its name, which needs no quotes in a shell.
  static let name = "postkit-demo"
  /// The path of the request that is sent first.
  static let first = "\(name)/accounts/users"
  /// The run of all exchanges that demos have sent.
  static let runID = "demo"

  // The same ids each time: another demo brings it up to date, and only this one is removed.
  private static let collection = id(0)
  private static let requests: [(id: String, text: String)] = [
    (
      id(2),
      """
      ### List the users
      # @name users
      # @tag demo
      GET {{host}}/users
      Accept: application/json
      # X-Trace: on

      """
    ),
    (
      id(3),
      """
      ### Log in
      # @name login
      # @tag demo
      POST {{host}}/login
      Content-Type: application/json

      {"user": "{{user}}", "password": "lovelace"}

      """
    ),
  ]
  private static let variables = [
    (id: id(5), key: "host", value: "{{$exampleServer}}"), (id: id(6), key: "user", value: "ada"),
  ]

  private static func id(_ number: UInt64) -> String {
    Identifier.version7(milliseconds: 0, random: (0xDE0, number))
  }

  /// What makes it, or brings it up to date.
  static var edits: [CollectionEdit] {
    let (folder, environment) = (id(1), id(4))
    var edits: [CollectionEdit] = [
      .createCollection(id: collection, name: name),
      .createFolder(id: folder, name: "accounts", in: .collection(collection)),
    ]
    for request in requests {
      let content = RequestText.content(request.text, dialect: nil, file: nil)
      edits.append(.createRequest(id: request.id, content, in: .folder(folder)))
    }
    edits.append(.createEnvironment(id: environment, name: "local", collection: collection))
    for variable in variables {
      edits.append(
        .createVariable(
          id: variable.id, key: variable.key, value: .plain(variable.value),
          environment: environment))
    }
    return edits + [.activate(environment: environment, collection: collection)]
  }

  /// What became of it.
  enum Removal: Sendable {
    case missing, deleted
    /// Somebody has changed it or put something into it, so that it stays.
    case kept
  }

  /// Deletes it, if it is as it was made.
  static func remove(from store: Store) async throws(StoreFailure) -> Removal {
    let editor = CollectionEditor(store, renaming: RequestText.renaming)
    return try await editor.edit { reader throws(StoreFailure) in
      guard try reader.item(id: collection) != nil else {
        return CollectionPlan([], value: Removal.missing)
      }
      let has = try reader.contents(of: collection)
      var isAsMade = [has.folders, has.requests, has.environments, has.variables]
        == [1, requests.count, 1, variables.count]
      for request in requests {
        let text = try reader.source(ofRequest: request.id)
        isAsMade = isAsMade && text == request.text
      }
      return isAsMade
        ? CollectionPlan([.delete(id: collection)], value: .deleted)
        : CollectionPlan([], value: .kept)
    }.value
  }
}

extension DemoCommand {
  /// Makes the sample collection; what keeps it from being made is said.
  func makeCollection(_ location: StoreLocation) async {
    do throws(StoreFailure) {
      let store = try await Store.open(location)
      let made: Result<CollectionEditResult, StoreFailure>
      do throws(StoreFailure) {
        made = .success(try await store.importEdits(DemoCollection.edits))
      } catch {
        made = .failure(error)
      }
      _ = await store.conclude()
      _ = try made.get()
    } catch {
      console.complain("the sample collection is not made: \(error.message(on: .commandLine))")
    }
  }

  /// Removes what demos have made: the file and the collection unless somebody has changed them,
  /// and the exchanges that demos have sent.
  func remove() async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      var query = HistoryQuery(limit: 0)
      query.runID = DemoCollection.runID
      let count = try await store.forget(.found(query))
      if count > 0 { console.line("Forgot \(HistoryCommand.exchanges(count)).") }
      var isNothing = count == 0
      let name = DemoCollection.name
      switch try await DemoCollection.remove(from: store) {
      case .missing: break
      case .deleted:
        isNothing = false
        console.line("Deleted the collection `\(name)`.")
      case .kept:
        isNothing = false
        console.note(
          "The collection `\(name)` was changed, so it stays. `postkit collections delete \(name) "
            + "--force` deletes it.")
      }
      do throws(FileFailure) {
        let isGone = try removeFile()
        isNothing = isNothing && isGone
      } catch {
        console.complain("the sample file can't be removed: \(error)")
        return 5
      }
      if isNothing { console.line("No demo has left anything here.") }
      return 0
    }
  }

  /// Removes the sample file; answers whether there is none.
  private func removeFile() throws(FileFailure) -> Bool {
    let path = DemoCommand.path(invocation.storeLocation)
    guard FileSystem.exists(path) else { return true }
    let bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
    if bytes == Array(DemoCommand.sample.utf8) {
      try FileSystem.remove(path)
      console.line("Removed \(Display.line(path)).")
    } else {
      console.note("\(path) was changed, so it stays. Remove it yourself.")
    }
    return false
  }
}
