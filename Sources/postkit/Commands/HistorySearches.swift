// `postkit history save-search`, `searches` and `delete-search`: searches with names.

import PostKitJSON
import PostKitRunner
import PostKitStore

extension HistoryCommand {
  /// Saves the filters and the order of the command line under a name.
  func saveSearch(_ name: String) async throws(Arguments.Problem) -> Int32 {
    let selection = try HistorySelection(arguments)
    guard !selection.isEmpty || arguments.has("--sort") else {
      throw Arguments.Problem(
        message: "`history save-search` needs a filter, such as --status 5xx or --since 2h")
    }
    return await invocation.withStore { store throws(StoreFailure) in
      let line = try await selection.line(in: store)
      let wasThere = try await store.saveSearch(name, line)
      console.line(
        Display.line("\(wasThere ? "Changed" : "Saved") the search `\(name)`: \(line.text)"))
      return 0
    }
  }

  /// Prints the saved searches.
  func searches() async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      let searches = try await store.savedSearches()
      if arguments.has("--json") {
        console.line(
          JSONValue.array(
            searches.map { search in
              [
                "name": .string(search.name), "query": .string(search.filter),
                "createdAt": .string(Moment.utc(search.createdAt)),
              ]
            }))
      } else if searches.isEmpty {
        console.line("No saved searches. `postkit history save-search NAME FILTER` saves one.")
      }
      guard !arguments.has("--json") else { return 0 }
      let width = searches.map { Display.line($0.name).count }.max() ?? 0
      for search in searches {
        let name = Display.line(search.name)
        console.line("\(Display.fitted(name, width))  \(Display.line(search.filter))")
      }
      return 0
    }
  }

  /// Deletes a saved search; what it finds stays.
  func deleteSearch(_ name: String) async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      try await store.deleteSearch(name)
      console.line(Display.line("Deleted the search `\(name)`."))
      return 0
    }
  }
}
