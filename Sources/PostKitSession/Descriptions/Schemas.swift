// The owner of the GraphQL schemas that were read: each is read once, when something asks for it,
// and again when its files change or its service is asked anew.

package import PostKitLanguage
import PostKitRunner
import PostKitSupport

/// What came of reading a schema.
package struct SchemaReading: Sendable {
  /// The schema; `nil` where nothing could be read.
  package var schema: ServiceSchema?
  /// What is wrong with it, in sentences.
  package var failures: [DescriptionFailure] = []
}

/// Reads schemas on threads that nobody types on, and keeps the last few.
package actor Schemas {
  private var known: [(revision: String, reading: SchemaReading)] = []
  private var loading: [String: Task<SchemaReading, Never>] = [:]

  /// How many schemas are kept.
  private static let limit = 4

  /// Nothing was read.
  package init() {}

  /// A schema by what tells it from others, read where it isn't known; `nil` where that takes longer
  /// than so many milliseconds, which it goes on to do.
  package func reading(
    _ revision: String, within milliseconds: Int?,
    read: @escaping @Sendable () async -> SchemaReading
  ) async -> SchemaReading? {
    if let index = known.firstIndex(where: { $0.revision == revision }) {
      let found = known.remove(at: index)
      known.append(found)
      return found.reading
    }
    let task = loading[revision] ?? load(revision, read)
    guard let milliseconds else { return await task.value }
    return await Waiting.value(within: milliseconds) { await task.value }
  }

  /// Reads all anew at the next question.
  package func forget() { known = [] }

  private func load(
    _ revision: String, _ read: @escaping @Sendable () async -> SchemaReading
  ) -> Task<SchemaReading, Never> {
    // Unstructured on purpose: it goes on when whoever asked has given up.
    let task = Task(executorPreference: WorkerPool.acting) {
      let reading = await read()
      keep(revision, reading)
      return reading
    }
    loading[revision] = task
    return task
  }

  private func keep(_ revision: String, _ reading: SchemaReading) {
    loading[revision] = nil
    known.append((revision, reading))
    if known.count > Self.limit { known.removeFirst() }
  }
}
